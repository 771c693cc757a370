"""Arrays in files, as NumPy writes them and as a stranger might."""

import errno
import os
from pathlib import Path
from tempfile import TemporaryFile

import numpy as np
import pytest

from relsent_ir.errors import InputError
from relsent_ir.models import arrays
from relsent_ir.models.arrays import read_array, take_space, write_array

ARRAYS = [
    np.arange(12, dtype=np.int32).reshape(3, 4),
    np.asfortranarray(np.arange(12.0).reshape(3, 4)),
    np.array([True, False]),
    np.array(7, dtype=np.uint16),
    np.zeros((0, 3)),
    np.array([b"ab", b"c"]),
    np.array(["αβ", "c"]),
    np.arange(3).astype(">i8"),
    np.array([1 + 2j]),
    np.zeros(1, dtype=np.int8),
]


@pytest.mark.parametrize("array", ARRAYS, ids=lambda array: f"{array.dtype}{array.shape}")
def test_as_numpy_reads_it(tmp_path: Path, array: np.ndarray):
    """Numbers and strings of any order of bytes and axes, mapped and read only."""
    np.save(tmp_path / "a.npy", array)
    found = read_array(tmp_path / "a.npy")
    expected = np.load(tmp_path / "a.npy", mmap_mode="r")
    np.testing.assert_array_equal(found, expected)
    assert (found.dtype, found.shape) == (expected.dtype, expected.shape)
    assert found.flags.f_contiguous == expected.flags.f_contiguous
    assert not found.flags.writeable
    write_array(tmp_path / "b.npy", array)
    assert (tmp_path / "b.npy").read_bytes() == (tmp_path / "a.npy").read_bytes()


def _header(text: str, version: bytes = b"\1\0", size: int | None = None) -> bytes:
    head = text.encode("latin-1") + b"\n"
    width = 2 if version == b"\1\0" else 4
    return b"\x93NUMPY" + version + (size or len(head)).to_bytes(width, "little") + head


GOOD = "{'descr': '<i4', 'fortran_order': False, 'shape': (2,), }"


def test_versions(tmp_path: Path):
    """The three versions of the format differ in the width of a number."""
    for version in (b"\1\0", b"\2\0", b"\3\0"):
        (tmp_path / "a.npy").write_bytes(_header(GOOD, version) + bytes(8))
        assert read_array(tmp_path / "a.npy").tolist() == [0, 0]


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"\x93NUMPY\1",
        b"\x93NUMPY\4\0" + _header(GOOD)[8:] + bytes(8),
        b"PK" + bytes(200),
        _header(GOOD) + bytes(7),
        _header(GOOD) + bytes(9),
        _header(GOOD, size=60000) + bytes(60000),
        _header(GOOD.replace("<i4", "|O")) + bytes(16),
        _header(GOOD.replace("<i4", "<i3")) + bytes(6),
        _header(GOOD.replace("'<i4'", "[('a', '<i4')]")) + bytes(8),
        _header(GOOD.replace("(2,)", "(-2,)")),
        _header(GOOD.replace("(2,)", "(999999999999999999,)")),
        _header(GOOD.replace("(2,)", "(" + "9999999, " * 9 + "0)")),
        _header(GOOD.replace("(2,)", "__import__('os')")) + bytes(8),
        _header("(" * 500),
    ],
)
def test_damaged(tmp_path: Path, data: bytes):
    """One line for a header that is none of NumPy's, or does not fit the file."""
    (tmp_path / "a.npy").write_bytes(data)
    with pytest.raises(InputError, match=r"a\.npy: the array is damaged"):
        read_array(tmp_path / "a.npy")


def test_no_file(tmp_path: Path):
    """A missing file is the caller's to tell of; a folder cannot be read."""
    with pytest.raises(FileNotFoundError):
        read_array(tmp_path / "a.npy")
    with pytest.raises(InputError, match="cannot be read"):
        read_array(tmp_path)


@pytest.mark.parametrize("error", [None, errno.EOPNOTSUPP, errno.ENOSPC])
def test_space(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, error: int | None):
    """Where the file system cannot allot, zeros are written; no space is an error."""

    def fail(*_: object) -> None:
        assert error is not None
        raise OSError(error, os.strerror(error))

    if error is not None:
        monkeypatch.setattr(arrays.os, "posix_fallocate", fail)
    with TemporaryFile(dir=tmp_path) as file:
        if error == errno.ENOSPC:
            with pytest.raises(OSError, match="No space"):
                take_space(file, 3_000_000)
            return
        take_space(file, 3_000_000)
        about = os.fstat(file.fileno())
        assert about.st_size == 3_000_000
        assert about.st_blocks * 512 >= 3_000_000
