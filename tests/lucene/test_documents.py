"""From a record to the documents of the two indexes."""

from relsent_ir.lucene.documents import (
    ABSTRACT_FIELDS,
    SENTENCE_FIELDS,
    abstract_document,
    sentence_documents,
)
from relsent_ir.lucene.read.filters import CONDITIONS, FILTER_FIELDS
from relsent_ir.lucene.read.strategy import VALUES
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
        "terms": "Mice *physiology genetics\nSleep\nMelatonin\nWater",
        "affiliation": "",
    }


def test_parts() -> None:
    """A record with headings only is found by them."""
    assert fields(Record("1", mesh=(Mesh("Mice"),)))["contents"] == "Mice"
    assert fields(Record("1"))["contents"] == ""
    names = [name for name in SENTENCE_FIELDS if name != "raw"]
    documents = [dict(zip(names, d, strict=True)) for d in sentence_documents(RECORD)]
    assert documents[2] == {"id": "001.2", "contents": "They stopped", "record": "001", "n": "2"}
    assert len(documents) == 5


def test_filters_are_indexed() -> None:
    """The field of each filter has values, or nothing passes; values have a filter or a tag."""
    filtered = {condition.field for condition in CONDITIONS.values()}
    lost = filtered - set(FILTER_FIELDS)
    assert not lost, f"{lost}: in lucene/read/filters.py's _INDEXED"
    unused = set(FILTER_FIELDS) - filtered - set(VALUES.values()) - {"pmid", "year", "keyword"}
    assert not unused, f"{unused}: no attribute of Filters in lucene/read/filters.py, and no tag"
