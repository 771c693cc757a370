"""``relsent-ir search``: topics in, a run out; or one text in, its hits shown."""

import logging
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import click

from relsent_ir.cli import options
from relsent_ir.cli.feedback import (
    explain,
    feedback_options,
    read_feedback,
    show_expansion,
    with_preset,
)
from relsent_ir.cli.inputs import Topics, open_engine
from relsent_ir.cli.output import Output, describe_run, print_written, progress
from relsent_ir.errors import UsageError

if TYPE_CHECKING:
    from relsent_ir.citation.similar import WeightedTopics
    from relsent_ir.feedback import Engine, FeedbackSearcher
    from relsent_ir.hits import Run
    from relsent_ir.lucene.read.filters import Filters
    from relsent_ir.ranker.ranking import RankerSearcher

_log = logging.getLogger("relsent_ir")


@click.command(cls=options.SeveralValues)
@options.index
@options.topics()
@click.option("--text", help="Search one text, and show the hits.")
@options.run_output
@options.choice("--output-format", choices=["trec", "msmarco"], default="trec")
@options.unit
@options.count("--hits", help="Hits per topic.  [default: 1000]")
@options.count("--threads", help="Topics searched at once.  [default: all]")
@options.count("--batch-size", default=64)
@options.engine
@click.option("--bm25", is_flag=True, help="Rank by BM25 (the default).")
@options.bm25
@click.option("--qld", is_flag=True, help="Rank by query likelihood with Dirichlet smoothing.")
@feedback_options
@click.option(
    "--ranker",
    metavar="MODEL|ranker",
    help="Two stages: candidates by feedback, in the order of a learned ranker.",
)
@options.evidence
@click.option(
    "--fields", multiple=True, metavar="F=W...", help="Search these fields, with their weights."
)
@options.file("--stopwords", help="More words to leave out of topics.")
@options.filters
@options.boost
@click.option("--remove-query", is_flag=True, help="Drop the hit whose id is the topic's.")
@click.option("--max-passage", is_flag=True, help="Turn sentences into their records, by the best.")
@options.count("--max-passage-hits", default=100, metavar="N")
@click.option(
    "--max-passage-delimiter",
    metavar="TEXT",
    help="What parts a document's id from a passage's.  [default: . of our sentences]",
)
@click.option(
    "--remove-duplicates", is_flag=True, expose_value=False, help="Accepted: no hit comes twice."
)
@options.run
def command(
    index: Path,
    topics: Topics | None,
    text: str | None,
    output: Output,
    output_format: str,
    unit: str,
    hits: int | None,
    threads: int | None,
    batch_size: int,
    engine: str,
    bm25: bool,
    k1: float,
    b: float,
    qld: bool,
    ranker: str | None,
    runs: tuple[str, ...],
    fields: tuple[str, ...],
    stopwords: Path | None,
    filters: "Filters",
    factors: dict[str, float],
    boost_form: str,
    remove_query: bool,
    max_passage: bool,
    max_passage_hits: int,
    max_passage_delimiter: str | None,
    **feedback: Any,
) -> "Run":
    """Search the topics of a file and write a run, or search one text and show the hits."""
    from relsent_ir.lucene.read.search import default_threads
    from relsent_ir.methods import BM25, QueryLikelihood

    if (topics is None) == (text is None):
        raise UsageError("give either --topics or --text")
    output.check(text, shown="--text shows its hits")
    if bm25 and qld:
        raise UsageError("--bm25 and --qld exclude each other")
    if max_passage and unit != "sentences" and not max_passage_delimiter:
        raise UsageError("--max-passage needs --unit sentences, or --max-passage-delimiter")
    if max_passage_delimiter is not None and not (max_passage and max_passage_delimiter):
        raise UsageError("--max-passage-delimiter needs --max-passage, and a text")
    others = ("rm3", "rocchio", "associations", "candidates")
    if factors and (fields or any(feedback[name] for name in others)):
        raise UsageError(
            "--boost weighs the terms of `contents` for BM25, or for --smart over all documents",
            fix="leave out --rm3, --rocchio, --associations, --candidates, --fields",
        )
    if runs and not ranker:
        raise UsageError("--run needs --ranker")
    related = feedback["related"] if ranker else None
    if ranker:
        feedback = {**feedback, "related": None}
        _check_ranker(
            {**feedback, "--bm25": bm25, "--qld": qld, "--fields": fields, "--boost": factors}
            | {"--stopwords": stopwords, "--unit sentences": unit == "sentences"}
        )
    feedback, k1, b = with_preset(feedback, k1, b)
    ways = read_feedback(feedback, fields=bool(fields), unit=unit)
    if filters and feedback["smart"]:
        which = "--moves" if filters.moves else "--year, --journal, --publication-type"
        raise UsageError(f"{which} and --smart exclude each other")
    queries = topics.read() if topics else {"": text or ""}
    k = output.depth(hits)
    with open_engine(index, unit, engine) as searching, progress("Searching", "topics") as tick:
        if feedback["associations"]:
            with progress("Learning associations") as learning:
                searching.associations(feedback["associations"], learning)
        searcher: Any = (
            _ranked(searching, ranker, runs, related, filters)
            if ranker
            else searching.searcher(
                QueryLikelihood() if qld else BM25(k1, b),
                fields=_weights(fields),
                stopwords=_stopwords(stopwords) if stopwords else (),
                filters=filters,
                **ways,
            )
        )
        explained = (
            explain(cast("FeedbackSearcher", searcher), queries) if feedback["explain"] else {}
        )
        run: Run = searcher.search(
            _boosted(queries, searching, searcher, factors, boost_form) if factors else queries,
            k + (remove_query and not max_passage),
            threads=threads or default_threads(),
            batch_size=batch_size,
            progress=tick,
        )
        for qid, ranking in run.items():
            cut = ranking.max_passage(max_passage_delimiter or ".") if max_passage else ranking
            cut = cut.without(qid) if remove_query else cut
            run[qid] = cut.head(max_passage_hits if max_passage else k)
        counts = output.write(run, output_format=output_format)
        if not output.wanted:
            for topic, ranking in run.items():
                if not len(ranking):
                    _tell_why(searching, searcher, unit, queries[topic])
            more = {topic: {"expanded": of} for topic, of in explained.items()}
            why = searcher.reranker if ranker else None
            found_in = searching.collection.among("abstracts" if max_passage else unit)
            groups = describe_run(found_in, run, queries, why, more=more)
    if explained and output.view.form == "text":
        show_expansion(explained)
    if not output.wanted:
        output.view.show(groups)
    elif output.as_json and output.path is not None:
        more_counts = {**counts, **({"expanded": explained} if explained else {})}
        print_written(output.path, "", more_counts, as_json=True)
    return run


