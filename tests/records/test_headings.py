"""What a record without a title is called."""

import pytest

from relsent_ir.records import Record, Section
from relsent_ir.records.headings import opening


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("UNLABELLED We saw ants. They ran.", "We saw ants."),
        ("UNLABELLED: We saw ants.", "We saw ants."),
        ("BACKGROUND AND AIMS The ant is small.", "The ant is small."),
        ("ABSTRACT: BACKGROUND: An ant is small.", "An ant is small."),
        ("STUDY OBJECTIVE To see ants.", "To see ants."),
        ("PURPOSE DNA repair in ants.", "DNA repair in ants."),
        ("METHODS OF TRIALS WITH ANTS", "METHODS OF TRIALS WITH ANTS"),
        ("Background noise and ants.", "Background noise and ants."),
        ("AIDS and ants.", "AIDS and ants."),
    ],
)
def test_opening(text: str, name: str) -> None:
    """Its first sentence without a heading before it; a title is no sentence of it."""
    assert opening(Record("1", sections=(Section(text),))) == name
    assert opening(Record("1", "Bees.", sections=(Section(text),))) == name


def test_nothing() -> None:
    """A record without a word has none."""
    assert opening(Record("1")) == ""
