"""``relsent-ir rerank``: a run in the order of another model."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from relsent_ir.cli.options import Finite, file_option, index_option
from relsent_ir.cli.output import (
    Output,
    Topics,
    describe_run,
    kept_reranker,
    output_option,
    progress,
    run_options,
    topics_options,
)

if TYPE_CHECKING:
    from relsent_ir.hits import Run


@click.command()
@file_option("--run", required=True, metavar="RUN", help="The run to order.")
@topics_options("Its topics.", required=True)
@index_option
@click.option(
    "--model",
    required=True,
    metavar="MODEL|NAME",
    help="A trained model's folder, or a name: a formula, answers, pmra, themes, ltc.atn …",
)
@click.option(
    "--depth",
    type=click.IntRange(1),
    metavar="N",
    help="Hits per topic that get another order; the rest follows.  [default: all]",
)
@click.option(
    "--interpolate",
    type=Finite(0, 1),
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
@click.option(
    "--hits",
    type=click.IntRange(1),
    metavar="N",
    help="Hits per topic.  [default: 10 that are shown; all in a run]",
)
@output_option()
@run_options
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
    reranker = kept_reranker(index, model, evidence)
    asked = topics.read()
    found = read_run(run)
    check_common_topics(found, asked, str(run), str(topics.path))
    with Indexes(index) as opened, progress("Reranking", "topics") as tick:
        collection = opened.resolving(found)
        ordered = reorder(
            reranker,
            collection,
            found,
            asked,
            depth=depth,
            interpolate=interpolate,
            aggregate=way,
            progress=tick,
        )
        if not output.wanted:
            ordered = ordered.head(output.depth(hits))
            explains = reranker if isinstance(reranker, Explains) else None
            groups = describe_run(collection, ordered, asked, explains)
    if not output.wanted:
        output.view.show(groups)
        return ordered
    return output.finish(ordered.head(hits) if hits else ordered)
