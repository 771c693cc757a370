"""Lines of columns separated by white space, and ids: the common layout of qrels and runs."""

from collections.abc import Collection, Iterable, Iterator
from functools import partial
from pathlib import Path
from typing import Final

from relsent_ir.errors import InputError, MismatchError
from relsent_ir.files import open_bytes

LONGEST: Final = 1 << 20
"""Bytes at which a line is refused: a device such as /dev/zero never ends a line."""

_BOM = b"\xef\xbb\xbf"


def read_columns(path: str | Path) -> Iterator[tuple[int, list[bytes]]]:
    """Read a file's lines, split as trec_eval splits them (ASCII white space only).

    Empty lines and lines that start with ``#`` are skipped, as in trec_eval 10.

    Yields
    ------
    tuple of (int, list of bytes)
        The number of the line, from 1, and its columns.

    Raises
    ------
    InputError
        As `open_bytes`; also if a line is too long or has a NUL, at which C would end an id.
    """
    with open_bytes(path) as file:
        if file.peek(3)[:3] == _BOM:
            file.read(3)
        for number, line in enumerate(iter(partial(file.readline, LONGEST), b""), 1):
            if len(line) == LONGEST:
                raise InputError("the line has a megabyte or more", where=f"{path}:{number}")
            if b"\0" in line:
                raise InputError("a NUL", where=f"{path}:{number}", fix="fetch or copy it again")
            columns = line.split()
            if columns and not columns[0].startswith(b"#"):
                yield number, columns


def decode(column: bytes, path: str | Path, number: int) -> str:
    """Decode a column; the error names the line if it is not UTF-8."""
    try:
        return column.decode()
    except UnicodeDecodeError:
        raise InputError(
            "not UTF-8", where=f"{path}:{number}", fix="convert the file to UTF-8"
        ) from None


def check_ids(ids: Iterable[str], kind: str) -> None:
    """Refuse ids that cannot be in a line: empty ids, and ids with white space or a NUL."""
    names = list(ids)
    joined = "\n".join(names).encode()
    if len(joined.split()) == len(names) and "" not in names and b"\0" not in joined:
        return
    for name in names:
        if name.encode().split() != [name.encode()] or "\0" in name:
            raise InputError(
                f"{kind} {name!r} is empty or has white space or a NUL: TREC files cannot hold it",
                fix="give it another id",
            )


def check_common_topics(
    first: Collection[str], second: Collection[str], first_name: str, second_name: str
) -> None:
    """Refuse two sets of topic ids that have no common id.

    Parameters
    ----------
    first, second : collection of str
        Topic ids.
    first_name, second_name : str
        Names of their sources, usually file names.

    Raises
    ------
    MismatchError
        Always then; the error names both sources, with an example id of each.
    """
    if set(first).isdisjoint(second):
        raise MismatchError(
            f"{_example(first_name, first)} and {_example(second_name, second)}"
            " have no topic id in common",
            fix="ids are compared as written: 1, 01 and MED1 are three ids",
        )


def _example(name: str, ids: Collection[str]) -> str:
    return f"{name} (such as topic {next(iter(ids))})" if ids else f"{name} (no topics)"
