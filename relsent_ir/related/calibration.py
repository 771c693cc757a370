"""What a score means: how probable it makes a pair, and how many sentences have one as good.

The probability is that of two sentences being neighbours in one abstract, given their score; it is
no human judgement of how related they are. It comes from isotonic regression (Zadrozny, Elkan:
Transforming classifier scores into accurate multiclass probability estimates. KDD 2002) on pairs of
records that the model was not trained on, half of them neighbours; another prior shifts it.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import ArrayLike, NDArray

from relsent_ir.errors import MismatchError
from relsent_ir.typing import Floats

SHARE: Final = 0.2  # of the sentences; the paper's one sentence an abstract
PRIOR: Final = 0.5


@dataclass(frozen=True)
class Calibration:
    """A model's scores on pairs and sentences that it was not trained on.

    Attributes
    ----------
    scores, probabilities : ndarray of float64, same shape
        Corners of the piecewise linear function from a score to the probability of being
        neighbours, both ascending, where half of the pairs are neighbours.
    best : ndarray of float64, ascending
        For each of some sampled sentences, the score of the best match in other records.
    """

    scores: Floats
    probabilities: Floats
    best: Floats

    @classmethod
    def fit(cls, scores: ArrayLike, related: ArrayLike, best: ArrayLike) -> "Calibration":
        """Fit the probability to pairs.

        Parameters
        ----------
        scores : array_like of float, shape (pairs,)
        related : array_like of bool, shape (pairs,)
            Half of them true.
        best : array_like of float, shape (sentences,)
        """
        from sklearn.isotonic import IsotonicRegression

        fitted = IsotonicRegression(y_min=0.0, y_max=1.0, out_of_bounds="clip")
        fitted.fit(np.asarray(scores, dtype=np.float64), np.asarray(related, dtype=np.float64))
        corners = np.asarray(fitted.X_thresholds_), np.asarray(fitted.y_thresholds_)
        return cls(*corners, np.sort(np.asarray(best, dtype=np.float64)))

    def probability(self, scores: ArrayLike, prior: float = PRIOR) -> Floats:
        """Give P(neighbours in one abstract | score).

        Parameters
        ----------
        scores : array_like of float
        prior : float
            The share of neighbours among the pairs that are asked about, between 0 and 1.
        """
        values = np.asarray(scores, dtype=np.float64)
        even = np.interp(values, self.scores, self.probabilities)
        return np.asarray(_shifted(even, prior))

    def score_reaching(self, probability: float, prior: float = PRIOR) -> float:
        """Give the least score of at least some probability; infinite if none is as good."""
        wanted = float(_shifted(np.float64(probability), 1.0 - prior))
        place = int(np.searchsorted(self.probabilities, wanted))
        if place == 0:
            return -np.inf
        if place == len(self.probabilities):
            return np.inf
        low, high = self.probabilities[place - 1 : place + 1]
        start, end = self.scores[place - 1 : place + 1]
        return float(start + (wanted - low) / (high - low) * (end - start))

    def min_score(self, share: float = SHARE) -> float:
        """Give the score that the best match of a share of the sentences reaches.

        Raises
        ------
        MismatchError
            If no sentence had a match.
        """
        if not len(self.best):
            raise MismatchError("no sentence of other records was left to calibrate on")
        return float(np.quantile(self.best, 1.0 - share))

    def to_arrays(self) -> dict[str, NDArray[Any]]:
        """Give what `from_arrays` needs."""
        return {
            "calibration_scores": self.scores,
            "calibration_probabilities": self.probabilities,
            "calibration_best": self.best,
        }

    @classmethod
    def from_arrays(cls, arrays: Mapping[str, NDArray[Any]]) -> "Calibration | None":
        """Read what `to_arrays` gave; None if there was no calibration."""
        names = "calibration_scores", "calibration_probabilities", "calibration_best"
        if any(name not in arrays for name in names):
            return None
        return cls(*(np.asarray(arrays[name]) for name in names))


def _shifted(probability: NDArray[np.float64] | np.float64, prior: float) -> Any:
    """Bayes' rule: from a prior of one half to another."""
    yes, no = probability * prior, (1.0 - probability) * (1.0 - prior)
    return yes / (yes + no)
