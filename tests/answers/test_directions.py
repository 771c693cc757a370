"""Which way sentences point."""

import numpy as np
import pytest

from relsent_ir.answers.directions import (
    FINDING,
    VERDICTS,
    Directions,
    Verdicts,
    cue_direction,
    denies,
    direction_features,
    signs,
    tokens,
    verdict_features,
)
from relsent_ir.answers.language import QuestionParts

QUESTION = "Compared with placebo, what is the effect of murinol on body weight?"
STOPS = frozenset({"the", "of", "with", "than", "in", "on", "was", "and"})


def test_tokens() -> None:
    """P values are told apart at .05, by what stands before them."""
    found = tokens(
        "Weight fell by 3.1 kg (P < 0.05; p=.05, P value = 0.2, p > 0.01, P less than .01)"
    )
    assert found == ["weight", "fell", "by", "NUM", "kg", "P+", "P-", "P-", "P-", "P+"]


def test_features() -> None:
    """Arms and outcome are masked, numbers compared, and the way told after the first arm."""
    text = "Body weight was lower with murinol than placebo (70 vs 80 kg, P = 0.01)."
    found = direction_features(QUESTION, text, STOPS)
    assert {"I", "C", "O", "NUM", "P+", "O/DOWN/I", "I/than/C", "first I"} <= found
    assert {"DOWN after I", "numbers <", "numbers < after I"} <= found
    assert not any("murinol" in name or "placebo" in name for name in found)
    other = direction_features(QUESTION, "Placebo had higher weight than murinol.", STOPS)
    assert {"first C", "UP after C", "C/UP/O"} <= other


@pytest.mark.parametrize(
    ("text", "label", "sure"),
    [
        ("Weight did not rise.", "no difference", True),
        ("Weight was 3 kg (P = 0.6).", "no difference", True),
        ("Weight rose, then fell.", "increased", True),
        ("Weight fell, then rose.", "decreased", True),
        ("Weight was measured.", "no difference", False),
    ],
)
def test_cues(text: str, label: str, sure: bool) -> None:
    """No difference before all others, else the first word that points."""
    found = cue_direction(text)
    assert (found.label, found.sure) == (label, sure)


def _taught() -> tuple[list[frozenset[str]], list[str]]:
    words = {"increased": "higher", "decreased": "lower", "no difference": "similar"}
    labels = [label for label in FINDING for _ in range(20)]
    texts = [f"Weight was {words[label]} with murinol." for label in labels]
    return [direction_features(QUESTION, text, STOPS) for text in texts], labels


def test_learned() -> None:
    """What tells is found; probabilities sum to one; kept as arrays it reads alike."""
    features, labels = _taught()
    held = [np.arange(60) % 3 == n for n in range(3)]
    model = Directions.train(features, labels, held)
    found = model.probabilities(features)
    assert found.sum(axis=1) == pytest.approx(np.ones(60))
    assert [FINDING[n] for n in found.argmax(axis=1)] == labels
    read = model.read(QUESTION, "Weight was lower with murinol.", STOPS)
    assert (read.label, read.sure) == ("decreased", True)
    kept = Directions.from_arrays(model.to_arrays())
    assert kept.names == model.names
    assert kept.probabilities(features) == pytest.approx(found, abs=1e-2)
    assert kept.threshold == model.threshold


@pytest.mark.parametrize("known", [1, 2])
def test_fewer_labels(known: int) -> None:
    """Two labels, or one alone, can be learned from."""
    features, labels = _taught()
    n = 20 * known
    model = Directions.train(features[:n], labels[:n], [])
    found = model.probabilities(features[:n]).argmax(axis=1)
    assert [FINDING[i] for i in found] == labels[:n]


def test_names_and_weights_that_differ_in_number() -> None:
    """Damaged arrays are refused."""
    features, labels = _taught()
    arrays = Directions.train(features, labels, []).to_arrays()
    arrays["direction_weights"] = arrays["direction_weights"][1:]
    with pytest.raises(ValueError, match="direction_weights does not fit"):
        Directions.from_arrays(arrays)


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


def test_verdict_features() -> None:
    """Signs, alone and in pairs, with what yes would say; how much of the outcome is named."""
    found = verdict_features(LESS, "Murinol reduced cough.", FEW)
    assert {"FOR", "down: FOR", "S/FOR", "FOR/O", "first FOR", "O by FOR", "S 2", "O 2"} <= found
    assert {"net 1", "negations 0"} <= found
    assert {"none", "O 0"} <= verdict_features(LESS, "Mice ran.", FEW)


def _taught_verdicts() -> Verdicts:
    texts = (
        "Murinol reduced cough.",
        "Murinol did not reduce cough.",
        "Further trials may differ.",
    )
    features = [verdict_features(LESS, text, FEW) for text in texts for _ in range(20)]
    labels = [label for label in VERDICTS for _ in range(20)]
    held = [np.arange(60) % 3 == n for n in range(3)]
    return Verdicts.train(features, labels, held)


def test_learned_verdicts() -> None:
    """Each is read; one that is not sure is unclear; a statement that denies turns it round."""
    model = _taught_verdicts()
    question = "Does murinol reduce cough?"
    said = ["Murinol reduced cough.", "Murinol did not reduce cough.", "Trials may differ."]
    assert [model.read(question, text, FEW).label for text in said] == list(VERDICTS)
    assert model.read("Murinol does not reduce cough", said[0], FEW).label == "no"
    assert not model.read(question, said[2], FEW).sure
    kept = Verdicts.from_arrays(model.to_arrays())
    assert kept.names == model.names
    assert kept.threshold == model.threshold
    assert kept.read(question, said[1], FEW).label == "no"


@pytest.mark.parametrize(
    ("question", "expected"),
    [("Murinol does not help", True), ("Doesn't it help?", True), ("Does nothing help?", False)],
)
def test_denials(question: str, expected: bool) -> None:
    """A negation of the verb."""
    assert denies(question) is expected
