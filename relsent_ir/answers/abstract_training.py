"""Training of `relsent_ir.answers.abstracts`: questions asked of a collection without their titles.

The abstract that had the question for its title answers it; what else is found counts as if it did
not, although some of it may.

General questions are records whose title is a question, which their printed conclusion answers.
Labels and inline headings are taken off, so that nothing says where the conclusion is, and the
title too, since it is the question.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

import numpy as np

from relsent_ir.answers import abstracts
from relsent_ir.answers.linear import Bools, best_threshold, logistic
from relsent_ir.answers.model import LinearModel
from relsent_ir.answers.questions import Question, fold
from relsent_ir.answers.searching import bodies
from relsent_ir.errors import InputError
from relsent_ir.files import atomic_writer
from relsent_ir.lucene.read.collection import Indexes
from relsent_ir.lucene.read.search import Searcher
from relsent_ir.lucene.write.indexing import build_index
from relsent_ir.methods import BM25
from relsent_ir.moves.labels import LEAST_MOVES, given_moves, section_move
from relsent_ir.records import Record, Section, list_inputs, read_records
from relsent_ir.typing import Floats, Progress

HALVES: Final = ("choose", "report")
"""Weights and settings are chosen on the first; the second is only measured."""


def half(record: str) -> str:
    """Return which half a record is in; a hash of its id decides."""
    return HALVES[fold(record, len(HALVES))]


def asks(record: Record) -> bool:
    """Return whether a record's title is a question."""
    return record.title.rstrip(" .]").endswith("?")


def untitled(record: Record) -> Record:
    """Take the title off where it is a question."""
    return replace(record, title="") if asks(record) else record


def general_questions(records: Iterable[Record]) -> list[Question]:
    """Make questions of the records that ask one and print a conclusion, each id once."""
    questions: dict[str, Question] = {}
    for record in records:
        if asks(record) and record.id not in questions and (question := _question(record)):
            questions[record.id] = question
    return list(questions.values())


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
    conclusions = [
        text for move, text in zip(moves, texts, strict=True) if move == "CONCLUSION" and text
    ]
    if not conclusions:
        return None
    body = Section(" ".join(text for text in texts if text))
    bare = Record(record.id, sections=(body,), year=record.year, journal=record.journal)
    return Question(f"title-{record.id}", record.title, bare, (" ".join(conclusions),))


DEPTH: Final = 10
MOST: Final = 100
_STEPS: Final = np.round(np.arange(0.05, 0.6, 0.01), 2).tolist()
FILE: Final = "untitled.jsonl"


@dataclass(frozen=True)
class Retrieved:
    """The hits of questions in a collection, a row an abstract.

    Attributes
    ----------
    questions, records : tuple of str
        Ids.
    features : ndarray of float64, shape (rows, features)
        Of `relsent_ir.answers.abstracts`.
    sentences : ndarray of float64, shape (rows,)
        The probability of the best sentence.
    intervenes : ndarray of bool, shape (rows,)
    """

    questions: tuple[str, ...]
    records: tuple[str, ...]
    features: Floats
    sentences: Floats
    intervenes: Bools

    @property
    def right(self) -> Bools:
        """Whether the abstract had the question for its title."""
        pairs = zip(self.questions, self.records, strict=True)
        return np.array([question == record for question, record in pairs], dtype=bool)


def untitled_index(paths: Sequence[str | Path], folder: Path) -> dict[str, Record]:
    """Index records without the titles that are questions, where the folder has no index yet.

    Returns
    -------
    dict of str to Record
        The records that ask, with their titles.

    Raises
    ------
    InputError
        If no record has a question for its title.
    """
    files, _ = list_inputs(paths)
    asking: dict[str, Record] = {}
    folder.mkdir(parents=True, exist_ok=True)
    with atomic_writer(folder / FILE) as file:
        for path, form in files:
            for record in read_records(path, form):
                if asks(record):
                    asking[record.id] = record
                file.write(untitled(record).to_json() + "\n")
    if not asking:
        raise InputError("no title of these records is a question")
    build_index([(folder / FILE, "jsonl")], folder)
    return asking


def chosen_titles(asking: Mapping[str, Record], wanted: str = HALVES[0]) -> dict[str, str]:
    """Return the questions of a half, by record, as many as `MOST`, in the order of their ids."""
    names = [name for name in sorted(asking) if half(name) == wanted]
    return {name: asking[name].title for name in names[:MOST]}


def retrieve(
    model: LinearModel,
    collection: Indexes,
    questions: Mapping[str, str],
    progress: Progress | None = None,
) -> Retrieved:
    """Ask a collection questions whose ids are those of the records that answer."""
    run = Searcher(collection.abstracts, BM25()).search(questions, k=DEPTH)
    names: list[tuple[str, str]] = []
    features, sentences, intervenes = [], [], []
    for n, (question, hits) in enumerate(run.items(), 1):
        text, ids = questions[question], hits.ids.tolist()
        records = collection.records(ids)
        pairs = list(zip(records, bodies(collection, records), strict=True))
        covers = [abstracts.cover(text, record, parts, model.vectors) for record, parts in pairs]
        best = [
            float(model.judge(text, record.title, parts).probabilities.max(initial=0.0))
            for record, parts in pairs
        ]
        names += [(question, name) for name in ids]
        features.append(abstracts.abstract_features(covers, hits.scores.tolist(), best))
        sentences += best
        intervenes += [covered.intervenes for covered in covers]
        if progress:
            progress(n, len(run))
    return Retrieved(
        tuple(question for question, _ in names),
        tuple(record for _, record in names),
        np.vstack(features),
        np.array(sentences),
        np.array(intervenes, dtype=bool),
    )


def learn_abstracts(
    model: LinearModel,
    collection: Indexes,
    questions: Mapping[str, str],
    progress: Progress | None = None,
) -> Floats:
    """Learn from questions as they are, and in other words.

    Returns
    -------
    ndarray of float64
        The weights, the intercept, and the least product of an abstract's and its sentence's
        probability for a star: that of the best F1.
    """
    others = {name: abstracts.reworded(text, model.vectors) for name, text in questions.items()}
    both = [retrieve(model, collection, topics, progress) for topics in (questions, others)]
    features = np.vstack([retrieved.features for retrieved in both])
    right = np.concatenate([retrieved.right for retrieved in both])
    deviation = np.append(np.maximum(features.std(axis=0), 1e-9), 1.0)
    weights = logistic(features / deviation[:-1], right) / deviation
    sentences = np.concatenate([retrieved.sentences for retrieved in both])
    products = abstracts.abstract_probabilities(weights, features) * sentences
    return np.append(weights, best_threshold(products, right, _STEPS))
