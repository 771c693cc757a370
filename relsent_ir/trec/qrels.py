"""Relevance judgements (qrels): topic, iteration, document, grade."""

import re
from pathlib import Path

from relsent_ir.errors import InputError
from relsent_ir.files import atomic_writer
from relsent_ir.trec.columns import check_ids, decode, read_columns

Qrels = dict[str, dict[str, int]]
"""The grade of each judged document, by topic id and document id."""

_GRADES = range(-127, 128)


def read_qrels(path: str | Path) -> Qrels:
    """Read TREC qrels, gzipped or plain.

    Either four columns (topic, iteration, document, grade) or, as OHSUMED's, three (topic,
    document, grade); the first line decides, and the others must agree.

    Returns
    -------
    dict of str to dict of str to int
        Topics and documents in the order of the file. Grades are whole numbers from -127 to 127,
        as trec_eval documents; below 0 means pooled but not judged.

    Raises
    ------
    InputError
        A line with another number of columns, a bad grade, a document judged twice; with the line.
    """
    qrels: Qrels = {}
    lines: dict[tuple[str, str], int] = {}
    width = 0
    for number, columns in read_columns(path):
        width = width or len(columns)
        if len(columns) != width or width not in (3, 4):
            raise InputError(
                f"{len(columns)} columns, not {width if width in (3, 4) else '4 or 3'}",
                where=f"{path}:{number}",
                fix="a line is: topic, iteration, document, grade",
            )
        topic = decode(columns[0], path, number)
        document = decode(columns[-2], path, number)
        first = lines.setdefault((topic, document), number)
        if first != number:
            raise InputError(
                f"topic {topic}, document {document}: judged already in line {first}",
                where=f"{path}:{number}",
                fix="keep one of the two lines",
            )
        qrels.setdefault(topic, {})[document] = _grade(columns[-1], path, number)
    if not qrels:
        raise InputError("there are no judgements in this file", where=path)
    return qrels


def write_qrels(path: str | Path, qrels: Qrels) -> None:
    """Write qrels in four columns; gzipped when the name ends in ``.gz``."""
    check_ids(qrels, "topic id")
    with atomic_writer(path) as file:
        for topic, grades in qrels.items():
            check_ids(grades, "document id")
            file.writelines(f"{topic} 0 {document} {grade}\n" for document, grade in grades.items())


def _grade(column: bytes, path: str | Path, number: int) -> int:
    if re.fullmatch(rb"-?[0-9]{1,99}", column) and int(column) in _GRADES:
        return int(column)
    raise InputError(
        f"the grade {column[:40].decode(errors='replace')} is not a whole number from -127 to 127",
        where=f"{path}:{number}",
    )
