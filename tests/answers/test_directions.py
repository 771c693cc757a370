"""Which way sentences point."""

import numpy as np
import pytest

from recipes.answers.verdicts import train_verdicts
from relsent_ir.answers.directions import VERDICTS, Verdicts, signs, verdict_features
from relsent_ir.answers.language import QuestionParts, parse

FEW = frozenset({"the", "of", "with", "in", "was"})
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
    assert signs(LESS, text, FEW) == expected


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
    assert signs(parts, text, FEW) == expected


def test_verdicts() -> None:
    """Signs, alone and in pairs; what tells is found; one that is not sure is unclear."""
    found = verdict_features(LESS, "Murinol reduced cough.", FEW)
    assert {"FOR", "down: FOR", "S/FOR", "FOR/O", "first FOR", "O by FOR", "S 2", "O 2"} <= found
    assert {"net 1", "negations 0"} <= found
    assert {"none", "O 0"} <= verdict_features(LESS, "Mice ran.", FEW)
    features, labels = _taught()
    model = _taught_verdicts()
    found = model.probabilities(features)
    assert found.sum(axis=1) == pytest.approx(np.ones(60))
    assert [VERDICTS[n] for n in found.argmax(axis=1)] == labels
    kept = Verdicts.from_arrays(model.to_arrays())
    assert kept.probabilities(features) == pytest.approx(found, abs=1e-2)
    model = _taught_verdicts()
    question = parse("Does murinol reduce cough?")
    said = ["Murinol reduced cough.", "Murinol did not reduce cough.", "Trials may differ."]
    assert [model.read(question, text, FEW).label for text in said] == list(VERDICTS)
    assert model.read(parse("Murinol does not reduce cough"), said[0], FEW).label == "no"
    assert not model.read(question, said[2], FEW).sure
    kept = Verdicts.from_arrays(model.to_arrays())
    assert kept.names == model.names
    assert kept.threshold == model.threshold
    assert kept.read(question, said[1], FEW).label == "no"


def _taught() -> tuple[list[frozenset[str]], list[str]]:
    texts = (
        "Murinol reduced cough.",
        "Murinol did not reduce cough.",
        "Further trials may differ.",
    )
    features = [verdict_features(LESS, text, FEW) for text in texts for _ in range(20)]
    return features, [label for label in VERDICTS for _ in range(20)]


def _taught_verdicts() -> Verdicts:
    return train_verdicts(*_taught(), [np.arange(60) % 3 == n for n in range(3)])


@pytest.mark.parametrize("known", [1, 2])
def test_fewer_labels(known: int) -> None:
    """Two labels, or one alone, can be learned from."""
    features, labels = _taught()
    n = 20 * known
    model = train_verdicts(features[:n], labels[:n], [])
    found = model.probabilities(features[:n]).argmax(axis=1)
    assert [VERDICTS[i] for i in found] == labels[:n]


def test_names_and_weights_that_differ_in_number() -> None:
    """Damaged arrays are refused."""
    arrays = _taught_verdicts().to_arrays()
    arrays["verdict_weights"] = arrays["verdict_weights"][1:]
    with pytest.raises(ValueError, match="verdict_weights does not fit"):
        Verdicts.from_arrays(arrays)


@pytest.mark.parametrize(
    ("question", "expected"),
    [("Murinol does not help", True), ("Doesn't it help?", True), ("Does nothing help?", False)],
)
def test_denials(question: str, expected: bool) -> None:
    """A negation of the verb."""
    assert parse(question).denies is expected
