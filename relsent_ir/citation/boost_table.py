"""Boosting many topics by many factors: what `boost` does, as arrays."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from relsent_ir.citation.boost import check_factors
from relsent_ir.citation.documents import Segment
from relsent_ir.feedback import TermMatrix
from relsent_ir.moves import MOVES

if TYPE_CHECKING:
    from scipy.sparse import csr_array


@dataclass(frozen=True, eq=False)
class BoostTable:
    """Weighted topics, and which moves their terms are in.

    Attributes
    ----------
    queries : scipy.sparse.csr_array of float64, shape (topics, terms)
    plain : ndarray of bool, shape (entries of queries,)
        Whether the term is in the title, among MeSH headings, or in no segment.
    scores : dict of str to ndarray of float64, shape (entries,)
        By move the largest score of a sentence with the term; NaN if there is none.
    """

    queries: "csr_array"
    plain: NDArray[np.bool_]
    scores: dict[str, NDArray[np.float64]]

    @classmethod
    def build(
        cls, matrix: TermMatrix, queries: "csr_array", segments: Sequence[Sequence[Segment]]
    ) -> "BoostTable":
        """Look up the terms of each topic in its segments."""
        plain = np.ones(queries.nnz, dtype=bool)
        scores = {move: np.full(queries.nnz, np.nan) for move in MOVES}
        for topic, some in enumerate(segments):
            span = range(queries.indptr[topic], queries.indptr[topic + 1])
            places = {matrix.terms[queries.indices[place]]: place for place in span}
            titled = set()
            for segment in some:
                found = [places[term] for term in segment.terms if term in places]
                if segment.part in scores:
                    values = scores[segment.part]
                    values[found] = np.fmax(values[found], segment.score)
                else:
                    titled.update(found)
            spoken = [p for p in span if any(not np.isnan(scores[m][p]) for m in MOVES)]
            plain[[place for place in spoken if place not in titled]] = False
        return cls(queries, plain, scores)

    def boosted(self, factors: Mapping[str, float], form: str = "sum") -> "csr_array":
        """Weigh the topics' terms by factors of moves, as `boost` does."""
        from scipy.sparse import csr_array

        check_factors(factors, form)
        largest = np.where(self.plain, 1.0, -np.inf)
        for move, values in self.scores.items():
            factor = np.ones_like(values)
            if move in factors:
                factor = factors[move] * values + (form == "sum")
            largest = np.fmax(largest, np.where(np.isnan(values), np.nan, factor))
        return csr_array(
            (self.queries.data * largest, self.queries.indices, self.queries.indptr),
            shape=self.queries.shape,
        )
