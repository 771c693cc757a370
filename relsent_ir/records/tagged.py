"""Records of tagged lines: what the MEDLINE, OHSUMED and cystic fibrosis formats share."""

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from relsent_ir.errors import InputError
from relsent_ir.records.fields import attempt
from relsent_ir.records.record import Record
from relsent_ir.records.source import MAX_RECORD, read_lines

_LINE = 64
"""Bytes that a line takes in memory, besides its characters."""


@dataclass(slots=True)
class TaggedRecord:
    """One record: the number of its first line, and its fields' tags and lines in file order."""

    start: int
    fields: list[tuple[str, list[str]]] = field(default_factory=list)
    damage: str = ""

    def check(self) -> None:
        """Raise InputError if the record is damaged; the place is for the caller to add."""
        if self.damage:
            raise InputError(
                f"a damaged record: {self.damage}", fix="fetch the file again, or mend it there"
            )

    def texts(self, *tags: str) -> list[str]:
        """Return each field that has one of these tags, its lines joined by spaces."""
        return [" ".join(lines) for tag, lines in self.fields if tag in tags]

    def text(self, tag: str) -> str:
        """Return the first field that has this tag, or ""."""
        return next((" ".join(lines) for name, lines in self.fields if name == tag), "")

    def lines(self, tag: str) -> list[str]:
        """Return the lines of all fields that have this tag."""
        return [line for name, lines in self.fields if name == tag for line in lines]


def read_tagged(
    path: Path,
    split: Callable[[str], tuple[str, str] | None],
    *,
    first: str,
    blank_ends: bool,
    last: str = "",
    once: frozenset[str] = frozenset(),
    mask: bool = False,
) -> Iterator[TaggedRecord]:
    """Yield the records of a file.

    A record with bytes that no text has, or with a tag twice that comes once, is marked as damaged:
    where the line is damaged that a record starts with, the one before goes on.

    Parameters
    ----------
    path : Path
    split : callable
        Takes a line; returns its tag and the rest, or None if the line continues a field.
    first : str
        The tag that records start with: where a record has it already, the next one starts.
    blank_ends : bool
        An empty line ends a record.
    last : str
        The tag that records end with, if they have one. Lines may then end in CR alone or be
        Latin-1, and text before a record's first tag is left out.
    once : frozenset of str
        Tags that a record has once at most.
    mask : bool
        Clear the highest bit of every byte first.

    Raises
    ------
    InputError
        As `read_lines`, and for a record longer than `MAX_RECORD`.
    """
    record = TaggedRecord(0)
    size = 0
    has_first = False
    numbered = read_lines(path, mask=mask, latin=bool(last))
    if last:
        numbered = ((number, part) for number, line in numbered for part in line.split("\r"))
    for number, line in numbered:
        if not line or line.isspace():
            if blank_ends and record.fields:
                yield record
                record = TaggedRecord(0)
            continue
        opened = split(line)
        if opened and opened[0] == first and record.fields and has_first:
            yield record
            record = TaggedRecord(0)
        if not record.fields:
            record.start, size, has_first = number, 0, False
        if "\0" in line or "\r" in line:
            record.damage = f"NUL or CR characters in line {number}"
        if opened:
            if opened[0] in once and any(tag == opened[0] for tag, _ in record.fields):
                record.damage = f"another {opened[0]} in line {number}, so another record's"
            record.fields.append((opened[0], [opened[1]]))
            has_first |= opened[0] == first
        elif record.fields:
            record.fields[-1][1].append(line)
        elif not last:
            record.fields.append(("", [line]))  # text before any tag: a record without an id
        size += len(line) + _LINE
        if size > MAX_RECORD:
            raise InputError(
                f"a record is longer than {MAX_RECORD >> 20} MB",
                where=f"{path}:{record.start}",
                fix="check the file's format",
            )
        if opened and opened[0] == last:
            yield record
            record = TaggedRecord(0)
    if record.fields:
        yield record


def split_dotted(tag: re.Pattern[str], line: str) -> tuple[str, str] | None:
    """Split ``.I 7``, number and all, or ``.T``: for `read_tagged`, once the pattern is given."""
    match = tag.fullmatch(line)
    return (match[1] or match[3], match[2] or "") if match else None


def made(
    path: Path, records: Iterable[TaggedRecord], make: Callable[[TaggedRecord], Record]
) -> Iterator[Record | InputError]:
    """Yield what `make` returns for each record, or its InputError with its place."""
    for tagged in records:
        yield attempt(f"{path}:{tagged.start}", make, tagged)
