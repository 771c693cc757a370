"""Records × terms: the terms of texts, collected in pieces, as a sparse matrix of presence.

Terms are words, and phrases of two consecutive words (Shatkay & Wilbur 2000, 2.1), in lower case; a
token without a letter is not a word. The words of a phrase are separated by a space, a hyphen or a
slash only: "ring-enhanced lesions in the brain" has "ring enhanced" and "enhanced lesions". No
phrase contains a stop word or a full stop.

Terms are distributed over buckets by their numbers, so that only one bucket is in memory at a time
for any number of records; the others are in files.

The matrix of an index is computed once for each choice of terms, and stored in
``DIR/derived/themes/``. It cannot be derived from the postings (`relsent_ir.counts`), since phrases
consist of words as they are written, without an analyzer's stemming.
"""

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import count
from typing import Any, Final

import numpy as np

from relsent_ir.errors import InputError, UsageError
from relsent_ir.lucene.memory.derived import Derived, Spool
from relsent_ir.lucene.read.index import Index
from relsent_ir.models import Stored
from relsent_ir.records import Record
from relsent_ir.sparse import csr
from relsent_ir.text.vocabulary import Vocabulary, ranges
from relsent_ir.text.words import default_stopwords
from relsent_ir.typing import NDArray, Progress, Sparse

_TOKEN: Final = re.compile(r"[^\W_]+(?:'[^\W_]+)*|[^\w\s/‐‑–-]")
NO_WORD: Final = -1


class Words(dict[str, int]):
    """The words of a collection, numbered in order of first appearance.

    Stop words and tokens without a letter are `NO_WORD`.

    Parameters
    ----------
    stopwords : iterable of str
        Words that are neither terms nor parts of phrases.
    """

    def __init__(self, stopwords: Iterable[str]) -> None:
        super().__init__(dict.fromkeys(stopwords, NO_WORD))
        self._next = count()

    def __missing__(self, token: str) -> int:
        has_letter = any(map(str.isalpha, token))
        self[token] = next(self._next) if has_letter else NO_WORD
        return self[token]

    def numbers(self, texts: Iterable[str]) -> NDArray[np.int64]:
        """Return the number of each word of texts in order, and `NO_WORD` where phrases end."""
        numbers: list[int] = []
        for text in texts:
            numbers += map(self.__getitem__, _TOKEN.findall(text.lower().replace("’", "'")))
            numbers.append(NO_WORD)
        return np.array(numbers, dtype=np.int64)


BUCKETS: Final = 16
_SHIFT: Final = 32  # the number of a phrase is (first word << _SHIFT) + second word
_MIX: Final = np.uint64(0x9E3779B97F4A7C15)
_PIECE: Final = 2_000_000  # entries that are moved at once

Allot = Callable[[Any, int], NDArray[Any]]


