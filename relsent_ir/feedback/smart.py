"""SMART's weighting language: triples of letters such as ``ltc.atn``, documents before queries.

Use it in three lines::

    matrix = TermMatrix.read(index)
    engine = SmartSearcher(matrix, Smart.parse("ltc.atn"), index.facts.analysis)
    run = engine.search({"1": "calcium and mucus"}, k=1000)   # exact, over the whole collection

``engine.rerank(run, topics)`` orders the hits of another run instead. A topic is a text, weighted
by the query's triple, or a mapping of analysed term to weight, taken as it is. For features of your
own, make a `TermMatrix` of them, and change the weights between ``Smart.weigh_documents(matrix)``
and ``SmartSearcher(matrix, smart, analysis, weights=…)``; ``Smart.weigh_queries(matrix,
matrix.bags(counts))`` weighs queries that are counts of terms.

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

import math
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from relsent_ir.errors import UsageError
from relsent_ir.feedback.terms import TermMatrix

if TYPE_CHECKING:
    from scipy.sparse import csr_array

Floats: TypeAlias = NDArray[np.float64]

SLOPE: Final = 0.14
"""Of pivoted normalisation, as in Ruch et al. 2006."""


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
_TRIPLE: Final = f"[{''.join(TF)}][{''.join(DF)}][{''.join(NORM)}]"
_SCHEME: Final = re.compile(rf"({_TRIPLE})\.({_TRIPLE})")


@dataclass(frozen=True)
class Smart:
    """A weighting scheme: three letters for documents and three for queries.

    Attributes
    ----------
    document, query : str
        Such as ``ltc`` and ``atn``.
    slope : float
        Of letter u, from 0 to 1.
    pivot : float or None
        Of letter u; the mean number of distinct terms of a document if None.
    """

    document: str
    query: str
    slope: float = SLOPE
    pivot: float | None = None

    @classmethod
    def parse(cls, text: str, slope: float = SLOPE, pivot: float | None = None) -> "Smart":
        """Read ``ddd.qqq``, as ``ltc.atn``.

        Raises
        ------
        UsageError
            If a letter is none of ours; if slope or pivot make no sense.
        """
        found = _SCHEME.fullmatch(text)
        if not found:
            raise UsageError(
                f"no weighting scheme {text!r}",
                fix="ddd.qqq, as ltc.atn: "
                f"tf {''.join(TF)}, df {''.join(DF)}, norm {''.join(NORM)}",
            )
        if not 0 <= slope <= 1 or (pivot is not None and not 0 < pivot < math.inf):
            raise UsageError(
                f"slope {slope}, pivot {pivot}", fix="a slope from 0 to 1, a pivot above 0"
            )
        return cls(found[1], found[2], slope, pivot)

    def __str__(self) -> str:
        return f"{self.document}.{self.query}"

    def weigh_documents(self, matrix: TermMatrix) -> "csr_array":
        """Weigh the terms of all documents of a matrix; float64, the shape of its counts."""
        return self.weigh(self.document, matrix.counts, matrix)

    def weigh_queries(self, matrix: TermMatrix, counts: "csr_array") -> "csr_array":
        """Weigh the terms of queries.

        Parameters
        ----------
        matrix : TermMatrix
            The collection, for N and df.
        counts : scipy.sparse.csr_array, shape (queries, terms)
            How often each query has each of the matrix's terms; all above 0.

        Returns
        -------
        scipy.sparse.csr_array of float64, shape (queries, terms)
        """
        return self.weigh(self.query, counts, matrix)

    def weigh(self, triple: str, counts: "csr_array", matrix: TermMatrix) -> "csr_array":
        """Weigh rows of counts by one triple, such as ``ltc``, with the collection's N and df."""
        from scipy.sparse import csr_array

        tf, df, norm = TF[triple[0]], DF[triple[1]], NORM[triple[2]]
        starts = counts.indptr
        factors = df(np.maximum(matrix.df, 1).astype(np.float64), max(1, len(matrix)))
        weights = tf(counts.data.astype(np.float64), starts) * factors[counts.indices]
        pivot = Pivot(self.slope, self.pivot if self.pivot is not None else _mean(matrix))
        weights = weights * np.repeat(norm(weights, starts, pivot), np.diff(starts))
        return csr_array((weights, counts.indices, starts), shape=counts.shape)


def _mean(matrix: TermMatrix) -> float:
    return float(matrix.distinct.mean()) if len(matrix) else 1.0


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
