"""The documents that feedback reads: the first hits of topics, whole or in parts."""

from collections import OrderedDict
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from threading import Lock
from typing import TYPE_CHECKING, Any, Final, Protocol, TypeAlias

import numpy as np

from relsent_ir.counts.matrix import no_vectors
from relsent_ir.engines import TermVectors
from relsent_ir.hits import Run
from relsent_ir.lucene.read.index import Index
from relsent_ir.sparse import by_places, lazy_csr, like
from relsent_ir.text.vocabulary import ranges
from relsent_ir.typing import NDArray, Sparse

if TYPE_CHECKING:
    from relsent_ir.counts.store import CountStore

CACHED: Final = 1024
"""Topics whose pools are in memory: settings of feedback that are tuned read the same documents."""
POOL_COUNTS_MAX: Final = 1 << 20
"""Counts of a pool that is kept in memory; one has some 40 bytes a count."""

Topic: TypeAlias = str | Mapping[str, float]


@dataclass(frozen=True, eq=False)
class Pool:
    """The feedback documents of some topics; a document has a row for each topic that found it.

    Attributes
    ----------
    documents : list of str, length n
        The rows' documents: those of the first topic in the order of its hits, then the next's.
    scores : ndarray of float32, shape (n,)
        Of the first search.
    starts : ndarray of int, shape (topics + 1,)
        Where each topic's rows begin.
    parts : list of str, length p
        Ids of the records or sentences that the documents' terms are taken from.
    weights : scipy.sparse.csr_array of float64, shape (n, p)
        How much each part counts in each row, above 0.
    vectors : TermVectors
        The parts' counts, shape (p, m), and their terms.
    frequencies : ndarray of int64, shape (m,)
        In how many documents of the collection each term is.
    size : int
        How many documents the collection has.
    mean_length, mean_distinct : float
        How many terms, and how many different ones, a document of the collection has on average.
    whole : bool
        A row's counts are those of its first part alone, which holds the others.
    memo : dict
        Results of feedback, by the settings that they depend on.
    """

    documents: list[str]
    scores: NDArray[np.float32]
    starts: NDArray[np.int64]
    parts: list[str]
    weights: Sparse
    vectors: TermVectors
    frequencies: NDArray[np.int64]
    size: int
    mean_length: float
    mean_distinct: float
    whole: bool = False
    memo: dict[Hashable, Any] = field(default_factory=dict)

    @property
    def terms(self) -> list[str]:
        """The terms, length m."""
        return self.vectors.terms

    @cached_property
    def counts(self) -> Sparse:
        """How often each row's parts have each term; float64, shape (n, m)."""
        parts, starts = self.weights.indices, self.weights.indptr
        if self.whole:
            return _chosen(self.vectors.counts, parts[starts[:-1]])
        if (np.diff(starts) == 1).all():
            return _chosen(self.vectors.counts, parts)
        return _product(like(self.weights, np.ones(len(parts))), self.vectors.counts)

    @cached_property
    def emphasis(self) -> NDArray[np.float64]:
        """The mean weight of the parts that each count comes from; as `counts.data`."""
        counts = self.counts
        if not self.whole and (self.weights.data == 1).all():
            return np.ones(counts.nnz)
        weighed = _product(self.weights, self.vectors.counts)
        if self.whole:  # a sentence may hold a term that its document lacks, over a border
            rows = np.repeat(np.arange(len(self.documents)), np.diff(counts.indptr))
            values = np.asarray(weighed[rows, counts.indices]).ravel()
        else:
            values = weighed.data
        ratios: NDArray[np.float64] = values / counts.data
        return ratios

    @cached_property
    def ranks(self) -> NDArray[np.int64]:
        """The place of each term among all, compared as Java compares strings; shape (m,)."""
        names: list[Any] = self.terms
        if max("".join(names), default="") > "\ud7ff":  # else it is Python's order
            names = [term.encode("utf-16-be") for term in names]
        ordered = sorted(range(len(names)), key=names.__getitem__)
        ranks = np.empty(len(ordered), dtype=np.int64)
        ranks[ordered] = np.arange(len(ordered))
        return ranks

    @cached_property
    def share(self) -> NDArray[np.float32]:
        """In what share of the collection's documents each term is; shape (m,)."""
        return self.frequencies.astype(np.float32) / np.float32(max(1, self.size))

    def origins(self, topic: int, terms: Iterable[str]) -> dict[str, list[str]]:
        """Name the parts of the topic's rows that hold each term, in the order of the rows."""
        columns = {term: column for column, term in enumerate(self.terms)}
        first, end = self.weights.indptr[self.starts[topic : topic + 2]]
        parts = self.weights.indices[first:end]
        counts = self.vectors.counts.tocsr()[parts].tocsc()
        return {
            term: [
                self.parts[parts[place]]
                for place in sorted(counts.indices[slice(*counts.indptr[c : c + 2])])
            ]
            for term in terms
            if (c := columns.get(term)) is not None
        }


class TermSource(Protocol):
    """Where feedback's terms come from."""

    def pool(self, topics: Mapping[str, Topic], tops: Run) -> Pool:
        """Read the texts of each topic's feedback documents."""
        ...


