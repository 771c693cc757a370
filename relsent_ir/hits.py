"""Ranked results: the one shape that searchers give and rerankers take."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, eq=False, slots=True)
class Hits:
    """The ranked answers to one topic: score descending, ties by id ascending.

    Attributes
    ----------
    ids : ndarray of str, shape (n,), dtype object
        Record or sentence ids.
    scores : ndarray of float64, shape (n,)
        Their scores, in descending order.
    """

    ids: NDArray[np.object_]
    scores: NDArray[np.float64]

    @classmethod
    def ranked(cls, ids: Iterable[str], scores: Iterable[float], k: int | None = None) -> "Hits":
        """Put scored ids into our order and keep the first `k` (all if None).

        Ids are compared by their UTF-8 bytes, as Lucene and trec_eval compare them.
        """
        names = list(ids)
        values = np.fromiter(scores, dtype=np.float64, count=len(names))
        by_id = sorted(range(len(names)), key=lambda i: names[i].encode())
        order = np.array(by_id, dtype=np.intp)
        order = order[np.argsort(-values[order], kind="stable")][:k]
        array = np.empty(len(names), dtype=object)
        array[:] = names
        return cls(array[order], values[order])

    def head(self, k: int) -> "Hits":
        """Give the first `k` hits."""
        return Hits(self.ids[:k], self.scores[:k])

    def without(self, hit_id: str) -> "Hits":
        """Leave one id out, such as the topic's own."""
        kept = self.ids != hit_id
        return Hits(self.ids[kept], self.scores[kept])

    def max_passage(self) -> "Hits":
        """Turn sentences into their records, each with the score of its best sentence.

        A sentence's id is its record's and a number, split at the last dot; an id without a dot
        stays as it is.
        """
        best: dict[str, float] = {}
        for sentence, score in zip(self.ids, self.scores, strict=True):
            best.setdefault(sentence.rpartition(".")[0] or sentence, score)
        return Hits.ranked(best.keys(), best.values())

    def __len__(self) -> int:
        return len(self.ids)


Run: TypeAlias = dict[str, Hits]
"""The hits of each topic, by topic id."""
