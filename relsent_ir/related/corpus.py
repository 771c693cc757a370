"""The sentences of an index as words, with their records, in memory, for drawing pairs."""

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from relsent_ir.errors import InputError
from relsent_ir.executor import SERIAL, Executor
from relsent_ir.lucene.read.index import Index
from relsent_ir.related.features import Sentences, compact
from relsent_ir.related.store import open_store
from relsent_ir.text.vocabulary import Vocabulary
from relsent_ir.typing import NDArray, Progress


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
    """Read all sentences of an index but the titles, which are in no pair, from the sentence store.

    Parameters
    ----------
    index : Index
        The abstracts of a collection.
    stopwords : iterable of str
        Words that are no features.
    progress, executor
        As `open_store` takes them, which builds a store that is not there.

    Raises
    ------
    InputError
        If there is no sentence.
    OutputError
        If the store cannot be written.
    """
    with Index(index.folder, "sentences") as sentences:
        store = open_store(sentences, stopwords, progress, executor)
    number = store.numbers
    rows = np.lexsort((number, store.record))
    rows = rows[number[rows] > 0]
    if not len(rows):
        raise InputError("the records have no sentences", where=index.folder)
    ids = sorted(index.ids())
    record = Vocabulary.of(ids).locate(store.records)[store.record[rows]]
    sources = tuple(source.sha256 for source in index.facts.sources)
    return Corpus(compact(store.sentences, rows), ids, record, number[rows], sources)


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
