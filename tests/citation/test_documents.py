"""Articles as topics."""

from collections import Counter

from relsent_ir.citation.documents import (
    MESH,
    TITLE,
    mesh_text,
    record_segments,
    text_segments,
    topic_text,
)
from relsent_ir.citation.thesaurus import Thesaurus
from relsent_ir.lucene.analyzers import Analysis
from relsent_ir.moves import default_model, tag_record
from relsent_ir.records import Mesh, Record, Section

RECORD = Record(
    "1",
    title="Ants at work.",
    sections=(
        Section("We study ants.", "OBJECTIVE", "OBJECTIVE"),
        Section("Ants sleep.", "RESULTS", "RESULTS"),
    ),
    mesh=(Mesh("Ants", ("*behavior",), True),),
    chemicals=("Formic acid",),
)
ANALYSIS = Analysis("none", ())
TAGGED = (*RECORD.title_sentence(), *tag_record(default_model(), RECORD))


def test_text():
    """Title, abstract, headings with qualifiers and chemicals; or some of them."""
    assert mesh_text(RECORD) == "Ants *behavior Formic acid"
    assert topic_text(RECORD) == (
        "Ants at work. We study ants. Ants sleep. Ants *behavior Formic acid"
    )
    assert topic_text(RECORD, ["title"]) == "Ants at work."
    assert topic_text(Record("2")) == ""


def test_segments():
    """Labels give the moves, with score 1."""
    found = record_segments(RECORD, TAGGED, ANALYSIS)
    assert [(s.part, s.score) for s in found] == [
        (TITLE, 1.0), ("PURPOSE", 1.0), ("RESULTS", 1.0), (MESH, 1.0),
    ]  # fmt: skip
    assert found[2].terms == Counter(["ants", "sleep"])
    assert record_segments(Record("2"), (), ANALYSIS) == []


def test_segments_with_concepts():
    """What the thesaurus finds in a sentence is among its terms."""
    thesaurus = Thesaurus([("Ant", "ants"), ("Rest", "sleep")])
    found = record_segments(RECORD, TAGGED, ANALYSIS, thesaurus)
    assert found[2].terms == Counter(["ants", "sleep", "mesh:Ant", "mesh:Rest"])


def test_segments_of_a_text():
    """A text is split into sentences; each has one of the moves."""
    found = text_segments("We study ants. They sleep.", default_model(), ANALYSIS)
    assert [s.terms for s in found] == [
        Counter(["we", "study", "ants"]), Counter(["they", "sleep"])
    ]  # fmt: skip
    assert text_segments("", default_model(), ANALYSIS) == []
