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
"""Topics whose pools are cached: settings that are tuned read the same documents."""
POOL_COUNTS_MAX: Final = 1 << 20
"""Largest number of counts in a cached pool; a count takes about 40 bytes."""

Topic: TypeAlias = str | Mapping[str, float]


@dataclass(frozen=True, eq=False)
class Pool:
    """The feedback documents of topics; a document has a row for each topic that retrieved it.

    Attributes
    ----------
    documents : list of str, length n
        The document of each row: those of the first topic in the order of its hits, and so on.
    scores : ndarray of float32, shape (n,)
        The scores of the first search.
    starts : ndarray of int, shape (topics + 1,)
        The first row of each topic.
    parts : list of str, length p
        Ids of the records or sentences whose terms are the documents' terms.
    weights : scipy.sparse.csr_array of float64, shape (n, p)
        The weight of each part in each row; above 0.
    vectors : TermVectors
        The counts of the parts, of shape (p, m), and the terms.
    frequencies : ndarray of int64, shape (m,)
        The number of documents of the collection that have each term.
    size : int
        The number of documents of the collection.
    mean_length, mean_distinct : float
        The mean numbers of terms, and of different terms, of the collection's documents.
    whole : bool
        Whether a row's counts are only those of its first part, which contains the others.
    memo : dict
        Results of feedback, by the settings on which they depend.
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
        """The terms, of length m."""
        return self.vectors.terms

    @cached_property
    def counts(self) -> Sparse:
        """The number of times that the parts of each row have each term; float64, shape (n, m)."""
        parts, starts = self.weights.indices, self.weights.indptr
        if self.whole:
            return _chosen(self.vectors.counts, parts[starts[:-1]])
        if (np.diff(starts) == 1).all():
            return _chosen(self.vectors.counts, parts)
        return _product(like(self.weights, np.ones(len(parts))), self.vectors.counts)

    @cached_property
    def emphasis(self) -> NDArray[np.float64]:
        """The mean weight of the parts from which each count comes; as `counts.data`."""
        counts = self.counts
        if not self.whole and (self.weights.data == 1).all():
            return np.ones(counts.nnz)
        weighed = _product(self.weights, self.vectors.counts)
        if self.whole:  # terms across a border between sentences may be missing in the document
            rows = np.repeat(np.arange(len(self.documents)), np.diff(counts.indptr))
            values = np.asarray(weighed[rows, counts.indices]).ravel()
        else:
            values = weighed.data
        ratios: NDArray[np.float64] = values / counts.data
        return ratios

    @cached_property
    def ranks(self) -> NDArray[np.int64]:
        """The rank of each term among all, in the order of Java's strings; shape (m,)."""
        names: list[Any] = self.terms
        if max("".join(names), default="") > "\ud7ff":  # otherwise it is Python's order
            names = [term.encode("utf-16-be") for term in names]
        ordered = sorted(range(len(names)), key=names.__getitem__)
        ranks = np.empty(len(ordered), dtype=np.int64)
        ranks[ordered] = np.arange(len(ordered))
        return ranks

    @cached_property
    def share(self) -> NDArray[np.float32]:
        """The share of the collection's documents that have each term; shape (m,)."""
        return self.frequencies.astype(np.float32) / np.float32(max(1, self.size))

    def origins(self, topic: int, terms: Iterable[str]) -> dict[str, list[str]]:
        """Return the parts of the topic's rows that have each term, in the order of the rows."""
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
    """A source of terms for feedback."""

    def pool(self, topics: Mapping[str, Topic], tops: Run) -> Pool:
        """Read the feedback texts of each topic."""
        ...


@dataclass(eq=False)
class Documents:
    """The whole documents of the index as a source.

    Attributes
    ----------
    index : Index
    counts : CountStore, optional
        The counts of these documents; terms are then read from it, which is faster than Java.
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
                # until segments are merged, Lucene counts deleted documents too
                if self.index.has_deletions:
                    vectors = replace(vectors, frequencies=None)
            pool = make_pool(self.index, rows, parts, chosen, vectors)
            if vectors.counts.nnz > POOL_COUNTS_MAX:
                return pool
            with self._lock:  # the reader is shared by a server's threads
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
    """Return the hits of all topics as rows: ids, scores, and each topic's first row."""
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
    """Create a pool.

    Parameters
    ----------
    index : Index
        The index that has the document frequencies of terms.
    rows
        The result of `rows_of`.
    parts, vectors, whole
        As in `Pool`.
    chosen : sequence of (int, int, float)
        Row, part and weight of each used part, in the order of the rows.
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
    """Read term vectors, and check that the index has any.

    Raises
    ------
    MismatchError
        If the index has terms but no term vectors.
    """
    from relsent_ir.lucene.read.index import vectors as read_vectors

    vectors = read_vectors(index, ids)
    lacking = bool(ids) and not vectors.counts.nnz and index.mean_length > 0
    if lacking and not index.vectors(index.ids()).counts.nnz:
        raise no_vectors(index)
    return vectors


def _product(a: Sparse, b: Sparse) -> Sparse:
    """Multiply matrices; the columns of each row are sorted."""
    product: Sparse = (a.tocsr() @ b.astype(np.float64)).tocsr()
    product.sort_indices()
    return product


def _chosen(counts: Sparse, places: NDArray[np.integer]) -> Sparse:
    """Return some rows as float64; the columns of each row are sorted."""
    sizes = np.diff(counts.indptr)[places]
    entries = ranges(counts.indptr[places], sizes)
    columns = counts.indices[entries]
    owners = np.repeat(np.arange(len(sizes)), sizes)
    order = by_places((columns, counts.shape[1]), (owners, len(sizes)))
    data = counts.data[entries[order]].astype(np.float64)
    parts = data, columns[order], np.append(0, np.cumsum(sizes))
    return lazy_csr(parts, (len(sizes), counts.shape[1]))
