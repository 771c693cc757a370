"""The sentences of an index as arrays beside it, mapped into memory for matching.

They are built once for each list of stop words, and saved in ``DIR/derived/related/``; when the
index gets new segments, their sentences are added (`building`).
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, Final

import numpy as np

from relsent_ir.errors import MismatchError
from relsent_ir.executor import SERIAL, Executor
from relsent_ir.lucene.memory.derived import Derived
from relsent_ir.lucene.read.index import Index
from relsent_ir.models import Stored
from relsent_ir.related.features import Lexicon, Sentences
from relsent_ir.related.formulas import Statistics
from relsent_ir.sparse import csr
from relsent_ir.text.vocabulary import Vocabulary
from relsent_ir.typing import NDArray, Progress, Sparse

NAME: Final = "related"
EDITION: Final = 1
"""The edition of the arrays, to be raised when the same index would give others."""


class StoredLexicon(Lexicon):
    """A lexicon whose table of words and features is on the disk, both ways round.

    Attributes
    ----------
    feature_starts : ndarray of int, shape (features + 1,)
        The beginning of each feature's words in `feature_words`.
    feature_words : ndarray of int
        The words that have each feature, ascending.
    """

    def __init__(self, arrays: dict[str, NDArray[Any]]) -> None:
        read = Lexicon.from_arrays(arrays)
        super().__init__(read.words, read.substrings)
        self._arrays = arrays
        self.feature_starts, self.feature_words = arrays["postings_starts"], arrays["postings"]

    @cached_property
    def table(self) -> Sparse:
        """The frequency of each feature in each word: uint16, shape (words, features), sorted."""
        return _matrix(self._arrays, "table", (len(self.words), len(self)))


@dataclass(frozen=True)
class Store:
    """All sentences of an index, titles included, in the order of their ids' UTF-8 bytes.

    Attributes
    ----------
    path : Path
        The folder.
    lexicon : StoredLexicon
    sentences : Sentences
        One row each.
    ids : Vocabulary
        The rows' ids.
    records : Vocabulary
        Ids of the records that have sentences.
    record : ndarray of int32, shape (sentences,)
        The place in `records` of each sentence's record.
    statistics : Statistics
        Of all sentences but titles.
    documents : ndarray of int32, shape (sentences,)
        Lucene's number of each sentence.
    """

    path: Path
    lexicon: StoredLexicon
    sentences: Sentences
    ids: Vocabulary
    records: Vocabulary
    record: NDArray[np.int32]
    statistics: Statistics
    documents: NDArray[np.int32]

    def __len__(self) -> int:
        return len(self.record)

    @cached_property
    def numbers(self) -> NDArray[np.int32]:
        """Each sentence's number in its record: 0 is the title; shape (sentences,)."""
        return np.array([int(name.rpartition(".")[2]) for name in self.ids], dtype=np.int32)

    def rows(self, ids: Sequence[str]) -> NDArray[np.intp]:
        """Return the row of each id.

        Raises
        ------
        MismatchError
            If one is not here.
        """
        rows = self.ids.locate(ids).astype(np.intp)
        if len(rows) and rows.min() < 0:
            missing = ids[int(rows.argmin())]
            raise MismatchError(
                f"no sentence {missing!r}", where=self.path, fix="delete the folder"
            )
        return rows

    def record_of(self, name: str) -> int:
        """Return the place of a record by its id or a sentence's, -1 if there is none."""
        place = self.records.find(name)
        if place < 0:
            row = self.ids.find(name)
            place = int(self.record[row]) if row >= 0 else -1
        return place


def open_store(
    index: Index,
    stopwords: Iterable[str],
    progress: Progress | None = None,
    executor: Executor = SERIAL,
) -> Store:
    """Map the store of an index into memory; build it first if it is not there.

    Parameters
    ----------
    index : Index
        The sentences of a collection.
    stopwords : iterable of str
        Words that are no features.
    progress : callable, optional
        Called with the number of sentences read, and of all to read, while it is built.
    executor : Executor
        Reads sentences.

    Raises
    ------
    InputError
        If there is no sentence, or the store is damaged.
    OutputError
        If it cannot be written.
    """
    stops = tuple(sorted(set(stopwords)))
    derived = Derived(index, NAME, {"stopwords": list(stops)}, EDITION)

    def build() -> dict[str, NDArray[Any]]:
        from relsent_ir.related import building

        return building.build(index, stops, derived, executor, progress)

    return derived.open(build, _read)


def _read(stored: Stored) -> Store:
    arrays = stored.arrays
    lexicon = StoredLexicon(arrays)
    record = arrays["record"]
    words = _matrix(arrays, "sentences", (len(record), len(lexicon.words)))
    return Store(
        stored.path,
        lexicon,
        Sentences(lexicon, words),
        Vocabulary(arrays["ids"], arrays["id_ends"]),
        Vocabulary(arrays["records"], arrays["record_ends"]),
        record,
        Statistics.from_arrays(lexicon, arrays),
        arrays["documents"],
    )


def _matrix(arrays: dict[str, NDArray[Any]], name: str, shape: tuple[int, int]) -> Sparse:
    parts = (arrays[f"{name}_{part}"] for part in ("counts", "columns", "starts"))
    return csr(tuple(parts), shape=shape)
