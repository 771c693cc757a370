"""Splitting topics into those that settings are chosen on and those that they are measured on."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from relsent_ir.errors import UsageError


@dataclass(frozen=True)
class Split:
    """Topics to choose settings on, and topics to measure them on.

    Attributes
    ----------
    train, test : tuple of str
        Topic ids, in the order in which they were given; none is in both.
    """

    train: tuple[str, ...]
    test: tuple[str, ...]


def folds(topics: Sequence[str], k: int, *, seed: int = 0) -> list[Split]:
    """Split for k-fold cross-validation: each topic is in one test part.

    Parameters
    ----------
    topics : sequence of str
    k : int
        From 2 to the number of topics; the parts' sizes differ by one at most.
    seed : int
        For the shuffling: the same seed gives the same folds.
    """
    if not 2 <= k <= len(topics):
        raise UsageError(f"{k} folds of {len(topics)} topics", fix=f"from 2 to {len(topics)}")
    order = np.random.default_rng(seed).permutation(len(topics))
    fold_of = np.empty(len(topics), dtype=np.int64)
    fold_of[order] = np.arange(len(topics)) % k
    return [_split(topics, fold_of == fold) for fold in range(k)]


def random_splits(
    topics: Sequence[str], train: int, *, repeats: int = 1, seed: int = 0
) -> list[Split]:
    """Split at random, several times: a topic may be in several test parts or in none.

    Parameters
    ----------
    topics : sequence of str
    train : int
        How many topics to choose on, from 1; at least one is left to measure on.
    repeats : int
    seed : int
        The same seed gives the same splits.
    """
    if not 1 <= train < len(topics) or repeats < 1:
        raise UsageError(
            f"{repeats} splits with {train} of {len(topics)} topics to choose on",
            fix=f"from 1 to {len(topics) - 1} topics, and at least one split",
        )
    chance = np.random.default_rng(seed)
    splits = []
    for _ in range(repeats):
        test = np.ones(len(topics), dtype=bool)
        test[chance.permutation(len(topics))[:train]] = False
        splits.append(_split(topics, test))
    return splits


def _split(topics: Sequence[str], test: "np.ndarray[tuple[int], np.dtype[np.bool_]]") -> Split:
    return Split(
        tuple(topic for topic, held in zip(topics, test, strict=True) if not held),
        tuple(topic for topic, held in zip(topics, test, strict=True) if held),
    )
