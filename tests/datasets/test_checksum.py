"""Tests of sums."""

import hashlib
from pathlib import Path

import pytest

from relsent_ir.datasets.checksum import Checksum

# RFC 1321, A.5, and FIPS 180-2, B.1: the sums of "abc".
ABC = {
    "md5": "900150983cd24fb0d6963f7d28e17f72",
    "sha256": "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
}


@pytest.mark.parametrize("algorithm", ABC)
def test_the_sum_of_abc(tmp_path: Path, algorithm: str) -> None:
    """The published sums hold, and no others."""
    (tmp_path / "a").write_bytes(b"abc")
    (tmp_path / "b").write_bytes(b"abd")
    checksum = Checksum(algorithm, ABC[algorithm])
    assert checksum.holds(tmp_path / "a")
    assert checksum.problem(tmp_path / "b") == (
        f"its {algorithm} sum is {hashlib.new(algorithm, b'abd').hexdigest()} "
        f"where {ABC[algorithm]} is expected"
    )


def test_the_size_is_looked_at_first(tmp_path: Path) -> None:
    """A cut file is called short, not wrong."""
    (tmp_path / "a").write_bytes(b"ab")
    problem = Checksum("md5", ABC["md5"], 3).problem(tmp_path / "a")
    assert problem == "the file has 2 bytes where 3 are expected"


def test_what_is_not_there_does_not_hold(tmp_path: Path) -> None:
    """Neither a missing file nor a folder is whole."""
    assert not Checksum("md5", ABC["md5"]).holds(tmp_path / "a")
    assert not Checksum("md5", ABC["md5"]).holds(tmp_path)
