"""Measures of answer models on questions with evidence."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from relsent_ir.answers.classifiers import Verdict
from relsent_ir.answers.language import parse
from relsent_ir.answers.model import AnswerModel
from relsent_ir.answers.questions import Posed, gold, title
from relsent_ir.typing import NDArray, Progress


@dataclass(frozen=True)
class Scores:
    """Counts and ranks of a model's answers for each question.

    Attributes
    ----------
    records : tuple of str
        The record of each question.
    counts : ndarray of int, shape (questions, 3)
        Numbers of right, wrong and missed answers. A question without an answer sentence counts as
        missing one.
    ranks : ndarray of float64, shape (questions,)
        One over the rank of the first answer; 0 if there is none.
    """

    records: tuple[str, ...]
    counts: NDArray[np.int64]
    ranks: NDArray[np.float64]

    def to_dict(self) -> dict[str, Any]:
        """Return the measures, by name, with the number of questions."""
        n = len(self.ranks)
        counted = [*self.counts.sum(axis=0), self.ranks.sum(), (self.ranks == 1).sum(), n]
        sums = np.array(counted, dtype=np.float64)
        values = {name: float(value) for name, value in measures_of(sums).items()}
        return {**values, "questions": n}


def report(
    model: AnswerModel, posed: Sequence[Posed], progress: Progress | None = None
) -> dict[str, Any]:
    """Return the measures of ``answer evaluate --json``."""
    verdicts = judge_all(model, posed, progress)
    values = score(posed, verdicts).to_dict()
    return {
        "success_at_1": values["success_at_1"],
        "span_f1": values["f1"],
        "mrr": values["mrr"],
        "precision": values["precision"],
        "recall": values["recall"],
        "questions": values["questions"],
    }


def judge_all(
    model: AnswerModel, posed: Sequence[Posed], progress: Progress | None = None
) -> list[Verdict]:
    """Judge the abstracts of questions."""
    verdicts = []
    for n, p in enumerate(posed, 1):
        verdicts.append(model.judge(parse(p.question.text), title(p.question), p.tagged))
        if progress:
            progress(n, len(posed))
    return verdicts


def score(
    posed: Sequence[Posed],
    verdicts: Sequence[Verdict],
    answers_of: Callable[[Posed], NDArray[np.bool_]] = gold,
) -> Scores:
    """Count right, wrong and missed answers; `answers_of` returns the sentences that answer."""
    counts, ranks = [], []
    for p, verdict in zip(posed, verdicts, strict=True):
        answers = answers_of(p)
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
    """Compute measures from sums over questions: three counts, ranks, first ranks, questions."""
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
