"""Titles that ask, the forms of questions, and folds."""

import numpy as np
import pytest

from recipes.answers.titles import HALVES, all_forms, asks, fold, folds, general_questions, half
from relsent_ir.answers.questions import Asked, Taggers
from relsent_ir.moves import default_model
from relsent_ir.records import Record, Section


def test_folds() -> None:
    """A record is in one fold; it depends on id and seed, and on nothing else."""
    records = [str(n % 30) for n in range(90)]
    found = np.array(list(folds(records, 5)))
    assert (found.sum(axis=0) == 1).all()
    assert (found[:, :30] == found[:, 30:60]).all()
    assert fold("123", 10) == fold("123", 10)
    assert {fold(str(n), 3) for n in range(50)} == {0, 1, 2}
    assert [fold(str(n), 9, 0) for n in range(20)] != [fold(str(n), 9, 1) for n in range(20)]


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
    assert asks(Record("1", title, year="1999")) is expected


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


def test_all_forms(questions: list[Asked]) -> None:
    """Structured abstracts are learned from without their labels too, all with whole questions."""
    bare = Asked("1", "Why?", Record("1", sections=(Section("Mice died."),)), ("Mice died.",))
    found = all_forms([*questions[:2], bare], Taggers(default_model()))
    ids = ["000w", "000e", "1", "000w", "000e", "000w", "000e", "1"]
    assert [p.question.id for p in found] == ids
    assert [p.whole for p in found] == [False] * 5 + [True] * 3
    first, second = found[0], found[3]
    assert {s.score for s in first.tagged} == {1.0}
    assert max(s.score for s in second.tagged) < 1.0
    assert [s.text for s in first.tagged] == [s.text for s in second.tagged]
