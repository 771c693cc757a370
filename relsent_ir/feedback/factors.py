"""The factors of SMART weights, a letter each: of term frequency, of document frequency, of length.

==  ==========================================  ==  =====================  ==  ====================
tf                                              df                         norm
==  ==========================================  ==  =====================  ==  ====================
n   tf                                          n   1                      n   1
b   1                                           t   ln(N/df)               c   1/√(Σ w²)
l   1 + ln tf                                   p   max(0, ln((N-df)/df))  s   1/Σ w
L   (1 + ln tf)/(1 + ln mean tf)                f   1/df                   u   1/((1-slope)·pivot
a   0.5 + 0.5 tf/max tf                                                        + slope·distinct)
m   tf/max tf
d   1 + ln(1 + ln tf)
==  ==========================================  ==  =====================  ==  ====================

References
----------
Salton, Buckley: Term-weighting approaches in automatic text retrieval. Information Processing and
Management 24, 1988. Singhal, Buckley, Mitra: Pivoted document length normalization. SIGIR 1996.
Manning, Raghavan, Schütze: Introduction to information retrieval, section 6.4.3. 2008.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from relsent_ir.typing import Floats


def natural(tf: Floats, starts: NDArray[np.integer]) -> Floats:  # noqa: ARG001
    """Letter n: the count."""
    return tf


def binary(tf: Floats, starts: NDArray[np.integer]) -> Floats:  # noqa: ARG001
    """Letter b: 1."""
    return np.ones_like(tf)


def logarithm(tf: Floats, starts: NDArray[np.integer]) -> Floats:  # noqa: ARG001
    """Letter l: 1 + ln tf."""
    weights: Floats = 1 + np.log(tf)
    return weights


def averaged_logarithm(tf: Floats, starts: NDArray[np.integer]) -> Floats:
    """Letter L: (1 + ln tf)/(1 + ln of the row's mean tf)."""
    sizes = np.diff(starts)
    means = _sums(tf, starts) / np.maximum(sizes, 1)
    return logarithm(tf, starts) / np.repeat(logarithm(np.where(sizes, means, 1), starts), sizes)


def augmented(tf: Floats, starts: NDArray[np.integer]) -> Floats:
    """Letter a: 0.5 + 0.5 tf/max tf of the row."""
    return 0.5 + 0.5 * by_maximum(tf, starts)


def by_maximum(tf: Floats, starts: NDArray[np.integer]) -> Floats:
    """Letter m: tf/max tf of the row."""
    sizes = np.diff(starts)
    full = sizes > 0
    highest = np.ones(len(sizes))
    if len(tf):
        highest[full] = np.maximum.reduceat(tf, starts[:-1][full])
    return tf / np.repeat(highest, sizes)


def double_logarithm(tf: Floats, starts: NDArray[np.integer]) -> Floats:  # noqa: ARG001
    """Letter d: 1 + ln(1 + ln tf)."""
    weights: Floats = 1 + np.log(1 + np.log(tf))
    return weights


def no_df(df: Floats, n: int) -> Floats:  # noqa: ARG001
    """Letter n: 1."""
    return np.ones_like(df)


def idf(df: Floats, n: int) -> Floats:
    """Letter t: ln(N/df)."""
    return np.log(n / df)


def probabilistic(df: Floats, n: int) -> Floats:
    """Letter p: ln((N - df)/df), and 0 for a term in half of the documents or more."""
    return np.log(np.maximum((n - df) / df, 1))


def inverse(df: Floats, n: int) -> Floats:  # noqa: ARG001
    """Letter f: 1/df."""
    return 1 / df


@dataclass(frozen=True)
class Pivot:
    """What pivoted normalisation needs.

    Attributes
    ----------
    slope : float
    pivot : float
    """

    slope: float
    pivot: float


def no_norm(weights: Floats, starts: NDArray[np.integer], pivot: Pivot) -> Floats:  # noqa: ARG001
    """Letter n: 1."""
    return np.ones(len(starts) - 1)


def cosine(weights: Floats, starts: NDArray[np.integer], pivot: Pivot) -> Floats:  # noqa: ARG001
    """Letter c: 1/√(Σ w²)."""
    return _inverse(np.sqrt(_sums(weights**2, starts)))


def sum_norm(weights: Floats, starts: NDArray[np.integer], pivot: Pivot) -> Floats:  # noqa: ARG001
    """Letter s: 1/Σ w."""
    return _inverse(_sums(weights, starts))


def pivoted(weights: Floats, starts: NDArray[np.integer], pivot: Pivot) -> Floats:  # noqa: ARG001
    """Letter u: 1/((1 - slope)·pivot + slope·number of distinct terms)."""
    return _inverse((1 - pivot.slope) * pivot.pivot + pivot.slope * np.diff(starts))


TF: Final[dict[str, Callable[[Floats, NDArray[np.integer]], Floats]]] = {
    "n": natural,
    "b": binary,
    "l": logarithm,
    "L": averaged_logarithm,
    "a": augmented,
    "m": by_maximum,
    "d": double_logarithm,
}
DF: Final[dict[str, Callable[[Floats, int], Floats]]] = {
    "n": no_df,
    "t": idf,
    "p": probabilistic,
    "f": inverse,
}
NORM: Final[dict[str, Callable[[Floats, NDArray[np.integer], Pivot], Floats]]] = {
    "n": no_norm,
    "c": cosine,
    "s": sum_norm,
    "u": pivoted,
}


def _sums(values: Floats, starts: NDArray[np.integer]) -> Floats:
    """Sum the values of each row."""
    totals = np.zeros(len(starts) - 1)
    full = np.diff(starts) > 0
    if len(values):
        totals[full] = np.add.reduceat(values, starts[:-1][full])
    return totals


def _inverse(values: Floats) -> Floats:
    """Give 1/x, and 0 for 0."""
    return np.divide(1.0, values, out=np.zeros_like(values), where=values != 0)
