"""Questions to learn from: titles that ask, forms of the read ones, and their folds.

General questions are titles that ask, answered by the printed conclusion of their record. Labels
and inline headings are removed, so that nothing tells where the conclusion is; so is the title,
which is the question.

Folds are by record: all questions of an article are on one side.
"""

import hashlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final

import numpy as np

from relsent_ir.answers.questions import Asked, Posed, Taggers, pose
from relsent_ir.moves.labels import LEAST_MOVES, given_moves, section_move
from relsent_ir.records import Record, Section, list_inputs, read_records
from relsent_ir.typing import NDArray


def fold(record: str, k: int, seed: int = 0) -> int:
    """Return the fold of a record, from 0 to k - 1, by a hash of its id."""
    digest = hashlib.blake2b(f"{seed}:{record}".encode(), digest_size=8).digest()
    return int.from_bytes(digest) % k


def folds(records: Sequence[str], k: int, seed: int = 0) -> Iterator[NDArray[np.bool_]]:
    """Yield each fold's mask of the records; shape (len(records),)."""
    places = np.array([fold(record, k, seed) for record in records], dtype=np.int64)
    for number in range(k):
        yield places == number


HALVES: Final = ("choose", "report")
"""The first is for choosing weights and settings, the second only for measuring."""


def half(record: str) -> str:
    """Return a record's half, by a hash of its id."""
    return HALVES[fold(record, len(HALVES))]


def asks(record: Record) -> bool:
    """Return whether a record's title is a question."""
    return record.title.rstrip(" .]").endswith("?")


def general_questions(records: Iterable[Record]) -> list[Asked]:
    """Make questions of the records with a question and a conclusion, each id once."""
    questions: dict[str, Asked] = {}
    for record in records:
        if asks(record) and record.id not in questions and (question := _title_question(record)):
            questions[record.id] = question
    return list(questions.values())


def read_asking(paths: Sequence[str | Path]) -> list[Record]:
    """Read the records of files whose titles are questions."""
    files, _ = list_inputs(paths)
    return [r for path, form in files for r in read_records(path, form) if asks(r)]


def _title_question(record: Record) -> Asked | None:
    moves = [section_move(section.label, section.category) for section, _ in record.body()]
    texts = [text for _, text in record.body()]
    if not any(moves):
        moves, texts = given_moves(texts)
        if len({move for move in moves if move}) < LEAST_MOVES:
            return None
    conclusions = [
        text for move, text in zip(moves, texts, strict=True) if move == "CONCLUSION" and text
    ]
    if not conclusions:
        return None
    body = Section(" ".join(text for text in texts if text))
    bare = Record(record.id, sections=(body,), year=record.year, journal=record.journal)
    return Asked(f"title-{record.id}", record.title, bare, (" ".join(conclusions),))


def all_forms(questions: Sequence[Asked], taggers: Taggers) -> list[Posed]:
    """Pose questions in all forms for training the linear model.

    With their abstracts as they are; structured ones without the structure; and all without the
    structure and without the question's parts.
    """
    bare = pose(questions, taggers, structure=False)
    return [
        *pose(questions, taggers),
        *(p for p in bare if len(p.question.record.sections) > 1),
        *(replace(p, whole=True) for p in bare),
    ]
