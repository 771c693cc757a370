"""Records × terms: which term is in which record."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Final

import numpy as np
from numpy.typing import NDArray

from relsent_ir.text.vocabulary import Vocabulary
from relsent_ir.themes.terms import NO_WORD, Words
from relsent_ir.typing import Progress

if TYPE_CHECKING:
    from scipy.sparse import csr_array

_BATCH: Final = 5000  # records whose terms are collected at a time
_MANY: Final = 4  # picking more than a fourth of the rows takes longer than taking all
_SHIFT: Final = 32  # a phrase is a number: its first word's, shifted, and its second's


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
    words = Words(stopwords)
    found = _Entries()
    batch: list[NDArray[np.int64]] = []
    for done, of_record in enumerate(texts, 1):
        batch.append(words.numbers(of_record))
        if len(batch) == _BATCH or done == len(ids):
            found.add(batch)
            batch = []
            if progress:
                progress(done, len(ids))
    return found.matrix(ids, words.names(), selection or Selection())


class _Entries:
    """Pairs of a record and a term, collected batch by batch."""

    def __init__(self) -> None:
        self.records = 0
        self.rows: list[NDArray[np.int32]] = []
        self.keys: list[NDArray[np.int64]] = []

    def add(self, batch: list[NDArray[np.int64]]) -> None:
        """Take the words of some records; a word's key is that of a phrase without a first word."""
        word = np.concatenate(batch)
        row = np.repeat(np.arange(len(batch)), [len(numbers) for numbers in batch])
        is_word = word != NO_WORD
        is_phrase = is_word[:-1] & is_word[1:]  # texts end in NO_WORD, so none spans two
        keys = np.concatenate([word[is_word], ((word[:-1] + 1) << _SHIFT | word[1:])[is_phrase]])
        rows = np.concatenate([row[is_word], row[:-1][is_phrase]])
        order = np.lexsort((keys, rows))
        keys, rows = keys[order], rows[order]
        first = np.ones(len(keys), dtype=bool)
        first[1:] = (np.diff(keys) != 0) | (np.diff(rows) != 0)
        self.rows.append((rows[first] + self.records).astype(np.int32))
        self.keys.append(keys[first])
        self.records += len(batch)

    def matrix(self, ids: Sequence[str], words: list[str], selection: Selection) -> PresenceMatrix:
        """Keep the terms that `selection` takes, in the order of their UTF-8 bytes."""
        keys = np.concatenate([*self.keys, np.empty(0, dtype=np.int64)])
        rows = np.concatenate([*self.rows, np.empty(0, dtype=np.int32)])
        known, place, counts = np.unique(keys, return_inverse=True, return_counts=True)
        kept = (counts >= selection.min_records) & (counts <= selection.max_share * len(ids))
        names = [_name(key, words) for key in known[kept].tolist()]
        by_name = sorted(range(len(names)), key=names.__getitem__)
        column = np.full(len(known), -1, dtype=np.int32)
        column[np.flatnonzero(kept)[by_name]] = np.arange(len(names), dtype=np.int32)
        columns = column[place]
        rows, columns = rows[columns >= 0], columns[columns >= 0]
        columns = columns[np.lexsort((columns, rows))]
        starts = np.concatenate([[0], np.cumsum(np.bincount(rows, minlength=len(ids)))])
        return PresenceMatrix(
            Vocabulary.of(ids), Vocabulary.of(names), starts.astype(np.int32), columns
        )


def _name(key: int, words: list[str]) -> str:
    first, second = key >> _SHIFT, key & ((1 << _SHIFT) - 1)
    return f"{words[first - 1]} {words[second]}" if first else words[second]
