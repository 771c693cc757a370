"""Break-even and McNemar's test (Smith & Wilbur 2010, section 2.5)."""

import numpy as np
from numpy.typing import ArrayLike, NDArray


def top_half(scores: ArrayLike, seed: int = 0) -> NDArray[np.bool_]:
    """Tell which half of the pairs scores highest; ties are broken at random by the seed."""
    values = np.asarray(scores, dtype=np.float64)
    lots = np.random.default_rng(seed).permutation(len(values))
    chosen = np.zeros(len(values), dtype=bool)
    chosen[np.lexsort((lots, -values))[: len(values) // 2]] = True
    return chosen


def break_even(scores: ArrayLike, related: ArrayLike, seed: int = 0) -> float:
    """Precision-recall break-even: the share of related pairs in the top half, in percent.

    Parameters
    ----------
    scores : array_like of float, shape (pairs,)
    related : array_like of bool, shape (pairs,)
        Half of them true.
    seed : int
        For breaking ties: many pairs share no feature.
    """
    chosen = top_half(scores, seed)
    return 100.0 * float(np.asarray(related, dtype=bool)[chosen].mean())


def mcnemar(first: ArrayLike, second: ArrayLike) -> tuple[int, int, float]:
    """Compare two methods on the same pairs.

    Parameters
    ----------
    first, second : array_like, shape (pairs,)
        How well each method did on each pair: whether it was right, or a number.

    Returns
    -------
    b, c : int
        On how many pairs the first did better, and the second.
    p : float
        Of (b - c)² / (b + c) under χ² with 1 degree of freedom; 1 if there is no difference.
    """
    from scipy.stats import chi2

    one, two = np.asarray(first, dtype=np.float64), np.asarray(second, dtype=np.float64)
    b, c = int((one > two).sum()), int((two > one).sum())
    return b, c, float(chi2.sf((b - c) ** 2 / (b + c), 1)) if b + c else 1.0
