"""Weights in safetensors files, mapped into memory after a check of the header.

The format is a length, a JSON header and the numbers. No pickle is ever read.
"""

import json
import math
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from relsent_ir.errors import InputError
from relsent_ir.files import input_errors

FILE: Final = "model.safetensors"
_LONGEST: Final = 1 << 24  # bytes of a header; that of BERT-large has 50,000
_SIZES: Final = {"F32": 4, "F16": 2, "BF16": 2, "F64": 8, "I64": 8, "I32": 4, "I8": 1, "U8": 1}
_FLOATS: Final = {"F32": "<f4", "F16": "<f2"}
_MEND: Final = "fetch the model again"


def read_weights(path: Path) -> dict[str, NDArray[np.float32]]:
    """Map the arrays of floats of a safetensors file; other arrays are ignored.

    Half precision becomes single precision, in memory.

    Raises
    ------
    InputError
        If the file cannot be read, or its header describes other numbers than the file holds;
        no number is read before that check.
    """
    with input_errors(path), path.open("rb") as file:
        size = path.stat().st_size
        length = int.from_bytes(file.read(8), "little")
        if size < 8 or length > min(size - 8, _LONGEST):
            raise _damaged(path, "its header is longer than the file")
        header = file.read(length)
    try:
        described = json.loads(header)
        parts = {name: _part(part) for name, part in described.items() if name != "__metadata__"}
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
        raise _damaged(path, "its header cannot be read") from None
    start, end = 8 + length, 0
    for name, (_, shape, first, last, wide) in sorted(parts.items(), key=lambda item: item[1][2:4]):
        if first < end or last > size - start:
            what = "overlaps another" if first < end else "ends behind the file"
            raise _damaged(path, f"{name[:80]} {what}")
        if last - first != wide * math.prod(shape):
            raise _damaged(path, f"{name[:80]} has another size than its shape {shape[:8]}")
        end = last
    if size == start:
        return {}
    whole: Any = np.memmap(path, np.uint8, "r", start)
    return {
        name: _floats(whole[first:last], dtype).reshape(shape)
        for name, (dtype, shape, first, last, _) in parts.items()
        if dtype in _FLOATS or dtype == "BF16"
    }


def _part(described: Any) -> tuple[str, tuple[int, ...], int, int, int]:
    """Check the types of one entry: dtype, shape, offsets, and bytes a number."""
    dtype, shape = described["dtype"], tuple(described["shape"])
    first, last = described["data_offsets"]
    if not all(type(number) is int and number >= 0 for number in (*shape, first, last)):
        raise ValueError(dtype)
    if len(shape) > 8 or first > last:
        raise ValueError(dtype)
    return dtype, shape, first, last, _SIZES[dtype]


def _floats(data: NDArray[np.uint8], dtype: str) -> NDArray[np.float32]:
    if dtype == "BF16":  # the upper half of a single
        return (np.frombuffer(data, "<u2").astype(np.uint32) << 16).view(np.float32)
    return np.frombuffer(data, _FLOATS[dtype]).astype(np.float32, copy=False)


def _damaged(path: Path, problem: str) -> InputError:
    return InputError(f"the weights are damaged: {problem}", where=path, fix=_MEND)
