"""The sentences of an index as words, with what each belongs to."""

import hashlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from relsent_ir.errors import InputError
from relsent_ir.lucene.index import Index
from relsent_ir.related.features import Sentences
from relsent_ir.typing import Progress

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
        """What a model notes of the collection that it was trained on."""
        return {
            "sources": list(self.sources),
            "records": len(self.records),
            "sentences": len(self),
        }


def read_corpus(
    index: Index,
    stopwords: Iterable[str],
    *,
    titles: bool = False,
    progress: Progress | None = None,
) -> Corpus:
    """Read all sentences of an index.

    Parameters
    ----------
    index : Index
        The abstracts of a collection.
    stopwords : iterable of str
        Words that are no features.
    titles : bool
        Take the titles too (sentence 0); the pair corpus leaves them out.
    progress : callable, optional
        Gets the number of records read, and of all.

    Raises
    ------
    InputError
        If there is no sentence.
    """
    ids = sorted(index.ids())
    record: list[int] = []
    number: list[int] = []

    def texts() -> Iterator[str]:
        for start in range(0, len(ids), BATCH):
            for place, found in enumerate(index.records(ids[start : start + BATCH]), start):
                for sentence in found.sentences():
                    if sentence.n or titles:
                        record.append(place)
                        number.append(sentence.n)
                        yield sentence.text
            if progress:
                progress(min(start + BATCH, len(ids)), len(ids))

    read = Sentences.from_texts(texts(), stopwords)
    if not len(read):
        raise InputError("the records have no sentences", where=index.folder)
    return Corpus(
        read,
        ids,
        np.array(record, dtype=np.int32),
        np.array(number, dtype=np.int32),
        tuple(source.sha256 for source in index.facts.sources),
    )


def held_out(records: Iterable[str], seed: int, share: float = 1 / 3) -> NDArray[np.bool_]:
    """Tell which records are kept for testing: a hash of id and seed decides, nothing else.

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
    salt = f"{seed}:".encode()
    return np.array(
        [
            int.from_bytes(hashlib.blake2b(salt + name.encode(), digest_size=8).digest()) < limit
            for name in records
        ],
        dtype=bool,
    )
