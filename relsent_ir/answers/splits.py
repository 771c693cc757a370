"""Folds by record: all questions of an article are on one side."""

import hashlib
from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray


def fold(record: str, k: int, seed: int = 0) -> int:
    """Give the fold of a record, from 0 to k - 1; a hash of its id decides, nothing else."""
    digest = hashlib.blake2b(f"{seed}:{record}".encode(), digest_size=8).digest()
    return int.from_bytes(digest) % k


def folds(records: Sequence[str], k: int, seed: int = 0) -> Iterator[NDArray[np.bool_]]:
    """Yield for each fold which of the records are in it; shape (len(records),)."""
    places = np.array([fold(record, k, seed) for record in records], dtype=np.int64)
    for number in range(k):
        yield places == number
