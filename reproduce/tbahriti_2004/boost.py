"""Boosts raise or lower the weights of a topic's terms by the moves of their sentences.

Tbahriti et al. 2004, section 3.5: ``W_new = W_old · S_c · k_c``, where S_c is the classifier's
score of a sentence of move c and k_c a constant. Since S_c · k_c is mostly below 1, this lowers the
weights of terms that only the boosted moves have; our form, ``W_new = W_old · (1 + k_c · S_c)``,
never does.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np
from numpy.typing import NDArray

from relsent_ir.feedback import TermMatrix
from relsent_ir.moves import MOVES
from relsent_ir.sparse import like
from reproduce.tbahriti_2004.articles import Segment

if TYPE_CHECKING:
    from scipy.sparse import csr_array

FORMS: Final = ("product", "sum")
"""``S_c · k_c``, the paper's form, and ``1 + k_c · S_c``, ours."""


@dataclass(frozen=True, eq=False)
class BoostTable:
    """Weighted topics, and the moves of their terms.

    Attributes
    ----------
    queries : scipy.sparse.csr_array of float64, shape (topics, terms)
    plain : ndarray of bool, shape (entries of queries,)
        Whether the term is in the title, among MeSH headings, or in no segment.
    scores : dict of str to ndarray of float64, shape (entries,)
        The largest score of a sentence with the term, by move; NaN if there is none.
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
        for topic, of_topic in enumerate(segments):
            span = range(queries.indptr[topic], queries.indptr[topic + 1])
            places = {matrix.terms[queries.indices[place]]: place for place in span}
            titled = set()
            for segment in of_topic:
                entries = [places[term] for term in segment.terms if term in places]
                if segment.part in scores:
                    values = scores[segment.part]
                    values[entries] = np.fmax(values[entries], segment.score)
                else:
                    titled.update(entries)
            spoken = [p for p in span if any(not np.isnan(scores[m][p]) for m in MOVES)]
            plain[[place for place in spoken if place not in titled]] = False
        return cls(queries, plain, scores)

    def boosted(self, factors: Mapping[str, float], form: str = "sum") -> "csr_array":
        """Weigh the topics' terms by factors of moves.

        A term in several segments takes its largest factor; the factor of a title, of MeSH headings
        and of a move that has none in `factors` is 1. Terms in no segment keep their weights.

        Parameters
        ----------
        factors : mapping of str to float
            k_c by move.
        form : {"product", "sum"}
        """
        largest = np.where(self.plain, 1.0, -np.inf)
        for move, values in self.scores.items():
            factor = np.ones_like(values)
            if move in factors:
                factor = factors[move] * values + (form == "sum")
            largest = np.fmax(largest, np.where(np.isnan(values), np.nan, factor))
        return like(self.queries, self.queries.data * largest)
