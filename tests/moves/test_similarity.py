"""Likeness of sentences and title after long forms gave way to abbreviations."""

import pytest

from relsent_ir.moves.similarity import shorten, title_similarities


def test_long_forms_give_way_everywhere() -> None:
    """What one text defines is replaced in all, whatever the case."""
    texts = ["Murine fever virus and mice", "The murine fever virus (MFV) is rare.", "Murine fever"]
    assert shorten(texts) == ["mfv and mice", "the mfv (mfv) is rare.", "murine fever"]


def test_cosine_by_hand() -> None:
    """Function words and numbers do not count."""
    found = title_similarities("Murinol in old mice", ["We gave mice murinol.", "The 3 of 4.", ""])
    assert found == [pytest.approx(2 / (3 * 3) ** 0.5), 0.0, 0.0]


def test_abbreviation_makes_alike() -> None:
    """A title with the long form and a sentence with the short form share a word."""
    sentences = ["Murine fever virus (MFV) is rare.", "MFV kills."]
    assert title_similarities("Murine fever virus", sentences)[1] == pytest.approx(0.5**0.5)


def test_no_title() -> None:
    """Without a title nothing is alike."""
    assert title_similarities("", ["Mice eat."]) == [0.0]
