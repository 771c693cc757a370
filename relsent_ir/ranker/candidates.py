"""The candidates of one topic, and what several groups of features need of them."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Final

import numpy as np
from numpy.typing import NDArray

from relsent_ir.hits import Hits
from relsent_ir.ranker.store import Store
from relsent_ir.ranker.weighting import Query, Rows
from relsent_ir.typing import Floats

if TYPE_CHECKING:
    from relsent_ir.related import Model
    from relsent_ir.related.store.sentences import Store as SentenceStore

LEAD: Final = "medline"
"""The feedback whose order tells which candidates are the first hits."""


@dataclass(frozen=True)
class Expanded:
    """A topic after feedback, and how it is scored.

    Attributes
    ----------
    query : Query
    k1, b : float
        Of BM25.
    """

    query: Query
    k1: float
    b: float


@dataclass(frozen=True)
class Related:
    """A model of related sentences, and the sentences on its terms.

    Attributes
    ----------
    model : Model
    store : relsent_ir.related.store.sentences.Store
    """

    model: "Model"
    store: "SentenceStore"


@dataclass(frozen=True, eq=False)
class Candidates:
    """The candidates of a topic.

    Attributes
    ----------
    store : Store
    text : str
        The topic.
    ids : list of str, length n
    rows : ndarray of int, shape (n,)
        Their rows in the store.
    query : Query
        The topic's own terms with their counts.
    expanded : dict of str to Expanded
        By the name of the feedback.
    runs : dict of str to Hits
        The topic's hits in runs from elsewhere, by the runs' names.
    related : Related, optional
    """

    store: Store
    text: str
    ids: list[str]
    rows: NDArray[np.intp]
    query: Query
    expanded: Mapping[str, Expanded]
    runs: Mapping[str, Hits] = field(default_factory=dict)
    related: Related | None = None

    def __len__(self) -> int:
        return len(self.ids)

    @cached_property
    def contents(self) -> Rows:
        """The terms of the records."""
        return self.of("contents")

    def of(self, name: str) -> Rows:
        """Counts of the candidates, by their name in the store."""
        return Rows(self.store.counts[name], self.rows)

    def expansion(self, rows: Rows, name: str = LEAD) -> Floats:
        """Score rows by a topic after feedback."""
        asked = self.expanded[name]
        return rows.bm25(asked.query, asked.k1, asked.b)

    @cached_property
    def lead(self) -> Floats:
        """The scores by which the first hits are known; shape (n,)."""
        return self.expansion(self.contents)

    @cached_property
    def first(self) -> NDArray[np.intp]:
        """All candidates by `lead`, the best first; ties in their order."""
        return np.argsort(-self.lead, kind="stable")

    @cached_property
    def sentences(self) -> "Sentences":
        """The sentences of the records."""
        return Sentences(self)


class Sentences:
    """The sentences of candidates.

    Attributes
    ----------
    rows : Rows
        Their terms.
    numbers : ndarray of int, shape (s,)
        Their rows in the store.
    owners : ndarray of int, shape (s,)
        The candidate of each.
    title : ndarray of bool, shape (s,)
    moves : ndarray of int8, shape (s,)
    """

    def __init__(self, candidates: Candidates) -> None:
        store = candidates.store
        starts, ends = (store.starts[candidates.rows + more].astype(np.intp) for more in (0, 1))
        sizes = ends - starts
        self.owners = np.repeat(np.arange(len(candidates)), sizes)
        self.numbers = np.arange(len(self.owners)) + np.repeat(
            starts - np.cumsum(sizes) + sizes, sizes
        )
        self.rows = Rows(store.counts["sentences"], self.numbers)
        self.title = store.titles[self.numbers]
        self.moves = store.moves[self.numbers]
        self._candidates = candidates

    @cached_property
    def own(self) -> Floats:
        """BM25 for the topic's own terms; shape (s,)."""
        return self.rows.bm25(self._candidates.query, 0.9, 0.4)

    @cached_property
    def expanded(self) -> Floats:
        """BM25 for the topic after feedback; shape (s,)."""
        return self._candidates.expansion(self.rows)

    @cached_property
    def covered(self) -> Floats:
        """How much of the topic each has, by idf; shape (s,)."""
        return self.rows.covered(self._candidates.query)

    def best(self, scores: Floats, kept: NDArray[np.bool_]) -> Floats:
        """Give each candidate's highest score of the sentences that are kept, 0 without; (n,)."""
        found = np.zeros(len(self._candidates))
        np.maximum.at(found, self.owners[kept], scores[kept])
        return found

    def mean_best(self, scores: Floats, kept: NDArray[np.bool_], count: int = 3) -> Floats:
        """Give the mean of each candidate's `count` highest scores; sentences it lacks are 0."""
        places = self.leading(scores, kept, count)
        owners = self.owners[places]
        return np.bincount(owners, scores[places], len(self._candidates)) / count

    def leading(self, scores: Floats, kept: NDArray[np.bool_], count: int) -> NDArray[np.intp]:
        """Give the places of each candidate's `count` best sentences, candidate after candidate."""
        places = np.flatnonzero(kept)
        places = places[np.lexsort((-scores[places], self.owners[places]))]
        sizes = np.bincount(self.owners[places], minlength=len(self._candidates))
        nth = np.arange(len(places)) - np.repeat(np.cumsum(sizes) - sizes, sizes)
        return places[nth < count]
