"""Abstracts that have a question for their title, and learning whether an abstract answers."""

from pathlib import Path

import numpy as np
import pytest

from relsent_ir.answers.abstract_training import (
    HALVES,
    Graded,
    asks,
    general_questions,
    half,
    learn_abstracts,
    read_graded,
)
from relsent_ir.errors import InputError
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


def test_graded(tmp_path: Path) -> None:
    """A line a sentence, with the grades of its readers; others are named."""
    path = tmp_path / "g.tsv"
    path.write_text("abstracts\t1\t7.2\t2\t1\ncf\t2\t8.1\tpart\tno\n", encoding="utf-8")
    assert read_graded(path) == [
        Graded("abstracts", "1", "7.2", 1.5),
        Graded("cf", "2", "8.1", 1.5),
    ]
    for line in ("cf\t2\t8.1", "cf\t2\t8.1\t3", "cf\t2\t8.1\tmaybe", "cf", ""):
        path.write_text(f"cf\t2\t8.1\t0\n{line}\n", encoding="utf-8")
        with pytest.raises(InputError, match=r"g\.tsv:2: no collection, topic"):
            read_graded(path)


def test_learned() -> None:
    """What tells has a weight, what is always alike none; the least is the last."""
    features = np.array([[1.0, 5.0], [2.0, 5.0], [3.0, 5.0], [4.0, 5.0]])
    weights = learn_abstracts(features, np.array([False, False, True, True]), 0.6)
    assert weights.shape == (4,)
    assert weights[0] > 0
    assert weights[1] == pytest.approx(0)
    assert features[1:3] @ weights[:2] + weights[2] == pytest.approx(
        [-weights[0] / 2, weights[0] / 2]
    )
    assert weights[-1] == 0.6
