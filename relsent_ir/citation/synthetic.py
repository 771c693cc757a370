"""Invented citation graphs of any size, to measure what a benchmark costs."""

from typing import Final

import numpy as np

MEAN_REFERENCES: Final = 30
SPREAD: Final = 1.5
"""Standard deviation of the logarithm of how often works are cited."""


def synthetic_references(references: int, seed: int = 0) -> tuple[list[str], list[list[str]]]:
    """Invent records and their references: a third inside the collection, some works cited a lot.

    Parameters
    ----------
    references : int
        In all, duplicates included.
    seed : int

    Returns
    -------
    ids : list of str, length n
    references : list of list of str, length n
    """
    chance = np.random.default_rng(seed)
    n = max(2, references // MEAN_REFERENCES)
    lengths = np.bincount(chance.integers(0, n, references), minlength=n)
    works = n + references // 6
    popularity = np.cumsum(chance.lognormal(0.0, SPREAD, works))
    inside = chance.random(references) < 1 / 3
    drawn = np.searchsorted(popularity, chance.random(references) * popularity[-1])
    cited = np.where(inside, drawn % n, drawn)
    names = [f"{work:08d}" for work in range(works)]
    ends = np.cumsum(lengths)
    flat = [names[work] for work in cited.tolist()]
    lists = [
        flat[end - size : end] for end, size in zip(ends.tolist(), lengths.tolist(), strict=True)
    ]
    return names[:n], lists
