"""Significance tests of the difference between two systems on the same topics; Holm's correction.

All are two-sided, take one value per topic for each system, and return p. Differences are first
rounded to twelve decimals: in binary, 0.3 - 0.2 and 0.4 - 0.3 differ, but their ranks tie.

Smucker, Allan, Carterette: A comparison of statistical significance tests for information
retrieval evaluation. CIKM 2007.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

_CHUNK = 1 << 20  # signs drawn at once


def paired_t(a: ArrayLike, b: ArrayLike) -> float:
    """Test the mean difference against 0 by Student's t.

    Student: The probable error of a mean. Biometrika 6, 1908.

    Parameters
    ----------
    a, b : array_like of float, shape (n,)
        Values of the same topics in the same order.

    Returns
    -------
    float
        p; 1 if no topic differs or there is one topic only, 0 if all differences are equal.
    """
    from scipy.stats import ttest_1samp

    d = differences(a, b)
    if len(d) < 2 or not d.any():
        return 1.0
    if (d == d[0]).all():
        return 0.0
    return float(ttest_1samp(d, 0.0).pvalue)


def interval(a: ArrayLike, b: ArrayLike, confidence: float = 0.95) -> tuple[float, float]:
    """Return the interval of the mean of ``a - b``, pair by pair, by Student's t.

    Parameters as in `paired_t`. Its width is 0 for equal differences, infinite for one topic.
    """
    from scipy.stats import t

    d = differences(a, b)
    if len(d) < 2:
        return -np.inf, np.inf
    half = float(t.ppf((1 + confidence) / 2, len(d) - 1) * d.std(ddof=1) / np.sqrt(len(d)))
    return float(d.mean()) - half, float(d.mean()) + half


def sign(a: ArrayLike, b: ArrayLike) -> float:
    """Test whether wins and losses are equally frequent, by the binomial distribution.

    Topics without a difference are ignored. Parameters and result as in `paired_t`.
    """
    from scipy.stats import binomtest

    d = differences(a, b)
    wins, losses = int((d > 0).sum()), int((d < 0).sum())
    return float(binomtest(wins, wins + losses).pvalue) if wins + losses else 1.0


def wilcoxon(a: ArrayLike, b: ArrayLike) -> float:
    """Test the signed ranks of the differences; topics without a difference are ignored.

    The test is exact up to 50 topics if no two differences have the same size; otherwise it uses
    the normal approximation, corrected for ties.

    Wilcoxon: Individual comparisons by ranking methods. Biometrics Bulletin 1, 1945.

    Parameters and result as in `paired_t`.
    """
    from scipy import stats

    d = differences(a, b)
    d = d[d != 0]
    if not len(d):
        return 1.0
    exact = len(d) <= 50 and len(np.unique(np.abs(d))) == len(d)
    return float(stats.wilcoxon(d, method="exact" if exact else "approx").pvalue)


def randomisation(
    a: ArrayLike, b: ArrayLike, *, permutations: int = 100_000, seed: int = 0
) -> float:
    """Test the mean difference against its distribution under exchange of the systems' names.

    Each topic's difference gets a random sign. If there are at most `permutations` sign patterns,
    each is used once and p is exact; otherwise p counts the observed pattern as one of those drawn,
    so that p is never 0.

    Fisher: The design of experiments. 1935. Smucker, Allan, Carterette, CIKM 2007.

    Parameters
    ----------
    a, b : array_like of float, shape (n,)
        Values of the same topics in the same order.
    permutations : int
        Number of sign patterns.
    seed : int
        Seed for drawing them: the same seed gives the same p.

    Returns
    -------
    float
        The p value.
    """
    d = differences(a, b)
    d = d[d != 0]  # signs of zeros have no effect
    exact = len(d) < 63 and 1 << len(d) <= permutations
    patterns = 1 << len(d) if exact else permutations
    # Sums that differ only by rounding count as equal.
    least = abs(d.sum()) - 1e-12 * np.abs(d).sum()
    generator = np.random.default_rng(seed)
    rows = max(1, _CHUNK // max(1, len(d)))
    extreme = 0
    for start in range(0, patterns, rows):
        n = min(rows, patterns - start)
        if exact:
            numbers = np.arange(start, start + n)[:, None]
            minus = (numbers >> np.arange(len(d))) & 1
        else:
            minus = generator.integers(0, 2, size=(n, len(d)), dtype=np.int8)
        sums = d.sum() - 2 * (minus @ d)
        extreme += int((np.abs(sums) >= least).sum())
    return extreme / patterns if exact else (extreme + 1) / (patterns + 1)


def holm(p: Sequence[float]) -> list[float]:
    """Correct the p values of a family of tests for the number of tests.

    Holm: A simple sequentially rejective multiple test procedure. Scandinavian Journal of
    Statistics 6, 1979.

    Parameters
    ----------
    p : sequence of float, length n
        The p values, in any order.

    Returns
    -------
    list of float, length n
        The corrected values in the same order: the i-th smallest (from 0) multiplied by n - i, at
        least the one before it and at most 1.
    """
    values = np.asarray(p, dtype=np.float64)
    order = np.argsort(values, kind="stable")
    steps = values[order] * np.arange(len(values), 0, -1)
    corrected = np.empty_like(values)
    corrected[order] = np.minimum(np.maximum.accumulate(steps), 1.0)
    return [float(value) for value in corrected]


def differences(a: ArrayLike, b: ArrayLike) -> NDArray[np.float64]:
    """Return ``a - b``, rounded so that equal differences are equal."""
    return np.round(np.asarray(a, dtype=np.float64) - np.asarray(b, dtype=np.float64), 12)
