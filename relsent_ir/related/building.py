"""Building the sentence store from Lucene, or from an older store and new segments.

Sentences of segments that Lucene still has are copied from an older store; those of new segments
are read, by any number of processes. Both ways give the same result. The large arrays are built in
files; memory holds the vocabulary and some tens of bytes for each sentence.
"""

import json
from dataclasses import dataclass
from functools import partial
from typing import Any, Final

import numpy as np

from relsent_ir.errors import InputError
from relsent_ir.executor import Executor
from relsent_ir.lucene.memory.derived import Derived
from relsent_ir.lucene.read.index import Index
from relsent_ir.models import Stored, pack_strings, unpack_strings
from relsent_ir.related.features import Lexicon, Sentences, chunks, counted
from relsent_ir.related.formulas import Statistics
from relsent_ir.sparse import csr
from relsent_ir.text.vocabulary import Vocabulary, ranges, side_by_side
from relsent_ir.typing import NDArray, Progress

BATCH: Final = 20_000  # sentences read at a time
MOST: Final = 2**31 - 1  # largest number of words of all sentences in one store
_PIECE: Final = 100_000  # sentences moved at a time
_DOT, _ZERO = ord("."), ord("0")


@dataclass(frozen=True)
class WordCounts:
    """Sentences as counts of words, from any source.

    Attributes
    ----------
    names : list of str
        The words, each once.
    starts : ndarray of int, shape (sentences + 1,)
    columns : ndarray of int32
        Places in `names`.
    counts : ndarray of uint16
    """

    names: list[str]
    starts: NDArray[np.integer]
    columns: NDArray[np.int32]
    counts: NDArray[np.uint16]


def _read(index: Index, stopwords: tuple[str, ...], documents: NDArray[np.integer]) -> WordCounts:
    """Split sentences into words, given by Lucene's document numbers."""
    texts = (str(json.loads(line)["contents"]) for line in index.raw_of(documents))
    names, words = counted(texts, stopwords)
    return WordCounts(names, words.indptr, words.indices, words.data)


@dataclass(frozen=True)
class Before:
    """The part of the index that an older store contains.

    Attributes
    ----------
    words : WordCounts
        The words of all sentences of the store.
    statistics : Statistics
    rows : ndarray of intp
        Rows of the store's sentences that the index still has.
    documents : ndarray of intp, as `rows`
        Lucene's current numbers of these sentences.
    gone : ndarray of intp
        Rows of the store's other sentences, without titles.
    """

    words: WordCounts
    statistics: Statistics
    rows: NDArray[np.intp]
    documents: NDArray[np.intp]
    gone: NDArray[np.intp]


def build(
    index: Index,
    stopwords: tuple[str, ...],
    derived: Derived,
    executor: Executor,
    progress: Progress | None,
) -> dict[str, NDArray[Any]]:
    """Build the arrays of `relsent_ir.related.store.Store`.

    Parameters
    ----------
    index : Index
        The index of the sentences of a collection.
    stopwords : tuple of str
    derived : Derived
        Finds the stores of earlier states of the index, and makes the files of large arrays.
    executor : Executor
        Reads sentences.
    progress : callable, optional
        Called with the number of sentences read, and of all to read.

    Raises
    ------
    InputError
        If there are no sentences, or more words than a store can number.
    """
    segments, live = index.segments(), index.live()
    ids, order = Vocabulary.of_lines(index.id_lines())
    if not len(ids):
        raise InputError("the index has no sentences", where=index.folder)
    documents = np.flatnonzero(live)[order].astype(np.int32)
    row_of = np.full(len(live), -1, np.int32)
    row_of[documents] = np.arange(len(ids), dtype=np.int32)
    before = _most(segments, live, derived.older())
    known = np.zeros(len(live), dtype=bool)
    known[before.documents] = True
    fresh = np.flatnonzero(live & ~known)

    # words are numbered in order of first appearance, behind those of the older store
    numbers = {name: place for place, name in enumerate(before.words.names)}
    spools = new_columns, new_counts = derived.spool(np.int32), derived.spool(np.uint16)
    new_sizes = [np.zeros(1, np.int64)]
    batches = (fresh[part] for part in chunks(len(fresh), BATCH))
    # Each process gets a function of its own, with its own index.
    for words in executor.map(partial(partial, _read, index, stopwords), batches):
        column = [numbers.setdefault(name, len(numbers)) for name in words.names]
        new_columns.add(np.array(column, dtype=np.int32)[words.columns])
        new_counts.add(words.counts)
        new_sizes.append(np.diff(words.starts))
        if progress:
            progress(sum(map(len, new_sizes)) - 1, len(fresh))
    new_starts = np.cumsum(np.concatenate(new_sizes), dtype=np.int64)
    new = WordCounts(list(numbers), new_starts, *(spool.array() for spool in spools))
    parts = (
        (before.words, before.rows, row_of[before.documents]),
        (new, np.arange(len(fresh)), row_of[fresh]),
    )
    sizes = np.zeros(len(ids), np.int64)
    used = np.zeros(len(new.names), np.int64)
    for words, rows, to in parts:
        sizes[to] = np.diff(words.starts)[rows]
        for part in chunks(len(rows), _PIECE):
            piece = rows[part]
            places = ranges(words.starts[piece], words.starts[piece + 1] - words.starts[piece])
            used += np.bincount(words.columns[places], minlength=len(used))
    starts = np.append(0, np.cumsum(sizes))
    if starts[-1] > MOST:
        problem = f"its sentences have {starts[-1]:,} words, more than one store can number"
        raise InputError(problem, where=index.folder, fix="match its shards by themselves")
    names = sorted(new.names[i] for i in np.flatnonzero(used).tolist())
    number = {name: place for place, name in enumerate(names)}
    column_of = np.array([number.get(name, -1) for name in new.names], dtype=np.int32)
    columns, counts = (derived.scratch(kind, int(starts[-1])) for kind in (np.int32, np.uint16))
    for words, rows, to in parts:
        _place(words, rows, to, column_of, starts, columns, counts)

    shape = (len(ids), len(names))
    together = csr((counts, columns, starts.astype(np.int32)), shape=shape)
    sentences = Sentences(Lexicon.of(names), together)
    records, record, is_title = _records(ids)
    bodies = np.flatnonzero(~is_title)
    added_rows = row_of[fresh][~is_title[row_of[fresh]]]
    if 2 * (len(added_rows) + len(before.gone)) >= len(bodies):
        statistics = Statistics.collect(sentences, bodies)
    else:  # the older counts, minus deleted sentences, plus new sentences
        older, words = before.statistics.lexicon, before.words
        arrays = words.counts, words.columns, words.starts
        earlier = csr(arrays, shape=(len(words.starts) - 1, len(older.words)))
        gone = Statistics.collect(Sentences(older, earlier), before.gone)
        added = Statistics.collect(sentences, np.sort(added_rows))
        statistics = before.statistics.changed(gone, added)
    table = sentences.lexicon.table
    postings = table.tocsc()
    return {
        **sentences.lexicon.to_arrays(),
        **statistics.to_arrays(),
        **matrix_arrays("table", table),
        "postings_starts": postings.indptr,
        "postings": postings.indices,
        **matrix_arrays("sentences", sentences.words),
        "ids": ids.text,
        "id_ends": ids.ends,
        "records": records.text,
        "record_ends": records.ends,
        "record": record,
        "documents": documents,
        "segments": pack_strings(segments),
        "segment_sizes": np.array([*map(len, segments.values())], dtype=np.int32),
    }