@dataclass(frozen=True)
class Piece:
    """The words of some records, with numbers of their own.

    Attributes
    ----------
    names : list of str
        The words.
    numbers : ndarray of int64
        The words of one record after another, with `NO_WORD` where phrases end.
    sizes : ndarray of int64, shape (records,)
        The number of elements of `numbers` for each record.
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
        names = [word for word, number in words.items() if number != NO_WORD]  # sorted by number
        return cls(names, np.concatenate([np.empty(0, np.int64), *by_record]), sizes)


@dataclass(frozen=True)
class Sorted:
    """Names of the selected terms, and the terms of records as in `PresenceMatrix`."""

    names: list[str]
    starts: NDArray[np.int32]
    columns: NDArray[np.int32]


class Entries:
    """Collect pairs of a record and a term.

    Parameters
    ----------
    spool : callable
        Returns a `Spool` of a dtype.
    """

    def __init__(self, spool: Callable[[Any], Spool]) -> None:
        self.records = 0
        self._spool = spool
        self._number: dict[str, int] = {}
        self._buckets = [(spool(np.int64), spool(np.int32)) for _ in range(BUCKETS)]

    def add(self, piece: Piece) -> None:
        """Add the words of records; the key of a word is that of a phrase without a first word."""
        number = self._number
        places = [number.setdefault(name, len(number)) for name in piece.names]
        word = np.array([*places, NO_WORD], dtype=np.int64)[piece.numbers]
        row = np.repeat(np.arange(len(piece.sizes)), piece.sizes)
        is_word = word != NO_WORD
        is_phrase = is_word[:-1] & is_word[1:]  # texts end in NO_WORD, so no phrase spans two texts
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
        """Return the terms with `least` to `most` records, sorted by name."""
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
            firsts, lasts = keys[frequent] >> _SHIFT, keys[frequent] & ((1 << _SHIFT) - 1)
            names += [
                f"{words[first - 1]} {words[last]}" if first else words[last]
                for first, last in zip(firsts.tolist(), lasts.tolist(), strict=True)
            ]
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
    """Copy the entries of all parts, whose records ascend, to their records, and sort them."""
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


_MANY: Final = 4  # selecting more than a fourth of the rows takes longer than using all


@dataclass(frozen=True)
class Selection:
    """Limits on the selected terms.

    Attributes
    ----------
    min_records : int
        Least number of records that have a term.
    max_share : float
        Largest share of records that have a term; the paper drops terms in more than a tenth.
    """

    min_records: int = 2
    max_share: float = 0.1


@dataclass(frozen=True)
class PresenceMatrix:
    """Presence and absence of terms in the records of a collection.

    Attributes
    ----------
    ids : Vocabulary
        The record of each row, sorted by the ids' UTF-8 bytes.
    terms : Vocabulary
        The term of each column: words, and phrases as two words separated by a space.
    starts : ndarray of int32, shape (records + 1,)
        The start of each record's terms in `columns`.
    columns : ndarray of int32, shape (entries,)
        The terms of the records, ascending within each record.
    """

    ids: Vocabulary
    terms: Vocabulary
    starts: NDArray[np.integer]
    columns: NDArray[np.integer]

    @property
    def presence(self) -> Sparse:
        """1 if a record has a term; float64, shape (records, terms); not cached."""
        ones = np.ones(len(self.columns))
        shape = (len(self.ids), len(self.terms))
        return csr((ones, np.asarray(self.columns), np.asarray(self.starts)), shape)

    @cached_property
    def by_term(self) -> Sparse:
        """The transpose of `presence`, shape (terms, records), for products with all records.

        Sums then run over an array with one element per record, which fits into a processor's
        cache; over one element per term they take twice as long.
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
    progress: Progress | None,
    spool: Callable[[Any], Spool],
    allot: Allot,
) -> PresenceMatrix:
    """Join the terms of records that were read in pieces, in the order of the ids.

    Parameters
    ----------
    ids : sequence of str
        The ids of the records, without duplicates, sorted by their UTF-8 bytes.
    pieces : iterable of Piece
    selection : Selection
    progress : callable, optional
        Called with the number of records read and the total.
    spool, allot : callable
        Functions that return large arrays: one that grows, and one of a given size.
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


NAME: Final = "themes"
EDITION: Final = 1
"""Version of the arrays; raise it when the same index would give different ones."""
FIELDS: Final[dict[str, Callable[[Record], Sequence[str]]]] = {
    "title": lambda record: (record.title, record.vernacular_title),
    "abstract": lambda record: [section.text for section in record.sections],
    "mesh": lambda record: [heading.heading for heading in record.mesh],
    "chemicals": lambda record: record.chemicals,
}
"""The texts of a record from which terms may come, by name."""

_BATCH: Final = 5000  # records read together


@dataclass(frozen=True)
class Terms:
    """The texts from which terms come, and the selection of terms.

    Attributes
    ----------
    fields : tuple of str
        A subset of `FIELDS`.
    stopwords : tuple of str or None
        Lower-case words; None for scikit-learn's 318.
    selection : Selection
    """

    fields: tuple[str, ...] = ("title", "abstract")
    stopwords: tuple[str, ...] | None = None
    selection: Selection = field(default_factory=Selection)

    def __post_init__(self) -> None:
        for name in self.fields:
            if name not in FIELDS:
                raise UsageError(f"no field {name!r}", fix=f"one of {', '.join(FIELDS)}")
        if self.selection.min_records < 1 or not 0 < self.selection.max_share <= 1:
            raise UsageError(
                f"terms in at least {self.selection.min_records} records and at most a share of "
                f"{self.selection.max_share}",
                fix="at least 1, and a share above 0 up to 1",
            )


def open_matrix(
    index: Index, terms: Terms | None = None, progress: Progress | None = None
) -> PresenceMatrix:
    """Map the terms of an index's records into memory; compute them first if they are missing.

    Parameters
    ----------
    index : Index
        The abstract index of a collection.
    terms : Terms, optional
    progress : callable, optional
        Called during the computation, with the number of records read and the total.

    Raises
    ------
    InputError
        If the index has no records, no term is selected, or the store is damaged.
    OutputError
        If the store cannot be written.
    """
    terms = terms or Terms()
    stopwords = default_stopwords() if terms.stopwords is None else terms.stopwords
    chosen = {"fields": terms.fields, "stopwords": stopwords, **vars(terms.selection)}
    derived = Derived(index, NAME, chosen, EDITION)

    def build() -> dict[str, NDArray[Any]]:
        matrix = _build(index, terms, stopwords, progress, derived)
        return {
            "ids": matrix.ids.text,
            "id_ends": matrix.ids.ends,
            "terms": matrix.terms.text,
            "term_ends": matrix.terms.ends,
            "starts": matrix.starts,
            "columns": matrix.columns,
        }

    return derived.open(build, _read)


def _build(
    index: Index,
    terms: Terms,
    stopwords: Sequence[str],
    progress: Progress | None,
    derived: Derived,
) -> PresenceMatrix:
    ids = sorted(index.ids())
    if not ids:
        raise InputError("the index has no records", where=index.folder)

    def read(start: int) -> Piece:
        records = index.records(ids[start : start + _BATCH])
        texts = ([text for name in terms.fields for text in FIELDS[name](r)] for r in records)
        return Piece.of(texts, tuple(stopwords))

    pieces = map(read, range(0, len(ids), _BATCH))
    matrix = gather_matrix(ids, pieces, terms.selection, progress, derived.spool, derived.scratch)
    if not len(matrix.terms):
        least, most = terms.selection.min_records, terms.selection.max_share
        raise InputError(
            f"of {len(ids)} records, no term is in at least {least} and at most "
            f"{int(most * len(ids))}",
            where=index.folder,
            fix="take a larger --max-df, or more records",
        )
    return matrix


def _read(stored: Stored) -> PresenceMatrix:
    arrays = stored.arrays
    ids = Vocabulary(arrays["ids"], arrays["id_ends"])
    terms = Vocabulary(arrays["terms"], arrays["term_ends"])
    matrix = PresenceMatrix(ids, terms, np.asarray(arrays["starts"]), np.asarray(arrays["columns"]))
    if len(matrix.starts) != len(ids) + 1 or matrix.starts[-1] != len(matrix.columns):
        raise ValueError("its arrays do not fit")
    if len(matrix.columns) and matrix.columns.max() >= len(terms):
        raise ValueError("a term is out of range")
    return matrix
