"""``relsent-ir rerank``: a run in the order of another model."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from relsent_ir.cli.console import print_json, progress
from relsent_ir.cli.options import heap_option, index_option, json_option

if TYPE_CHECKING:
    from relsent_ir.hits import Run


@click.command()
@click.option(
    "--run", required=True, type=click.Path(path_type=Path), metavar="RUN", help="The run to order."
)
@click.option(
    "--topics", required=True, type=click.Path(path_type=Path), metavar="FILE", help="Its topics."
)
@click.option("--topics-format", metavar="FORMAT", help="Their format.  [default: by content]")
@click.option(
    "--topics-field", metavar="FIELD", default="title", help="Of TREC topics: title, desc, narr."
)
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
    type=click.FloatRange(0, 1),
    metavar="W",
    help="Order by W times the model plus 1 - W times the run, each scaled from 0 to 1.",
)
@click.option(
    "--aggregate",
    metavar="best|mean:K|sum:CUT|decay:D",
    help="How its sentences make a record's score.  [default: best]",
)
@click.option(
    "--hits", type=click.IntRange(1), metavar="N", help="Hits per topic to write.  [default: all]"
)
@click.option(
    "--output",
    required=True,
    type=click.Path(path_type=Path),
    metavar="RUN",
    help="The run to write.",
)
@click.option("--runtag", default="relsent-ir", show_default=True)
@heap_option
@json_option
def command(
    run: Path,
    topics: Path,
    topics_format: str | None,
    topics_field: str,
    index: Path,
    model: str,
    depth: int | None,
    interpolate: float | None,
    aggregate: str | None,
    hits: int | None,
    output: Path,
    runtag: str,
    as_json: bool,
) -> "Run":
    """Order the hits of a run, sentences or records, by a model of what the topics ask for.

    Hits that the model cannot score, such as records without an abstract where sentences of
    abstracts are scored, follow the others in the order that they had.
    """
    from relsent_ir.aggregate import Aggregate
    from relsent_ir.lucene.collection import Collection
    from relsent_ir.rank import reorder
    from relsent_ir.rerankers import open_reranker
    from relsent_ir.trec import check_common_topics, read_run, read_topics, write_run

    way = Aggregate.parse(aggregate) if aggregate else None
    reranker = open_reranker(model)
    asked = read_topics(topics, topics_format, field=topics_field)
    found = read_run(run)
    check_common_topics(found, asked, str(run), str(topics))
    with Collection(index) as collection, progress("Reranking", "topics") as tick:
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
    written = {topic: ranked.head(hits or len(ranked)) for topic, ranked in ordered.items()}
    write_run(output, written, tag=runtag)
    if as_json:
        count = sum(map(len, written.values()))
        print_json({"output": str(output), "model": model, "topics": len(written), "hits": count})
    return written
