"""Articles as topics."""

from relsent_ir.citation.documents import mesh_text, topic_text
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


def test_text():
    """Title, abstract, headings with qualifiers and chemicals; or some of them."""
    assert mesh_text(RECORD) == "Ants *behavior Formic acid"
    assert topic_text(RECORD) == (
        "Ants at work. We study ants. Ants sleep. Ants *behavior Formic acid"
    )
    assert topic_text(RECORD, ["title"]) == "Ants at work."
    assert topic_text(Record("2")) == ""
