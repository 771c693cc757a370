"""Checks that arrays fit together: a stranger's model must not be indexed out of bounds."""

from collections.abc import Mapping
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

_KINDS: Final = {"float": "f", "int": "iu", "bytes": "u"}


def check_arrays(
    arrays: Mapping[str, NDArray[Any]], wanted: Mapping[str, str], **sizes: int
) -> None:
    """Check that arrays are there, and have kinds and shapes that belong together.

    Parameters
    ----------
    arrays : mapping of str to ndarray
    wanted : mapping of str to str
        Of each array the kind (``float``, ``int``, ``bytes``) and its sizes: a number, the name of
        one of `sizes`, or another name, which is the same size wherever it stands.
    **sizes : int
        Sizes that are known.

    Raises
    ------
    KeyError
        If an array is missing.
    ValueError
        If one is of another kind or shape.
    """
    agreed = dict(sizes)
    for name, described in wanted.items():
        kind, *shape = described.split()
        array = arrays[name]
        fits = array.dtype.kind in _KINDS[kind] and array.ndim == len(shape)
        fits = fits and (kind != "bytes" or array.dtype == np.uint8)
        for size, actual in zip(shape, array.shape, strict=False):
            fits = fits and actual == (
                int(size) if size.isdigit() else agreed.setdefault(size, actual)
            )
        if not fits:
            raise ValueError(f"{name} does not fit the other arrays")


def check_starts(starts: NDArray[Any], total: int) -> None:
    """Check that offsets begin at 0, never fall and end at `total`, as those of sparse rows do.

    Raises
    ------
    ValueError
        If they do not.
    """
    if starts[0] != 0 or starts[-1] != total or (starts[1:] < starts[:-1]).any():
        raise ValueError("offsets that are out of order")


def check_places(places: NDArray[Any], size: int) -> None:
    """Check that indices are from 0 to below `size`.

    Raises
    ------
    ValueError
        If one is not.
    """
    if len(places) and (places.min() < 0 or places.max() >= size):
        raise ValueError("indices that are out of bounds")
