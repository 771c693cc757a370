"""Tables, CSV and TSV: a row is a record; PubMed's and Scopus' are read too.

Columns are named by a header, or numbered from 1 where the names that are given are numbers.
"""

import csv
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain
from pathlib import Path
from typing import Final, TextIO

from relsent_ir.errors import InputError
from relsent_ir.records.fields import placed
from relsent_ir.records.named import (
    OWN,
    SEVERAL,
    SINGLE,
    holds_records,
    join_values,
    named_record,
    named_values,
    split_names,
)
from relsent_ir.records.record import Record
from relsent_ir.records.source import read_lines

_DELIMITERS: Final = "\t,;|"
_CELL: Final = 1 << 24  # characters


def delimiter_of(line: str, fields: Mapping[str, str] | None = None) -> str:
    """Return what parts the cells of a first line, or "" if it is none of a table of records."""
    for mark in _DELIMITERS:
        names = _names(line, mark, fields)
        if len(names) > 1 and holds_records(names, fields or {}):
            return mark
    return ""


def read_table(
    path: Path, fields: Mapping[str, str] | None = None
) -> Iterator[Record | InputError]:
    """Yield the records of a file, and an InputError for each row that cannot be taken.

    Raises
    ------
    InputError
        If it has no header with an id, PMID or DOI, and a title or an abstract.
    """
    csv.field_size_limit(_CELL)
    lines = (line + "\n" for _, line in read_lines(path, latin=True))
    header = next((line for line in lines if not line.isspace()), "")
    mark = delimiter_of(header, fields)
    if not mark:
        names = next((found for mark in _DELIMITERS if len(found := _cells(header, mark)) > 1), [])
        raise InputError(
            f"no header of records, but {', '.join(names)[:120] or 'no columns'}",
            where=f"{path}:1",
            fix="name the columns: --map id=COLUMN,title=COLUMN,abstract=COLUMN",
        )
    names, numbered = _names(header, mark, fields), _are_numbers(fields)
    rest = _Lines(chain([header], lines) if numbered else lines)
    plain = numbered and mark == "\t"  # quotation marks are letters of the text
    rows = csv.reader(rest, delimiter=mark, quoting=csv.QUOTE_NONE if plain else csv.QUOTE_MINIMAL)
    while True:
        start = rows.line_num + 2 - numbered
        try:
            row = next(rows, None)
        except csv.Error as error:
            raise InputError(f"no table ({error})", where=f"{path}:{start}") from error
        if row is None:
            return
        if rest.ended:  # a row that is whole ends before the reader asks for more
            raise InputError(
                "a quotation mark in this row is not closed: all behind it is one cell",
                where=f"{path}:{start}",
                fix='close it, or write it twice in a cell in "quotes"',
            )
        try:
            if len(row) > len(names):
                raise InputError(
                    f"{len(row)} cells under {len(names)} names", fix='put cells in "quotes"'
                )
            if any(cell.strip() for cell in row):
                pairs = [(name, [cell]) for name, cell in zip(names, row, strict=False)]
                yield named_record(pairs, fields)
        except InputError as error:
            yield placed(error, f"{path}:{start}")


class _Lines:
    """Lines, and whether more were requested than there are."""

    def __init__(self, lines: Iterator[str]) -> None:
        self._lines = lines
        self.ended = False

    def __iter__(self) -> Iterator[str]:
        yield from self._lines
        self.ended = True


def write_table(file: TextIO, records: Iterable[Record]) -> None:
    """Write records as CSV with a header, as `read_table` reads them.

    The columns are those that any record fills; the records are all held.
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
        _joined(name, values) if name in SEVERAL else "".join(values)
        for label, values in row
        if label == name and any(values)
    ]
    return cells + [""] * (times - len(cells))


def _joined(name: str, values: Sequence[str]) -> str:
    cell = join_values(values)
    if name == "authors" and split_names(cell) != cell.split(";"):  # "Ants and Bees" is one
        cell = "\n".join(values) + "\n"
    return cell


def _are_numbers(fields: Mapping[str, str] | None) -> bool:
    return bool(fields) and all(name.isdigit() for name in fields or ())


def _names(line: str, mark: str, fields: Mapping[str, str] | None) -> list[str]:
    """Return the names of the columns, of which a line is the first."""
    cells = _cells(line, mark)
    return [str(n) for n in range(1, len(cells) + 1)] if _are_numbers(fields) else cells


def _cells(line: str, mark: str) -> list[str]:
    try:
        return [cell.strip() for cell in next(csv.reader([line], delimiter=mark), [])]
    except csv.Error:
        return []
