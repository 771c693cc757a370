"""Experiments without what they read."""

import pytest

from relsent_ir.errors import MissingError
from reproduce import Request, reproduce


@pytest.mark.parametrize(
    ("name", "lacking"),
    [
        ("alamri-stevenson-2015", r"rct-train\.xml\.gz"),
        ("moves", r"rct-train\.xml\.gz"),
        ("ruch-2006", "cfquery"),
        ("shatkay-wilbur-2000", "cf74"),
        ("smith-wilbur-2010", "similarity"),
        ("tbahriti-2004", r"abstracts\.jsonl"),
    ],
)
def test_missing_collection(tmp_path, monkeypatch, name, lacking):
    """A collection that is not there is named, before anything is trained."""
    monkeypatch.setenv("RELSENT_DATA", str(tmp_path))
    monkeypatch.chdir(tmp_path)  # without what was fetched to the folder of the tests
    with pytest.raises(MissingError, match=lacking):
        reproduce(name, Request(indexes=tmp_path), tmp_path)
