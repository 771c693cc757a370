"""A question: what abstracts find and conclude, which way each points, and how many."""

from dataclasses import dataclass

import numpy as np

from relsent_ir.answers.linear import SLOTS
from relsent_ir.answers.searching import AbstractAnswers, Answer, answer_hit, pooled, reasons
from relsent_ir.answers.searching import search as find
from relsent_ir.hit import Hit
from relsent_ir.rank import Evidence
from relsent_ir.web.library import Library
from relsent_ir.web.reading import Reason, record_of, sentence_of
from relsent_ir.web.requests import QuestionRequest, WhyAnswerRequest, address
from relsent_ir.web.settings import PAGE


@dataclass(frozen=True)
class AnsweringRecord:
    """An abstract with the sentences that may answer, finding first or conclusion first."""

    found: AbstractAnswers
    said: list[Hit]

    def to(self, hit: Hit) -> str:
        """Return the address of a sentence in its abstract."""
        n = hit.id.rpartition(".")[2]
        return address("/abstract", [("id", hit.record.id), ("at", n)], f"s{n}")

    @property
    def answers(self) -> bool:
        """Whether the model takes it for one that answers."""
        return any(answer.is_answer for answer in self.found.answers)


@dataclass(frozen=True)
class AnswerPage:
    """A question with its abstracts.

    Attributes
    ----------
    request : QuestionRequest
    records : list of AnsweringRecord
        The likeliest first.
    slot : str
        What the question wants first.
    directions : dict of str to list of Answer
        Of the abstracts that answer, by direction; "" for those that are not sure.
    """

    request: QuestionRequest
    records: list[AnsweringRecord]
    slot: str
    directions: dict[str, list[Answer]]

    @property
    def answering(self) -> int:
        """The number of abstracts that answer."""
        return sum(map(len, self.directions.values()))


def answer(library: Library, request: QuestionRequest) -> AnswerPage:
    """Ask abstracts a question; it is assumed that they answer it."""
    if not request.q.strip():
        return AnswerPage(request, [], "", {})
    model = library.answers
    topics = {"": request.q}
    answered = find(library.indexes, topics, model, depth=PAGE, filters=request.filters())[""]
    slot = model.wanted(request.q)
    order = [slot, *(other for other in SLOTS if other != slot)]
    records = [
        AnsweringRecord(
            one,
            [
                answer_hit(one, best, library.words.spans(request.q, best.text))
                for name in order
                if (best := one.of(name))
            ],
        )
        for one in answered
    ]
    return AnswerPage(request, records, slot, pooled(answered, slot))


def of_answer(library: Library, request: WhyAnswerRequest) -> Reason:
    """Account for what sets a sentence apart that may answer."""
    sentence = sentence_of(library, request.id)
    record = record_of(library, sentence.record)
    body = [one for one in library.indexes.tagged([record])[0] if one.n]
    title = record.title or record.vernacular_title
    place = [one.id for one in body].index(sentence.id) if sentence.n else -1
    features: tuple[tuple[str, float], ...] = ()
    values: dict[str, str | float | list[str]] = {}
    if place >= 0:
        features = tuple(reasons(library.answers, request.q, title, body, place, request.slot))
        judged = library.answers.judge(request.q, title, body)
        values = {
            "probability": float(np.asarray(judged.probabilities)[place]),
            "move": sentence.move,
        }
    spans = library.words.spans(request.q, sentence.text)
    return Reason(
        f"{request.slot}, beside the other sentences of its abstract",
        request.q,
        Evidence(sentence.id, sentence.text, spans, values, features),
    )
