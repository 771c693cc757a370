"""Records of tagged lines: the common part of the MEDLINE, OHSUMED and cystic fibrosis formats."""

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from relsent_ir.errors import InputError
from relsent_ir.records.fields import attempt
from relsent_ir.records.record import Record
from relsent_ir.records.source import MAX_RECORD, read_lines

_LINE = 64
"""Bytes that a line takes in memory, in addition to its characters."""


@dataclass(slots=True)
class TaggedRecord:
    """A record: its first line's number, and the tags and lines of its fields in file order."""

    start: int
    fields: list[tuple[str, list[str]]] = field(default_factory=list)
    damage: str = ""

    def check(self) -> None:
        """Raise InputError if the record is damaged; the caller adds the place."""
        if self.damage:
            raise InputError(
                f"a damaged record: {self.damage}", fix="fetch the file again, or mend it there"
            )

    def texts(self, *tags: str) -> list[str]:
        """Return all fields with one of these tags, the lines of each joined by spaces."""
        return [" ".join(lines) for tag, lines in self.fields if tag in tags]

    def text(self, tag: str) -> str:
        """Return the first field with this tag, or ""."""
        return next((" ".join(lines) for name, lines in self.fields if name == tag), "")

    def lines(self, tag: str) -> list[str]:
        """Return the lines of all fields with this tag."""
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

    A record is marked as damaged if it has bytes that no text contains, or repeats a tag that may
    occur once: if the first line of a record is damaged, its lines are added to the one before.

    Parameters
    ----------
    path : Path
    split : callable
        Takes a line and returns its tag and the rest; None if the line continues a field.
    first : str
        The tag with which records start: if a record already has it, the next record starts.
    blank_ends : bool
        Whether an empty line ends a record.
    last : str
        The tag that ends records, if there is one. Lines may then end in CR alone or be Latin-1,
        and text before a record's first tag is ignored.
    once : frozenset of str
        Tags that a record has at most once.
    mask : bool
        Whether to clear the highest bit of every byte first.

    Raises
    ------
    InputError
        As `read_lines`, and if a record is longer than `MAX_RECORD`.
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
    """Split ``.I 7`` or ``.T`` into tag and rest; bind the pattern to use it in `read_tagged`."""
    match = tag.fullmatch(line)
    return (match[1] or match[3], match[2] or "") if match else None


def made(
    path: Path, records: Iterable[TaggedRecord], make: Callable[[TaggedRecord], Record]
) -> Iterator[Record | InputError]:
    """Yield the result of `make` for each record, or its InputError with the record's place."""
    for tagged in records:
        yield attempt(f"{path}:{tagged.start}", make, tagged)
