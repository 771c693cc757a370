"""Weights of terms: BM25, query likelihood, and SMART's triples such as ``ltc.atn``.

SMART's letters, of term frequency, of document frequency and of length:

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
Robertson, Zaragoza: The probabilistic relevance framework: BM25 and beyond. Foundations and Trends
in Information Retrieval 3, 2009. Zhai, Lafferty: A study of smoothing methods for language models
applied to ad hoc information retrieval. SIGIR 2001. Salton, Buckley: Term-weighting approaches in
automatic text retrieval. Information Processing and Management 24, 1988. Singhal, Buckley, Mitra:
Pivoted document length normalization. SIGIR 1996. Manning, Raghavan, Schütze: Introduction to
information retrieval, section 6.4.3. 2008.
"""

import math
import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Final

import numpy as np
from numpy.typing import NDArray

from relsent_ir.counts.matrix import Counts, TermMatrix
from relsent_ir.errors import UsageError
from relsent_ir.typing import Floats

if TYPE_CHECKING:
    from scipy.sparse import csr_array


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


SLOPE: Final = 0.14
"""Of pivoted normalisation, as in Ruch et al. 2006."""

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
        check_pivot(slope, pivot)
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


def check_pivot(slope: float, pivot: float | None) -> None:
    """Refuse a slope or a pivot of letter u that makes no sense.

    Raises
    ------
    UsageError
    """
    if not 0 <= slope <= 1 or (pivot is not None and not 0 < pivot < math.inf):
        raise UsageError(
            f"slope {slope}, pivot {pivot}", fix="a slope from 0 to 1, a pivot above 0"
        )


def _mean(matrix: TermMatrix) -> float:
    return float(matrix.distinct.mean()) if len(matrix) else 1.0


MU: Final = 1000.0


@dataclass(frozen=True, eq=False)
class Query:
    """Terms with weights, as columns of the store.

    Attributes
    ----------
    columns : ndarray of int, shape (q,)
    weights : ndarray of float64, shape (q,)
    """

    columns: NDArray[np.intp]
    weights: Floats

    def over(self, size: int) -> Floats:
        """Write the weights over all columns; shape (size,)."""
        found = np.zeros(size)
        found[self.columns] = self.weights
        return found


class Rows:
    """Some rows of counts.

    Parameters
    ----------
    counts : Counts
    rows : ndarray of int, shape (n,)
    """

    def __init__(self, counts: Counts, rows: NDArray[np.integer]) -> None:
        self.counts = counts
        self.matrix: csr_array = counts.matrix[rows]

    def __len__(self) -> int:
        return int(self.matrix.shape[0])

    @cached_property
    def lengths(self) -> Floats:
        """The sum of each row; shape (n,)."""
        return row_sums(self.matrix.data, self.matrix.indptr)

    @cached_property
    def owners(self) -> NDArray[np.intp]:
        """The row of each entry; shape (entries,)."""
        return np.repeat(np.arange(len(self)), np.diff(self.matrix.indptr))

    @cached_property
    def idf(self) -> Floats:
        """ln(N/df) of each entry's column; shape (entries,)."""
        return _idf(self.counts, self.matrix.indices)

    def bm25(self, query: Query, k1: float, b: float) -> Floats:
        """Score by BM25; shape (n,)."""
        weights, places, owners, columns = self._matching(query)
        tf = self.matrix.data[places].astype(np.float64)
        df = self.counts.df[columns]
        idf = np.log(1 + (self.counts.size - df + 0.5) / (df + 0.5))
        saturation = k1 * (1 - b + b * self.lengths[owners] / self.counts.mean)
        return self._sums(owners, weights * idf * tf / (tf + saturation))

    def likelihood(self, query: Query, shares: Floats) -> Floats:
        """Score by query likelihood with Dirichlet smoothing.

        Parameters
        ----------
        query : Query
        shares : ndarray of float64, shape (q,)
            Of all words of the collection, those that each term of the query is.

        Returns
        -------
        ndarray of float64, shape (n,)
        """
        weights, places, owners, columns = self._matching(query)
        of = np.zeros(self.matrix.shape[1])
        of[query.columns] = shares
        gains = weights * np.log1p(self.matrix.data[places] / (MU * of[columns]))
        losses = query.weights.sum() * np.log((self.lengths + MU) / MU)
        found: Floats = self._sums(owners, gains) - losses
        return found

    def covered(self, query: Query) -> Floats:
        """Give the share of the query's idf that each row has; shape (n,)."""
        weighed = Query(query.columns, _idf(self.counts, query.columns))
        total = float(weighed.weights.sum())
        weights, _, owners, _ = self._matching(weighed)
        return self._sums(owners, weights) / (total if total > 0 else 1.0)

    @cached_property
    def cosine(self) -> "csr_array":
        """SMART's ltc: (1 + ln tf) ln(N/df), rows of length 1; float32."""
        from scipy.sparse import csr_array

        values = (1 + np.log(self.matrix.data.astype(np.float64))) * self.idf
        norms = np.sqrt(row_sums(values**2, self.matrix.indptr))
        values /= np.where(norms > 0, norms, 1.0)[self.owners]
        parts = values.astype(np.float32), self.matrix.indices, self.matrix.indptr
        return csr_array(parts, shape=self.matrix.shape)

    def smart(self, query: Query) -> Floats:
        """Score by SMART's ltc.atn; shape (n,)."""
        if not len(query.columns):
            return np.zeros(len(self))
        tf = 0.5 + 0.5 * query.weights / query.weights.max()
        asked = Query(query.columns, tf * _idf(self.counts, query.columns))
        found: Floats = self.cosine @ asked.over(self.matrix.shape[1])
        return found

    def _sums(self, owners: NDArray[np.intp], values: Floats) -> Floats:
        """Sum values by row; shape (n,)."""
        return np.bincount(owners, values, len(self)).astype(np.float64, copy=False)

    def _matching(
        self, query: Query
    ) -> tuple[Floats, NDArray[np.intp], NDArray[np.intp], NDArray[np.integer]]:
        """Give weight, place, row and column of each entry of a term of the query."""
        weights = query.over(self.matrix.shape[1])[self.matrix.indices]
        places = np.flatnonzero(weights)
        return weights[places], places, self.owners[places], self.matrix.indices[places]


def row_sums(values: NDArray[np.number], starts: NDArray[np.integer]) -> Floats:
    """Sum the values of each row; shape (rows,)."""
    totals = np.append(0.0, np.cumsum(values, dtype=np.float64))
    found: Floats = totals[starts[1:]] - totals[starts[:-1]]
    return found


def _idf(counts: Counts, columns: NDArray[np.integer]) -> Floats:
    found: Floats = np.log(counts.size / np.maximum(counts.df[columns], 1))
    return found
