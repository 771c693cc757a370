"""A record and its sentences."""

from relsent_ir.records import Record, Section, Sentence
from relsent_ir.records.named import SEVERAL, SINGLE

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


def test_every_field_has_a_name() -> None:
    """CSV, JSON, BibTeX and RIS have each field, else they would lose it in silence."""
    whole = {"sections": "abstract", "own": "own"}  # written in another way
    fields = {whole.get(name, name) for name in Record.__slots__}
    lost = fields - {*SINGLE, *SEVERAL, "own"}
    assert not lost, f"records/named.py has not {lost}: a name in SINGLE or SEVERAL"
