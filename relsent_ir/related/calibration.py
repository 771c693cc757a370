"""What scores mean: the probability that a hit is from the same abstract, and a score's rank.

The event is: if the abstract of a sentence were in the collection, a hit with this score among the
sentence's first ten would be a sentence of that abstract. It can be observed without a judge; it is
not a human judgement of how related two sentences are. Its probability is logistic in the score
(Platt: Probabilities for SV machines. 1999, with his smoothed targets, so that it is never 0 or 1),
fitted to the first ten hits of sentences that the model was not trained on. Like the share of right
hits, it stops rising at the score that a tenth of these hits reach. The prior is that of the task,
in which few of all sentences are right: in a collection of n sentences the odds are those of the
calibration's N times N / n.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import ArrayLike, NDArray

from relsent_ir.errors import MismatchError
from relsent_ir.models import check_arrays
from relsent_ir.typing import Floats

SHARE: Final = 0.2  # of the sentences: on average one in an abstract in the paper
TAIL: Final = 0.1  # of the hits: P is constant above the score that they reach
_STEPS: Final = 100
_RIDGE: Final = 1e-6
_CLOSE: Final = 1e-10


@dataclass(frozen=True)
class Calibration:
    """The scores of a model for hits and sentences that it was not trained on.

    Attributes
    ----------
    slope, intercept : float
        The log-odds of the event are ``intercept + slope * min(score, ceiling)``.
    sentences : int
        The number of sentences that were searched for the hits.
    best : ndarray of float64, ascending
        For each sampled sentence, the score of the best match in other records.
    ceiling : float
        Scores above this one have the same P.
    """

    slope: float
    intercept: float
    sentences: int
    best: Floats
    ceiling: float

    @classmethod
    def fit(
        cls, scores: ArrayLike, own: ArrayLike, sentences: int, best: ArrayLike, tail: float = TAIL
    ) -> "Calibration":
        """Fit the probability to hits.

        Parameters
        ----------
        scores : array_like of float, shape (hits,)
        own : array_like of bool, shape (hits,)
            Whether the hit is from the abstract of the query sentence.
        sentences : int
            The number of sentences that were searched for the hits.
        best : array_like of float, shape (sampled sentences,)
        tail : float
            The share of hits whose scores are at the ceiling or above.
        """
        values, yes = np.asarray(scores, dtype=np.float64), np.asarray(own, dtype=bool)
        ceiling = float(np.quantile(values, 1.0 - tail))
        values = np.minimum(values, ceiling)
        middle, size = float(values.mean()), float(values.std()) or 1.0
        high, low = (yes.sum() + 1) / (yes.sum() + 2), 1 / ((~yes).sum() + 2)
        design = np.column_stack([(values - middle) / size, np.ones_like(values)])
        slope, intercept = logistic(design, np.where(yes, high, low)).tolist()
        slope /= size
        ordered = np.sort(np.asarray(best, dtype=np.float64))
        return cls(slope, intercept - slope * middle, sentences, ordered, ceiling)

    def probability(self, scores: ArrayLike, sentences: int | None = None) -> Floats:
        """Return P(of the same abstract | score).

        Parameters
        ----------
        scores : array_like of float
        sentences : int, optional
            The number of sentences searched; by default that of the calibration.
        """
        values = np.minimum(np.asarray(scores, dtype=np.float64), self.ceiling)
        return _sigmoid(self._constant(sentences) + self.slope * values)

    def score_reaching(self, probability: float, sentences: int | None = None) -> float:
        """Return the lowest score with this probability; -inf if all have it, inf if none."""
        if probability <= 0.0:
            return -np.inf
        if probability >= 1.0 or self.slope <= 0.0:
            return np.inf
        odds = np.log(probability / (1.0 - probability))
        score = float((odds - self._constant(sentences)) / self.slope)
        return score if score <= self.ceiling else np.inf

    def _constant(self, sentences: int | None) -> float:
        return self.intercept + float(np.log(self.sentences / (sentences or self.sentences)))

    def to_arrays(self) -> dict[str, NDArray[Any]]:
        """Return the arrays that `from_arrays` reads."""
        line = np.array([self.slope, self.intercept, self.sentences, self.ceiling])
        return {"calibration_line": line, "calibration_best": self.best}

    @classmethod
    def from_arrays(cls, arrays: Mapping[str, NDArray[Any]]) -> "Calibration | None":
        """Read the arrays of `to_arrays`; None if there is no calibration."""
        if "calibration_line" not in arrays or "calibration_best" not in arrays:
            return None
        check_arrays(arrays, {"calibration_line": "float 4", "calibration_best": "float n"})
        slope, intercept, sentences, ceiling = arrays["calibration_line"].tolist()
        if sentences < 1:
            raise ValueError("a calibration without sentences")
        return cls(slope, intercept, int(sentences), arrays["calibration_best"], ceiling)


MOST_WORDS: Final = 4  # in common; further words do not count


@dataclass(frozen=True)
class Signs:
    """Signs of relatedness on a scale that is the same for all sentences; shape (pairs,) each.

    Attributes
    ----------
    relative : ndarray of float64
        The score, divided by the score of the first sentence with itself.
    words : ndarray of int64
        Number of content words in common.
    cosine : ndarray of float64
        The cosine of the sentences' vectors; 0 if the model has no vectors.
    subject : ndarray of float64
        The cosine of the words of both records, weighted by tf idf.
    alone : bool
        Whether the first sentence has no record, so that it is taken as its own record.
    """

    relative: Floats
    words: NDArray[np.int64]
    cosine: Floats
    subject: Floats
    alone: bool = False

    def columns(self) -> Floats:
        """Return the signs as columns, followed by ones; shape (pairs, 5)."""
        words = np.minimum(self.words, MOST_WORDS)
        columns = self.relative, words, self.cosine, self.subject, np.ones(len(words))
        return np.column_stack(columns).astype(np.float64)


@dataclass(frozen=True)
class Reader:
    """The probability that a reader judges two sentences as related, fitted to such judgements.

    Attributes
    ----------
    weights : ndarray of float64, shape (2, 5)
        The log-odds are the product of `Signs.columns` and the first row, or the second row if the
        sentence has no record.
    least : float
        The least P of matches that are shown without a request.
    """

    weights: Floats
    least: float

    def probability(self, signs: Signs) -> Floats:
        """Return the probabilities of pairs."""
        return _sigmoid(signs.columns() @ self.weights[int(signs.alone)])

    def to_arrays(self) -> dict[str, NDArray[Any]]:
        """Return the array that `from_arrays` reads."""
        return {"reader": np.append(self.weights.ravel(), self.least)}

    @classmethod
    def from_arrays(cls, arrays: Mapping[str, NDArray[Any]]) -> "Reader | None":
        """Read the array of `to_arrays`; None if it is missing."""
        if "reader" not in arrays:
            return None
        check_arrays(arrays, {"reader": "float 11"})
        return cls(np.reshape(arrays["reader"][:10], (2, 5)), float(arrays["reader"][10]))


def reached(best: Floats, share: float = SHARE) -> float:
    """Return the score that the best matches of a share of the sentences reach.

    Raises
    ------
    MismatchError
        If no sentence had a match.
    """
    if not len(best):
        raise MismatchError("no sentence of other records was left to calibrate on")
    return float(np.quantile(best, 1.0 - share))


def _sigmoid(odds: Floats) -> Floats:
    return np.asarray(0.5 + 0.5 * np.tanh(0.5 * odds))


def logistic(design: Floats, targets: Floats, ridge: float = _RIDGE) -> Floats:
    """Maximise the likelihood of targets from 0 to 1 with Newton's method; shape (columns,)."""
    line = np.zeros(design.shape[1])
    for _ in range(_STEPS):
        p = _sigmoid(design @ line)
        bend = (design.T * (p * (1.0 - p))) @ design + ridge * np.eye(len(line))
        step = np.linalg.solve(bend, design.T @ (targets - p) - ridge * line)
        line += step
        if np.abs(step).max() < _CLOSE:
            break
    return line
