"""Term weights: BM25, query likelihood, SMART's triples such as ``ltc.atn``, and pmra.

SMART's letters for term frequency, document frequency and length:

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

pmra, PubMed's own "similar articles", weights a term by ``√idf / (1 + (μ/λ)^(tf-1) · e^((λ-μ) ·
length))``: the probability that a document with tf occurrences of the term is about it, in a
mixture of two Poisson distributions (λ for documents about the term, μ for others).

References
----------
Robertson, Zaragoza: The probabilistic relevance framework: BM25 and beyond. Foundations and Trends
in Information Retrieval 3, 2009. Zhai, Lafferty: A study of smoothing methods for language models
applied to ad hoc information retrieval. SIGIR 2001. Salton, Buckley: Term-weighting approaches in
automatic text retrieval. Information Processing and Management 24, 1988. Singhal, Buckley, Mitra:
Pivoted document length normalization. SIGIR 1996. Manning, Raghavan, Schütze: Introduction to
information retrieval, section 6.4.3. 2008. Lin, Wilbur: PubMed related articles: a probabilistic
topic-based model for content similarity. BMC Bioinformatics 8:423, 2007.
"""

import math
from dataclasses import dataclass
from functools import cached_property
from typing import Final, TypeAlias

import numpy as np

from relsent_ir.counts.matrix import Counts, TermMatrix
from relsent_ir.errors import UsageError
from relsent_ir.methods import SLOPE, Smart
from relsent_ir.sparse import like, sums
from relsent_ir.typing import Floats, NDArray, Sparse

MU: Final = 1000.0
"""The smoothing parameter of query likelihood."""
PMRA_LAMBDA: Final = 0.022
PMRA_MU: Final = 0.013
"""The values tuned by Lin & Wilbur, per term of a document."""


def idf(df: NDArray[np.number], size: int) -> Floats:
    """Compute ln(N/df) of terms in `df` of N documents; a df of 0 counts as 1."""
    factors: Floats = np.log(max(1, size) / np.maximum(df, 1))
    return factors


def bm25_idf(df: NDArray[np.number], size: int) -> Floats:
    """Compute BM25's ln(1 + (N - df + 0.5)/(df + 0.5))."""
    factors: Floats = np.log(1 + (size - df + 0.5) / (df + 0.5))
    return factors


def bm25(
    tf: NDArray[np.integer] | Floats,
    factors: Floats,
    lengths: Floats,
    mean: float,
    k1: float,
    b: float,
) -> Floats:
    """Compute BM25's weights of terms; shape (entries,).

    Parameters
    ----------
    tf : ndarray of int or float, shape (entries,)
    factors : ndarray of float64, shape (entries,)
        The idf of the terms, multiplied by their weights in a query.
    lengths : ndarray of float64, shape (entries,)
        The number of terms of each entry's document.
    mean : float
        The mean length of the collection's documents.
    k1, b : float
    """
    saturation = k1 * (1 - b + b * lengths / mean)
    weights: Floats = factors * tf / (tf + saturation)
    return weights


def lengths_of(counts: Sparse) -> Floats:
    """Sum the counts of each row; shape (n,)."""
    whole = np.issubdtype(counts.data.dtype, np.integer)  # exact in both ways; this one is faster
    return (totals_of if whole else row_sums)(counts.data, counts.indptr)


def bm25_weights(counts: Sparse, factors: Floats, mean: float, k1: float, b: float) -> Sparse:
    """Compute BM25's weights of the terms of all rows; float64, shape (n, m).

    Parameters
    ----------
    counts : scipy.sparse.csr_array, shape (n, m)
    factors : ndarray of float64, shape (m,)
        The idf of the terms (`bm25_idf`).
    mean : float
        The mean length of the collection's documents.
    k1, b : float
    """
    shares = np.repeat(lengths_of(counts) / mean, np.diff(counts.indptr))
    values = bm25(counts.data, factors[counts.indices], shares, 1.0, k1, b)
    return like(counts, values)


def pmra_weights(matrix: TermMatrix, lambda_: float = PMRA_LAMBDA, mu: float = PMRA_MU) -> Sparse:
    """Compute pmra's weights of all documents' terms, the same for topics and targets.

    Parameters
    ----------
    matrix : TermMatrix
    lambda_, mu : float
        Rates of a term in documents that are about it, and in others.

    Returns
    -------
    scipy.sparse.csr_array of float64, shape of the matrix's counts

    Raises
    ------
    UsageError
        If a rate is not positive.
    """
    if not (0 < lambda_ < math.inf and 0 < mu < math.inf):
        raise UsageError(f"lambda {lambda_}, mu {mu}", fix="both above 0, as 0.022 and 0.013")
    from scipy.special import expit

    counts = matrix.counts
    lengths = np.repeat(lengths_of(counts), np.diff(counts.indptr))
    about = expit((counts.data - 1) * np.log(lambda_ / mu) - (lambda_ - mu) * lengths)
    weights = np.sqrt(idf(matrix.df, len(matrix)))[counts.indices] * about
    return like(counts, weights)


