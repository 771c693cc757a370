"""The query file of the cystic fibrosis collection, with topics and judgements.

Shaw, Wood, Wood, Tibbo: The cystic fibrosis database: Content and research opportunities. Library
and Information Science Research 13, 1991.
"""

import re
from collections.abc import Iterator
from pathlib import Path

from relsent_ir.errors import InputError
from relsent_ir.files import open_text
from relsent_ir.trec.qrels import Qrels
from relsent_ir.trec.topic_formats import Topic

FIRST_LINE = re.compile(r"QN\s+\d")

_FIELD = re.compile(r"(QN|QU|NR|RD)(\s|$)")


def read_topics(text: str) -> Iterator[Topic]:
    """Read the queries (QN, QU); ids have no leading zeros, as in `read_cystic_fibrosis_qrels`."""
    for line, fields in _queries(text):
        yield Topic(_id(fields["QN"], line), line, {"title": fields.get("QU", "")})


def read_cystic_fibrosis_qrels(path: str | Path) -> Qrels:
    """Read the judgements (RD) of the collection's query file.

    Returns
    -------
    dict of str to dict of str to int
        Grades by query number (QN) and record number (RN), both without leading zeros. A grade is
        the sum of four judges' scores, each from 0 to 2; a record is relevant above 0.

    Raises
    ------
    InputError
        If the judgements of a query are not pairs of a record number and four scores, or their
        number differs from its NR.
    """
    with open_text(path) as file:
        text = file.read()
    qrels: Qrels = {}
    try:
        for line, fields in _queries(text):
            id_ = _id(fields["QN"], line)
            if id_ in qrels:
                raise InputError(f"query {id_} is there twice", where=str(line))
            qrels[id_] = _grades(fields.get("RD", ""), line)
            expected = _id(fields.get("NR", ""), line)
            if str(len(qrels[id_])) != expected:
                raise InputError(
                    f"query {id_} has {len(qrels[id_])} judgements, and its NR says {expected}",
                    where=str(line),
                )
    except InputError as error:
        raise InputError(error.problem, where=f"{path}:{error.where}", fix=error.fix) from None
    if not qrels:
        raise InputError("there are no queries in this file", where=path)
    return qrels


def _queries(text: str) -> Iterator[tuple[int, dict[str, str]]]:
    """Yield the first line and the fields of each query, with continuation lines joined."""
    start, fields, name = 0, dict[str, list[str]](), ""
    for number, line in enumerate(text.split("\n"), 1):
        if field := _FIELD.match(line):
            name = field[1]
            if name == "QN":
                if fields:
                    yield start, {name: " ".join(lines) for name, lines in fields.items()}
                start, fields = number, {}
            if name in fields or "QN" not in (name, *fields):
                raise InputError(f"a field {name} that belongs to no query", where=str(number))
            fields[name] = [line[2:]]
        elif line.strip():
            if not name or not line[0].isspace():
                raise InputError("a line that is none of QN, QU, NR, RD", where=str(number))
            fields[name].append(line)
    if fields:
        yield start, {name: " ".join(lines) for name, lines in fields.items()}


def _id(number: str, line: int) -> str:
    number = number.strip()
    if not number.isdecimal():
        raise InputError(f"{number or 'nothing'} where a number belongs", where=str(line))
    return number.lstrip("0") or "0"


def _grades(judgements: str, line: int) -> dict[str, int]:
    """Read pairs of a record number and a four-digit score."""
    tokens = judgements.split()
    grades: dict[str, int] = {}
    for record, scores in zip(tokens[::2], tokens[1::2] + [""] * (len(tokens) % 2), strict=True):
        if not re.fullmatch("[0-2]{4}", scores):
            raise InputError(
                f"record {record}: {scores or 'nothing'} where four scores from 0 to 2 belong",
                where=str(line),
            )
        id_ = _id(record, line)
        if id_ in grades:
            raise InputError(f"record {id_} is judged twice for one query", where=str(line))
        grades[id_] = sum(map(int, scores))
    return grades
