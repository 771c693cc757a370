"""Scores of some rows of counts: BM25, query likelihood and cosines, with exact lengths.

As Lucene's and SMART's, but for the lengths, which Lucene rounds. Only the given rows are read;
what is known of all rows comes with the `Counts`.

References
----------
Robertson, Zaragoza: The probabilistic relevance framework: BM25 and beyond. Foundations and Trends
in Information Retrieval 3, 2009. Zhai, Lafferty: A study of smoothing methods for language models
applied to ad hoc information retrieval. SIGIR 2001.
"""

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Final

import numpy as np
from numpy.typing import NDArray

from relsent_ir.ranker.store import Counts
from relsent_ir.typing import Floats

if TYPE_CHECKING:
    from scipy.sparse import csr_array

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
