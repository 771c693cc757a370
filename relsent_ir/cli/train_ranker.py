"""``relsent-ir train ranker``: weights of all the evidence, from judgements or without."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from relsent_ir.cli.console import print_json
from relsent_ir.cli.options import (
    QRELS,
    file_option,
    heap_option,
    index_option,
    json_option,
    model_output_option,
)
from relsent_ir.cli.ranking import candidates_options, read_runs
from relsent_ir.cli.runs import Topics, topics_options
from relsent_ir.errors import UsageError

if TYPE_CHECKING:
    from relsent_ir.lucene.read.collection import Indexes
    from relsent_ir.ranker.judgements import Judgements


@click.command()
@index_option
@topics_options("Topics that are judged.")
@file_option("--qrels", metavar="QRELS", help="Their judgements.", type=QRELS)
@click.option(
    "--from-references",
    is_flag=True,
    help="Titles as topics; relevant are the records that share most references with them.",
)
@click.option(
    "--from-titles",
    is_flag=True,
    help="Titles as topics; relevant are their records and the nearest by MeSH.",
)
@click.option(
    "--titles",
    type=click.IntRange(2),
    metavar="N",
    help="Titles that are topics.  [default: 200]",
)
@click.option(
    "--learner", type=click.Choice(["linear", "lambdamart"]), default="linear", show_default=True
)
@candidates_options
@click.option(
    "--seed", type=click.IntRange(0), default=0, show_default=True, help="Draws titles and pairs."
)
@model_output_option
@heap_option
@json_option
def command(
    index: Path,
    topics: Topics | None,
    qrels: Path | None,
    from_references: bool,
    from_titles: bool,
    titles: int | None,
    learner: str,
    depth: int,
    runs: tuple[str, ...],
    related: Path | None,
    seed: int,
    output: Path,
    as_json: bool,
) -> None:
    """Learn how all the evidence is weighed: first stage, feedback, sentences, neighbours, ….

    Give --topics with --qrels, or one of --from-references and --from-titles, which need no
    judgements. How much weights are held back is chosen by cross-validation over the topics.
    """
    import shlex
    import sys

    from relsent_ir.cli.console import progress
    from relsent_ir.lucene.read.collection import Indexes
    from relsent_ir.models import check_target, save
    from relsent_ir.ranker.candidates import Reader
    from relsent_ir.ranker.features import GROUPS
    from relsent_ir.ranker.features.external import PREFIX
    from relsent_ir.ranker.store import open_store
    from relsent_ir.ranker.training import fit, judged_topics
    from relsent_ir.related.opening import load_related

    if sum((qrels is not None, from_references, from_titles)) != 1 or (qrels is None) != (
        topics is None
    ):
        raise UsageError(
            "judgements come from one source",
            fix="--topics with --qrels, or --from-references, or --from-titles",
        )
    if titles and qrels:
        raise UsageError("--titles is for --from-references and --from-titles")
    if runs and not qrels:
        raise UsageError("--run needs --topics and --qrels: titles are in no run of yours")
    check_target(output)
    others = read_runs(runs)
    trained = load_related(related) if related else None
    with Indexes(index) as collection:
        with progress("Storing counts", "records") as tick:
            store = open_store(collection, tick)
        if qrels is None:
            from relsent_ir.ranker import judgements
            from relsent_ir.ranker.judgements import TOPICS

            draw = judgements.from_references if from_references else judgements.from_titles
            judged = draw(collection, store, titles or TOPICS, seed)
        else:
            assert topics
            judged = _judged(collection, topics, qrels)
        reader = Reader(
            collection,
            related=trained,
            runs=others,
            field=judged.field,
            without_own=judged.without_own,
        )
        groups = [name for name in GROUPS if name not in judged.left_out]
        groups += [PREFIX + name for name in others]
        with progress("Computing features", "topics") as tick:
            read, kept = judged_topics(
                reader, judged.topics, judged.qrels, groups, depth=depth, progress=tick
            )
        facts = {
            "command": "relsent-ir " + shlex.join(sys.argv[1:]),
            "judgements": judged.source,
            "data": {
                "sources": [source.sha256 for source in collection.facts.sources],
                "records": len(collection.abstracts),
            },
        }
        with progress("Learning", "sets of groups") as tick:
            model = fit(read, kept, learner, seed=seed, related=trained, facts=facts, progress=tick)
    save(output, model)
    training = model.facts["training"]
    if as_json:
        print_json({"output": str(output), **training, "weights": model.facts["weights"]})
        return
    validated = training["validated_map"]
    click.echo(
        f"{output}: {learner}, {len(model.features)} features of {len(kept)} groups, from "
        f"{training['usable']} of {training['topics']} topics"
        + (f"; MAP on topics that were held out {validated:.4f}" if validated else "")
    )


def _judged(collection: "Indexes", topics: Topics, qrels: Path) -> "Judgements":
    """Read topics and qrels, and see that they belong together and to the index."""
    from relsent_ir.errors import MismatchError
    from relsent_ir.ranker.judgements import Judgements
    from relsent_ir.trec import read_qrels

    asked, grades = topics.read(), read_qrels(qrels)
    known = {topic: text for topic, text in asked.items() if topic in grades}
    if not known:
        raise MismatchError(f"no topic of {topics.path} is judged", where=qrels)
    relevant = {name for topic in known for name, grade in grades[topic].items() if grade > 0}
    if not relevant:
        raise MismatchError("nothing is judged relevant", where=qrels, fix="grades above 0")
    if not (collection.abstracts.documents(sorted(relevant)) >= 0).any():
        raise MismatchError(
            "no record that is judged relevant is in the index", where=qrels, fix="another --index"
        )
    return Judgements(known, grades)
