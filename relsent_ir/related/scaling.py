"""Scaling of Huber+'s dense features: each as it is, and as its logarithm."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from relsent_ir.models import check_arrays
from relsent_ir.typing import Floats

_FARTHEST: Final = 6.0  # standard deviations from the mean; what is beyond is moved there
_RARE: Final = 5  # percentile of a column's positive values that is the unit of its logarithm
_FLAT: Final = 1e-9  # the deviation of a column that says nothing


@dataclass(frozen=True)
class Scaling:
    """Puts measures beside their logarithms, each with mean 0 and deviation 1 over training pairs.

    Attributes
    ----------
    unit : ndarray of float64, shape (measures,)
        The logarithm of x is ``sign(x) ln(1 + |x| / unit)``.
    mean, deviation : ndarray of float64, shape (2 measures,)
    """

    unit: Floats
    mean: Floats
    deviation: Floats

    @classmethod
    def fit(cls, measures: Floats) -> "Scaling":
        """Take the scales of training pairs."""
        unit = np.ones(measures.shape[1])
        for i, column in enumerate(measures.T):
            positive = column[column > 0]
            if len(positive):
                unit[i] = np.percentile(positive, _RARE)
        values = _with_logarithms(measures, unit)
        deviation = values.std(axis=0)
        return cls(unit, values.mean(axis=0), np.where(deviation > _FLAT, deviation, 1.0))

    def apply(self, measures: Floats) -> Floats:
        """Scale measures; shape (pairs, 2 measures)."""
        values = _with_logarithms(measures, self.unit)
        values -= self.mean
        values /= self.deviation
        return np.clip(values, -_FARTHEST, _FARTHEST, out=values)

    def to_arrays(self) -> dict[str, NDArray[Any]]:
        """Give what `from_arrays` needs."""
        return {
            "measure_unit": self.unit,
            "measure_mean": self.mean,
            "measure_deviation": self.deviation,
        }

    @classmethod
    def from_arrays(cls, arrays: Mapping[str, NDArray[Any]]) -> "Scaling":
        """Read what `to_arrays` gave."""
        names = "measure_unit", "measure_mean", "measure_deviation"
        size = len(arrays[names[0]])
        check_arrays(
            arrays,
            {names[0]: "float n", names[1]: "float twice", names[2]: "float twice"},
            n=size,
            twice=2 * size,
        )
        if min(arrays[name].min(initial=1.0) for name in (names[0], names[2])) <= 0.0:
            raise ValueError("scales that are not above 0")
        return cls(*(np.asarray(arrays[name]) for name in names))


def _with_logarithms(measures: Floats, unit: Floats) -> Floats:
    return np.hstack([measures, np.sign(measures) * np.log1p(np.abs(measures) / unit)])
