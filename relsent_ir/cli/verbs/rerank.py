"""``relsent-ir rerank``: a run in the order of another model."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from relsent_ir.cli import options
from relsent_ir.cli.inputs import Topics, cached_reranker
from relsent_ir.cli.output import Output, describe_run, progress

if TYPE_CHECKING:
    from relsent_ir.hits import Run


@click.command(cls=options.Command)
@options.file("--run", required=True, metavar="RUN", help="The run to order.")
@options.topics("Its topics.", required=True)
@options.index
@click.option(
    "--model",
    required=True,
    metavar="MODEL|NAME",
    help="A trained model's folder, or a name: a formula, answers, pmra, themes, ltc.atn …",
)
@options.count(
    "--depth",
    metavar="N",
    help="Hits per topic that get another order; the rest follows.  [default: all]",
)
@click.option(
    "--interpolate",
    type=options.Finite(0, 1),
    metavar="W",
    help="Order by W times the model plus 1 - W times the run, each scaled from 0 to 1.",
)
@click.option(
    "--aggregate",
    metavar="best|mean:K|sum:CUT|decay:D",
    help="How its sentences make a record's score.  [default: best]",
)
@click.option(
    "--evidence",
    multiple=True,
    metavar="NAME=FILE",
    help="A run that a ranker was learned with (train ranker --run); may be repeated.",
)
@options.count(
    "--hits", metavar="N", help="Hits per topic.  [default: 10 that are shown; all in a run]"
)
@options.run_output
@options.run
def command(
    run: Path,
    topics: Topics,
    index: Path,
    model: str,
    depth: int | None,
    interpolate: float | None,
    aggregate: str | None,
    evidence: tuple[str, ...],
    hits: int | None,
    output: Output,
) -> "Run":
    """Order the hits of a run, sentences or records, by a model of what the topics ask for.

    Without --output the first hits are shown, with what the model says of them.

    Hits that the model cannot score, such as records without an abstract where sentences of
    abstracts are scored, follow the others in the order that they had.
    """
    from relsent_ir.aggregate import Aggregate
    from relsent_ir.lucene.read.collection import Indexes
    from relsent_ir.rank import Explains, reorder
    from relsent_ir.trec import check_common_topics, read_run

    way = Aggregate.parse(aggregate) if aggregate else None
    reranker = cached_reranker(index, model, evidence)
    queries = topics.read()
    first = read_run(run)
    check_common_topics(first, queries, str(run), str(topics.path))
    with Indexes(index) as opened, progress("Reranking", "topics") as tick:
        collection = opened.resolving(first)
        ordered = reorder(
            reranker,
            collection,
            first,
            queries,
            depth=depth,
            interpolate=interpolate,
            aggregate=way,
            progress=tick,
        )
        if output.wanted:
            return output.finish(ordered.head(hits) if hits else ordered)
        ordered = ordered.head(output.depth(hits))
        explains = reranker if isinstance(reranker, Explains) else None
        groups = describe_run(collection, ordered, queries, explains)
    output.view.show(groups)
    return ordered
