"""Measures of answer models: precision, recall and F1 of answers, reciprocal rank, success at 1."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from relsent_ir.answers.finding import ranked
from relsent_ir.answers.model import AnswerModel, Judged
from relsent_ir.answers.training import Posed, gold, title
from relsent_ir.typing import Progress

MEASURES: Final = ("precision", "recall", "f1", "mrr", "success_at_1")


@dataclass(frozen=True)
class Scores:
    """How a model did, question by question.

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
        """What ``answer evaluate --json`` prints."""
        n = len(self.ranks)
        counted = [*self.counts.sum(axis=0), self.ranks.sum(), (self.ranks == 1).sum(), n]
        sums = np.array(counted, dtype=np.float64)
        values = {name: float(value) for name, value in _measures(sums).items()}
        return {**values, "questions": n}

    def interval(self, measure: str, samples: int = 1000, seed: int = 0) -> tuple[float, float]:
        """95 % of a measure over bootstrap samples of the records."""
        values = self.bootstrap(measure, samples, seed)
        low, high = np.quantile(values, (0.025, 0.975))
        return float(low), float(high)

    def bootstrap(self, measure: str, samples: int = 1000, seed: int = 0) -> NDArray[np.float64]:
        """Give a measure on samples of the records, each with all its questions."""
        _, place = np.unique(np.array(self.records, dtype=object), return_inverse=True)
        columns = np.column_stack([self.counts, self.ranks, self.ranks == 1, self.ranks >= 0])
        sums = np.array([np.bincount(place, weights=column) for column in columns.T])
        n = sums.shape[1]
        rng = np.random.default_rng(seed)
        times = rng.multinomial(n, np.full(n, 1 / n), size=samples)
        return _measures(times @ sums.T)[measure]

    def f1_by_question(self) -> NDArray[np.float64]:
        """F1 of each question's answers, for paired tests."""
        right, wrong, missed = self.counts.T
        values: NDArray[np.float64] = 2 * right / np.maximum(2 * right + wrong + missed, 1)
        return values


def evaluate(
    model: AnswerModel,
    posed: Sequence[Posed],
    progress: Progress | None = None,
) -> Scores:
    """Judge the abstracts of questions with evidence, and count."""
    judged = []
    for n, p in enumerate(posed, 1):
        judged.append(model.judge(p.question.text, title(p.question), p.tagged))
        if progress:
            progress(n, len(posed))
    return score(posed, judged)


def score(posed: Sequence[Posed], judged: Sequence[Judged]) -> Scores:
    """Count what was judged."""
    counts, ranks = [], []
    for p, found in zip(posed, judged, strict=True):
        answers = gold(p)
        right = int((found.answers & answers).sum())
        missed = int(answers.sum()) - right + (not answers.any())
        counts.append((right, int((found.answers & ~answers).sum()), missed))
        wanted = {p.tagged[i].id for i in np.flatnonzero(answers).tolist()}
        order = ranked(p.tagged, found).ids
        first = next((n for n, name in enumerate(order, 1) if name in wanted), 0)
        ranks.append(1 / first if first else 0.0)
    return Scores(
        tuple(p.question.record.id for p in posed),
        np.array(counts, dtype=np.int64).reshape(-1, 3),
        np.array(ranks, dtype=np.float64),
    )


def _measures(sums: NDArray[np.float64]) -> dict[str, NDArray[np.float64]]:
    """Give the measures of sums over questions: the three counts, ranks, first ranks, questions."""
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
