"""Reading labelled abstracts from files, and saying what was left out."""

import logging
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from relsent_ir.errors import InputError
from relsent_ir.files import sha256
from relsent_ir.moves.labelled import LEAST_MOVES, Abstract, Census, labelled_abstracts
from relsent_ir.records import Record, list_inputs, read_records
from relsent_ir.typing import Progress

_LOG = logging.getLogger("relsent_ir")
_NAMED = 10  # labels that the warning names
TICK = 200  # records between two calls of the progress callback


def read_abstracts(
    paths: Sequence[str | Path],
    form: str | None = None,
    progress: Progress | None = None,
) -> tuple[list[Abstract], Census]:
    """Read the labelled abstracts of files and folders, in any mixture of formats.

    Labels that the table does not know are logged in one warning.

    Raises
    ------
    InputError
        If a file cannot be read, or no abstract has labels for three of the four moves.
    """
    census = Census()
    files, _ = list_inputs(paths, form)
    abstracts = list(labelled_abstracts(_records(files, progress), census))
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
            where=", ".join(map(str, paths)),
            fix="give structured abstracts",
        )
    return abstracts, census


def data_facts(paths: Sequence[str | Path], census: Census) -> dict[str, Any]:
    """What a model says of the data that it was made of: files with checksums, and counts."""
    files = (path for path, _ in list_inputs(paths)[0])
    return {
        "files": [{"name": path.name, "sha256": sha256(path)} for path in files],
        "records": census.records,
        "abstracts": census.taken,
        "sentences": census.sentences,
        "left_out": dict(census.left_out),
    }


def _records(files: Sequence[tuple[Path, str]], progress: Progress | None) -> Iterator[Record]:
    n = 0
    for path, form in files:
        for record in read_records(path, form):
            yield record
            n += 1
            if progress and n % TICK == 0:
                progress(n, None)
