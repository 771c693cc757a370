"""Tests of bringing a file from a folder or from the web."""

import hashlib
from pathlib import Path
from typing import Any

import pytest

from relsent_ir.datasets.checksum import Checksum
from relsent_ir.datasets.origin import Origin
from relsent_ir.errors import InputError, OutputError

PAGE = b"an invented file"
SUM = Checksum("sha256", hashlib.sha256(PAGE).hexdigest(), len(PAGE))


def silent(_done: int, _total: int | None) -> None:
    """Report nothing."""


def test_a_file_comes_from_the_folder_once(tmp_path: Path) -> None:
    """It is copied, and left alone when it is there."""
    source, path = tmp_path / "from", tmp_path / "to" / "a"
    source.mkdir()
    (source / "a").write_bytes(PAGE)
    origin = Origin("http://127.0.0.1:9/", source)
    assert origin.bring("a", path, SUM, silent)
    assert path.read_bytes() == PAGE
    assert not origin.bring("a", path, SUM, silent)


def test_without_a_folder_it_comes_from_the_web(site: Any, tmp_path: Path) -> None:
    """The name is appended to the address."""
    site.pages["/x/a"] = PAGE
    assert Origin(site.url + "x/").bring("a", tmp_path / "a", SUM, silent)
    assert (tmp_path / "a").read_bytes() == PAGE


@pytest.mark.parametrize(
    ("content", "problem"),
    [(None, "No such file"), (b"short", "5 bytes where 16"), (PAGE[::-1], "its sha256 sum is")],
)
def test_a_wrong_source_is_named_and_nothing_copied(
    tmp_path: Path, content: bytes | None, problem: str
) -> None:
    """Missing, cut or changed: the old copy stays."""
    source, path = tmp_path / "from", tmp_path / "a"
    source.mkdir()
    path.write_bytes(b"old")
    if content is not None:
        (source / "a").write_bytes(content)
    with pytest.raises(InputError, match=rf"from/a: .*{problem}"):
        Origin("http://127.0.0.1:9/", source).bring("a", path, SUM, silent)
    assert path.read_bytes() == b"old"


def test_a_folder_in_the_way_is_an_output_error(tmp_path: Path) -> None:
    """The place is named."""
    (tmp_path / "a").write_bytes(PAGE)
    (tmp_path / "to" / "a").mkdir(parents=True)
    with pytest.raises(OutputError, match="to/a"):
        Origin("http://127.0.0.1:9/", tmp_path).bring("a", tmp_path / "to" / "a", SUM, silent)
