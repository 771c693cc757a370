"""Records × terms: the terms of texts, collected piece by piece, as a sparse matrix of presence.

Terms are words, and phrases of two consecutive words (Shatkay & Wilbur 2000, 2.1). Everything is in
lower case; a token without a letter is no word. A phrase is two words separated only by space, a
hyphen or a slash: "ring-enhanced lesions in the brain" has "ring enhanced" and "enhanced lesions",
and no phrase contains a stop word or a full stop.

Terms are distributed over buckets by their numbers, so that only one bucket is in memory at a time,
whatever the number of records; the others are in `Growing` arrays.
"""

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import count
from typing import Any, Final, TypeAlias

import numpy as np

from relsent_ir.lucene.memory.derived import Spool
from relsent_ir.sparse import csr
from relsent_ir.text.vocabulary import Vocabulary, ranges
from relsent_ir.typing import NDArray, Progress, Sparse

_TOKEN: Final = re.compile(r"[^\W_]+(?:'[^\W_]+)*|[^\w\s/‐‑–-]")
NO_WORD: Final = -1


class Words(dict[str, int]):
    """The words of a collection, numbered in order of first appearance.

    Stop words and tokens without a letter are `NO_WORD`.

    Parameters
    ----------
    stopwords : iterable of str
        Neither words nor parts of phrases.
    """

    def __init__(self, stopwords: Iterable[str]) -> None:
        super().__init__(dict.fromkeys(stopwords, NO_WORD))
        self._next = count()

    def __missing__(self, token: str) -> int:
        has_letter = any(map(str.isalpha, token))
        self[token] = next(self._next) if has_letter else NO_WORD
        return self[token]

    def numbers(self, texts: Iterable[str]) -> NDArray[np.int64]:
        """Return the number of the word at each place of texts, `NO_WORD` where phrases end."""
        numbers: list[int] = []
        for text in texts:
            numbers += map(self.__getitem__, _TOKEN.findall(text.lower().replace("’", "'")))
            numbers.append(NO_WORD)
        return np.array(numbers, dtype=np.int64)

    def names(self) -> list[str]:
        """Return the words in the order of their numbers."""
        return [word for word, number in self.items() if number != NO_WORD]


BUCKETS: Final = 16
_SHIFT: Final = 32  # a phrase's number: that of its first word, shifted, and of its second
_MIX: Final = np.uint64(0x9E3779B97F4A7C15)
_PIECE: Final = 2_000_000  # entries that are moved together

Allot = Callable[[Any, int], NDArray[Any]]


class InMemory:
    """An array in memory that is written piece by piece, as `Spool` writes one to a file."""

    def __init__(self, dtype: Any) -> None:
        self._pieces = [np.empty(0, dtype)]

    def add(self, piece: NDArray[Any]) -> None:
        """Append a piece."""
        self._pieces.append(piece)

    def array(self) -> NDArray[Any]:
        """Return the whole, and let go of the pieces."""
        whole = np.concatenate(self._pieces)
        self._pieces = []
        return whole


Growing: TypeAlias = InMemory | Spool


@dataclass(frozen=True)
class Piece:
    """The words of some records, numbered by themselves.

    Attributes
    ----------
    names : list of str
        The words.
    numbers : ndarray of int64
        Record after record, `NO_WORD` where phrases end.
    sizes : ndarray of int64, shape (records,)
        The part of `numbers` that belongs to each record.
    """

    names: list[str]
    numbers: NDArray[np.int64]
    sizes: NDArray[np.int64]

    @classmethod
    def of(cls, texts: Iterable[Iterable[str]], stopwords: Iterable[str]) -> "Piece":
        """Read the texts of records."""
        words = Words(stopwords)
        by_record = [words.numbers(of_record) for of_record in texts]
        sizes = np.array([len(numbers) for numbers in by_record], dtype=np.int64)
        return cls(words.names(), np.concatenate([np.empty(0, np.int64), *by_record]), sizes)


