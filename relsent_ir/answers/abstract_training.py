"""What general questions are, and training of `relsent_ir.answers.abstracts`.

Whether an abstract answers is learned from sentences that readers graded as answers to questions
(`read_graded`).

General questions are records whose title is a question, which their printed conclusion answers.
Labels and inline headings are taken off, so that nothing says where the conclusion is, and the
title too, since it is the question.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np

from relsent_ir.answers.abstracts import cover, may_answer, wanted
from relsent_ir.answers.linear import Bools
from relsent_ir.answers.model import LinearModel
from relsent_ir.answers.questions import Question, fold
from relsent_ir.answers.searching import bodies, first_stage, frequencies
from relsent_ir.errors import InputError
from relsent_ir.hits import owner
from relsent_ir.lucene.read.collection import Indexes
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


DEPTH: Final = 30
INVERSE_PENALTY: Final = 0.1
STAR: Final = 0.8
"""The least probability of an abstract with a star: of the sentences on claims that were read .88
answer from it on, and all do in part (docs/answers.md)."""
GRADES: Final = {"0": 0, "1": 1, "2": 2, "yes": 2, "no": 2, "unclear": 2, "part": 1, "silent": 0}
"""What readers write of a sentence, and of a sentence on a claim."""
LEAST: Final = 1.5
"""The least mean grade, of 0 to 2, of a sentence that answers."""


@dataclass(frozen=True)
class Graded:
    """A sentence that was read as the answer to a question.

    Attributes
    ----------
    collection : str
        The name of the folder of its indexes.
    topic, sentence : str
    grade : float
        The mean of the readers': 2 answers, 1 partly, 0 does not.
    """

    collection: str
    topic: str
    sentence: str
    grade: float


def read_graded(path: str | Path) -> list[Graded]:
    """Read collection, topic, sentence and one of `GRADES` or more a line, with tabs between.

    Raises
    ------
    InputError
        With ``file:line``: a line of fewer columns, or a grade that is none of `GRADES`.
    """
    graded = []
    for n, line in enumerate(Path(path).read_text(encoding="utf-8").splitlines(), 1):
        collection, topic, sentence, *grades = [*line.split("\t"), "", ""]
        grades = grades[:-2]
        if not grades or not set(grades) <= GRADES.keys():
            raise InputError(
                f"no collection, topic, sentence and grades ({', '.join(GRADES)})",
                where=f"{path}:{n}",
                fix="write them with tabs between",
            )
        grade = sum(GRADES[name] for name in grades) / len(grades)
        graded.append(Graded(collection, topic, sentence, grade))
    return graded


def described(
    model: LinearModel,
    collection: Indexes,
    topics: Mapping[str, str],
    sentences: Mapping[str, Collection[str]],
    progress: Progress | None = None,
) -> dict[tuple[str, str], Floats]:
    """Return the features of sentences, by topic and sentence, of abstracts that are found.

    Parameters
    ----------
    model : LinearModel
    collection : Indexes
    topics : mapping of topic id to question
    sentences : mapping of topic id to collection of str
        Ids of the sentences that are wanted.
    progress : callable, optional
        Gets the number of topics done, and of all.
    """
    found = {}
    stage = first_stage(collection, topics, BM25(), None, DEPTH)
    for n, (topic, hits, forms) in enumerate(stage, 1):
        own = {owner(name) for name in sentences[topic]}
        scores = dict(zip(hits.ids.tolist(), hits.scores.tolist(), strict=True))
        highest = max((*scores.values(), 1e-9))
        records = collection.records([name for name in scores if name in own])
        idf = frequencies(collection, topics[topic], forms)
        asked = wanted(topics[topic], model.vectors, idf, forms)
        for record, body in zip(records, bodies(collection, records), strict=True):
            judged = model.judge(asked.question, record.title or record.vernacular_title, body)
            covered = cover(asked, record, body, model.vectors)
            behind = (highest - scores[record.id]) / highest
            rows = model.rows(covered, body, judged, may_answer(covered, body), behind)
            for sentence, row in zip(body, rows, strict=True):
                if sentence.id in sentences[topic]:
                    found[topic, sentence.id] = row
        if progress:
            progress(n, len(topics))
    return found


def learn_abstracts(features: Floats, answers: Bools, least: float) -> Floats:
    """Learn from sentences that were read.

    Parameters
    ----------
    features : ndarray of float64, shape (sentences, `ABSTRACT_NAMES`)
    answers : ndarray of bool, shape (sentences,)
    least : float
        The least probability for a star.

    Returns
    -------
    ndarray of float64
        The weights, the intercept, and the least.
    """
    from sklearn.linear_model import LogisticRegression

    mean, deviation = features.mean(axis=0), np.maximum(features.std(axis=0), 1e-9)
    fitted = LogisticRegression(C=INVERSE_PENALTY, max_iter=5000)
    fitted.fit((features - mean) / deviation, answers)
    weights = fitted.coef_[0] / deviation
    return np.concatenate([weights, fitted.intercept_ - weights @ mean, [least]])


def learn_graded(
    model: LinearModel,
    path: Path,
    topics: Mapping[str, str],
    indexes: Sequence[Path],
    progress: Progress | None = None,
) -> Floats:
    """Learn from sentences that were read whether an abstract answers; as `describe_graded`."""
    graded, rows = describe_graded(model, path, topics, indexes, progress)
    return learn_abstracts(rows, np.array([one.grade >= LEAST for one in graded]), STAR)


def describe_graded(
    model: LinearModel,
    path: Path,
    topics: Mapping[str, str],
    indexes: Sequence[Path],
    progress: Progress | None = None,
) -> tuple[list[Graded], Floats]:
    """Return the sentences that were read, with the features of each.

    Parameters
    ----------
    model : LinearModel
    path : Path
        As `read_graded` reads it.
    topics : mapping of topic id to question
    indexes : sequence of Path
        The collections, by the names of their folders.
    progress : callable, optional

    Raises
    ------
    InputError
        If a topic is not there, or no sentence is found for its topic.
    """
    graded = read_graded(path)
    rows: dict[tuple[str, str], Floats] = {}
    for folder in indexes:
        sentences: dict[str, set[str]] = {}
        for one in graded:
            if one.collection == folder.name:
                if one.topic not in topics:
                    raise InputError(f"no topic {one.topic} among --topics", where=path)
                sentences.setdefault(one.topic, set()).add(one.sentence)
        with Indexes(folder) as opened:
            asked = {topic: topics[topic] for topic in sentences}
            rows |= described(model, opened, asked, sentences, progress)
    known = [one for one in graded if (one.topic, one.sentence) in rows]
    if not known:
        raise InputError("none of these sentences is found for its topic", where=path)
    return known, np.vstack([rows[one.topic, one.sentence] for one in known])
