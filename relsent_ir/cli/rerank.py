"""``relsent-ir rerank``: a run in the order of another model."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from relsent_ir.cli.console import progress
from relsent_ir.cli.options import file_option, heap_option, index_option, scorer_option
from relsent_ir.cli.runs import (
    Output,
    Topics,
    output_option,
    runtag_option,
    takes_output,
    topics_options,
)

if TYPE_CHECKING:
    from relsent_ir.hits import Run


@click.command()
@file_option("--run", required=True, metavar="RUN", help="The run to order.")
@topics_options("Its topics.", required=True)
@index_option
@scorer_option
@click.option(
    "--hits", type=click.IntRange(1), metavar="N", help="Hits per topic to order.  [default: all]"
)
@output_option(required=True)
@runtag_option
@heap_option
@takes_output
def command(
    run: Path,
    topics: Topics,
    index: Path,
    model: str,
    hits: int | None,
    output: Output,
) -> "Run":
    """Order the hits of a run, sentences or records, by how related they are to the topics.

    A record has the score of its best sentence.
    """
    from relsent_ir.related import open_model
    from relsent_ir.related.reranking import rerank
    from relsent_ir.trec import check_common_topics, read_run

    asked = topics.read()
    found = read_run(run)
    found = found.head(hits) if hits else found
    check_common_topics(found, asked, str(run), str(topics.path))
    with progress("Reading", "records") as tick:
        scorer = open_model(model, index, progress=tick)
    with progress("Reranking", "topics") as tick:
        ordered = rerank(found, asked, index, scorer, progress=tick)
    return output.finish(ordered)
