"""Arrays in files: strict reading of headers, and space that is reserved before it is mapped.

NumPy parses headers with ``ast.literal_eval``, which is not thread-safe in Python 3.11, and trusts
them. Here a header must have exactly NumPy's form, and fit the size of the file.
"""

import errno
import math
import os
import re
from collections.abc import Mapping
from pathlib import Path
from types import SimpleNamespace
from typing import IO, Any, Final

import numpy as np
from numpy.typing import NDArray

from relsent_ir.errors import InputError

_MAGIC: Final = b"\x93NUMPY"
_HEADER: Final = re.compile(
    r"\{'descr': '([<>|=][biufcSU][0-9]{1,4})', 'fortran_order': (True|False), "
    r"'shape': \(((?:[0-9]{1,18}, ?)*(?:[0-9]{1,18})?)\), *\} *\n"
)
_DIMENSIONS: Final = 32
_LONGEST: Final = 10_000  # bytes of a header; NumPy's limit
_LARGE: Final = 1 << 26  # bytes of a file from which holes are refused
_DENSE: Final = 64  # size relative to the space on disk: more cannot come from compression
_PIECE: Final = 1 << 20
_NO_ALLOCATION: Final = (errno.EINVAL, errno.EOPNOTSUPP, errno.ENOSYS)


def read_array(path: Path, *, holes: bool = True) -> NDArray[Any]:
    """Map the array of a file into memory, read-only.

    The result is not of NumPy's memory map class, whose accesses are ten times as slow.

    Parameters
    ----------
    path : Path
        A ``.npy`` file of numbers or strings.
    holes : bool
        Whether the file may be sparse: a few bytes on disk, but gigabytes in memory.

    Raises
    ------
    FileNotFoundError
        If the file does not exist.
    InputError
        If the file cannot be read, or is damaged.
    """
    try:
        with path.open("rb") as file:
            about = os.fstat(file.fileno())
            start, header = _header(file)
            dtype = np.dtype(header[1])
            shape = tuple(int(size) for size in re.findall("[0-9]+", header[3]))
            if len(shape) > _DIMENSIONS or math.prod(size or 1 for size in shape) >= 1 << 60:
                raise ValueError("its shape is none")
            if start + math.prod(shape) * dtype.itemsize != about.st_size:
                raise ValueError("its size is another")
            on_disk = 512 * getattr(about, "st_blocks", 0)
            if not holes and about.st_size > _LARGE and 0 < on_disk * _DENSE < about.st_size:
                raise ValueError("it is a hole")
            order: Any = "F" if header[2] == "True" else "C"
            return np.asarray(np.memmap(file, dtype, "r", start, shape, order))
    except FileNotFoundError:
        raise
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror or error}", where=path) from error
    except (ValueError, TypeError, ArithmeticError) as error:
        raise InputError("the array is damaged", where=path, fix="train again") from error


def _header(file: IO[bytes]) -> tuple[int, re.Match[str]]:
    """Read the header, and the position where the numbers start."""
    head = file.read(8)
    if head[:6] != _MAGIC or head[6:7] not in (b"\1", b"\2", b"\3"):
        raise ValueError("no array")
    width = 2 if head[6:7] == b"\1" else 4
    size = int.from_bytes(file.read(width), "little")
    header = _HEADER.fullmatch(file.read(size).decode("latin-1")) if size <= _LONGEST else None
    if header is None:
        raise ValueError("no header of NumPy's")
    return 8 + width + size, header


def write_array(path: Path, array: NDArray[Any]) -> None:
    """Write an array like `numpy.save`, but with errors that tell why a write failed.

    Raises
    ------
    OSError
        If the array cannot be written.
    """
    with path.open("wb") as file:
        plain: Any = SimpleNamespace(write=file.write)  # given a file, NumPy would write by itself
        np.lib.format.write_array(plain, np.asanyarray(array), allow_pickle=False)


def take_space(file: IO[bytes], size: int) -> None:
    """Extend a file with zeros, so that it can be mapped and written to.

    Writing to a map of a file with holes ends the process by SIGBUS when the disk is full.

    Raises
    ------
    OSError
        If the disk has no space.
    """
    if hasattr(os, "posix_fallocate"):
        try:
            os.posix_fallocate(file.fileno(), 0, size)
        except OSError as error:
            if error.errno not in _NO_ALLOCATION:
                raise
        else:
            return
    for start in range(0, size, _PIECE):
        file.write(bytes(min(_PIECE, size - start)))
    file.flush()


_KINDS: Final = {"float": "f", "int": "iu", "bytes": "u"}


def check_arrays(
    arrays: Mapping[str, NDArray[Any]], shapes: Mapping[str, str], **sizes: int
) -> None:
    """Check that arrays are present, and that their kinds and shapes match each other.

    Parameters
    ----------
    arrays : mapping of str to ndarray
    shapes : mapping of str to str
        The kind of each array (``float``, ``int``, ``bytes``) and its sizes: a number, the name of
        one of `sizes`, or another name, which must have the same size everywhere.
    **sizes : int
        Known sizes.

    Raises
    ------
    KeyError
        If an array is missing.
    ValueError
        If an array is of another kind or shape.
    """
    agreed = dict(sizes)
    for name, described in shapes.items():
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
    """Check that offsets start at 0, never decrease and end at `total`, as for sparse rows.

    Raises
    ------
    ValueError
        If the offsets are invalid.
    """
    if starts[0] != 0 or starts[-1] != total or (starts[1:] < starts[:-1]).any():
        raise ValueError("offsets that are out of order")


def check_places(places: NDArray[Any], size: int) -> None:
    """Check that indices are from 0 to below `size`.

    Raises
    ------
    ValueError
        If an index is not.
    """
    if len(places) and (places.min() < 0 or places.max() >= size):
        raise ValueError("indices that are out of bounds")
