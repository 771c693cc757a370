"""The stop list, which is fetched as it is published; the one here is invented."""

import hashlib
from pathlib import Path

import pytest

from relsent_ir.datasets import fetch, stop_lists
from relsent_ir.datasets.download import Checksum
from relsent_ir.errors import InputError
from tests.datasets.conftest import Site

WORDS = b"the\nof\n"


@pytest.fixture(autouse=True)
def known(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make an invented list the right one."""
    monkeypatch.delenv("RELSENT_DATA", raising=False)
    checksum = Checksum("sha256", hashlib.sha256(WORDS).hexdigest(), len(WORDS))
    monkeypatch.setattr(stop_lists, "CHECKSUM", checksum)


def test_from_a_mirror(tmp_path: Path, site: Site) -> None:
    """Under the web's name there, under ours here, and only once."""
    site.pages["/smart.txt"] = WORDS
    for new in (1, 0):
        fetched = fetch("stop-lists", url=site.url, output=tmp_path)
        assert (fetched.new, fetched.topics) == (new, {})
    (path,) = fetched.files
    assert path == tmp_path / "collections/originals/lists/smart-571.txt"
    assert path.read_bytes() == WORDS


def test_from_a_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Under our name; RELSENT_DATA's folder is taken by itself; another content is refused."""
    (tmp_path / "lists").mkdir()
    (tmp_path / "lists" / "smart-571.txt").write_bytes(WORDS)
    monkeypatch.setenv("RELSENT_DATA", str(tmp_path))
    assert fetch("stop-lists", output=tmp_path / "out").new == 1
    (tmp_path / "lists" / "smart-571.txt").write_bytes(WORDS[::-1])
    with pytest.raises(InputError, match="sum"):
        fetch("stop-lists", source=tmp_path / "lists", output=tmp_path / "other")
