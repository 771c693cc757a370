"""What sentences say to questions of yes or no."""

import numpy as np
import pytest

from relsent_ir.answers.asking import QuestionParts
from relsent_ir.answers.verdicts import (
    VERDICTS,
    Verdicts,
    denies,
    signs,
    train_verdicts,
    verdict_features,
)

STOPS = frozenset({"the", "of", "with", "in", "was"})
LESS = QuestionParts("murinol", "ratinol", "cough", "", "down")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Murinol reduced cough (P = 0.01).", ["S", "FOR", "O", "P+"]),
        ("Murinol raised cough (P = 0.3).", ["S", "AGAINST", "O", "P-"]),
        ("Murinol did not reduce cough.", ["S", "NEG", "not FOR", "O"]),
        ("Cough was more common with ratinol than with murinol.", ["O", "FOR", "C", "THAN", "S"]),
        ("More cough was seen with ratinol.", ["FOR", "O", "C"]),
        ("Cough was less common with murinol than ratinol.", ["O", "FOR", "S", "THAN", "C"]),
        ("It may differ; further trials.", ["HEDGE", "LINK", "ASK"]),
        ("Murinol not only reduced cough.", ["S", "FOR", "O"]),
        (
            "Cough was less common with murinol than with no murinol.",
            ["O", "FOR", "S", "THAN", "C"],
        ),
        ("Cough was less common without murinol.", ["O", "AGAINST", "C"]),
        ("Cough was more common in mice than with murinol.", ["O", "FOR", "THAN", "S"]),
    ],
)
def test_signs(text: str, expected: list[str]) -> None:
    """What is said of the comparator counts the other way round."""
    assert signs(LESS, text, STOPS) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Murinol and ratinol were similar for cough.", ["S", "C", "FOR", "O"]),
        ("Ratinol did not differ from murinol.", ["C", "NEG", "not AGAINST", "S"]),
        ("Cough differed between murinol and ratinol.", ["O", "AGAINST", "S", "C"]),
        ("Mice had relatives.", []),
    ],
)
def test_as_good_as(text: str, expected: list[str]) -> None:
    """What is alike speaks for it, a difference against it, whichever arm stands first."""
    parts = QuestionParts("murinol", "ratinol", "cough", "", "same")
    assert signs(parts, text, STOPS) == expected


def test_features() -> None:
    """Signs, alone and in pairs, with what yes would say; how much of the outcome is named."""
    found = verdict_features(LESS, "Murinol reduced cough.", STOPS)
    assert {"FOR", "down: FOR", "S/FOR", "FOR/O", "first FOR", "O by FOR", "S 2", "O 2"} <= found
    assert {"net 1", "negations 0"} <= found
    assert {"none", "O 0"} <= verdict_features(LESS, "Mice ran.", STOPS)


def _taught() -> Verdicts:
    texts = (
        "Murinol reduced cough.",
        "Murinol did not reduce cough.",
        "Further trials may differ.",
    )
    features = [verdict_features(LESS, text, STOPS) for text in texts for _ in range(20)]
    labels = [label for label in VERDICTS for _ in range(20)]
    held = [np.arange(60) % 3 == n for n in range(3)]
    return train_verdicts(features, labels, np.ones(60), held, np.ones(60, dtype=bool))


def test_learned() -> None:
    """Each is read; one that is not sure is unclear; a statement that denies turns it round."""
    model = _taught()
    question = "Does murinol reduce cough?"
    said = ["Murinol reduced cough.", "Murinol did not reduce cough.", "Trials may differ."]
    assert [model.read(question, text, STOPS).label for text in said] == list(VERDICTS)
    assert model.read("Murinol does not reduce cough", said[0], STOPS).label == "no"
    assert not model.read(question, said[2], STOPS).sure
    kept = Verdicts.from_arrays(model.to_arrays())
    assert kept.names == model.names
    assert kept.threshold == model.threshold
    assert kept.read(question, said[1], STOPS).label == "no"


@pytest.mark.parametrize(
    ("question", "expected"),
    [("Murinol does not help", True), ("Doesn't it help?", True), ("Does nothing help?", False)],
)
def test_denials(question: str, expected: bool) -> None:
    """A negation of the verb."""
    assert denies(question) is expected
