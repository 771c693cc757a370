"""Which terms are in which records, collected piece by piece and sorted out in parts.

Terms are shared out to buckets by their numbers, so that only those of one bucket are in memory at
a time, whatever number of records there is; the others lie where `Growing` arrays do.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from relsent_ir.related.store.corpus import Growing
from relsent_ir.themes.terms import NO_WORD, Words

BUCKETS: Final = 16
_SHIFT: Final = 32  # a phrase is a number: its first word's, shifted, and its second's
_MIX: Final = np.uint64(0x9E3779B97F4A7C15)
_PIECE: Final = 2_000_000  # entries that are moved at a time

Allot = Callable[[Any, int], NDArray[Any]]


@dataclass(frozen=True)
class Piece:
    """The words of some records, by numbers of their own.

    Attributes
    ----------
    names : list of str
        The words.
    numbers : ndarray of int64
        Record after record, `NO_WORD` where phrases end.
    sizes : ndarray of int64, shape (records,)
        How many of them each record has.
    """

    names: list[str]
    numbers: NDArray[np.int64]
    sizes: NDArray[np.int64]

    @classmethod
    def of(cls, texts: Iterable[Iterable[str]], stopwords: Iterable[str]) -> "Piece":
        """Read the texts of records."""
        words = Words(stopwords)
        found = [words.numbers(of_record) for of_record in texts]
        sizes = np.array([len(numbers) for numbers in found], dtype=np.int64)
        return cls(words.names(), np.concatenate([np.empty(0, np.int64), *found]), sizes)


@dataclass(frozen=True)
class Sorted:
    """Names of the terms that are kept, and the records' terms as in `PresenceMatrix`."""

    names: list[str]
    starts: NDArray[np.int32]
    columns: NDArray[np.int32]


class Entries:
    """Pairs of a record and a term.

    Parameters
    ----------
    spool : callable
        Gives a `Growing` array of a dtype.
    """

    def __init__(self, spool: Callable[[Any], Growing]) -> None:
        self.records = 0
        self._spool = spool
        self._number: dict[str, int] = {}
        self._buckets = [(spool(np.int64), spool(np.int32)) for _ in range(BUCKETS)]

    def add(self, piece: Piece) -> None:
        """Take the words of some records; a word's key is that of a phrase without a first word."""
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
        """Keep the terms of at least and at most so many records, in the order of their names."""
        words = list(self._number)
        names: list[str] = []
        parts: list[tuple[NDArray[np.int32], NDArray[np.int32]]] = []
        sizes = np.zeros(self.records, dtype=np.int64)
        while self._buckets:
            its_keys, its_rows = self._buckets.pop(0)
            known, place, counts = np.unique(
                its_keys.array(), return_inverse=True, return_counts=True
            )
            kept = (counts >= least) & (counts <= most)
            column = np.full(len(known), -1, dtype=np.int32)
            column[kept] = np.arange(len(names), len(names) + kept.sum(), dtype=np.int32)
            names += [_name(key, words) for key in known[kept].tolist()]
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
    """Put the entries of all parts, whose records ascend, to their records; sort each record's."""
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