@dataclass(eq=False)
class Documents:
    """The documents themselves, whole, as they are in the index.

    Attributes
    ----------
    index : Index
    counts : CountStore, optional
        Of these documents: their terms are then read from it, which Java is slower at.
    """

    index: Index
    counts: "CountStore | None" = None
    _pools: OrderedDict[Hashable, Pool] = field(default_factory=OrderedDict)
    _lock: Lock = field(default_factory=Lock)

    def pool(self, topics: Mapping[str, Topic], tops: Run) -> Pool:
        """Read the term vectors of each topic's hits.

        Raises
        ------
        MismatchError
            If the index has no term vectors.
        """
        rows = rows_of(topics, tops)
        key = tuple(rows[0]), rows[1].tobytes(), rows[2].tobytes()
        pool = self._pools.get(key)
        if pool is None:
            parts = list(dict.fromkeys(rows[0]))
            number = {name: part for part, name in enumerate(parts)}
            chosen = [(row, number[name], 1.0) for row, name in enumerate(rows[0])]
            if self.counts is None or not parts:
                vectors = vectors_of(self.index, parts)
            else:
                vectors = self.counts.vectors(parts)
                # until segments are merged, Lucene counts deleted documents, too
                if self.index.has_deletions:
                    vectors = replace(vectors, frequencies=None)
            pool = make_pool(self.index, rows, parts, chosen, vectors)
            if vectors.counts.nnz > POOL_COUNTS_MAX:
                return pool
            with self._lock:  # a server's threads share the reader
                self._pools[key] = pool
                while (
                    len(self._pools) > 1
                    and sum(len(own.starts) for own in self._pools.values()) > CACHED
                ):
                    self._pools.popitem(last=False)
        return pool


def rows_of(
    topics: Mapping[str, Topic], tops: Run
) -> tuple[list[str], NDArray[np.float32], NDArray[np.int64]]:
    """Write the hits of all topics below each other: ids, scores, and where each topic begins."""
    tops_in_order = [tops[topic] for topic in topics]
    documents = [str(name) for hits in tops_in_order for name in hits.ids]
    scores = np.concatenate([np.empty(0), *(hits.scores for hits in tops_in_order)]).astype(
        np.float32
    )
    return documents, scores, np.cumsum([0, *map(len, tops_in_order)], dtype=np.int64)


def make_pool(
    index: Index,
    rows: tuple[list[str], NDArray[np.float32], NDArray[np.int64]],
    parts: list[str],
    chosen: Sequence[tuple[int, int, float]],
    vectors: TermVectors,
    *,
    whole: bool = False,
) -> Pool:
    """Put a pool together.

    Parameters
    ----------
    index : Index
        For the frequencies of terms in documents.
    rows
        As `rows_of` returns them.
    parts, vectors, whole
        As in `Pool`.
    chosen : sequence of (int, int, float)
        Row, part and weight, in the order of the rows.
    """
    documents, scores, starts = rows
    of_row = np.array([row for row, _, _ in chosen], dtype=np.int64)
    columns = np.array([part for _, part, _ in chosen], dtype=np.int64)
    weights = np.array([weight for _, _, weight in chosen], dtype=np.float64)
    ends = np.searchsorted(of_row, np.arange(len(documents) + 1))
    return Pool(
        documents,
        scores,
        starts,
        parts,
        lazy_csr((weights, columns, ends), (len(documents), len(parts))),
        vectors,
        index.frequencies(vectors.terms) if vectors.frequencies is None else vectors.frequencies,
        len(index),
        index.mean_length,
        index.mean_distinct,
        whole,
    )


def vectors_of(index: Index, ids: Sequence[str]) -> TermVectors:
    """Read term vectors, of an index that has any.

    Raises
    ------
    MismatchError
        If the index has terms and no term vectors.
    """
    from relsent_ir.lucene.read.index import vectors as read_vectors

    vectors = read_vectors(index, ids)
    lacking = bool(ids) and not vectors.counts.nnz and index.mean_length > 0
    if lacking and not index.vectors(index.ids()).counts.nnz:
        raise no_vectors(index)
    return vectors


def _product(a: Sparse, b: Sparse) -> Sparse:
    """Multiply, each row's columns in order."""
    product: Sparse = (a.tocsr() @ b.astype(np.float64)).tocsr()
    product.sort_indices()
    return product


def _chosen(counts: Sparse, places: NDArray[np.integer]) -> Sparse:
    """Return some rows as float64, each row's columns in order."""
    sizes = np.diff(counts.indptr)[places]
    entries = ranges(counts.indptr[places], sizes)
    columns = counts.indices[entries]
    owners = np.repeat(np.arange(len(sizes)), sizes)
    order = by_places((columns, counts.shape[1]), (owners, len(sizes)))
    data = counts.data[entries[order]].astype(np.float64)
    parts = data, columns[order], np.append(0, np.cumsum(sizes))
    return lazy_csr(parts, (len(sizes), counts.shape[1]))
