"""Huber+ in a tenth of its size, as it comes with the package.

It has the words of most sentences and the parts that several sentences have; vectors and weights
are in 8 bits, frequencies in 8 bits of their logarithm. It has no associations. Where it is
matched, those of the collection take their place, and the collection's frequencies are added
(`relsent_ir.related.matching.stages`): a name that only this collection has is rare there, and a
word that all its sentences have says little.
"""

from typing import Any, Final

import numpy as np

from relsent_ir.models import check_arrays
from relsent_ir.related.associations import Associations
from relsent_ir.related.tokens import LONGEST, SHORTEST
from relsent_ir.typing import NDArray

_ASCENDING: Final = ("word_ends", *(f"substrings_{n}" for n in range(SHORTEST, LONGEST + 1)))
_VECTORS: Final = ("vectors", "part_vectors")
_WEIGHTS: Final = ("both", "one")
_MOST: Final = 127  # of a signed byte
_LEVELS: Final = 255

Arrays = dict[str, NDArray[Any]]


def encode(arrays: Arrays) -> Arrays:
    """Write the arrays of a model of Huber+ small; `decode` reads them."""
    omitted = {"total", "association_starts", "association_words", "associations"}
    packed = {name: array for name, array in arrays.items() if name not in omitted}
    for name in _ASCENDING:
        steps = np.diff(arrays[name], prepend=0)  # 0 or more; in the smallest type that holds them
        packed[name] = steps.astype(np.min_scalar_type(int(steps.max(initial=0))))
    for name in _VECTORS:
        packed[name], packed[f"{name}_size"] = to_bytes(arrays[name].astype(np.float32))
    for name in _WEIGHTS:
        numbers, packed[f"{name}_size"] = to_bytes(arrays[name][None])
        packed[name] = numbers[0]
    step = np.log1p(arrays["collection"][0]) / _LEVELS
    packed["frequency"] = np.rint(np.log1p(arrays["frequency"]) / step).astype(np.uint8)
    return packed


def decode(packed: Arrays) -> Arrays:
    """Read the arrays of `encode`, without associations; totals are the numbers of sentences.

    Raises
    ------
    KeyError
        If one is missing.
    ValueError
        If two do not fit together.
    """
    kinds = {"frequency": "bytes n", "collection": "float 2"}
    for name in _WEIGHTS:
        kinds |= {name: "int n", f"{name}_size": "float 1"}
    for name in _VECTORS:
        kinds |= {name: f"int {name} dimensions", f"{name}_size": f"float {name}"}
    check_arrays(packed, kinds)
    arrays = {name: array for name, array in packed.items() if not name.endswith("_size")}
    for name in _ASCENDING:
        arrays[name] = np.cumsum(packed[name], dtype=np.int64)
    for name in _VECTORS:
        arrays[name] = from_bytes(packed[name], packed[f"{name}_size"]).astype(np.float16)
    for name in _WEIGHTS:
        arrays[name] = from_bytes(packed[name][None], packed[f"{name}_size"])[0]
    step = np.log1p(packed["collection"][0]) / _LEVELS
    levels = np.rint(np.expm1(np.arange(_LEVELS + 1) * step)).astype(np.int32)
    arrays["frequency"] = levels[packed["frequency"]]
    arrays["total"] = arrays["frequency"].astype(np.int64)
    return {**arrays, **Associations.none(len(packed["word_ends"])).to_arrays()}


def to_bytes(vectors: NDArray[np.floating]) -> tuple[NDArray[np.int8], NDArray[np.float32]]:
    """Round each vector to whole 127ths of its largest number; `from_bytes` reads them.

    Returns
    -------
    numbers : ndarray of int8, as `vectors`
    sizes : ndarray of float32, shape (vectors,)
    """
    sizes = np.abs(vectors).max(axis=1, initial=0.0).astype(np.float32) / np.float32(_MOST)
    divisors = np.where(sizes > 0.0, sizes, np.float32(1.0))[:, None]
    return np.rint(vectors / divisors).astype(np.int8), sizes


def from_bytes(numbers: NDArray[np.int8], sizes: NDArray[np.floating]) -> NDArray[np.float32]:
    """Return the vectors of `to_bytes`."""
    return numbers.astype(np.float32) * sizes.astype(np.float32)[:, None]
