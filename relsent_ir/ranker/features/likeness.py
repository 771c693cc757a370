"""How alike candidates are to the first hits, and to each other."""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from relsent_ir.typing import Floats

FIRST: Final = (5, 20)
"""How many first hits candidates are compared with."""
POOL: Final = 1000
"""First hits among which the nearest of a candidate are looked for."""
NEAREST: Final = 30
"""How many nearest."""


def to_first(likeness: NDArray[np.floating], first: NDArray[np.intp]) -> Floats:
    """Average the likeness to the first hits, each weighed by 1/√rank, without one's own.

    Parameters
    ----------
    likeness : ndarray of float, shape (n, m)
        Of each candidate to each of the first m hits.
    first : ndarray of int, shape (m,)
        Which candidates those are, the best first.

    Returns
    -------
    ndarray of float64, shape (n,)
    """
    weights = np.tile(1 / np.sqrt(np.arange(1, len(first) + 1)), (len(likeness), 1))
    weights[first, np.arange(len(first))] = 0.0
    totals = weights.sum(axis=1)
    found = (likeness * weights).sum(axis=1)
    return _ratios(found, totals)


def smoothed(likeness: NDArray[np.floating], first: NDArray[np.intp], scores: Floats) -> Floats:
    """Average scores over the nearest of the first hits but oneself, weighed by likeness.

    Parameters
    ----------
    likeness : ndarray of float, shape (n, m)
        Of each candidate to each of the first m hits.
    first : ndarray of int, shape (m,)
        Which candidates those are.
    scores : ndarray of float64, shape (n,)
        Of all candidates.

    Returns
    -------
    ndarray of float64, shape (n,)
        0 for a candidate that is like none.
    """
    n, m = likeness.shape
    others = likeness.copy()
    others[first, np.arange(m)] = 0.0
    count = min(NEAREST, m)
    if not n or not count:
        return np.zeros(n)
    nearest = np.argpartition(others, m - count, axis=1)[:, m - count :]
    weights = np.take_along_axis(others, nearest, axis=1).astype(np.float64)
    totals = weights.sum(axis=1)
    found = (weights * scores[first][nearest]).sum(axis=1)
    return _ratios(found, totals)


def standard(values: Floats) -> Floats:
    """Bring values to mean 0 and standard deviation 1; all to 0 where they are equal."""
    spread = float(values.std()) if len(values) else 0.0
    if spread <= 1e-12 * float(np.abs(values).max(initial=0.0)):
        return np.zeros(len(values))
    scaled: Floats = (values - values.mean()) / spread
    return scaled


def _ratios(a: Floats, b: Floats) -> Floats:
    """Give a/b, and 0 where b is not above 0."""
    found: Floats = np.divide(a, b, out=np.zeros(len(a)), where=b > 0)
    return found
