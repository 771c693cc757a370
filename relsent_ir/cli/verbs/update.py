"""``relsent-ir update``: PubMed's new update files, fetched and indexed."""

import logging
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from relsent_ir.cli import options
from relsent_ir.cli.output import Outcome, progress
from relsent_ir.cli.verbs.index import SHOWN, described_sources, followed

if TYPE_CHECKING:
    from relsent_ir.errors import InputError


@options.verb()
def command(
    index: Path = options.folder("The index of PubMed.", required=True),
    request: dict[str, Any] = options.grouped(
        dict,
        source=options.file(
            "--from", "Take the files from this folder's updatefiles/.", metavar="DIR"
        ),
        url=options.option("Take them from this folder of the web, a mirror.", metavar="BASE"),
        output=options.file(
            "Keep the files in collections/pubmed there.  [default: the current folder]",
            default=Path(),
            metavar="DIR",
        ),
        connections=options.connections,
        threads=options.processes,
    ),
    moves: str | None = options.option(
        "The model that gave the index its moves.  [default: the one that comes with the package]",
        metavar="MODEL",
    ),
) -> Outcome:
    """Bring an index of PubMed, or of a query's records, up to date.

    Of PubMed: the files that the index lacks are fetched, checked against NLM's sums, and read in
    their order: new records are added, revised ones replaced, withdrawn ones deleted. Run it daily;
    the same command again goes on where it stopped, or says that nothing is new.
    """
    from relsent_ir.datasets.updating import update_index
    from relsent_ir.lucene.commits import totals
    from relsent_ir.lucene.write.changing import model_tagger

    skipped: list[InputError] = []
    with progress("Fetching", "B") as fetching, progress("Indexing", "records") as indexing:
        done = update_index(
            index,
            tagger=partial(model_tagger, Path(moves) if moves else None),
            on_skip=skipped.append,
            fetching=fetching,
            indexing=indexing,
            **request,
        )
    for bad in skipped[:SHOWN]:
        logging.getLogger("relsent_ir").warning("skipped: %s", bad)
    sources = done.built.read
    files = [str(path) for path in done.fetched.files]
    note = done.fetched.note
    values = {"index": str(index), "files": files, "new": done.fetched.new, **totals(sources)}
    line = described_sources(index, sources, "update file")
    notes = [f"records: {note}"] if note and sources else []
    return followed(
        index,
        options.open_executor(None, request["threads"]),
        {**values, **({"records_of_query": note} if note else {})},
        *notes,
        line if sources else f"{index} is up to date",
    )
