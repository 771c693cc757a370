"""Measures of answer models: precision, recall and F1 of answers, ranks, and directions."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from relsent_ir.answers.directions import FINDING, LABELS
from relsent_ir.answers.linear import SLOTS, Verdict
from relsent_ir.answers.model import AnswerModel
from relsent_ir.answers.training import Posed, gold, title
from relsent_ir.typing import NDArray, Progress

MEASURES: Final = ("precision", "recall", "f1", "mrr", "success_at_1")


@dataclass(frozen=True)
class Scores:
    """Counts and ranks of a model's answers, question by question.

    Attributes
    ----------
    records : tuple of str
        Each question's record.
    counts : ndarray of int, shape (questions, 3)
        Sentences that were rightly taken for answers, wrongly taken, and missed. A question
        without an answer sentence misses one.
    ranks : ndarray of float64, shape (questions,)
        One over the rank of the first answer; 0 if there is none.
    """

    records: tuple[str, ...]
    counts: NDArray[np.int64]
    ranks: NDArray[np.float64]

    def to_dict(self) -> dict[str, Any]:
        """Return the measures by name, and the number of questions."""
        n = len(self.ranks)
        counted = [*self.counts.sum(axis=0), self.ranks.sum(), (self.ranks == 1).sum(), n]
        sums = np.array(counted, dtype=np.float64)
        values = {name: float(value) for name, value in measures_of(sums).items()}
        return {**values, "questions": n}


@dataclass(frozen=True)
class DirectionScores:
    """Counts of the directions that were read, sure or not.

    Attributes
    ----------
    confusion : ndarray of int, shape (3, 3)
        By the label (row) and what was read, in the order of `FINDING`.
    sure, right : int
        How many were sure, and how many of these right.
    """

    confusion: NDArray[np.int64]
    sure: int = 0
    right: int = 0

    @property
    def accuracy(self) -> float:
        """The share of all that were read right; 0 without any."""
        return float(self.confusion.trace() / max(1, self.confusion.sum()))

    @property
    def macro_f1(self) -> float:
        """The mean F1 of the labels that occur or were read."""
        sums = self.confusion.sum(axis=0) + self.confusion.sum(axis=1)
        f1 = 2 * self.confusion.diagonal()[sums > 0] / sums[sums > 0]
        return float(f1.mean()) if len(f1) else 0.0

    def to_dict(self) -> dict[str, Any]:
        """Return the measures by name; coverage and accuracy of what is sure apart."""
        n = int(self.confusion.sum())
        return {
            "accuracy": self.accuracy,
            "macro_f1": self.macro_f1,
            "questions": n,
            "sure": {"coverage": self.sure / max(1, n), "accuracy": self.right / max(1, self.sure)},
        }


def directions(
    model: AnswerModel, posed: Sequence[Posed], judged: Sequence[Verdict]
) -> tuple[DirectionScores, int]:
    """Read the findings of questions whose label is known, and count the other labels."""
    confusion = np.zeros((len(FINDING), len(FINDING)), dtype=np.int64)
    sure = right = others = 0
    for p, verdict in zip(posed, judged, strict=True):
        if p.question.label and p.question.label not in LABELS:
            others += 1
        if p.question.label not in LABELS or not verdict.slots:
            continue
        n = verdict.slots.get(SLOTS[0], next(iter(verdict.slots.values())))
        direction = model.direction(p.question.text, p.tagged[n].text)
        label = LABELS[p.question.label]
        confusion[FINDING.index(label), FINDING.index(direction.label)] += 1
        sure += direction.sure
        right += direction.sure and direction.label == label
    return DirectionScores(confusion, sure, right), others


def report(
    model: AnswerModel, posed: Sequence[Posed], progress: Progress | None = None
) -> dict[str, Any]:
    """Return what ``answer evaluate --json`` prints; directions where lines have a known label."""
    judged = judge_all(model, posed, progress)
    values = score(posed, judged).to_dict()
    read, others = directions(model, posed, judged)
    labelled = {"direction": read.to_dict()} if read.confusion.any() else {}
    return {
        "success_at_1": values["success_at_1"],
        "span_f1": values["f1"],
        "mrr": values["mrr"],
        **labelled,
        "precision": values["precision"],
        "recall": values["recall"],
        "questions": values["questions"],
        "other_labels": others,
    }


def evaluate(
    model: AnswerModel, posed: Sequence[Posed], progress: Progress | None = None
) -> Scores:
    """Judge the abstracts of questions with evidence, and count."""
    return score(posed, judge_all(model, posed, progress))


def judge_all(
    model: AnswerModel, posed: Sequence[Posed], progress: Progress | None = None
) -> list[Verdict]:
    """Judge the abstracts of questions."""
    judged = []
    for n, p in enumerate(posed, 1):
        judged.append(model.judge(p.question.text, title(p.question), p.tagged))
        if progress:
            progress(n, len(posed))
    return judged


def score(
    posed: Sequence[Posed],
    judged: Sequence[Verdict],
    right_ones: Callable[[Posed], NDArray[np.bool_]] = gold,
) -> Scores:
    """Count verdicts; `right_ones` returns which sentences of a question answer."""
    counts, ranks = [], []
    for p, verdict in zip(posed, judged, strict=True):
        answers = right_ones(p)
        right = int((verdict.answers & answers).sum())
        missed = int(answers.sum()) - right + (not answers.any())
        counts.append((right, int((verdict.answers & ~answers).sum()), missed))
        places = np.flatnonzero(answers[verdict.order()])
        ranks.append(1 / (places[0] + 1) if len(places) else 0.0)
    return Scores(
        tuple(p.question.record.id for p in posed),
        np.array(counts, dtype=np.int64).reshape(-1, 3),
        np.array(ranks, dtype=np.float64),
    )


def measures_of(sums: NDArray[np.float64]) -> dict[str, NDArray[np.float64]]:
    """Return the measures of sums over questions: three counts, ranks, first ranks, questions."""
    right, wrong, missed, ranks, first, questions = np.moveaxis(sums, -1, 0)
    return {
        "precision": _share(right, right + wrong),
        "recall": _share(right, right + missed),
        "f1": _share(2 * right, 2 * right + wrong + missed),
        "mrr": _share(ranks, questions),
        "success_at_1": _share(first, questions),
    }


def _share(part: NDArray[np.float64], whole: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.divide(part, whole, out=np.zeros_like(part), where=whole > 0)
