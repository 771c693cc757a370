"""``relsent-ir features``: write the features of candidates for other learners."""

from pathlib import Path

from relsent_ir.cli import options
from relsent_ir.cli.options import Topics
from relsent_ir.cli.output import Outcome, progress


@options.verb()
def command(
    index: Path = options.index,
    topics: Topics = options.topics(required=True),
    qrels: Path | None = options.file(
        "Grades for the first column; else 0.", metavar="QRELS", type=options.QRELS
    ),
    depth: int = options.depth,
    runs: tuple[str, ...] = options.evidence,
    related: Path | None = options.related_model,
    output: Path = options.file("The SVMlight file to write.", required=True, metavar="FILE"),
) -> Outcome:
    """Write the features of each topic's candidates as SVMlight, as LETOR has it.

    A line is `GRADE qid:TOPIC 1:VALUE 2:VALUE … # RECORD`; the file begins with the features' names
    as comments. Topics without judgements are left out where --qrels is given.
    """
    from relsent_ir.lucene.read.collection import Indexes
    from relsent_ir.ranker.candidates import CandidateReader
    from relsent_ir.ranker.training import judged_topics, write_features
    from relsent_ir.related.store import load_related
    from relsent_ir.trec import check_common_topics, read_qrels
    from relsent_ir.trec.runs import read_named_runs

    queries = topics.read()
    grades = read_qrels(qrels) if qrels else {topic: {} for topic in queries}
    if qrels:
        check_common_topics(grades, queries, str(qrels), str(topics.path))
    trained = load_related(related) if related else None
    with Indexes(index) as collection:
        reader = CandidateReader(collection, related=trained, runs=read_named_runs(runs))
        with progress("Computing features", "topics") as tick:
            read, groups = judged_topics(reader, queries, grades, depth=depth, progress=tick)
    lines = write_features(output, read, groups)
    text = f"{lines:,} candidates of {len(read)} topics, groups {', '.join(groups)}"
    counts = {"output": str(output), "topics": len(read), "candidates": lines}
    return Outcome(counts, f"{output}: {text}", written=output)
