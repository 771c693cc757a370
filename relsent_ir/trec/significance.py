"""Tests of whether two systems differ over the same topics, and Holm's correction.

All are two-sided, take one value a topic for each system, and give p. Differences are rounded to
twelve decimals first: as binary fractions 0.3 - 0.2 and 0.4 - 0.3 are not equal, as ranks they are.

Smucker, Allan, Carterette: A comparison of statistical significance tests for information
retrieval evaluation. CIKM 2007.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

_CHUNK = 1 << 20  # signs drawn at a time


def paired_t(a: ArrayLike, b: ArrayLike) -> float:
    """Test the mean difference against 0 by Student's t.

    Student: The probable error of a mean. Biometrika 6, 1908.

    Parameters
    ----------
    a, b : array_like of float, shape (n,)
        Values by topic, the same topics in the same order.

    Returns
    -------
    float
        p; 1 where nothing differs or there is one topic only, 0 where all differ by the same.
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

    Parameters as in `paired_t`. Where all differ by the same it has no width, of one topic no end.
    """
    from scipy.stats import t

    d = differences(a, b)
    if len(d) < 2:
        return -np.inf, np.inf
    half = float(t.ppf((1 + confidence) / 2, len(d) - 1) * d.std(ddof=1) / np.sqrt(len(d)))
    return float(d.mean()) - half, float(d.mean()) + half


def sign(a: ArrayLike, b: ArrayLike) -> float:
    """Test whether wins and losses are equally frequent, by the binomial distribution.

    Topics without a difference are left out. Parameters and result as in `paired_t`.
    """
    from scipy.stats import binomtest

    d = differences(a, b)
    wins, losses = int((d > 0).sum()), int((d < 0).sum())
    return float(binomtest(wins, wins + losses).pvalue) if wins + losses else 1.0


def wilcoxon(a: ArrayLike, b: ArrayLike) -> float:
    """Test the differences' signed ranks; topics without a difference are left out.

    Exact up to 50 topics if no two differences are of the same size; else by the normal
    approximation, corrected for ties.

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
    """Test the mean difference against what it would be if the systems' names meant nothing.

    Each topic's difference gets a random sign. When there are no more sign patterns than
    `permutations`, each is taken once, and p is exact; else p counts the real one among those
    drawn, so that it is never 0.

    Fisher: The design of experiments. 1935. Smucker, Allan, Carterette, CIKM 2007.

    Parameters
    ----------
    a, b : array_like of float, shape (n,)
        Values by topic, the same topics in the same order.
    permutations : int
        How many sign patterns.
    seed : int
        For drawing them: the same seed gives the same p.

    Returns
    -------
    float
        p.
    """
    d = differences(a, b)
    d = d[d != 0]  # their signs change nothing
    exact = len(d) < 63 and 1 << len(d) <= permutations
    patterns = 1 << len(d) if exact else permutations
    # Sums that are equal but for rounding count as equal.
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
    """Correct the p values of a family of tests for their number.

    Holm: A simple sequentially rejective multiple test procedure. Scandinavian Journal of
    Statistics 6, 1979.

    Parameters
    ----------
    p : sequence of float, length n
        The p values, in any order.

    Returns
    -------
    list of float, length n
        The corrected ones, in the same order: the i-th smallest (from 0) times n - i, not less
        than those before it and at most 1.
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
