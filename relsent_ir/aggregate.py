"""Aggregates: ways to compute a record's score from the scores of its sentences."""

import math
from dataclasses import dataclass
from typing import Final

import numpy as np

from relsent_ir.errors import UsageError
from relsent_ir.typing import Floats, NDArray

_FIX: Final = "best, mean:K (K 1 or more), sum:CUT, or decay:D (D above 0, at most 1)"


@dataclass(frozen=True)
class Aggregate:
    """Compute one score from the scores of a record's sentences, its title included.

    ``best`` is the highest score. ``mean`` is the mean of the `value` highest scores, or of all if
    there are fewer. ``sum`` adds the amounts by which scores exceed `value`; it is 0 if none does.
    ``decay`` adds all scores from the highest down, the i-th times `value` to the power of i - 1.
    If there is one sentence only, its score is the result, except under ``sum``.

    Attributes
    ----------
    how : {"best", "mean", "sum", "decay"}
    value : float
    """

    how: str = "best"
    value: float = 0.0

    @classmethod
    def parse(cls, text: str) -> "Aggregate":
        """Read ``best``, ``mean:K``, ``sum:CUT`` or ``decay:D``.

        Raises
        ------
        UsageError
            If the text is none of these.
        """
        how, colon, number = text.partition(":")
        if text == "best":
            return cls()
        try:
            value = float(number)
        except ValueError:
            value = math.nan
        fits = {
            "mean": value >= 1 and value.is_integer(),
            "sum": math.isfinite(value),
            "decay": 0 < value <= 1,
        }
        if not colon or not fits.get(how):
            raise UsageError(f"no way to aggregate sentences: {text!r}", fix=_FIX)
        return cls(how, value)

    def __call__(self, scores: Floats, sizes: NDArray[np.integer]) -> Floats:
        """Aggregate the scores of several records' sentences.

        Parameters
        ----------
        scores : ndarray of float64, shape (sentences,)
            Record after record; NaN for a sentence without a score, which is ignored.
        sizes : ndarray of int, shape (records,)
            The number of sentences of each record, at least 1.

        Returns
        -------
        ndarray of float64, shape (records,)
            NaN for a record that has no sentence with a score.
        """
        if not len(sizes):
            return np.zeros(0)
        starts = np.cumsum(sizes) - sizes
        if self.how == "best":
            best: Floats = np.fmax.reduceat(scores, starts)
            return best
        record = np.repeat(np.arange(len(sizes)), sizes)
        values = scores[np.lexsort((-scores, record))]
        place = np.arange(len(values)) - starts[record]
        scored = ~np.isnan(values)
        values = np.where(scored, values, 0.0)
        count = np.bincount(record, scored, len(sizes))
        if self.how == "mean":
            weighed = values * (place < self.value) / np.clip(count, 1, self.value)[record]
        elif self.how == "sum":
            weighed = np.where(scored, np.maximum(values - self.value, 0.0), 0.0)
        else:
            weighed = values * self.value**place
        return np.where(count > 0, np.bincount(record, weighed, len(sizes)), np.nan)


BEST: Final = Aggregate()
