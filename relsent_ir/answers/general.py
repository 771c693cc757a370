"""General questions: records whose title is a question, which their printed conclusion answers.

Nothing that a system sees says where the conclusion is: labels and inline headings are taken off
first, and the title too, since it is the question.
"""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final

from relsent_ir.answers.questions import Question
from relsent_ir.answers.splits import fold
from relsent_ir.moves.labels import LEAST_MOVES, given_moves, section_move
from relsent_ir.records import Record, Section, list_inputs, read_records

HALVES: Final = ("choose", "report")
"""On the first one things are learned and chosen; the second one is only measured."""


def half(record: str) -> str:
    """Tell which half a record is in; a hash of its id decides."""
    return HALVES[fold(record, len(HALVES))]


def asks(record: Record) -> bool:
    """Tell whether a record's title is a question."""
    return record.title.rstrip(" .]").endswith("?")


def untitled(record: Record) -> Record:
    """Take the title off where it is a question."""
    return replace(record, title="") if asks(record) else record


def general_questions(records: Iterable[Record]) -> list[Question]:
    """Make questions of the records that ask one and print a conclusion, each id once."""
    found: dict[str, Question] = {}
    for record in records:
        if asks(record) and record.id not in found and (question := _question(record)):
            found[record.id] = question
    return list(found.values())


def read_asking(paths: Sequence[str | Path]) -> list[Record]:
    """Read the records of files that ask."""
    files, _ = list_inputs(paths)
    return [r for path, form in files for r in read_records(path, form) if asks(r)]


def _question(record: Record) -> Question | None:
    moves = [section_move(section.label, section.category) for section, _ in record.body()]
    texts = [text for _, text in record.body()]
    if not any(moves):
        moves, texts = given_moves(texts)
        if len({move for move in moves if move}) < LEAST_MOVES:
            return None
    told = [text for move, text in zip(moves, texts, strict=True) if move == "CONCLUSION" and text]
    if not told:
        return None
    body = Section(" ".join(text for text in texts if text))
    bare = Record(record.id, sections=(body,), year=record.year, journal=record.journal)
    return Question(f"title-{record.id}", record.title, bare, (" ".join(told),))
