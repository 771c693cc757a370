"""The pair corpus (Smith & Wilbur 2010, section 2.1): neighbours are related, permuted ones not."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from relsent_ir.errors import MismatchError
from relsent_ir.related.content import content_sentences
from relsent_ir.related.corpus import Corpus

LEAST_WORDS: Final = 3
_ROUNDS: Final = 1000


@dataclass(frozen=True)
class Pairs:
    """Pairs of sentences: first all positive ones, then as many negative ones.

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
        """Put drawn pairs one behind the other."""
        names = "a", "b", "related"
        return cls(*(np.concatenate([getattr(part, name) for part in parts]) for name in names))

    def __len__(self) -> int:
        return len(self.a)


def surviving(corpus: Corpus, content_share: float = 1.0) -> NDArray[np.bool_]:
    """Tell which sentences the pairs are made of.

    Those of three or more words that are no titles; and of these the share that holds a content
    word (see `relsent_ir.related.content`), 1 being all.
    """
    kept: NDArray[np.bool_] = (corpus.sentences.lengths >= LEAST_WORDS) & (corpus.number > 0)
    return kept if content_share >= 1 else content_sentences(corpus, kept, content_share)


def neighbours(
    corpus: Corpus, kept: NDArray[np.bool_]
) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """Pair each kept sentence with the next kept one of its record."""
    rows = np.flatnonzero(kept).astype(np.int32)
    same = corpus.record[rows[:-1]] == corpus.record[rows[1:]]
    return rows[:-1][same], rows[1:][same]


def draw_pairs(
    corpus: Corpus,
    kept: NDArray[np.bool_],
    records: NDArray[np.bool_],
    n: int | None = None,
    seed: int = 0,
) -> Pairs:
    """Draw positive pairs from some records, and permute their second sentences into negatives.

    Parameters
    ----------
    corpus : Corpus
    kept : ndarray of bool, shape (sentences,)
        As `surviving` gives them.
    records : ndarray of bool, shape (records,)
        The records that may be drawn from.
    n : int, optional
        How many positive pairs; all if None or if there are fewer.
    seed : int
        The same seed and records draw the same pairs.

    Returns
    -------
    Pairs
        No negative pair lies in one record.

    Raises
    ------
    MismatchError
        If there is no pair, or most come from one record, so that they cannot be permuted.
    """
    a, b = neighbours(corpus, kept & records[corpus.record])
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
    """Draw a permutation that takes nothing to its own group.

    Raises
    ------
    MismatchError
        If a group holds more than half.
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
    return _rotated(groups)


def _rotated(groups: NDArray[np.integer]) -> NDArray[np.intp]:
    """Sorted by group and moved on by the largest group's size, each lands in another group."""
    by_group = np.argsort(groups, kind="stable")
    largest = np.unique(groups, return_counts=True)[1].max()
    order = np.empty(len(groups), dtype=np.intp)
    order[by_group] = np.roll(by_group, largest)
    return order
