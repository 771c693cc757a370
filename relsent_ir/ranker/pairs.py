"""What a ranker learns from: topics with features and grades, and pairs of their candidates."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from relsent_ir.typing import Floats

PAIRS: Final = 300
"""Pairs that are drawn of each topic."""


@dataclass(frozen=True, eq=False)
class Judged:
    """The candidates of a topic with their grades.

    Attributes
    ----------
    topic : str
    features : ndarray of float64, shape (n, features)
    grades : ndarray of int, shape (n,)
        0 for what is not judged.
    relevant : int
        Records judged relevant, those that are no candidates among them.
    ids : sequence of str, length n
        The candidates, where they matter.
    """

    topic: str
    features: Floats
    grades: NDArray[np.integer]
    relevant: int
    ids: Sequence[str] = ()

    @property
    def usable(self) -> bool:
        """Whether it has a relevant candidate, and another."""
        return bool((self.grades > 0).any() and (self.grades <= 0).any())

    def average_precision(self, scores: Floats) -> float:
        """Average precision of an order by scores; ties in the order of the candidates."""
        found = np.flatnonzero(self.grades[np.argsort(-scores, kind="stable")] > 0)
        if not self.relevant:
            return 0.0
        return float((np.arange(1, len(found) + 1) / (found + 1)).sum() / self.relevant)


def draw_pairs(topics: Sequence[Judged], seed: int, count: int = PAIRS) -> Floats:
    """Draw pairs of a relevant candidate and another, as many of each topic.

    What is drawn of a topic depends on nothing but the topic's place, its grades and the seed.

    Returns
    -------
    ndarray of float64, shape (pairs, features)
        The first's features less the second's.
    """
    found = []
    for place, topic in enumerate(topics):
        if not topic.usable:
            continue
        chance = np.random.default_rng((seed, place))
        better = chance.choice(np.flatnonzero(topic.grades > 0), count)
        worse = chance.choice(np.flatnonzero(topic.grades <= 0), count)
        found.append(topic.features[better] - topic.features[worse])
    return np.concatenate(found)
