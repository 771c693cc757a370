"""From a record to the documents of the two indexes."""

from relsent_ir.lucene.documents import (
    ABSTRACT_FIELDS,
    SENTENCE_FIELDS,
    abstract_document,
    sentence_documents,
    sentences,
)
from relsent_ir.records import Mesh, Record, Section

RECORD = Record(
    "001",
    "A title of mice.",
    vernacular_title="Ein Titel.",
    sections=(
        Section("Mice ran. They stopped", "AIM", "OBJECTIVE"),
        Section("They slept. All of them woke.", "RESULT", "RESULTS"),
    ),
    mesh=(Mesh("Mice", ("*physiology", "genetics"), major=True), Mesh("Sleep")),
    chemicals=("Melatonin", "Water"),
)


def fields(record: Record) -> dict[str, str]:
    """The abstract document by field name."""
    return dict(zip(ABSTRACT_FIELDS, abstract_document(record), strict=True))


def test_sentences_are_numbered_from_the_title() -> None:
    """0 is the title; no sentence crosses a section's border, with or without a full stop."""
    assert list(sentences(RECORD)) == [
        (0, "A title of mice."),
        (1, "Mice ran."),
        (2, "They stopped"),
        (3, "They slept."),
        (4, "All of them woke."),
    ]


def test_abstract_without_title_starts_at_one() -> None:
    """Number 0 is the title's also where there is no title."""
    assert list(sentences(Record("1", sections=(Section("Mice ran."),)))) == [(1, "Mice ran.")]


def test_title_alone_and_nothing() -> None:
    """A record without an abstract has one sentence, an empty one has none."""
    assert list(sentences(Record("1", "Of mice? And men."))) == [(0, "Of mice? And men.")]
    assert list(sentences(Record("1"))) == []


def test_vernacular_title_stands_in() -> None:
    """It is the title's sentence only where there is no other title."""
    assert list(sentences(Record("1", vernacular_title="Mäuse."))) == [(0, "Mäuse.")]
    assert next(sentences(RECORD)) == (0, "A title of mice.")


def test_abstract_document() -> None:
    """All that is searched is in `contents`, each part in its field, the record itself in `raw`."""
    assert fields(RECORD) == {
        "id": "001",
        "contents": (
            "A title of mice. Ein Titel.\n"
            "Mice ran. They stopped They slept. All of them woke.\n"
            "Mice *physiology genetics\nSleep\nMelatonin\nWater"
        ),
        "title": "A title of mice. Ein Titel.",
        "abstract": "Mice ran. They stopped They slept. All of them woke.",
        "mesh": "Mice *physiology genetics\nSleep",
        "raw": RECORD.to_json(),
    }


def test_empty_parts_leave_no_trace() -> None:
    """A record with headings only is found by them; one with nothing has empty contents."""
    assert fields(Record("1", mesh=(Mesh("Mice"),)))["contents"] == "Mice"
    assert fields(Record("1"))["contents"] == ""


def test_sentence_documents() -> None:
    """A sentence's id is its record's and its number; `raw` is left to Java."""
    names = [name for name in SENTENCE_FIELDS if name != "raw"]
    documents = [dict(zip(names, d, strict=True)) for d in sentence_documents(RECORD)]
    assert documents[2] == {"id": "001.2", "contents": "They stopped", "record": "001", "n": "2"}
    assert len(documents) == 5