@dataclass(frozen=True)
class Sorted:
    """Names of the chosen terms, and the records' terms as in `PresenceMatrix`."""

    names: list[str]
    starts: NDArray[np.int32]
    columns: NDArray[np.int32]


class Entries:
    """Pairs of a record and a term.

    Parameters
    ----------
    spool : callable
        Returns a `Growing` array of a dtype.
    """

    def __init__(self, spool: Callable[[Any], Growing]) -> None:
        self.records = 0
        self._spool = spool
        self._number: dict[str, int] = {}
        self._buckets = [(spool(np.int64), spool(np.int32)) for _ in range(BUCKETS)]

    def add(self, piece: Piece) -> None:
        """Add the words of some records; a word's key is that of a phrase without a first word."""
        number = self._number
        places = [number.setdefault(name, len(number)) for name in piece.names]
        word = np.array([*places, NO_WORD], dtype=np.int64)[piece.numbers]
        row = np.repeat(np.arange(len(piece.sizes)), piece.sizes)
        is_word = word != NO_WORD
        is_phrase = is_word[:-1] & is_word[1:]  # texts end in NO_WORD, so none spans two
        keys = np.concatenate([word[is_word], ((word[:-1] + 1) << _SHIFT | word[1:])[is_phrase]])
        rows = np.concatenate([row[is_word], row[:-1][is_phrase]])
        order = np.lexsort((keys, rows))
        keys, rows = keys[order], rows[order]
        first = np.ones(len(keys), dtype=bool)
        first[1:] = (np.diff(keys) != 0) | (np.diff(rows) != 0)
        keys, rows = keys[first], (rows[first] + self.records).astype(np.int32)
        bucket = (keys.astype(np.uint64) * _MIX >> np.uint64(60)).astype(np.int64) % BUCKETS
        for place, (its_keys, its_rows) in enumerate(self._buckets):
            its_keys.add(keys[bucket == place])
            its_rows.add(rows[bucket == place])
        self.records += len(piece.sizes)

    def sorted(self, least: int, most: float, allot: Allot) -> Sorted:
        """Return the terms with `least` to `most` records, in the order of their names."""
        words = list(self._number)
        names: list[str] = []
        parts: list[tuple[NDArray[np.int32], NDArray[np.int32]]] = []
        sizes = np.zeros(self.records, dtype=np.int64)
        while self._buckets:
            its_keys, its_rows = self._buckets.pop(0)
            keys, place, counts = np.unique(
                its_keys.array(), return_inverse=True, return_counts=True
            )
            frequent = (counts >= least) & (counts <= most)
            column = np.full(len(keys), -1, dtype=np.int32)
            column[frequent] = np.arange(len(names), len(names) + frequent.sum(), dtype=np.int32)
            names += [_name(key, words) for key in keys[frequent].tolist()]
            chosen = column[place]
            there = chosen >= 0
            rows = its_rows.array()[there]
            sizes += np.bincount(rows, minlength=self.records)
            spooled = self._spool(np.int32), self._spool(np.int32)
            spooled[0].add(rows)
            spooled[1].add(chosen[there])
            parts.append((spooled[0].array(), spooled[1].array()))
        by_name = sorted(range(len(names)), key=names.__getitem__)
        final = np.empty(len(names), dtype=np.int32)
        final[by_name] = np.arange(len(names), dtype=np.int32)
        starts = np.concatenate([[0], np.cumsum(sizes)])
        columns = allot(np.int32, int(starts[-1]))
        _place(parts, final, starts, columns)
        return Sorted([names[i] for i in by_name], starts.astype(np.int32), columns)


