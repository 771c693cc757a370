"""The pair corpus (Smith & Wilbur 2010, section 2.1): neighbours against permuted pairs.

Pairs are drawn from sentences with a content word. Kim & Wilbur (Corpus-based statistical screening
for content-bearing terms, JASIST 52, 2001) measure how strongly a word is related to its context;
as their scores are not public, we compute our own. With n_w the number of records that have word w,
n_wv that of the records that have both w and v, and N that of all::

    s(w) = sum over v != w of  n_wv/(n_wv + 3) * n_wv/n_w * max(0, ln(n_wv * N / (n_w * n_v)))

This is the expected pointwise mutual information of w with the other words of its records,
discounted if it is based on few records. The strength of a sentence is that of its strongest word;
the threshold is the strength that the requested share of the sentences reaches.

Methods are compared on the pairs by their break-even (section 2.5).
"""

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import ArrayLike

from relsent_ir.errors import InputError, MismatchError
from relsent_ir.executor import SERIAL, Executor
from relsent_ir.files import open_text
from relsent_ir.lucene.read.index import Index
from relsent_ir.related.features import Sentences, compact, presence
from relsent_ir.related.store import open_store
from relsent_ir.sparse import csr
from relsent_ir.text.vocabulary import Vocabulary
from relsent_ir.typing import NDArray, Progress, Sparse


@dataclass(frozen=True)
class Corpus:
    """Sentences with their records, ordered by record id and sentence number.

    Attributes
    ----------
    sentences : Sentences
    records : list of str
        Sorted ids of all records of the index; some may have no sentence here.
    record : ndarray of int32, shape (sentences,)
        The place of each sentence's record in `records`, ascending.
    number : ndarray of int32, shape (sentences,)
        The number of the sentence in its record; 0 is the title.
    sources : tuple of str
        Checksums of the files from which the index was built.
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
        """The ids of the sentences: record id, dot, number."""
        pairs = zip(self.record.tolist(), self.number.tolist(), strict=True)
        return [f"{self.records[record]}.{number}" for record, number in pairs]

    @property
    def fingerprint(self) -> dict[str, Any]:
        """What a model stores about the collection on which it was trained."""
        return {"sources": list(self.sources), "records": len(self.records), "sentences": len(self)}


def read_corpus(
    index: Index,
    stopwords: Iterable[str],
    *,
    progress: Progress | None = None,
    executor: Executor = SERIAL,
) -> Corpus:
    """Read from the sentence store all sentences of an index except titles, which form no pairs.

    Parameters
    ----------
    index : Index
        The index of the abstracts of a collection.
    stopwords : iterable of str
        Words that are not used as features.
    progress, executor
        As in `open_store`, which builds a missing store.

    Raises
    ------
    InputError
        If there are no sentences.
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
    """Select the records held out for tests, by a hash of their ids and the seed only.

    A record is therefore on the same side in every index that contains it.

    Parameters
    ----------
    records : iterable of str
        The ids of the records.
    seed : int
    share : float
        The share to hold out, on average.

    Returns
    -------
    ndarray of bool, shape (records,)
    """
    limit = int(share * 2**64)
    names = (f"{seed}:{name}".encode() for name in records)
    digests = (hashlib.blake2b(name, digest_size=8).digest() for name in names)
    return np.array([int.from_bytes(digest) < limit for digest in digests], dtype=bool)


LEAST_WORDS: Final = 3
_ROUNDS: Final = 1000


@dataclass(frozen=True)
class Pairs:
    """Pairs of sentences: all positive pairs, followed by as many negative pairs.

    Attributes
    ----------
    a, b : ndarray of int32, shape (pairs,)
        Rows of the corpus.
    related : ndarray of bool, shape (pairs,)
        Whether the two are neighbours in one record.
    """

    a: NDArray[np.int32]
    b: NDArray[np.int32]
    related: NDArray[np.bool_]

    @classmethod
    def joined(cls, parts: Sequence["Pairs"]) -> "Pairs":
        """Concatenate pairs that were drawn separately."""
        names = "a", "b", "related"
        return cls(*(np.concatenate([getattr(part, name) for part in parts]) for name in names))

    def __len__(self) -> int:
        return len(self.a)


def surviving(corpus: Corpus, content_share: float = 1.0) -> NDArray[np.bool_]:
    """Select the sentences from which pairs are drawn.

    They have three or more words and are not titles. With a content share below 1, only this share
    of them is selected, by the strength of the strongest word; words are scored over all records.
    """
    eligible: NDArray[np.bool_] = (corpus.sentences.lengths >= LEAST_WORDS) & (corpus.number > 0)
    if content_share >= 1:
        return eligible
    words = corpus.sentences.words
    parts = np.ones(len(corpus), dtype=np.int32), (corpus.record, np.arange(len(corpus)))
    members = csr(parts, shape=(len(corpus.records), len(corpus)))
    scores = strength_of_context(members @ words.astype(np.int32))
    strongest = np.zeros(len(corpus))
    filled = np.flatnonzero(np.diff(words.indptr))
    strongest[filled] = np.maximum.reduceat(scores[words.indices], words.indptr[filled])
    values = np.sort(strongest[eligible])
    count = round(content_share * len(values))
    if not count:
        return np.zeros_like(eligible)
    return np.asarray(eligible & (strongest >= values[len(values) - count]))