def tf_factors(letter: str, tf: Floats, starts: NDArray[np.integer]) -> Floats:
    """Compute SMART's term frequency factors; shape (entries,).

    Parameters
    ----------
    letter : str
        A letter of `TF`.
    tf : ndarray of float64, shape (entries,)
    starts : ndarray of int, shape (rows + 1,)
        The start of each row's entries.
    """
    sizes = np.diff(starts)
    factors: Floats = tf
    if letter == "b":
        factors = np.ones_like(tf)
    elif letter in "lLd":
        factors = 1 + np.log(tf)
        if letter == "L":
            means = totals_of(tf, starts) / np.maximum(sizes, 1)
            factors = factors / np.repeat(1 + np.log(np.where(sizes, means, 1)), sizes)
        elif letter == "d":
            factors = 1 + np.log(factors)
    elif letter in "am":
        full = sizes > 0
        highest = np.ones(len(sizes))
        if len(tf):
            highest[full] = np.maximum.reduceat(tf, starts[:-1][full])
        factors = tf / np.repeat(highest, sizes)
        factors = 0.5 + 0.5 * factors if letter == "a" else factors
    return factors


def df_factors(letter: str, df: Floats, size: int) -> Floats:
    """Compute SMART's document frequency factors; shape (terms,).

    Parameters
    ----------
    letter : str
        A letter of `DF`.
    df : ndarray of float64, shape (terms,)
        Document frequencies above 0.
    size : int
        N, the number of documents.
    """
    if letter == "t":
        return idf(df, size)
    if letter == "p":
        return np.log(np.maximum((size - df) / df, 1))
    return 1 / df if letter == "f" else np.ones_like(df)


def norm_factors(
    letter: str, weights: Floats, starts: NDArray[np.integer], slope: float, pivot: float
) -> Floats:
    """Compute SMART's length factors.

    Parameters
    ----------
    letter : str
        A letter of `NORM`.
    weights : ndarray of float64, shape (entries,)
    starts : ndarray of int, shape (rows + 1,)
    slope, pivot : float
        The parameters of the letter u.

    Returns
    -------
    ndarray of float64, shape (rows,)
        0 for an empty row, except with the letter n.
    """
    if letter == "n":
        return np.ones(len(starts) - 1)
    if letter == "c":
        sizes = np.sqrt(totals_of(weights**2, starts))
    elif letter == "s":
        sizes = totals_of(weights, starts)
    else:
        sizes = (1 - slope) * pivot + slope * np.diff(starts)
    return np.divide(1.0, sizes, out=np.zeros_like(sizes), where=sizes != 0)


def smart_weights(
    triple: str,
    counts: Sparse,
    df: NDArray[np.number],
    size: int,
    slope: float = SLOPE,
    pivot: float = 1.0,
) -> Sparse:
    """Weight the terms of all rows by a triple of SMART's letters; float64, shape (n, m).

    Parameters
    ----------
    triple : str
        A triple such as ``ltc``.
    counts : scipy.sparse.csr_array, shape (n, m)
        Counts above 0.
    df : ndarray of int, shape (m,)
        The number of documents of the collection that have each term.
    size : int
        The number of documents of the collection.
    slope, pivot : float
        The parameters of the letter u.
    """
    starts = counts.indptr
    factors = df_factors(triple[1], np.maximum(df, 1).astype(np.float64), max(1, size))
    weights = tf_factors(triple[0], counts.data.astype(np.float64), starts)
    weights = weights * factors[counts.indices]
    norms = norm_factors(triple[2], weights, starts, slope, pivot)
    weights = weights * np.repeat(norms, np.diff(starts))
    return like(counts, weights)


def weigh_rows(scheme: Smart, triple: str, counts: Sparse, matrix: TermMatrix) -> Sparse:
    """Weight rows of counts by one triple of a scheme; float64, in the shape of the counts.

    Parameters
    ----------
    scheme : Smart
    triple : str
        ``scheme.document`` or ``scheme.query``.
    counts : scipy.sparse.csr_array, shape (rows, terms)
        The count, above 0, of each term of the matrix in each row, a document or a query.
    matrix : TermMatrix
        The collection that gives N and df.
    """
    pivot = scheme.pivot
    if pivot is None:
        pivot = matrix.counts.nnz / len(matrix) if len(matrix) else 1.0
    return smart_weights(triple, counts, matrix.df, len(matrix), scheme.slope, pivot)


@dataclass(frozen=True, eq=False)
class TermQuery:
    """The weighted terms of a query, as columns of counts.

    Attributes
    ----------
    columns : ndarray of int, shape (q,)
    weights : ndarray of float64, shape (q,)
    """

    columns: NDArray[np.intp]
    weights: Floats

    def over(self, size: int, values: Floats | None = None) -> Floats:
        """Spread one value per term (by default its weight) over all columns."""
        written = np.zeros(size)
        written[self.columns] = self.weights if values is None else values
        return written


