"""Tables, CSV and TSV: each row is a record; exports of PubMed and Scopus are read too.

A header names the columns; if the given names are numbers, columns are numbered from 1.
"""

import csv
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import chain
from pathlib import Path
from typing import Final, TextIO

from relsent_ir.errors import InputError
from relsent_ir.records.fields import attempt, placed
from relsent_ir.records.named import (
    OWN,
    SEVERAL,
    SINGLE,
    holds_records,
    join_values,
    named_record,
    named_values,
)
from relsent_ir.records.record import Record
from relsent_ir.records.source import read_lines
from relsent_ir.records.web_of_science import COLUMNS

_DELIMITERS: Final = "\t,;|"
_CELL: Final = 1 << 24  # characters of a cell
_ABOVE: Final = re.compile('sep=.$|"?About the data:')
"""The line that Excel or Dimensions writes above the header."""


def delimiter_of(line: str, fields: Mapping[str, str] | None = None) -> str:
    """Return the delimiter of a header line, or "" if it heads no table of records."""
    for mark in _DELIMITERS:
        names = _names(line, mark, fields)
        if len(names) > 1 and holds_records(names, fields or {}):
            return mark
    return ""


def is_upright(line: str) -> bool:
    """Return whether a file's first line is a field's name and values, as in Embase's exports."""
    return line.startswith('"TITLE","')


def _read_upright(path: Path, lines: Iterator[str]) -> Iterator[Record | InputError]:
    """Yield the records of a file with a field on each line; each starts with the first field."""
    values: list[tuple[str, list[str]]] = []
    start = 1
    for number, row in chain(_rows(path, lines, 1), [(0, ["TITLE"])]):
        if row[:1] == ["TITLE"]:
            if values:
                yield attempt(f"{path}:{start}", partial(named_record, values, parted=True))
            values, start = [], number
        if row:
            values.append((row[0], row[1:]))


def _rows(
    path: Path, lines: Iterator[str], first: int, mark: str = ",", *, plain: bool = False
) -> Iterator[tuple[int, list[str]]]:
    """Yield rows with their line numbers; the first line has the number `first`."""
    ended = False

    def rest() -> Iterator[str]:
        nonlocal ended
        yield from lines
        ended = True

    rows = csv.reader(
        rest(), delimiter=mark, quoting=csv.QUOTE_NONE if plain else csv.QUOTE_MINIMAL
    )
    while True:
        start = rows.line_num + first
        try:
            row = next(rows, None)
        except csv.Error as error:
            raise InputError(f"no table ({error})", where=f"{path}:{start}") from error
        if row is None:
            return
        if ended:  # the reader asks for more lines only if the row is incomplete
            raise InputError(
                "a quotation mark in this row is not closed: all behind it is one cell",
                where=f"{path}:{start}",
                fix='close it, or write it twice in a cell in "quotes"',
            )
        yield start, row


def read_table(
    path: Path, fields: Mapping[str, str] | None = None
) -> Iterator[Record | InputError]:
    """Yield the records of a file, and an InputError for each unreadable row.

    Raises
    ------
    InputError
        If the header has no id, PMID or DOI, or no title and no abstract.
    """
    csv.field_size_limit(_CELL)
    lines = (line + "\n" for _, line in read_lines(path, latin=True))
    header = next((line for line in lines if not line.isspace() and not _ABOVE.match(line)), "")
    if is_upright(header):
        yield from _read_upright(path, chain((header,), lines))
        return
    mark = delimiter_of(header, fields)
    if not mark:
        names = next((found for mark in _DELIMITERS if len(found := _cells(header, mark)) > 1), [])
        raise InputError(
            f"no header of records, but {', '.join(names)[:120] or 'no columns'}",
            where=f"{path}:1",
            fix="name the columns: --map id=COLUMN,title=COLUMN,abstract=COLUMN",
        )
    names, numbered = _names(header, mark, fields), _are_numbers(fields)
    columns = [] if numbered else names
    plain = numbered and mark == "\t"  # quotation marks belong to the text
    if {"PT", "UT"} <= {*names}:  # Web of Science's files too
        names, plain = [COLUMNS.get(name, f"{OWN}{name}") for name in names], True
    rest = chain([header], lines) if numbered else lines
    for start, row in _rows(path, rest, 2 - numbered, mark, plain=plain):
        try:
            if len(row) > len(names):
                raise InputError(
                    f"{len(row)} cells under {len(names)} names", fix='put cells in "quotes"'
                )
            cells = [cell.strip("\ufeff ") for cell in row]
            if any(cells) and cells != columns:  # a header in the middle, where files were joined
                pairs = [(name, [cell]) for name, cell in zip(names, row, strict=False)]
                yield named_record(pairs, fields)
        except InputError as error:
            yield placed(error, f"{path}:{start}")


def write_table(file: TextIO, records: Iterable[Record]) -> None:
    """Write records as CSV with a header; `read_table` reads this form.

    A column is written for each field that any record fills; all records are held in memory.
    """
    rows = [named_values(record) for record in records]
    columns: dict[str, int] = {}
    for row in rows:
        here: dict[str, int] = {}
        for name, values in row:
            if any(values):
                here[name] = here.get(name, 0) + 1
        for name, times in here.items():
            columns[name] = max(times, columns.get(name, 0))
    order: list[str] = [name for name in (*SINGLE, *SEVERAL) if name in columns]
    order += [name for name in columns if name.startswith(OWN)]
    table = csv.writer(file, lineterminator="\n")
    table.writerow([name for name in order for _ in range(columns[name])])
    for row in rows:
        table.writerow([cell for name in order for cell in _column(row, name, columns[name])])


def _column(row: Sequence[tuple[str, tuple[str, ...]]], name: str, times: int) -> list[str]:
    cells = [
        join_values(values, name) if name in SEVERAL else "".join(values)
        for label, values in row
        if label == name and any(values)
    ]
    return cells + [""] * (times - len(cells))


def _are_numbers(fields: Mapping[str, str] | None) -> bool:
    return bool(fields) and all(name.isdigit() for name in fields or ())


def _names(line: str, mark: str, fields: Mapping[str, str] | None) -> list[str]:
    """Return the names of the columns, which the line holds unless columns are numbered."""
    cells = _cells(line, mark)
    return [str(n) for n in range(1, len(cells) + 1)] if _are_numbers(fields) else cells


def _cells(line: str, mark: str) -> list[str]:
    try:
        return [cell.strip() for cell in next(csv.reader([line], delimiter=mark), [])]
    except csv.Error:
        return []
