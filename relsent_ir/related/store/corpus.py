"""The sentences of an index as words, with their records, in memory.

They are read piece by piece, each piece with its own words, and put together.
"""

import hashlib
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any, Final, TypeAlias

import numpy as np

from relsent_ir.errors import InputError
from relsent_ir.executor import SERIAL, Executor
from relsent_ir.lucene.memory.derived import Spool
from relsent_ir.lucene.read.index import Index
from relsent_ir.related.features import Lexicon, Sentences, counted
from relsent_ir.related.tokens import sort_words
from relsent_ir.sparse import csr
from relsent_ir.typing import NDArray, Progress, Sparse


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
class WordCounts:
    """Sentences as words, from any source.

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

    @classmethod
    def of(cls, counted: tuple[list[str], Sparse]) -> "WordCounts":
        """Make them from the words and counts of `relsent_ir.related.features.counted`."""
        names, words = counted
        return cls(names, words.indptr, words.indices, words.data)


class Gathering:
    """Sentences of several pieces, their words numbered by first appearance.

    Parameters
    ----------
    known : list of str
        Words that have the first numbers.
    columns, counts : Growing
    """

    def __init__(self, known: list[str], columns: Growing, counts: Growing) -> None:
        self._number = {name: place for place, name in enumerate(known)}
        self._columns, self._counts = columns, counts
        self._sizes = [np.zeros(1, np.int64)]

    def add(self, words: WordCounts) -> int:
        """Add sentences, and return their number."""
        number = self._number
        places = [number.setdefault(name, len(number)) for name in words.names]
        self._columns.add(np.array(places, dtype=np.int32)[words.columns])
        self._counts.add(words.counts)
        self._sizes.append(np.diff(words.starts))
        return len(self._sizes[-1])

    def words(self) -> WordCounts:
        """Return all sentences."""
        starts = np.cumsum(np.concatenate(self._sizes), dtype=np.int64)
        return WordCounts(list(self._number), starts, self._columns.array(), self._counts.array())


BATCH: Final = 2000  # records that are read at a time


@dataclass(frozen=True)
class Corpus:
    """Sentences with their records, ordered by record id and number.

    Attributes
    ----------
    sentences : Sentences
    records : list of str
        Ids of all records of the index, sorted; some may have no sentence here.
    record : ndarray of int32, shape (sentences,)
        The place in `records` of each sentence's record, ascending.
    number : ndarray of int32, shape (sentences,)
        The sentence's number in the record: 0 is the title.
    sources : tuple of str
        Checksums of the files that the index was built from.
    """

    sentences: Sentences
    records: list[str]
    record: NDArray[np.int32]
    number: NDArray[np.int32]
    sources: tuple[str, ...] = ()

    def __len__(self) -> int:
        return len(self.record)

    @cached_property
    def ids(self) -> list[str]:
        """The sentences' ids: record id, dot, number."""
        pairs = zip(self.record.tolist(), self.number.tolist(), strict=True)
        return [f"{self.records[record]}.{number}" for record, number in pairs]

    @property
    def fingerprint(self) -> dict[str, Any]:
        """The facts that a model records of the collection that it was trained on."""
        return {"sources": list(self.sources), "records": len(self.records), "sentences": len(self)}


def read_corpus(
    index: Index,
    stopwords: Iterable[str],
    *,
    progress: Progress | None = None,
    executor: Executor = SERIAL,
) -> Corpus:
    """Read all sentences of an index but the titles, which are in no pair.

    Parameters
    ----------
    index : Index
        The abstracts of a collection.
    stopwords : iterable of str
        Words that are no features.
    progress : callable, optional
        Called with the number of records read, and of all.
    executor : Executor
        Reads records.

    Raises
    ------
    InputError
        If there is no sentence.
    """
    ids = sorted(index.ids())
    gathering = Gathering([], InMemory(np.int32), InMemory(np.uint16))
    record, number = InMemory(np.int32), InMemory(np.int32)
    make = partial(_reading, index, frozenset(stopwords))
    batches = (ids[start : start + BATCH] for start in range(0, len(ids), BATCH))
    done = 0
    for counts, places, numbers in executor.map(make, batches):
        gathering.add(counts)
        record.add(places + np.int32(done))
        number.add(numbers)
        done = min(done + BATCH, len(ids))
        if progress:
            progress(done, len(ids))
    found = gathering.words()
    n = len(found.starts) - 1
    if not n:
        raise InputError("the records have no sentences", where=index.folder)
    names, column_of = sort_words(found.names)
    arrays = found.counts, column_of[found.columns], found.starts.astype(np.int32)
    words = csr(arrays, shape=(n, len(names)))
    words.sort_indices()
    sentences = Sentences(Lexicon.of(names), words)
    sources = tuple(source.sha256 for source in index.facts.sources)
    return Corpus(sentences, ids, record.array(), number.array(), sources)


_Piece = tuple[WordCounts, NDArray[np.int32], NDArray[np.int32]]


def _reading(index: Index, stopwords: frozenset[str]) -> Callable[[Sequence[str]], _Piece]:
    """Break the sentences of records into words, with their records' places and numbers."""

    def read(ids: Sequence[str]) -> _Piece:
        sentences = [
            (sentence.text, place, sentence.n)
            for place, record in enumerate(index.records(ids))
            for sentence in record.sentences()
            if sentence.n
        ]
        counts = WordCounts.of(counted((text for text, _, _ in sentences), stopwords))
        places, numbers = (np.array([row[i] for row in sentences], dtype=np.int32) for i in (1, 2))
        return counts, places, numbers

    return read


def held_out(records: Iterable[str], seed: int, share: float = 1 / 3) -> NDArray[np.bool_]:
    """Select the records that are held out for tests, by a hash of id and seed alone.

    So a record is on the same side in every index that holds it.

    Parameters
    ----------
    records : iterable of str
        Their ids.
    seed : int
    share : float
        The share that is held out, on average.

    Returns
    -------
    ndarray of bool, shape (records,)
    """
    limit = int(share * 2**64)
    names = (f"{seed}:{name}".encode() for name in records)
    digests = (hashlib.blake2b(name, digest_size=8).digest() for name in names)
    return np.array([int.from_bytes(digest) < limit for digest in digests], dtype=bool)