class Rows:
    """Some rows of counts, which are scored for queries; only these rows are read.

    Parameters
    ----------
    counts : Counts
    rows : ndarray of int, shape (n,)
    """

    def __init__(self, counts: Counts, rows: NDArray[np.integer]) -> None:
        self.counts = counts
        self.matrix: Sparse = counts.matrix[rows]
        self._matched: dict[int, tuple[TermQuery, Matching]] = {}

    def __len__(self) -> int:
        return int(self.matrix.shape[0])

    @cached_property
    def lengths(self) -> Floats:
        """The sum of each row; shape (n,)."""
        return lengths_of(self.matrix)

    @cached_property
    def owners(self) -> NDArray[np.intp]:
        """The row of each entry; shape (entries,)."""
        return np.repeat(np.arange(len(self)), np.diff(self.matrix.indptr))

    def bm25(self, query: TermQuery, k1: float, b: float) -> Floats:
        """Score by BM25; shape (n,)."""
        places, owners, columns = self.matching(query)
        tf = self.matrix.data[places].astype(np.float64)
        df, n = self.counts.df[query.columns], self.counts.matrix.shape[0]
        factors = query.weights * bm25_idf(df, n)
        factors = query.over(self.matrix.shape[1], factors)[columns]
        gains = bm25(tf, factors, self.lengths[owners], self.counts.mean, k1, b)
        return sums(owners, gains, len(self))

    def likelihood(self, query: TermQuery, shares: Floats) -> Floats:
        """Score by query likelihood with Dirichlet smoothing; shape (n,).

        Parameters
        ----------
        query : TermQuery
        shares : ndarray of float64, shape (q,)
            Each term's share of all words of the collection.
        """
        places, owners, columns = self.matching(query)
        expected = query.over(self.matrix.shape[1], shares)[columns]
        weights = query.over(self.matrix.shape[1])[columns]
        gains = weights * np.log1p(self.matrix.data[places] / (MU * expected))
        losses = query.weights.sum() * np.log((self.lengths + MU) / MU)
        scores: Floats = sums(owners, gains, len(self)) - losses
        return scores

    def covered(self, query: TermQuery) -> Floats:
        """Compute each row's share of the query's idf; shape (n,)."""
        factors = self._idf(query.columns)
        total = float(factors.sum())
        _, owners, columns = self.matching(query)
        gains = query.over(self.matrix.shape[1], factors)[columns]
        return sums(owners, gains, len(self)) / (total if total > 0 else 1.0)

    @cached_property
    def cosine(self) -> Sparse:
        """SMART's ltc weights: (1 + ln tf) ln(N/df), rows scaled to length 1; float32."""
        # `row_sums` instead of `norm_factors`: last digits decide ties among nearest neighbours,
        # and the packaged ranker was trained with these.
        tf = tf_factors("l", self.matrix.data.astype(np.float64), self.matrix.indptr)
        values = tf * self._idf(self.matrix.indices)
        norms = np.sqrt(row_sums(values**2, self.matrix.indptr))
        values /= np.where(norms > 0, norms, 1.0)[self.owners]
        return like(self.matrix, values.astype(np.float32))

    def smart(self, query: TermQuery) -> Floats:
        """Score by SMART's ltc.atn; shape (n,)."""
        if not len(query.columns):
            return np.zeros(len(self))
        tf = tf_factors("a", query.weights, np.array([0, len(query.weights)]))
        weights = tf * self._idf(query.columns)
        scores: Floats = self.cosine @ query.over(self.matrix.shape[1], weights)
        return scores

    def _idf(self, columns: NDArray[np.integer]) -> Floats:
        return idf(self.counts.df[columns], self.counts.matrix.shape[0])

    def matching(self, query: TermQuery) -> "Matching":
        """Return place, row and column of each entry of a query's terms, cached by the query."""
        known = self._matched.get(id(query))
        if known is None:
            wanted = np.zeros(self.matrix.shape[1], dtype=bool)
            wanted[query.columns] = True
            places = np.flatnonzero(wanted.take(self.matrix.indices, mode="clip"))  # faster than []
            found = places, self.owners[places], self.matrix.indices[places]
            known = self._matched[id(query)] = query, found
        return known[1]


Matching: TypeAlias = tuple[NDArray[np.intp], NDArray[np.intp], NDArray[np.integer]]


def row_sums(values: NDArray[np.number], starts: NDArray[np.integer]) -> Floats:
    """Sum the values of each row; shape (rows,)."""
    totals = np.append(0.0, np.cumsum(values, dtype=np.float64))
    between: Floats = totals[starts[1:]] - totals[starts[:-1]]
    return between


def totals_of(values: NDArray[np.number], starts: NDArray[np.integer]) -> Floats:
    """Sum the values of each row separately, without rounding errors from earlier rows."""
    totals = np.zeros(len(starts) - 1)
    full = np.diff(starts) > 0
    if len(values):
        totals[full] = np.add.reduceat(values, starts[:-1][full])
    return totals
