"""Lines of columns between white space, the shape that qrels and runs share."""

from collections.abc import Iterable, Iterator
from functools import partial
from pathlib import Path
from typing import Final

from relsent_ir.errors import InputError
from relsent_ir.files import open_bytes

LONGEST: Final = 1 << 20
"""Bytes that a line may not have: a device such as /dev/zero has no other end."""

_BOM = b"\xef\xbb\xbf"


def read_columns(path: str | Path) -> Iterator[tuple[int, list[bytes]]]:
    """Read a file's lines, split as trec_eval splits them (ASCII white space only).

    Empty lines and, as in trec_eval 10, lines that begin with ``#`` are passed over.

    Yields
    ------
    tuple of (int, list of bytes)
        The line's number, from 1, and its columns.

    Raises
    ------
    InputError
        As `open_bytes`; and if a line is too long to be one.
    """
    with open_bytes(path) as file:
        if file.peek(3)[:3] == _BOM:
            file.read(3)
        for number, line in enumerate(iter(partial(file.readline, LONGEST), b""), 1):
            if len(line) == LONGEST:
                raise InputError("the line has a megabyte or more", where=f"{path}:{number}")
            columns = line.split()
            if columns and not columns[0].startswith(b"#"):
                yield number, columns


def decode(column: bytes, path: str | Path, number: int) -> str:
    """Decode a column; the line is named if it is not UTF-8."""
    try:
        return column.decode()
    except UnicodeDecodeError:
        raise InputError(
            "not UTF-8", where=f"{path}:{number}", fix="convert the file to UTF-8"
        ) from None


def check_ids(ids: Iterable[str], what: str) -> None:
    """Refuse ids that a line of columns cannot hold: empty ones and ones with white space."""
    names = list(ids)
    if len("\n".join(names).encode().split()) == len(names) and "" not in names:
        return
    for name in names:
        if name.encode().split() != [name.encode()]:
            raise InputError(
                f"{what} {name!r} is empty or has white space, which TREC files cannot hold",
                fix="give it another id",
            )
