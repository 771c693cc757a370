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

The letters are in `relsent_ir.feedback.factors`.
"""

import math
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from relsent_ir.errors import UsageError
from relsent_ir.feedback.factors import DF, NORM, TF, Pivot
from relsent_ir.feedback.terms import TermMatrix

if TYPE_CHECKING:
    from scipy.sparse import csr_array

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
