"""Relevance judgements (qrels): topic, iteration, document, grade."""

import re
from pathlib import Path

from relsent_ir.errors import InputError, checked
from relsent_ir.files import atomic_writer
from relsent_ir.trec.columns import check_ids, decode, read_columns

Qrels = dict[str, dict[str, int]]
"""The grades of judged documents, by topic id and document id."""

_GRADES = range(-127, 128)
_BEIR = [b"query-id", b"corpus-id", b"score"]
_ZERO = re.compile(rb"0(?:\.0*)?")


@checked
def read_qrels(path: str | Path) -> Qrels:
    """Read TREC qrels, gzipped or plain.

    There are four columns (topic, iteration, document, grade) or, in OHSUMED and BEIR, three
    (topic, document, grade); the first line decides, and all lines must agree. BEIR's files name
    their columns. Those of the SMART system are read too: two columns (topic, document), or four of
    which the last two are 0 on every line. Their numbers lose leading zeros, like those of its
    topics and records, and all grades are 1.

    Returns
    -------
    dict of str to dict of str to int
        Topics and documents in the order of the file. Grades are whole numbers from -127 to 127, as
        documented by trec_eval; a grade below 0 means pooled but not judged.

    Raises
    ------
    InputError
        If a line has a wrong number of columns, a bad grade, or repeats a document; names the line.
    """
    qrels: Qrels = {}
    lines: dict[tuple[str, str], int] = {}
    rows = list(read_columns(path))
    if rows and rows[0][1] == _BEIR:
        del rows[0]
    width = len(rows[0][1]) if rows else 0
    bare = width == 4 and _is_smart([columns for _, columns in rows])
    for number, columns in rows:
        if len(columns) != width or width not in (2, 3, 4):
            raise InputError(
                f"{len(columns)} columns, not {width if width in (2, 3, 4) else '4, 3 or 2'}",
                where=f"{path}:{number}",
                fix="this is a run; the qrels come first"
                if len(columns) == 6
                else "a line is: topic, iteration, document, grade",
            )
        if bare:
            columns = [column.lstrip(b"0") or b"0" for column in columns[:2]]
        elif width > 2:
            columns = [columns[0], columns[-2], columns[-1]]
        topic, document = (decode(column, path, number) for column in columns[:2])
        first = lines.setdefault((topic, document), number)
        if first != number:
            raise InputError(
                f"topic {topic}, document {document}: judged already in line {first}",
                where=f"{path}:{number}",
                fix="keep one of the two lines",
            )
        grade = _grade(columns[2], path, number) if len(columns) > 2 else 1
        qrels.setdefault(topic, {})[document] = grade
    if not qrels:
        raise InputError("there are no judgements in this file", where=path)
    return qrels


@checked
def write_qrels(path: str | Path, qrels: Qrels) -> None:
    """Write qrels in four columns, gzipped if the name ends in ``.gz``."""
    check_ids(qrels, "topic id")
    with atomic_writer(path) as file:
        for topic, grades in qrels.items():
            check_ids(grades, "document id")
            file.writelines(f"{topic} 0 {document} {grade}\n" for document, grade in grades.items())


def _is_smart(rows: list[list[bytes]]) -> bool:
    """Return whether lines are topic, document, 0, 0; in TREC's columns only 0 is judged."""
    zeros = all(len(row) == 4 and all(_ZERO.fullmatch(cell) for cell in row[2:]) for row in rows)
    numbers = all(cell.isdigit() for row in rows for cell in row[:2])
    return zeros and numbers and any(row[1].strip(b"0") for row in rows)


def _grade(column: bytes, path: str | Path, number: int) -> int:
    if re.fullmatch(rb"-?[0-9]{1,99}", column) and int(column) in _GRADES:
        return int(column)
    raise InputError(
        f"the grade {column[:40].decode(errors='replace')} is not a whole number from -127 to 127",
        where=f"{path}:{number}",
    )
