"""Articles by their neighbours: a topic moves towards the articles nearest to it, and asks again.

Ours. An article's words are there already; what helps is words that it has not, and the articles
nearest to it have them: Rocchio's feedback with articles for topics, in the space of ltc.ltc.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

import numpy as np

from relsent_ir.citation.weights import row_terms
from relsent_ir.feedback import Smart, SmartSearcher, TermMatrix
from relsent_ir.hits import Run
from relsent_ir.lucene.analyzers import Analysis

if TYPE_CHECKING:
    from scipy.sparse import csr_array

NEAREST: Final = 10
BETA: Final = 1.0
"""Chosen on the development halves of docs/results/tbahriti-2004.md."""
SPACE: Final = Smart("ltc.ltc")


class Neighbours:
    """Finds the documents most similar to documents of a matrix, whose weights it keeps.

    Parameters
    ----------
    matrix : TermMatrix
    analysis : Analysis
    """

    def __init__(self, matrix: TermMatrix, analysis: Analysis) -> None:
        self.matrix = matrix
        self._weights = SPACE.weigh_documents(matrix)
        self._searcher = SmartSearcher(matrix, SPACE, analysis, weights=self._weights)

    def search(
        self, ids: Sequence[str], k: int = 1000, *, nearest: int = NEAREST, beta: float = BETA
    ) -> Run:
        """Find the documents most similar to some, these themselves included.

        Parameters
        ----------
        ids : sequence of str
            The documents that are topics.
        k : int
            Hits a document.
        nearest : int
            How many of the first hits a topic moves to, each counting 1/√rank.
        beta : float
            How far; the topic's own vector and that of the nearest have length 1.
        """
        matrix, weights = self.matrix, self._weights
        own = weights[matrix.rows(ids)]
        first = self._searcher.search(_topics(matrix, own, ids), nearest + 1)
        found = [first[name].without(name).ids.tolist() for name in ids]
        moved = own + beta * _unit(_mean(matrix, weights, found, nearest))
        return self._searcher.search(_topics(matrix, moved.tocsr(), ids), k)


def _topics(
    matrix: TermMatrix, rows: "csr_array", ids: Sequence[str]
) -> dict[str, dict[str, float]]:
    return {name: row_terms(matrix, rows, row) for row, name in enumerate(ids)}


def _mean(
    matrix: TermMatrix, weights: "csr_array", found: Sequence[Sequence[str]], nearest: int
) -> "csr_array":
    """Add up the vectors of each topic's nearest documents, by 1/√rank."""
    from scipy.sparse import csr_array

    some = [names[:nearest] for names in found]
    shares = np.concatenate([np.empty(0), *(1 / np.sqrt(np.arange(1, len(s) + 1)) for s in some)])
    places = matrix.rows(name for names in some for name in names)
    starts = np.cumsum([0, *map(len, some)])
    return csr_array(csr_array((shares, places, starts), shape=(len(some), len(matrix))) @ weights)


def _unit(rows: "csr_array") -> "csr_array":
    from scipy.sparse import csr_array

    lengths = np.sqrt(np.asarray(rows.multiply(rows).sum(axis=1)).ravel())
    data = rows.data / np.repeat(np.where(lengths, lengths, 1), np.diff(rows.indptr))
    return csr_array((data, rows.indices, rows.indptr), shape=rows.shape)
