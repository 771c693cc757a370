"""``relsent-ir rerank``: a run in the order of another model."""

from pathlib import Path

import click

from relsent_ir.cli.console import progress
from relsent_ir.cli.options import heap_option, index_option


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
    "--model", required=True, metavar="MODEL|FORMULA", help="A trained model, or a formula's name."
)
@click.option(
    "--hits", type=click.IntRange(1), metavar="N", help="Hits per topic to order.  [default: all]"
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
def command(
    run: Path,
    topics: Path,
    topics_format: str | None,
    topics_field: str,
    index: Path,
    model: str,
    hits: int | None,
    output: Path,
    runtag: str,
) -> None:
    """Order the hits of a run, sentences or records, by how related they are to the topics.

    A record has the score of its best sentence.
    """
    from relsent_ir.related import open_model
    from relsent_ir.related.reranking import rerank
    from relsent_ir.trec import check_common_topics, read_run, read_topics, write_run

    asked = read_topics(topics, topics_format, field=topics_field)
    found = read_run(run)
    found = found.head(hits) if hits else found
    check_common_topics(found, asked, str(run), str(topics))
    with progress("Reading", "records") as tick:
        scorer = open_model(model, index, progress=tick)
    with progress("Reranking", "topics") as tick:
        ordered = rerank(found, asked, index, scorer, progress=tick)
    write_run(output, ordered, tag=runtag)
