"""``relsent-ir update``: PubMed's new update files, fetched and indexed."""

import logging
from pathlib import Path
from typing import TYPE_CHECKING

import click

from relsent_ir.cli import options
from relsent_ir.cli.output import print_json, progress

if TYPE_CHECKING:
    from relsent_ir.errors import InputError
    from relsent_ir.lucene.documents import Tagger

MEGABYTE = 1_000_000
SHOWN = 10  # skipped records that are told one by one


@click.command()
@options.file("--index", required=True, metavar="DIR", help="The index of PubMed.")
@options.file(
    "--from", "source", metavar="DIR", help="Take the files from this folder's updatefiles/."
)
@click.option("--url", metavar="BASE", help="Take them from this folder of the web, a mirror.")
@options.file(
    "--output",
    default=Path(),
    metavar="DIR",
    help="Keep the files in collections/pubmed there.  [default: the current folder]",
)
@options.connections
@click.option(
    "--moves",
    metavar="MODEL",
    help="The model that gave the index its moves.  [default: the one that comes with the package]",
)
@options.processes
@options.heap
@options.as_json
def command(
    index: Path,
    source: Path | None,
    url: str | None,
    output: Path,
    connections: int,
    moves: str | None,
    threads: int,
    as_json: bool,
) -> None:
    """Bring an index of PubMed up to date: what NLM has published since, day by day.

    The files that the index lacks are fetched, checked against NLM's sums, and read in their
    order: new records are added, revised ones replaced, withdrawn ones deleted. Run it daily; the
    same command again goes on where it stopped, or says that nothing is new.
    """
    from relsent_ir.datasets.updating import update_index

    skipped: list[InputError] = []

    def tagger() -> "Tagger":
        from relsent_ir.lucene.write.tagging import model_tagger

        return model_tagger(Path(moves) if moves else None)

    with progress("Fetching", "MB") as brought, progress("Indexing", "records") as read:
        done = update_index(
            index,
            source=source,
            output=output,
            url=url,
            connections=connections,
            tagger=tagger,
            threads=threads,
            on_skip=skipped.append,
            fetching=lambda size, total: brought(
                size // MEGABYTE, None if total is None else total // MEGABYTE
            ),
            indexing=read,
        )
    for bad in skipped[:SHOWN]:
        logging.getLogger("relsent_ir").warning("skipped: %s", bad)
    sources = done.built.read
    sums = {
        name: sum(getattr(one, name) for one in sources)
        for name in ("records", "sentences", "deleted", "skipped")
    }
    if as_json:
        files = [str(path) for path in done.fetched.files]
        print_json({"index": str(index), "files": files, "new": done.fetched.new, **sums})
    elif not sources:
        click.echo(f"{index} is up to date")
    else:
        count = len(sources)
        click.echo(
            f"{index}: {count} update file{'s' * (count != 1)}, {sums['records']} records, "
            f"{sums['sentences']} sentences, {sums['deleted']} deleted, {sums['skipped']} skipped"
        )