def _place(
    parts: Sequence[tuple[NDArray[np.int32], NDArray[np.int32]]],
    final: NDArray[np.int32],
    starts: NDArray[np.int64],
    columns: NDArray[np.int32],
) -> None:
    """Copy the entries of all parts, whose records ascend, to their records, and sort these."""
    room = starts[:-1].copy()
    for all_rows, all_terms in parts:
        for start in range(0, len(all_rows), _PIECE):
            rows, terms = all_rows[start : start + _PIECE], all_terms[start : start + _PIECE]
            first = np.append(True, rows[1:] != rows[:-1])
            begins = np.flatnonzero(first)
            rank = np.arange(len(rows)) - np.repeat(begins, np.diff(np.append(begins, len(rows))))
            columns[room[rows] + rank] = final[terms]
            room += np.bincount(rows, minlength=len(room))
    row = 0
    while row < len(starts) - 1:
        end = int(np.searchsorted(starts, starts[row] + _PIECE, side="right")) - 1
        end = min(max(end, row + 1), len(starts) - 1)
        here = slice(int(starts[row]), int(starts[end]))
        owner = np.repeat(np.arange(end - row), np.diff(starts[row : end + 1]))
        columns[here] = np.sort(owner << _SHIFT | columns[here]) & ((1 << _SHIFT) - 1)
        row = end


def _name(key: int, words: Sequence[str]) -> str:
    first, second = key >> _SHIFT, key & ((1 << _SHIFT) - 1)
    return f"{words[first - 1]} {words[second]}" if first else words[second]


_MANY: Final = 4  # to select more than a fourth of the rows takes longer than to use all


@dataclass(frozen=True)
class Selection:
    """The choice of terms.

    Attributes
    ----------
    min_records : int
        The fewest records that have a term.
    max_share : float
        The largest share of records that have it; the paper drops terms in more than a tenth.
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

    @property
    def presence(self) -> Sparse:
        """1 where a term is in a record; float64, shape (records, terms); not cached."""
        ones = np.ones(len(self.columns))
        shape = (len(self.ids), len(self.terms))
        return csr((ones, np.asarray(self.columns), np.asarray(self.starts)), shape)

    @cached_property
    def by_term(self) -> Sparse:
        """The transpose of `presence`, shape (terms, records), for products with all records.

        Sums then run over an array of the records, which fits into a processor's cache; over one of
        the terms they take twice as long.
        """
        return self.presence.T.tocsr()

    @cached_property
    def frequencies(self) -> NDArray[np.float64]:
        """The number of records that have each term; shape (terms,)."""
        return np.bincount(self.columns, minlength=len(self.terms)).astype(np.float64)

    def row(self, row: int) -> NDArray[np.integer]:
        """Return the terms of one record, ascending."""
        return self.columns[self.starts[row] : self.starts[row + 1]]

    def sums(self, rows: NDArray[np.integer], weights: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return for each term the sum of the weights of the rows that have it; shape (terms,)."""
        if _MANY * len(rows) > len(self.ids):
            every = np.zeros(len(self.ids))
            every[rows] = weights
            return np.asarray(self.by_term @ every)
        terms = self.columns[ranges(self.starts[rows], self.lengths[rows])]
        each = np.repeat(weights, self.lengths[rows])
        return np.bincount(terms, each, len(self.terms)).astype(np.float64, copy=False)

    @property
    def lengths(self) -> NDArray[np.integer]:
        """The number of terms of each record."""
        return np.diff(self.starts)


def gather_matrix(
    ids: Sequence[str],
    pieces: Iterable[Piece],
    selection: Selection,
    progress: Progress | None = None,
    spool: Callable[[Any], Growing] = InMemory,
    allot: Allot = lambda dtype, size: np.empty(size, dtype),
) -> PresenceMatrix:
    """Join the terms of records that were read piece by piece, in the order of the ids.

    Parameters
    ----------
    ids : sequence of str
        The records' ids, each once, in the order of their UTF-8 bytes.
    pieces : iterable of Piece
    selection : Selection
    progress : callable, optional
        Gets the number of records read, and of all.
    spool, allot : callable
        Return arrays that may be large: one that grows, and one of a given size.
    """
    entries = Entries(spool)
    for piece in pieces:
        entries.add(piece)
        if progress:
            progress(entries.records, len(ids))
    terms = entries.sorted(selection.min_records, selection.max_share * len(ids), allot)
    return PresenceMatrix(
        Vocabulary.of(ids), Vocabulary.of(terms.names), terms.starts, terms.columns
    )
