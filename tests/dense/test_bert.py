"""Reading safetensors: what is there, and headers that lie."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from relsent_ir.dense.bert import read_weights
from relsent_ir.errors import InputError
from tests.dense.tiny import write_safetensors


def written(path: Path, header: Any, body: bytes = b"", length: int | None = None) -> Path:
    """A file with this header."""
    text = header if isinstance(header, bytes) else json.dumps(header).encode()
    path.write_bytes((len(text) if length is None else length).to_bytes(8, "little") + text + body)
    return path


def entry(shape: list[Any], first: Any, last: Any, dtype: str = "F32") -> dict[str, Any]:
    """What a header says of an array."""
    return {"dtype": dtype, "shape": shape, "data_offsets": [first, last]}


def test_arrays_are_read(tmp_path: Path) -> None:
    """As they were written; halves become singles, whole numbers are left out."""
    a, b = np.arange(6, dtype="<f4").reshape(2, 3), np.array([1.5, -2], "<f4")
    write_safetensors(tmp_path / "w", {"a": a, "b": b})
    read = read_weights(tmp_path / "w")
    assert list(read) == ["a", "b"]
    assert np.array_equal(read["a"], a)
    assert np.array_equal(read["b"], b)
    halves = np.array([1.5, -2], "<f2").tobytes()
    upper = (np.array([3.0], "<f4").view("<u4") >> 16).astype("<u2").tobytes()
    body = halves + upper + bytes(8)
    header = {"h": entry([2], 0, 4, "F16"), "u": entry([1], 4, 6, "BF16")}
    header["n"] = entry([1], 6, 14, "I64")
    read = read_weights(written(tmp_path / "h", header, body))
    assert {name: array.tolist() for name, array in read.items()} == {"h": [1.5, -2], "u": [3.0]}
    assert all(array.dtype == np.float32 for array in read.values())


@pytest.mark.parametrize(
    ("header", "problem"),
    [
        ({"a": entry([4], 0, 16)}, "a ends behind the file"),
        ({"a": entry([2], 0, 8), "b": entry([1], 4, 8)}, "b overlaps another"),
        ({"a": entry([2**60], 0, 8)}, "a has another size than its shape"),
        ({"a": entry([2**60, 2**60], 0, 8)}, "a has another size"),
        ({"a": entry([3], 0, 8)}, "a has another size"),
        ({"a": entry([-2], 0, 8)}, "its header cannot be read"),
        ({"a": entry([2], 8, 0)}, "its header cannot be read"),
        ({"a": entry([2], 0, 8.0)}, "its header cannot be read"),
        ({"a": entry(["2"], 0, 8)}, "its header cannot be read"),
        ({"a": entry([2], 0, 8, "P64")}, "its header cannot be read"),
        ({"a": [1]}, "its header cannot be read"),
        ([1], "its header cannot be read"),
        (b"{", "its header cannot be read"),
        (b"[" * 100_000, "its header cannot be read"),
    ],
)
def test_headers_that_lie(tmp_path: Path, header: Any, problem: str) -> None:
    """Each is refused in a line, before a number is read."""
    with pytest.raises(InputError, match=problem):
        read_weights(written(tmp_path / "w", header, bytes(8)))


@pytest.mark.parametrize("length", [9, 2**40, 2**64 - 1])
def test_headers_that_are_too_long(tmp_path: Path, length: int) -> None:
    """No more than the file holds is read."""
    with pytest.raises(InputError, match="longer than the file"):
        read_weights(written(tmp_path / "w", b"{}", length=length))
    (tmp_path / "w").write_bytes(b"123")
    with pytest.raises(InputError, match="longer than the file"):
        read_weights(tmp_path / "w")
