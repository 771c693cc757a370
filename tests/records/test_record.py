"""A record and its sentences."""

import re
from pathlib import Path

import pytest

from relsent_ir import records
from relsent_ir.records import Record, Section, Sentence
from relsent_ir.records.record import shown

RECORD = Record(
    "001",
    "A title of mice.",
    vernacular_title="Ein Titel.",
    sections=(
        Section("Mice ran. They stopped", "AIM", "OBJECTIVE"),
        Section("They slept. All of them woke.", "RESULT", "RESULTS"),
    ),
)


def _numbered(record: Record) -> list[tuple[int, str]]:
    return [(sentence.n, sentence.text) for sentence in record.sentences()]


def test_sentences_are_numbered_from_the_title() -> None:
    """0 is the title, or else the vernacular one; no sentence crosses a section's border."""
    assert _numbered(RECORD) == [
        (0, "A title of mice."),
        (1, "Mice ran."),
        (2, "They stopped"),
        (3, "They slept."),
        (4, "All of them woke."),
    ]
    assert _numbered(Record("1", sections=(Section("Mice ran."),))) == [(1, "Mice ran.")]
    assert _numbered(Record("1", "Of mice? And men.")) == [(0, "Of mice? And men.")]
    assert _numbered(Record("1")) == []
    assert _numbered(Record("1", vernacular_title="Mäuse.")) == [(0, "Mäuse.")]
    assert _numbered(RECORD)[0] == (0, "A title of mice.")
    assert [sentence.id for sentence in RECORD.sentences()][:2] == ["001.0", "001.1"]
    assert Sentence("10.1002/x.1", 3, "Mice ran.").id == "10.1002/x.1.3"


def test_body_tells_sections() -> None:
    """Each sentence of the abstract comes with the section that it is in."""
    assert [(section.label, text) for section, text in RECORD.body()] == [
        ("AIM", "Mice ran."),
        ("AIM", "They stopped"),
        ("RESULT", "They slept."),
        ("RESULT", "All of them woke."),
    ]
    assert Record("1", "Of mice").body() == []


LACKING = {
    "pubmed_fields": {"citations", "labels", "printed_in"},
    "medline_text": {"citations", "labels", "printed_in", "references"},
}
"""The fields that a format of NLM's has nowhere."""


@pytest.mark.parametrize("reader", LACKING)
def test_every_field_is_read(reader: str) -> None:
    """Each format of NLM's fills each field that it has."""
    source = (Path(records.__file__).parent / f"{reader}.py").read_text("utf-8")
    lost = {name for name in Record.__slots__ if not re.search(rf'"{name}"|\b{name}=', source)}
    lost -= LACKING[reader]
    assert not lost, f"records/{reader}.py reads no {lost}; if the format has none: in LACKING here"


def test_fields_that_are_shown() -> None:
    """Those of `SHOWN` have their name as a heading, and several values in one text."""
    record = Record("1", keywords=("Lung", "Ants"), languages=("eng",))
    found = dict(shown(record))
    assert (found["Keywords"], found["Affiliations"]) == ("Lung; Ants", "")
    assert "Languages" not in found
