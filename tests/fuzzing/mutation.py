"""Damage: bytes of files, and arrays and facts of models, changed by chance."""

import random
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

WORDS = (b"\0", b"\r", b"\xff", b"<", b"&a;", b"\n", b"9" * 400, b"[" * 2000, b"nan", b"-1", b"\t")
VALUES = (None, "", "x", -1, 0, 1e300, [], [1], {}, {"a": None}, True)
LARGEST = 1 << 20  # bytes; what grows beyond is cut


def mutated(data: bytes, rng: random.Random) -> bytes:
    """Some edits: bytes changed, pieces cut out, repeated or put in, the end cut off."""
    for _ in range(rng.choice((1, 1, 2, 4, 16))):
        data = data[:LARGEST]
        at, end = sorted(rng.randrange(len(data) + 1) for _ in range(2))
        kind = rng.randrange(5)
        if kind == 0 and data:
            at = min(at, len(data) - 1)
            data = data[:at] + bytes([rng.randrange(256)]) + data[at + 1 :]
        elif kind == 1:
            data = data[:at] + data[end:]
        elif kind == 2:
            data = data[:end] + data[at:end] * rng.choice((1, 2, 50)) + data[end:]
        elif kind == 3:
            data = data[:at] + rng.choice(WORDS) + data[at:]
        else:
            data = data[:end]
    return data[:LARGEST]


def crafted(
    facts: Mapping[str, Any], arrays: Mapping[str, NDArray[Any]], rng: random.Random
) -> tuple[dict[str, Any], dict[str, NDArray[Any]]]:
    """Facts and arrays as a stranger might write them, with checksums that are right."""
    told, parts = dict(facts), {name: np.array(array) for name, array in arrays.items()}
    if rng.random() < 0.2 and told:
        name = rng.choice(sorted(told))
        if rng.random() < 0.5:
            del told[name]
        else:
            told[name] = rng.choice(VALUES)
        return told, parts
    name = rng.choice(sorted(parts))
    found = _changed(parts[name], rng)
    if found is None:
        del parts[name]
    else:
        parts[name] = found
    return told, parts


def _changed(array: NDArray[Any], rng: random.Random) -> NDArray[Any] | None:
    kind = rng.randrange(9)
    flat = array.reshape(-1)
    if kind == 0:
        return None
    if kind == 1:
        return array[: rng.randrange(len(array) + 1)] if array.ndim else array[None]
    if kind == 2:
        return np.concatenate([array, array[: rng.randrange(len(array) + 1)]])
    if kind == 3:
        return array[..., None] if rng.random() < 0.5 else flat
    if kind == 4:
        return array.astype(rng.choice((np.int8, np.uint64, np.float64, np.complex64, "S3")))
    if kind == 5:
        return array[::-1].copy()
    if kind == 6:
        return np.array(rng.choice((0, -1, 2**40, 0.5)))
    if not len(flat):
        return np.ones(3, dtype=array.dtype)
    changed = flat.copy()
    for _ in range(rng.choice((1, 4, 64))):
        place = rng.randrange(len(flat))
        if array.dtype.kind == "f":
            value = rng.choice((0.0, -1.0, 1e30, -6e4, float("nan"), float("inf")))
        else:
            limits = np.iinfo(array.dtype)
            value = rng.choice((limits.min, limits.max, 0, 1, 10, limits.max // 2))
        with np.errstate(over="ignore"):
            changed[place] = value
    return changed.reshape(array.shape)
