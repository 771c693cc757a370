"""Answers in order: of one abstract, or of those that an index gives for a question."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from relsent_ir.answers.directions import Direction
from relsent_ir.answers.judging import Judged
from relsent_ir.answers.model import AnswerModel
from relsent_ir.answers.zones import tag_abstract
from relsent_ir.hits import Hits
from relsent_ir.moves import MoveModel
from relsent_ir.records import Record, Sentence


@dataclass(frozen=True, slots=True)
class Answer:
    """A sentence that may answer.

    Attributes
    ----------
    id : str
        Record id, dot, number of the sentence.
    move : str
    score : float
        By which it is ranked within its abstract.
    probability : float
        That it is an answer.
    is_answer : bool
        Whether the model takes it for one.
    text : str
    slot : str
        What it is the abstract's best sentence for, ``finding`` or ``conclusion``; "" for neither.
    direction : Direction or None
        Which way it points, if it has a slot.
    """

    id: str
    move: str
    score: float
    probability: float
    is_answer: bool
    text: str
    slot: str = ""
    direction: Direction | None = None


def find_answers(
    model: AnswerModel,
    question: str,
    record: Record,
    moves: MoveModel | None = None,
    *,
    labels: bool = True,
) -> list[Answer]:
    """Rank the sentences of an abstract, the best answer first.

    Parameters
    ----------
    model : AnswerModel
    question : str
        If it is empty, or has function words only, nothing matches it, and what a sentence says
        as answers do decides.
    record : Record
        Without an abstract there is no sentence. Without a title nothing is similar to it.
    moves : MoveModel, optional
        The one that comes with the package if None.
    labels : bool
        Take the moves of a structured abstract from its labels.
    """
    return judge_tagged(model, question, record, tag_abstract(record, moves, labels=labels))


def judge_tagged(
    model: AnswerModel, question: str, record: Record, tagged: Sequence[Sentence]
) -> list[Answer]:
    """Do as `find_answers` with sentences of the abstract whose moves are known."""
    judged = model.judge(question, record.title or record.vernacular_title, tagged)
    by_id = {sentence.id: n for n, sentence in enumerate(tagged)}
    slots = {n: slot for slot, n in judged.slots.items()}
    found = []
    for name in ranked(tagged, judged).ids:
        n = by_id[name]
        slot, text = slots.get(n, ""), tagged[n].text
        found.append(
            Answer(
                name,
                tagged[n].move,
                float(judged.scores[n]),
                float(judged.probabilities[n]),
                bool(judged.answers[n]),
                text,
                slot,
                model.direction(question, text, slot) if slot else None,
            )
        )
    return found


def ranked(tagged: Sequence[Sentence], judged: Judged) -> Hits:
    """Put the sentences of an abstract into the order of their scores, ties as they stand there."""
    order = np.argsort(-judged.scores, kind="stable")
    ids = np.array([sentence.id for sentence in tagged], dtype=object)
    return Hits(ids[order], judged.scores[order])
