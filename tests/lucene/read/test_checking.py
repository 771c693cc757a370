"""Damage that is found by reading everything."""

import shutil
from pathlib import Path

import numpy as np
import pytest

from relsent_ir.errors import InputError, RelsentError
from relsent_ir.files import set_cache
from relsent_ir.lucene.memory.derived import Derived
from relsent_ir.lucene.read.collection import check_index
from relsent_ir.lucene.read.index import Index


@pytest.fixture
def folder(tmp_path: Path, sample_index: Path) -> Path:
    """A copy of the sample's indexes, with one store of derived data."""
    copy = tmp_path / "index"
    shutil.copytree(sample_index, copy)
    with Index(copy) as index:
        Derived(index, "counts", {}).open(lambda: {"n": np.arange(99)}, lambda stored: stored)
    return copy


def damage(path: Path) -> None:
    """Change one byte in the middle."""
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 0x10
    path.write_bytes(data)


def test_damaged_segment(folder: Path) -> None:
    """What was written is sound; one bit of Lucene's largest file is found."""
    assert check_index(folder) == "abstracts and sentences are sound; 1 stores of derived data"
    damage(max((folder / "sentences").iterdir(), key=lambda path: path.stat().st_size))
    with pytest.raises(InputError, match="damaged: 1 damaged segments, of 469 documents"):
        check_index(folder)


@pytest.mark.parametrize("unit", ["abstracts", "sentences"])
def test_any_damaged_file(folder: Path, unit: str) -> None:
    """One bit of any file of either index, at three places."""
    for path in sorted((folder / unit).glob("[_s]*")):
        whole = path.read_bytes()
        for place in (0, len(whole) // 2, len(whole) - 1):
            path.write_bytes(whole[:place] + bytes([whole[place] ^ 1]) + whole[place + 1 :])
            with pytest.raises(RelsentError) as told:
                check_index(folder)
            assert "\n" not in str(told.value)
        path.write_bytes(whole)
    check_index(folder)


def test_damaged_store(folder: Path) -> None:
    """One bit of an array of ours."""
    damage(next(folder.glob("derived/*/*/n.npy")))
    with pytest.raises(InputError, match=r"n.npy: .*not as it was written \(delete the folder"):
        check_index(folder)


def test_damaged_store_elsewhere(folder: Path, tmp_path: Path) -> None:
    """What is derived from an index is found where it is kept, by --cache or for want of rights."""
    set_cache(tmp_path / "cache")
    try:
        with Index(folder) as index:
            Derived(index, "counts", {}).open(lambda: {"n": np.arange(99)}, lambda stored: stored)
        assert check_index(folder).endswith("sound; 2 stores of derived data")
        damage(next(tmp_path.glob("cache/*/*/*/n.npy")))
        with pytest.raises(InputError, match=r"n.npy: .*not as it was written"):
            check_index(folder)
    finally:
        set_cache(None)


def test_no_index(tmp_path: Path) -> None:
    """Nothing to check is an error."""
    with pytest.raises(InputError, match="there is no index"):
        check_index(tmp_path)
