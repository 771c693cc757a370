"""Records × terms: which term is in which record."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import islice
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from numpy.typing import NDArray

from relsent_ir.related.store.corpus import Growing, InMemory
from relsent_ir.text.vocabulary import Vocabulary
from relsent_ir.themes.entries import Allot, Entries, Piece
from relsent_ir.typing import Progress

if TYPE_CHECKING:
    from scipy.sparse import csr_array

_BATCH: Final = 5000  # records whose terms are collected at a time
_MANY: Final = 4  # picking more than a fourth of the rows takes longer than taking all


@dataclass(frozen=True)
class Selection:
    """Which terms are kept.

    Attributes
    ----------
    min_records : int
        Those in at least so many records.
    max_share : float
        Those in at most this share of the records; the paper drops terms in more than a tenth.
    """

    min_records: int = 2
    max_share: float = 0.1


@dataclass(frozen=True)
class PresenceMatrix:
    """Presence and absence of terms in the records of a collection.

    Attributes
    ----------
    ids : Vocabulary
        The rows' records, in the order of their ids' UTF-8 bytes.
    terms : Vocabulary
        The columns' terms: words, and phrases as two words with a space between.
    starts : ndarray of int32, shape (records + 1,)
        Where each record's terms begin in `columns`.
    columns : ndarray of int32, shape (entries,)
        The records' terms, ascending within each.
    """

    ids: Vocabulary
    terms: Vocabulary
    starts: NDArray[np.integer]
    columns: NDArray[np.integer]

    @cached_property
    def presence(self) -> "csr_array":
        """1 where a term is in a record; float64, shape (records, terms)."""
        from scipy.sparse import csr_array

        ones = np.ones(len(self.columns))
        shape = (len(self.ids), len(self.terms))
        return csr_array((ones, np.asarray(self.columns), np.asarray(self.starts)), shape=shape)

    @cached_property
    def by_term(self) -> "csr_array":
        """`presence` the other way round, shape (terms, records), for products with all records.

        Sums then go over an array of the records, which is small enough for a processor's cache;
        over one of the terms they take twice as long.
        """
        return self.presence.T.tocsr()

    @cached_property
    def frequencies(self) -> NDArray[np.float64]:
        """In how many records each term is; shape (terms,)."""
        return np.bincount(self.columns, minlength=len(self.terms)).astype(np.float64)

    def row(self, row: int) -> NDArray[np.integer]:
        """Give the terms of one record, ascending."""
        return self.columns[self.starts[row] : self.starts[row + 1]]

    def sums(self, rows: NDArray[np.integer], weights: NDArray[np.float64]) -> NDArray[np.float64]:
        """Add up the weights of those of some records that have each term; shape (terms,)."""
        found: NDArray[np.float64]
        if _MANY * len(rows) > len(self.ids):
            every = np.zeros(len(self.ids))
            every[rows] = weights
            found = self.by_term @ every
        else:
            found = weights @ self.presence[rows]
        return found

    @property
    def lengths(self) -> NDArray[np.integer]:
        """The number of terms of each record."""
        return np.diff(self.starts)


def build_matrix(
    ids: Sequence[str],
    texts: Iterable[Iterable[str]],
    stopwords: Iterable[str] = (),
    selection: Selection | None = None,
    progress: Progress | None = None,
) -> PresenceMatrix:
    """Find the terms of records.

    Parameters
    ----------
    ids : sequence of str
        The records' ids, each once, in the order of their UTF-8 bytes.
    texts : iterable of iterable of str
        The texts of each record: no phrase goes from one to the next.
    stopwords : iterable of str
        In lower case.
    selection : Selection, optional
    progress : callable, optional
        Gets the number of records read, and of all.
    """
    stops, left = tuple(stopwords), iter(texts)
    batches = iter(lambda: list(islice(left, _BATCH)), [])
    pieces = (Piece.of(batch, stops) for batch in batches)
    return gather_matrix(ids, pieces, selection or Selection(), progress)


def gather_matrix(
    ids: Sequence[str],
    pieces: Iterable[Piece],
    selection: Selection,
    progress: Progress | None = None,
    spool: Callable[[Any], Growing] = InMemory,
    allot: Allot = lambda dtype, size: np.empty(size, dtype),
) -> PresenceMatrix:
    """Put the terms of records together, which were read piece by piece in the order of the ids.

    Parameters
    ----------
    ids, selection, progress
        As for `build_matrix`.
    pieces : iterable of Piece
    spool, allot : callable
        Give the arrays that may be large: one that grows, and one of a size.
    """
    entries = Entries(spool)
    for piece in pieces:
        entries.add(piece)
        if progress:
            progress(entries.records, len(ids))
    found = entries.sorted(selection.min_records, selection.max_share * len(ids), allot)
    return PresenceMatrix(
        Vocabulary.of(ids), Vocabulary.of(found.names), found.starts, found.columns
    )
