"""Whether an abstract answers."""

import numpy as np
import pytest

from relsent_ir.answers import default_model
from relsent_ir.answers.abstracts import (
    ABSTRACT_NAMES,
    Cover,
    abstract_features,
    abstract_probabilities,
    cover,
    reworded,
)
from relsent_ir.answers.words import WordVectors
from relsent_ir.records import Record, Section, Sentence

VECTORS = WordVectors(
    ("murinol", "obes", "weight"),
    np.array([[1.0, 0.0], [0.0, 1.0], [0.6, 0.8]]),
    np.array([1, 1, 1]),
    7,
    frozenset({"does", "in", "the", "of"}),
)


def _body(*texts: str) -> list[Sentence]:
    return [Sentence("1", n, text) for n, text in enumerate(texts, 1)]


def test_cover_by_hand() -> None:
    """Known words have one idf here: half is there, the other half by a cosine of .8.

    The second sentence has one of the two words asked for, and nothing else.
    """
    record = Record("1", "Murinol")
    found = cover("Does murinol reduce weight?", record, _body("In mice.", "Weight."), VECTORS)
    assert found.covered == pytest.approx(1)
    assert found.closest == pytest.approx(1 / np.sqrt(2))
    assert found.length == 2
    found = cover("Does murinol reduce weight?", record, _body("Obese."), VECTORS)
    assert found.covered == pytest.approx(1 / 2)
    assert found.associated == pytest.approx((1 + 0.8**2) / 2)
    assert found.closest == 0
    assert found.intervenes


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("Does murinol reduce falls?", True),
        ("Does weight reduce falls?", True),  # stands for it by the vectors: .6
        ("Does murinols reduce falls?", True),  # shares its 4-grams
        ("Does ratinol reduce falls?", False),
        ("ratinol in obesity", False),
        ("Why murinol?", True),  # no rule finds the intervention: half of the words
        ("Why ratinol, and falls?", False),
    ],
)
def test_intervention(question: str, expected: bool) -> None:
    """Itself, its inflection, or a word that stands for it."""
    assert cover(question, Record("1", "Murinol in mice"), (), VECTORS).intervenes is expected


def test_empty() -> None:
    """A question of nothing covers nothing; a record without words has nothing."""
    record = Record("1", "Murinol")
    assert cover("", record, (), VECTORS) == Cover(0.0, 0.0, 0.0, 0, intervenes=True)
    nothing = Cover(0.0, 0.0, 0.0, 0, intervenes=False)
    assert cover("Does murinol reduce falls?", Record("1"), (), VECTORS) == nothing


def test_features_by_hand() -> None:
    """The gap is that to the highest score; no sentence counts as one of 1 in 1,000."""
    covers = [Cover(0.5, 0.6, 0.4, 9, True), Cover(0.1, 0.2, 0.3, 0, True)]
    found = abstract_features(covers, [8.0, 6.0], [0.5, 0.0])
    low = np.log(0.001 / 0.999)
    rows = [[0.5, 0.6, 0.4, np.log(10), 0, 1, 0], [0.1, 0.2, 0.3, 0, 0.25, 0.5, low]]
    assert found == pytest.approx(np.array(rows))
    assert abstract_features([], [], []).shape == (0, len(ABSTRACT_NAMES))
    weights = np.array([2.0, 0, 0, 0, 0, 0, 0, -1.0])
    assert abstract_probabilities(weights, found)[0] == pytest.approx(0.5)


def test_reworded() -> None:
    """Every second word with a similar one is replaced; others stay."""
    assert reworded("Does weight of obese mice fall?", VECTORS) == "Does obes of obese mice fall?"
    assert reworded("", VECTORS) == ""


def test_the_package_tells_them_apart() -> None:
    """The abstract on the drug is more probable than one on another; the second has no drug."""
    records = [
        Record("1", "Metformin and weight", sections=(Section("Weight fell with metformin."),)),
        Record("2", "Fish oil and weight", sections=(Section("Weight fell with fish oil."),)),
    ]
    bodies = [_body(record.abstract) for record in records]
    found, there = default_model().about(
        "Does metformin reduce weight?", records, bodies, [9.0, 5.0], [0.8, 0.8]
    )
    assert found[0] > found[1]
    assert there.tolist() == [True, False]
