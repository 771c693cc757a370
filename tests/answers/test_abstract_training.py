"""Abstracts that have a question for their title."""

import pytest

from relsent_ir.answers.abstract_training import HALVES, asks, general_questions, half, untitled
from relsent_ir.records import Record, Section

STRUCTURED = (
    Section("Mice are fat.", "AIM", "OBJECTIVE"),
    Section("Forty mice ran. They were weighed.", "METHODS", "METHODS"),
    Section("Weight fell.", "RESULTS", "RESULTS"),
    Section("Running helps mice. More is needed.", "CONCLUSION", "CONCLUSIONS"),
)
INLINE = (
    "AIM: Mice are fat. METHODS: Forty ran. RESULTS: Weight fell. CONCLUSION: It helps. So run."
)


@pytest.mark.parametrize(
    ("title", "expected"),
    [("Do mice run?", True), ("[Do mice run?].", True), ("Mice run.", False), ("", False)],
)
def test_asks(title: str, expected: bool) -> None:
    """A title that ends with a question mark, whatever closes it."""
    record = Record("1", title, year="1999")
    assert asks(record) is expected
    assert untitled(record) == Record("1", "" if expected else title, year="1999")


def test_labels_and_headings_are_taken_off() -> None:
    """The printed conclusion is the evidence, and nothing shown says where it is."""
    records = [
        Record("1", "Do mice run?", sections=STRUCTURED),
        Record("2", "Do mice run?", sections=(Section(INLINE),)),
        Record("1", "Do mice run again?", sections=STRUCTURED),
    ]
    first, second = general_questions(records)
    assert first.evidence == ("Running helps mice. More is needed.",)
    assert second.evidence == ("It helps. So run.",)
    for question in (first, second):
        (section,) = question.record.sections
        assert (section.label, section.category, question.record.title) == ("", "", "")
        assert "CONCLUSION" not in section.text
        assert question.evidence[0] in section.text
        assert question.text == "Do mice run?"


def test_what_is_no_question() -> None:
    """No question mark, no abstract, no headings, no conclusion."""
    records = [
        Record("1", "Mice run.", sections=STRUCTURED),
        Record("2", "Do mice run?"),
        Record("3", "Do mice run?", sections=(Section("They do. CONCLUSION: They do."),)),
        Record("4", "Do mice run?", sections=STRUCTURED[:3]),
    ]
    assert general_questions(records) == []


def test_halves() -> None:
    """Each id is in one, about as many in each."""
    found = [half(str(n)) for n in range(1000)]
    assert set(found) == set(HALVES)
    assert 400 < found.count(HALVES[0]) < 600
