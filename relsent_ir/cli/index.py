"""``relsent-ir index``: files of MEDLINE records become two Lucene indexes."""

import logging
from dataclasses import asdict
from pathlib import Path

import click

from relsent_ir.cli.console import SeveralValues, print_json, progress
from relsent_ir.cli.options import heap_option, index_option, json_option

SHOWN = 10  # skipped records that are told one by one


@click.command(cls=SeveralValues)
@click.option(
    "--input",
    "inputs",
    required=True,
    multiple=True,
    type=click.Path(path_type=Path),
    metavar="PATH...",
    help="Files and folders of records, in any mixture of formats.",
)
@index_option
@click.option("--format", "form", help="Read the files as this format.  [default: by content]")
@click.option("--append", is_flag=True, help="Add to an index that holds other inputs.")
@click.option("--stemmer", help="porter (the default), krovetz, s or none.")
@click.option(
    "--stopwords",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="A stop list, one word a line.  [default: Lucene's English]",
)
@click.option("--keep-stopwords", "--keepStopwords", is_flag=True, help="Use no stop list.")
@click.option("--optimize", is_flag=True, help="Merge each index into one segment at the end.")
@heap_option
@json_option
def command(
    inputs: tuple[Path, ...],
    index: Path,
    form: str | None,
    append: bool,
    stemmer: str | None,
    stopwords: Path | None,
    keep_stopwords: bool,
    optimize: bool,
    as_json: bool,
) -> None:
    """Build the indexes of a collection: DIR/abstracts and DIR/sentences.

    Each input file is one commit: the same command again goes on where a killed one stopped.
    Records with a known id replace the old ones, and NLM's deletions delete.
    """
    from relsent_ir.collection import list_inputs
    from relsent_ir.errors import InputError
    from relsent_ir.lucene.analyzers import Analysis
    from relsent_ir.lucene.indexing import build_index

    logger = logging.getLogger("relsent_ir")
    skipped: list[InputError] = []

    def on_skip(error: InputError) -> None:
        skipped.append(error)
        if len(skipped) <= SHOWN:
            logger.warning("skipped: %s", error)

    files, _ = list_inputs(inputs, form)
    chosen = stemmer or stopwords or keep_stopwords
    analysis = Analysis.choose(stemmer or "porter", stopwords, keep=keep_stopwords)
    with progress("Indexing", "records") as tick:
        built = build_index(
            files,
            index,
            analysis if chosen else None,
            append=append,
            optimize=optimize,
            on_skip=on_skip,
            progress=tick,
        )
    if len(skipped) > SHOWN:
        logger.warning("skipped %d records in all", len(skipped))
    if as_json:
        print_json({"index": str(index), "read": [asdict(source) for source in built.read]})
    elif not built.read:
        click.echo(f"{index} is finished: all of the inputs are in it")
    else:
        sums = {
            name: sum(getattr(source, name) for source in built.read)
            for name in ("records", "sentences", "deleted", "skipped")
        }
        files = len(built.read)
        click.echo(
            f"{index}: {files} file{'s' * (files != 1)}, {sums['records']} records, "
            f"{sums['sentences']} sentences, {sums['deleted']} deleted, {sums['skipped']} skipped"
        )
