"""Tests of what all collections share."""

import urllib.parse
from pathlib import Path

import pytest

from relsent_ir.datasets import COLLECTIONS, fetch
from relsent_ir.errors import InputError, UsageError


def test_every_collection_says_what_it_is() -> None:
    """Nothing is left empty, and the address is a folder on the web; the sample has none."""
    for name, collection in COLLECTIONS.items():
        assert collection.name == name
        assert all((collection.content, collection.size, collection.licence))
        if name == "sample":
            continue
        address = urllib.parse.urlsplit(collection.web)
        assert address.scheme == "https"
        assert address.path.endswith("/")


def test_unknown_names_and_flags_that_do_not_fit_are_usage_errors(tmp_path: Path) -> None:
    """The fix names what there is."""
    with pytest.raises(UsageError, match=r"no collection medline .*cystic-fibrosis, ohsumed"):
        fetch("medline", output=tmp_path)
    with pytest.raises(UsageError, match="--from and --url"):
        fetch("ohsumed", source=tmp_path, url="https://host/", output=tmp_path)
    with pytest.raises(UsageError, match="--files chooses PubMed's files"):
        fetch("ohsumed", files="1", output=tmp_path)
    with pytest.raises(UsageError, match="no web address"):
        fetch("ohsumed", url="host", output=tmp_path)


@pytest.mark.parametrize("name", ["cystic-fibrosis", "ohsumed", "pubmed-baseline"])
def test_a_source_that_is_not_there_is_an_input_error(tmp_path: Path, name: str) -> None:
    """The folder is named, and nothing is written."""
    files = "all" if name.startswith("pubmed") else None
    with pytest.raises(InputError, match="nowhere: there is no such folder"):
        fetch(name, source=tmp_path / "nowhere", output=tmp_path, files=files)
    assert list(tmp_path.iterdir()) == []
