"""Reading labelled abstracts from files, and saying what was left out."""

import logging
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from relsent_ir.errors import InputError
from relsent_ir.files import sha256
from relsent_ir.moves.labelled import Abstract, Census, labelled_abstracts
from relsent_ir.moves.labels import LEAST_MOVES
from relsent_ir.records import Record, list_inputs, read_records
from relsent_ir.typing import Progress

_LOG = logging.getLogger("relsent_ir")
_NAMED = 10  # labels that the warning names
TICK = 200  # records between two calls of the progress callback


def read_abstracts(
    paths: Sequence[str | Path],
    form: str | None = None,
    progress: Progress | None = None,
    *,
    headings: bool = False,
    without: Collection[str] = (),
) -> tuple[list[Abstract], Census]:
    """Read the labelled abstracts of files and folders, in any mixture of formats.

    Each path is a source of its own; of an abstract that is in two, the first counts. `headings`
    and `without` are those of `take_abstracts`.

    Raises
    ------
    InputError
        If a file cannot be read, or no abstract has labels for three of the four moves.
    """
    census = Census()
    sources = {str(path): _records(list_inputs([path], form)[0]) for path in paths}
    found = take_abstracts(sources, census, progress, headings=headings, without=without)
    return found, census


def take_abstracts(
    sources: Mapping[str, Iterable[Record]],
    census: Census,
    progress: Progress | None = None,
    *,
    headings: bool = False,
    without: Collection[str] = (),
) -> list[Abstract]:
    """Take the labelled abstracts of records, each once.

    Labels that the table does not know are logged in one warning.

    Parameters
    ----------
    sources : mapping of str to iterable of Record
        By where they are from.
    census : Census
        Counts along.
    progress : callable, optional
        Gets the number of records read.
    headings : bool
        Take those with inline headings too.
    without : collection of str
        Ids of records to pass over.

    Raises
    ------
    InputError
        If no abstract has labels for three of the four moves.
    """
    seen = set(without)
    abstracts: list[Abstract] = []

    def chosen(records: Iterable[Record]) -> Iterator[Record]:
        for record in records:
            if record.id not in seen:
                yield record
            if progress and census.records % TICK == 0:
                progress(census.records, None)

    for source, records in sources.items():
        found = list(labelled_abstracts(chosen(records), census, headings=headings, source=source))
        seen.update(abstract.id for abstract in found)
        abstracts += found
    if census.unknown:
        named = ", ".join(f"{label} ({n})" for label, n in census.unknown.most_common(_NAMED))
        _LOG.warning(
            "left out %d sections with labels that name no move: %s",
            census.left_out["unknown label"],
            named + (", …" if len(census.unknown) > _NAMED else ""),
        )
    if not abstracts:
        raise InputError(
            f"none of {census.records} records has labels for {LEAST_MOVES} of the four moves",
            where=", ".join(sources),
            fix="give structured abstracts",
        )
    return abstracts


def record_ids(paths: Sequence[str | Path]) -> set[str]:
    """The ids of all records in files and folders."""
    files, _ = list_inputs(paths) if paths else ([], [])
    return {record.id for record in _records(files)}


def data_facts(paths: Sequence[str | Path], census: Census) -> dict[str, Any]:
    """What a model says of the data that it was made of: files with checksums, and counts."""
    files = (path for path, _ in list_inputs(paths)[0])
    return {
        "files": [{"name": path.name, "sha256": sha256(path)} for path in files],
        "records": census.records,
        "abstracts": census.taken,
        "headed": census.headed,
        "sentences": census.sentences,
        "left_out": dict(census.left_out),
    }


def _records(files: Sequence[tuple[Path, str]]) -> Iterator[Record]:
    for path, form in files:
        yield from read_records(path, form)
