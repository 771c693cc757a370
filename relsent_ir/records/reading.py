"""The entry points: a file of any format in, its records out."""

import logging
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TypeAlias

from relsent_ir.errors import InputError, UsageError
from relsent_ir.records.cystic_fibrosis import read_cystic_fibrosis
from relsent_ir.records.detect import require_format
from relsent_ir.records.jsonl import read_jsonl
from relsent_ir.records.medline_text import read_medline
from relsent_ir.records.ohsumed import read_ohsumed
from relsent_ir.records.pubmed_xml import read_pubmed_xml
from relsent_ir.records.record import Deletion, Record
from relsent_ir.records.smart import read_smart

_LOG = logging.getLogger("relsent_ir")

_Reader: TypeAlias = Callable[[Path], Iterator[Record | Deletion | InputError]]
_READERS: dict[str, _Reader] = {
    "pubmed-xml": read_pubmed_xml,
    "medline": read_medline,
    "ohsumed": read_ohsumed,
    "cystic-fibrosis": read_cystic_fibrosis,
    "smart": read_smart,
    "jsonl": read_jsonl,
}

FORMATS = tuple(_READERS)
"""The formats' names."""


def check_format(name: str) -> str:
    """Give the name back, or raise UsageError if there is no such format."""
    if name not in _READERS:
        raise UsageError(f"no format {name!r}", fix=f"there are {', '.join(FORMATS)}")
    return name


def read_records(
    path: str | Path,
    format: str | None = None,  # noqa: A002  (a fixed name)
) -> Iterator[Record]:
    """Read the records of a file one by one, in constant memory.

    Parameters
    ----------
    path : str or Path
        A file, gzipped or plain.
    format : str, optional
        One of `FORMATS`; found out from the content if not given.

    Yields
    ------
    Record
        In file order, without the deletions that NLM's update files have. A bad record is skipped
        and logged as a warning by the logger ``relsent_ir``.

    Raises
    ------
    UsageError
        There is no such format.
    InputError
        The file cannot be read to its end, or holds no records; the records before the place of
        the error have been yielded.
    """
    return (entry for entry in read_entries(path, format) if isinstance(entry, Record))


def read_entries(
    path: str | Path,
    format: str | None = None,  # noqa: A002  (a fixed name)
    *,
    on_skip: Callable[[InputError], None] | None = None,
) -> Iterator[Record | Deletion]:
    """Read the records and deletions of a file one by one, in constant memory.

    As `read_records`, but with deletions, in file order.

    Parameters
    ----------
    path : str or Path
    format : str, optional
    on_skip : callable, optional
        Is given an InputError for each bad record, with its place; without it they are logged.
    """
    path = Path(path)
    name = require_format(path) if format is None else check_format(format)
    last = ""
    bad = None
    try:
        for entry in _READERS[name](path):
            if isinstance(entry, InputError):
                bad = entry
                (on_skip or _warn)(entry)
            else:
                last = entry.id
                yield entry
    except InputError as error:
        if not last:
            raise
        problem = f"{error.problem}, after record {last}"
        raise InputError(problem, where=error.where, fix=error.fix) from error
    if not last:
        reason = f"; the last that was tried: {bad.problem}" if bad else ""
        raise InputError(
            f"holds no {name} records that can be read{reason}",
            where=path,
            fix="check that the file is whole and of this format",
        )


def _warn(error: InputError) -> None:
    _LOG.warning("skipped a record: %s", error)