def draw_pairs(
    corpus: Corpus,
    eligible: NDArray[np.bool_],
    records: NDArray[np.bool_],
    n: int | None = None,
    seed: int = 0,
) -> Pairs:
    """Draw positive pairs from records, and permute their second sentences into negative pairs.

    A positive pair is an eligible sentence and the next eligible sentence of its record.

    Parameters
    ----------
    corpus : Corpus
    eligible : ndarray of bool, shape (sentences,)
        The sentences that `surviving` selects.
    records : ndarray of bool, shape (records,)
        The records from which to draw.
    n : int, optional
        The number of positive pairs; if None or too large, all are drawn.
    seed : int
        The same seed and records give the same pairs.

    Returns
    -------
    Pairs
        Negative pairs are never from one record.

    Raises
    ------
    MismatchError
        If there are no pairs, or more than half are from one record and cannot be permuted.
    """
    rows = np.flatnonzero(eligible & records[corpus.record]).astype(np.int32)
    same = corpus.record[rows[:-1]] == corpus.record[rows[1:]]
    a, b = rows[:-1][same], rows[1:][same]
    if not len(a):
        raise MismatchError(
            "no two neighbouring sentences are left in these records",
            fix="index more records, or raise --content-share",
        )
    generator = np.random.default_rng(seed)
    if n is not None and n < len(a):
        drawn = np.sort(generator.permutation(len(a))[:n])
        a, b = a[drawn], b[drawn]
    second = b[permuted(corpus.record[a], generator)]
    related = np.arange(2 * len(a)) < len(a)
    return Pairs(np.concatenate([a, a]), np.concatenate([b, second]), related)


def permuted(groups: NDArray[np.integer], generator: np.random.Generator) -> NDArray[np.intp]:
    """Draw a permutation that moves every item to another group.

    Raises
    ------
    MismatchError
        If a group has more than half of the items.
    """
    if not len(groups) or 2 * np.unique(groups, return_counts=True)[1].max() > len(groups):
        raise MismatchError(
            "most pairs come from one record, so none can be set against another record's",
            fix="index more records",
        )
    order = generator.permutation(len(groups))
    for _ in range(_ROUNDS):
        clashes = np.flatnonzero(groups[order] == groups)
        if not len(clashes):
            return order
        for i in clashes:
            j = generator.integers(len(groups))
            order[i], order[j] = order[j], order[i]
    # After sorting by group and rotating by the largest group's size, no item is in its own group
    by_group = np.argsort(groups, kind="stable")
    largest = np.unique(groups, return_counts=True)[1].max()
    order[by_group] = np.roll(by_group, largest)
    return order


DISCOUNT: Final = 3
_BLOCK: Final = 2000  # words whose contexts are in memory at once


def strength_of_context(words: Sparse) -> NDArray[np.float64]:
    """Score words by how well they predict the other words of their records.

    Parameters
    ----------
    words : scipy.sparse.csr_array, shape (records, words)
        Not 0 if the record has the word.

    Returns
    -------
    ndarray of float64, shape (words,)
        0 for a word in fewer than two records.
    """
    present = presence(words, np.int32)
    n = np.bincount(present.indices, minlength=words.shape[1])
    scores = np.zeros(words.shape[1])
    repeated = np.flatnonzero(n > 1)
    inside = present[:, repeated].tocsr()
    across = inside.T.tocsr()
    n = n[repeated]
    log_n = np.log(n)
    for start in range(0, len(repeated), _BLOCK):
        both = across[start : start + _BLOCK] @ inside
        w = np.repeat(np.arange(start, start + both.shape[0]), np.diff(both.indptr))
        n_wv = both.data
        pmi = np.log(n_wv) + np.log(words.shape[0]) - log_n[w] - log_n[both.indices]
        value = n_wv / (n_wv + DISCOUNT) * n_wv * np.maximum(pmi, 0.0)
        value[w == both.indices] = 0.0
        sums = np.bincount(w - start, weights=value, minlength=both.shape[0])
        scores[repeated[start : start + _BLOCK]] = sums / n[start : start + _BLOCK]
    return scores


def read_pairs(path: Path) -> list[tuple[str, str]]:
    """Read pairs of sentences.

    Raises
    ------
    InputError
        If the file cannot be read or is empty, or a line does not have two columns.
    """
    pairs = []
    with open_text(path) as file:
        for number, line in enumerate(file, 1):
            columns = line.rstrip("\r\n").split("\t")
            if len(columns) != 2:
                raise InputError(
                    f"{len(columns)} columns, not two sentences", where=f"{path}:{number}"
                )
            pairs.append((columns[0], columns[1]))
    return pairs


def top_half(scores: ArrayLike, seed: int = 0) -> NDArray[np.bool_]:
    """Select the half of the pairs with the highest scores; the seed breaks ties at random."""
    values = np.asarray(scores, dtype=np.float64)
    lots = np.random.default_rng(seed).permutation(len(values))
    chosen = np.zeros(len(values), dtype=bool)
    chosen[np.lexsort((lots, -values))[: len(values) // 2]] = True
    return chosen


def break_even(scores: ArrayLike, related: ArrayLike, seed: int = 0) -> float:
    """Return the precision-recall break-even: the percentage of related pairs in the top half.

    Parameters
    ----------
    scores : array_like of float, shape (pairs,)
    related : array_like of bool, shape (pairs,)
        Half of the values are true.
    seed : int
        Seed for breaking ties, since many pairs share no feature.
    """
    chosen = top_half(scores, seed)
    return 100.0 * float(np.asarray(related, dtype=bool)[chosen].mean())
