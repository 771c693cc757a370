"""What a record without a title is called."""

import pytest

from relsent_ir.records import Record, Section
from relsent_ir.records.headings import called


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
def test_called(text: str, name: str) -> None:
    """Its first sentence without a heading before it; a title is left as it is."""
    assert called(Record("1", sections=(Section(text),))) == name
    assert called(Record("1", text, sections=(Section("Bees."),))) == text
    assert called(Record("1", vernacular_title=text)) == text


def test_nothing() -> None:
    """A record without a word is called nothing."""
    assert called(Record("1")) == ""
