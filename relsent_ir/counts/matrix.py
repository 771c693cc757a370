"""Term counts of an index in memory; rows are documents, records or sentences.

A matrix is read from the postings stored beside the index or from term vectors; it is not stored.
"""

from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from typing import Final

import numpy as np

from relsent_ir.engines import TermVectors
from relsent_ir.errors import MismatchError, OutputError
from relsent_ir.lucene.memory.postings import Postings, fits, open_postings
from relsent_ir.lucene.read.index import Index
from relsent_ir.sparse import csr
from relsent_ir.typing import NDArray, Progress, Sparse

BATCH: Final = 20_000  # documents whose vectors Java returns at once


@dataclass(frozen=True, eq=False)
class Counts:
    """Counts by row, with statistics over all rows that weights need.

    Attributes
    ----------
    matrix : scipy.sparse.csr_array, shape (rows, columns)
    df : ndarray of int32, shape (columns,)
        The number of rows that have each column.
    mean : float
        The mean sum of the rows that are not empty.
    """

    matrix: Sparse
    df: NDArray[np.int32]
    mean: float


@dataclass(frozen=True, eq=False)
class TermMatrix:
    """Term counts of documents, with statistics of the collection that weights need.

    Attributes
    ----------
    ids : list of str, length n
        The ids of the documents.
    terms : list of str, length m
        The analysed terms.
    counts : scipy.sparse.csr_array of int32, shape (n, m)
        The count of each term in each document.
    """

    ids: list[str]
    terms: list[str]
    counts: Sparse

    @classmethod
    def read(
        cls, index: Index, ids: Sequence[str] | None = None, *, progress: Progress | None = None
    ) -> "TermMatrix":
        """Read the term vectors of documents, or the postings of the whole index.

        The postings are stored beside the index (`relsent_ir.lucene.memory.postings`); if they
        exceed the limit or cannot be written, all term vectors are read.

        Raises
        ------
        InputError
            If an id is not in the index.
        MismatchError
            If the index has terms but no term vectors.
        """
        if ids is None and fits(index):
            with suppress(OutputError):
                return cls.of(open_postings(index, progress=progress))
        names = index.ids() if ids is None else list(ids)
        parts = []
        for start in range(0, len(names), BATCH):
            parts.append(index.vectors(names[start : start + BATCH]))
            if progress:
                progress(min(start + BATCH, len(names)), len(names))
        vectors = stack(parts)
        if names and not vectors.counts.nnz and index.mean_length:
            raise no_vectors(index)
        vectors.counts.sort_indices()
        return cls(names, vectors.terms, vectors.counts)

    @classmethod
    def of(cls, postings: Postings) -> "TermMatrix":
        """Create the matrix from postings, with a row for each document that is not deleted.

        Columns are in order of first appearance, as if documents were read one by one.
        """
        live = postings.ranks >= 0
        rows = np.cumsum(live, dtype=np.int32) - 1
        sizes = np.diff(postings.starts)
        undeleted = live[postings.documents]
        columns = np.repeat(np.arange(len(sizes), dtype=np.int32), sizes)[undeleted]
        documents = rows[postings.documents[undeleted]]
        used, first = np.unique(columns, return_index=True)
        order = np.argsort(documents[first], kind="stable")
        place = np.zeros(len(sizes), dtype=np.int32)
        place[used[order]] = np.arange(len(used), dtype=np.int32)
        names = postings.names[postings.ranks[live]].tolist()
        terms = list(postings.terms)
        parts = postings.counts[undeleted].astype(np.int32), (documents, place[columns])
        counts = csr(parts, shape=(len(names), len(used)))
        counts.sort_indices()
        return cls(names, [terms[column] for column in used[order].tolist()], counts)

    def __len__(self) -> int:
        return len(self.ids)

    @cached_property
    def columns(self) -> dict[str, int]:
        """The column number of each term."""
        return {term: column for column, term in enumerate(self.terms)}

    @cached_property
    def df(self) -> NDArray[np.int64]:
        """The number of documents that have each term; shape (m,)."""
        return np.bincount(self.counts.indices, minlength=len(self.terms)).astype(np.int64)

    @cached_property
    def order(self) -> NDArray[np.int64]:
        """The rank of each id in the order of bytes, by which ties are broken; shape (n,)."""
        by_id = sorted(range(len(self.ids)), key=lambda row: self.ids[row].encode())
        ranks = np.empty(len(self.ids), dtype=np.int64)
        ranks[by_id] = np.arange(len(self.ids))
        return ranks

    @cached_property
    def names(self) -> NDArray[np.object_]:
        """The ids of the documents as an array; shape (n,)."""
        return np.array(self.ids, dtype=object)

    @cached_property
    def _rows(self) -> dict[str, int]:
        return {name: row for row, name in enumerate(self.ids)}

    def rows(self, ids: Iterable[str]) -> NDArray[np.int64]:
        """Return the row of each document.

        Raises
        ------
        MismatchError
            If a document is not in the matrix.
        """
        try:
            return np.array([self._rows[name] for name in ids], dtype=np.int64)
        except KeyError as error:
            raise MismatchError(f"{error.args[0]} is not among the documents") from None

    def bags(self, bags: Sequence[Mapping[str, float]]) -> Sparse:
        """Write bags of terms as rows over these columns; terms that no document has are dropped.

        Returns
        -------
        scipy.sparse.csr_array of float64, shape (len(bags), m)
        """
        columns = self.columns
        coded = [{columns[t]: w for t, w in bag.items() if t in columns} for bag in bags]
        starts = np.cumsum([0, *map(len, coded)])
        places = np.array([column for bag in coded for column in bag], dtype=np.int64)
        values = np.array([value for bag in coded for value in bag.values()], dtype=np.float64)
        return csr((values, places, starts), shape=(len(bags), len(self.terms)))


def stack(parts: Sequence[TermVectors]) -> TermVectors:
    """Concatenate term vectors as rows over the terms of all."""
    columns: dict[str, int] = {}
    indices, counts = [np.empty(0, np.int32)], [np.empty(0, np.int32)]
    lengths = [np.zeros(1, np.int64)]
    for part in parts:
        own = np.array([columns.setdefault(t, len(columns)) for t in part.terms], np.int32)
        indices.append(own[part.counts.indices])
        counts.append(part.counts.data)
        lengths.append(np.diff(part.counts.indptr).astype(np.int64))
    starts = np.cumsum(np.concatenate(lengths))
    shape = (len(starts) - 1, len(columns))
    data, places = np.concatenate(counts), np.concatenate(indices)
    return TermVectors(csr((data, places, starts), shape=shape), list(columns))


def no_vectors(index: Index) -> MismatchError:
    """Create the error for an index whose documents have terms but no term vectors."""
    return MismatchError(
        "the index has no term vectors", where=index.folder, fix="build it with relsent-ir index"
    )
