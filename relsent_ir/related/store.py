"""The sentences of an index as arrays stored beside it, mapped into memory for matching.

They are built once for each list of stop words, and saved in ``DIR/derived/related/``; when the
index gets new segments, their sentences are added (`building`).
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, Final

import numpy as np

from relsent_ir import models
from relsent_ir.errors import InputError, MismatchError, UsageError
from relsent_ir.executor import SERIAL, Executor
from relsent_ir.lucene.memory.derived import Derived
from relsent_ir.lucene.read.index import Index
from relsent_ir.models import Stored
from relsent_ir.related.features import Lexicon, Sentences
from relsent_ir.related.formulas import FORMULAS, FormulaModel, Statistics
from relsent_ir.related.model import Model, TrainedModel
from relsent_ir.sparse import csr
from relsent_ir.text.vocabulary import Vocabulary
from relsent_ir.text.words import default_stopwords
from relsent_ir.typing import NDArray, Progress, Sparse

NAME: Final = "related"
EDITION: Final = 1
"""The edition of the arrays; raise it when the same index would give other arrays."""


@dataclass(eq=False)
class StoredLexicon(Lexicon):
    """A lexicon whose table of words and features is on disk, in both directions.

    Attributes
    ----------
    arrays : dict of str to ndarray
        The arrays of the store.
    feature_starts : ndarray of int, shape (features + 1,)
        The start of each feature's words in `feature_words`.
    feature_words : ndarray of int
        The words that have each feature, ascending.
    """

    arrays: dict[str, NDArray[Any]]
    feature_starts: NDArray[np.integer]
    feature_words: NDArray[np.integer]

    @cached_property
    def table(self) -> Sparse:
        """The frequency of each feature in each word: uint16, shape (words, features), sorted."""
        return _matrix(self.arrays, "table", (len(self.words), len(self)))


@dataclass(frozen=True)
class Store:
    """All sentences of an index, including titles, in the order of their ids' UTF-8 bytes.

    Attributes
    ----------
    path : Path
        The folder of the store.
    lexicon : StoredLexicon
    sentences : Sentences
        The sentences, with one row each.
    ids : Vocabulary
        The id of each row.
    records : Vocabulary
        Ids of the records that have sentences.
    record : ndarray of int32, shape (sentences,)
        The place in `records` of each sentence's record.
    statistics : Statistics
        The statistics of all sentences except titles.
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
        """The number of each sentence in its record, 0 for the title; shape (sentences,)."""
        return np.array([int(name.rpartition(".")[2]) for name in self.ids], dtype=np.int32)

    def rows(self, ids: Sequence[str]) -> NDArray[np.intp]:
        """Return the row of each id.

        Raises
        ------
        MismatchError
            If an id is not in the store.
        """
        rows = self.ids.locate(ids).astype(np.intp)
        if len(rows) and rows.min() < 0:
            missing = ids[int(rows.argmin())]
            raise MismatchError(
                f"no sentence {missing!r}", where=self.path, fix="delete the folder"
            )
        return rows

    def record_of(self, name: str) -> int:
        """Return the place of a record by its id or that of a sentence, -1 if it is missing."""
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
    """Map the store of an index into memory; build it first if it is missing.

    Parameters
    ----------
    index : Index
        The index of the sentences of a collection.
    stopwords : iterable of str
        Words that are not used as features.
    progress : callable, optional
        Called while it is built, with the number of sentences read and the total.
    executor : Executor
        Reads sentences.

    Raises
    ------
    InputError
        If there are no sentences, or the store is damaged.
    OutputError
        If the store cannot be written.
    """
    stops = tuple(sorted(set(stopwords)))
    derived = Derived(index, NAME, {"stopwords": list(stops)}, EDITION)

    def build() -> dict[str, NDArray[Any]]:
        from relsent_ir.related import building

        return building.build(index, stops, derived, executor, progress)

    return derived.open(build, _read)


def _read(stored: Stored) -> Store:
    arrays = stored.arrays
    read, postings = Lexicon.from_arrays(arrays), (arrays["postings_starts"], arrays["postings"])
    lexicon = StoredLexicon(read.words, read.substrings, arrays, *postings)
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


PACKAGED: Final = "huber-plus"
"""The packaged MODEL; write ``./huber-plus`` for a folder with this name."""


def open_model(name: str, index: Path) -> Model:
    """Open a MODEL: a formula with the statistics of an index's sentences, or a trained one.

    Parameters
    ----------
    name : str
        The name of a formula, or the folder of a trained model; write ``./D`` if D names a formula.
    index : Path
        The collection's indexes; needed only for a formula. The sentence store, which has the
        statistics, is built beside them if it is missing.

    Raises
    ------
    UsageError
        If the name is neither a formula nor a model.
    OutputError
        If the store cannot be written.
    """
    if name not in FORMULAS:
        check_model(name)
        return load_related(name)
    with Index(index, "sentences") as opened:
        return formula_model(name, opened)


def load_related(path: str | Path) -> TrainedModel:
    """Load `PACKAGED`, or a model of ``relsent-ir train related`` (`relsent_ir.models.load`)."""
    model: TrainedModel = models.load(None if path == PACKAGED else path, "related")
    return model


def formula_model(name: str, index: Index) -> FormulaModel:
    """Make the model of a formula with the statistics of an index of sentences."""
    stopwords = default_stopwords()
    return FormulaModel(name, open_store(index, stopwords).statistics, stopwords)


def check_model(name: str) -> None:
    """Refuse a MODEL that is neither a formula nor an existing path.

    Raises
    ------
    UsageError
        If the name looks like a formula's; the error lists the formulas.
    InputError
        If the name looks like a path.
    """
    if name in FORMULAS or name == PACKAGED or Path(name).exists():
        return
    if "/" not in name and len(name) <= 4:
        raise UsageError(f"no formula {name!r}", fix="one of " + ", ".join(FORMULAS))
    raise InputError("no such model", where=name, fix="relsent-ir train related makes one")
