"""Whether an abstract answers."""

import numpy as np
import pytest

from relsent_ir.answers import default_model
from relsent_ir.answers.abstracts import (
    NAMES,
    Cover,
    abstract_features,
    abstract_probabilities,
    cover,
    reworded,
)
from relsent_ir.answers.vectors import WordVectors
from relsent_ir.records import Record, Section

VECTORS = WordVectors(
    ("murinol", "obes", "weight"),
    np.array([[1.0, 0.0], [0.0, 1.0], [0.6, 0.8]]),
    np.array([1, 1, 1]),
    7,
    frozenset({"does", "in", "the", "of"}),
)


def test_cover_by_hand() -> None:
    """Known words have one idf here: half is there, the other half by a cosine of .8."""
    record = Record("1", "Murinol", sections=(Section("Obese."),))
    found = cover("Does murinol reduce weight?", record, VECTORS)
    assert found.covered == pytest.approx(1 / 2)
    assert found.associated == pytest.approx((1 + 0.8**2) / 2)
    assert found.intervenes


@pytest.mark.parametrize(
    ("intervention", "expected"),
    [
        ("murinol", True),
        ("weight", True),  # stands for it by the vectors: .6
        ("murinols", True),  # shares its 4-grams
        ("ratinol", False),
    ],
)
def test_intervention(intervention: str, expected: bool) -> None:
    """Itself, its inflection, or a word that stands for it."""
    record = Record("1", "Murinol in mice")
    assert cover(f"Does {intervention} reduce falls?", record, VECTORS).intervenes is expected


def test_empty() -> None:
    """A question of nothing covers nothing; a record without words has nothing."""
    record = Record("1", "Murinol")
    assert cover("", record, VECTORS) == Cover(0.0, 0.0, intervenes=True)
    assert cover("Does murinol reduce falls?", Record("1"), VECTORS) == Cover(0.0, 0.0, False)


def test_features_by_hand() -> None:
    """The gap is that to the highest score; no sentence counts as one of 1 in 1,000."""
    covers = [Cover(0.5, 0.6, True), Cover(0.1, 0.2, True)]
    found = abstract_features(covers, [8.0, 6.0], [0.5, 0.0])
    low = np.log(0.001 / 0.999)
    assert found == pytest.approx(np.array([[0.5, 0.6, 0.0, 0.0], [0.1, 0.2, 0.25, low]]))
    assert abstract_features([], [], []).shape == (0, len(NAMES))
    weights = np.array([2.0, 0, 0, 0, -1.0])
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
    found, there = default_model().about(
        "Does metformin reduce weight?", records, [9.0, 5.0], [0.8, 0.8]
    )
    assert found[0] > found[1]
    assert there.tolist() == [True, False]