def matrix_arrays(name: str, matrix: Any) -> dict[str, NDArray[Any]]:
    """Return a sparse matrix as arrays."""
    return {
        f"{name}_starts": matrix.indptr,
        f"{name}_columns": matrix.indices,
        f"{name}_counts": matrix.data,
    }


def _most(segments: dict[str, range], live: NDArray[np.bool_], older: list[Stored]) -> Before:
    """Return the older store that contains the largest part of the index."""
    no_rows = np.empty(0, np.intp)
    empty = WordCounts([], np.zeros(1, np.int64), np.empty(0, np.int32), np.empty(0, np.uint16))
    best = Before(
        empty, Statistics.collect(Sentences.from_texts((), ()), no_rows), no_rows, no_rows, no_rows
    )
    for stored in older:
        arrays = stored.arrays
        if "segments" not in arrays:
            continue
        firsts = np.cumsum(np.append(0, arrays["segment_sizes"]))
        now = np.full(firsts[-1], -1, np.int64)
        for name, first, end in zip(
            unpack_strings(arrays["segments"]), firsts[:-1], firsts[1:], strict=True
        ):
            if len(segments.get(name, ())) == end - first:
                now[first:end] = segments[name]
        now[now >= 0] = np.where(live[now[now >= 0]], now[now >= 0], -1)
        here = now[arrays["documents"]]
        rows = np.flatnonzero(here >= 0)
        if len(rows) > len(best.rows):
            lexicon = Lexicon.from_arrays(arrays)
            parts = (arrays[f"sentences_{part}"] for part in ("starts", "columns", "counts"))
            words = WordCounts(list(lexicon.words), *parts)
            _, _, is_title = _records(Vocabulary(arrays["ids"], arrays["id_ends"]))
            gone = np.flatnonzero((here < 0) & ~is_title)
            statistics = Statistics.from_arrays(lexicon, arrays)
            best = Before(words, statistics, rows, here[rows], gone)
    return best


def _place(
    words: WordCounts,
    rows: NDArray[np.intp],
    to: NDArray[np.integer],
    column_of: NDArray[np.int32],
    starts: NDArray[np.int64],
    columns: NDArray[np.int32],
    counts: NDArray[np.uint16],
) -> None:
    """Copy sentences to their rows, with their words in the order of the columns."""
    for part in chunks(len(rows), _PIECE):
        piece, there = rows[part], to[part]
        sizes = words.starts[piece + 1] - words.starts[piece]
        places = ranges(words.starts[piece], sizes)
        ends = np.append(0, sizes.cumsum())
        arrays = words.counts[places], column_of[words.columns[places]], ends
        matrix = csr(arrays, shape=(len(piece), len(column_of)))
        matrix.sort_indices()
        places = ranges(starts[there], sizes)
        columns[places], counts[places] = matrix.indices, matrix.data


def _records(ids: Vocabulary) -> tuple[Vocabulary, NDArray[np.int32], NDArray[np.bool_]]:
    """Return the records of sentences, the place of each one's record, and which are titles."""
    starts = np.append(0, ids.ends)[:-1]
    dots = np.flatnonzero(ids.text == _DOT)
    dots = dots[np.searchsorted(dots, ids.ends) - 1]
    is_title = (ids.ends - dots == 2) & (ids.text[dots + 1] == _ZERO)
    names = side_by_side(ids.text, starts, dots - starts)
    first = np.append(True, names[1:] != names[:-1])
    known, place = np.unique(names[first], return_inverse=True)
    records = Vocabulary.of(name.decode() for name in known.tolist())
    return records, place.astype(np.int32)[np.cumsum(first) - 1], is_title