def _check_ranker(others: dict[str, Any]) -> None:
    """Refuse what does not go with ``--ranker``, whose first stage is its own."""
    for name in ("rm3", "rocchio", "fb_preset", "smart", "argumentative", "explain"):
        others[f"--{name.replace('_', '-')}"] = others[name]
    for flag, value in others.items():
        if flag.startswith("--") and value:
            raise UsageError(f"--ranker and {flag} exclude each other: its first stage is its own")


def _ranked(
    engine: "Engine",
    model: str,
    runs: tuple[str, ...],
    related: str | None,
    filters: "Filters | None",
) -> "RankerSearcher":
    from relsent_ir.cli.inputs import open_ranker, read_runs
    from relsent_ir.ranker.ranking import RankerSearcher

    opened = open_ranker(model, read_runs(runs), Path(related) if related else None)
    return RankerSearcher(engine.collection, opened, filters=filters, engine=engine)


def _tell_why(engine: "Engine", searcher: Any, unit: str, text: str) -> None:
    """Warn of a text that has no word to search for, or only unknown ones."""
    terms = list(dict.fromkeys(searcher.analysis.terms(text)))
    if not terms:
        _log.warning("there is no word to search for in %r, stop words apart", text)
        return
    counts = engine.collection.index(unit).frequencies(terms)
    if not counts.any():
        _log.warning("none of the words of %r is in the index", text)


def _boosted(
    topics: dict[str, str], engine: "Engine", searcher: Any, factors: dict[str, float], form: str
) -> "WeightedTopics":
    from relsent_ir.citation.similar import boosted_texts
    from relsent_ir.feedback import SmartSearcher

    smart = searcher if isinstance(searcher, SmartSearcher) else None
    return boosted_texts(engine.collection, searcher.analysis, topics, factors, form, smart=smart)


def _weights(fields: tuple[str, ...]) -> dict[str, float]:
    weights = {}
    for field in fields:
        name, _, weight = field.partition("=")
        try:
            weights[name] = float(weight)
        except ValueError:
            raise UsageError(f"cannot read --fields {field}", fix="write title=2.0") from None
    return weights


def _stopwords(path: Path) -> Sequence[str]:
    from relsent_ir.text.words import read_stopwords

    return read_stopwords(path)
