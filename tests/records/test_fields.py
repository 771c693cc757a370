"""Clean text, sound ids, MeSH headings and years."""

import unicodedata

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from relsent_ir.errors import InputError
from relsent_ir.records.fields import clean, clean_all, heading, headings, record_id, year
from relsent_ir.records.record import Mesh


def test_clean():
    """White space is one space, controls go, lone surrogates are replaced; headings have names."""
    assert clean("  a\n\t b\u00a0\u2009c\u2028d ") == "a b c d"
    assert clean("a\x00b\x7fc\x9fd \x01 e") == "abcd e"
    assert clean("x\ud800y\udfffz") == "x\ufffdy\ufffdz"
    assert clean("p\u0301 \u03b1-\U0001d6fc\u200d") == "p\u0301 \u03b1-\U0001d6fc\u200d"
    assert clean(None) == clean("") == clean(" \x00 ") == ""
    assert clean_all([" a ", None, "", "\n", "b"]) == ("a", "b")
    assert headings(["Heart", "", "/*TH", "*"]) == (Mesh("Heart"),)


@settings(derandomize=True, deadline=None)
@given(st.text(st.characters(), max_size=40))
def test_clean_text_is_clean(text):
    """Whatever goes in, what comes out is stable, encodes, and has single spaces only."""
    cleaned = clean(text)
    assert clean(cleaned) == cleaned
    cleaned.encode()
    assert cleaned == " ".join(cleaned.split())
    assert not any(unicodedata.category(char) in ("Cc", "Cs") for char in cleaned)


@pytest.mark.parametrize("good", ["12345", "001", "OHSU1", "a#b.c", "ü"])
def test_ids_stay_as_they_are(good):
    """Ids are strings, and never changed."""
    assert record_id(good) == good


@pytest.mark.parametrize(
    "bad", ["", " ", "1 2", " 1", "1\n", "1\t2", "1\u00a02", "1\x00", "\ud800"]
)
def test_ids_that_no_run_can_hold(bad):
    """An id is refused rather than changed."""
    with pytest.raises(InputError):
        record_id(bad)


@pytest.mark.parametrize(
    ("text", "mesh"),
    [
        ("Heart", Mesh("Heart")),
        ("*Heart", Mesh("Heart", (), major=True)),
        ("Heart/drug effects/physiology", Mesh("Heart", ("drug effects", "physiology"))),
        ("Heart/*drug effects/physiology", Mesh("Heart", ("*drug effects", "physiology"), True)),
        ("Heart/*", Mesh("Heart", (), major=True)),
        ("Heart/*DE/PH", Mesh("Heart", ("*DE", "PH"), major=True)),
        ("Support, U.S. Gov't, P.H.S.", Mesh("Support, U.S. Gov't, P.H.S.")),
    ],
)
def test_heading(text, mesh):
    """The star makes a heading major wherever it stands, and stays with its qualifier."""
    assert heading(text) == mesh


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("2018", "2018"),
        ("2018 Jul 31", "2018"),
        ("1998 Dec-1999 Jan", "1998"),
        ("Spring 2001", "2001"),
        ("1999.0", "1999"),
        ("19991", ""),
        ("", ""),
        (None, ""),
    ],
)
def test_year(text, expected):
    """The first four digits that stand alone."""
    assert year(text) == expected
