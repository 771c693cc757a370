"""Words that negate, hedge and direct, by where they stand."""

from collections.abc import Callable

import pytest

from relsent_ir.relations.manner import (
    agent_rule,
    direction_of,
    polarity_features,
    polarity_rule,
    side_of,
    status_features,
    status_rule,
)
from relsent_ir.relations.structure import Structure

StructureOf = Callable[[str, str, str], Structure]


def test_status(structure_of: StructureOf) -> None:
    """A cue counts with its side, its distance, and what comes between; "not only" is none."""
    found = set(status_features(structure_of("Abc1 does not bind Xyz2.", "Abc1", "Xyz2")))
    assert found == {
        *("status:not", "status:between not", "status:between negation"),
        *("status:between negation far 0", "status:between negation breaks 0"),
        *("status:between negation verb", "status:between negation of 0"),
        "status:between negation with breaks 0",
    }
    text = "It may be, but in the old and tired rats Abc1 binds Xyz2."
    found = set(status_features(structure_of(text, "Abc1", "Xyz2")))
    assert {"status:left conjecture far 2", "status:left conjecture breaks 2"} <= found
    assert not list(status_features(structure_of("Abc1 not only binds Xyz2.", "Abc1", "Xyz2")))


def test_polarity(structure_of: StructureOf) -> None:
    """Verbs by their kind, nouns by where their stem leads, stems by their side."""
    found = set(polarity_features(structure_of("Abc1 blocks activation of Xyz2.", "Abc1", "Xyz2")))
    assert {"polarity:between inhibit", "polarity:between inhibit near"} <= found
    assert {"polarity:between increases", "polarity:of", "polarity:between of"} <= found


def test_an_entity_outside(structure_of: StructureOf) -> None:
    """A sentence without both entities has no such features, and the rules have a default."""
    whole = structure_of("Abc1 does not block Xyz2.", "Abc1", "Xyz2")
    lacking = Structure(whole.candidate, whole.words, whole.tags, whole.first, None, whole.phrases)
    assert not [*status_features(lacking), *polarity_features(lacking)]
    found = status_rule(lacking), polarity_rule(lacking), agent_rule(lacking)
    assert found == ("asserted", "increases", 0)


@pytest.mark.parametrize(
    ("text", "status", "polarity", "agent"),
    [
        ("Abc1 activates Xyz2.", "asserted", "increases", 0),
        ("Abc1 may be repressed by Xyz2.", "speculated", "decreases", 1),
        ("No Abc1 binding to Xyz2 was seen.", "negated", "binds", 0),
        ("Abc1 rose in response to Xyz2.", "asserted", "increases", 1),
        ("We saw Abc1 and Xyz2.", "asserted", "increases", 0),
    ],
)
def test_rules(
    structure_of: StructureOf, text: str, status: str, polarity: str, agent: int
) -> None:
    """The rules take the cue that is nearest, "by" and "in response to"."""
    structure = structure_of(text, "Abc1", "Xyz2")
    assert (status_rule(structure), agent_rule(structure)) == (status, agent)
    assert polarity_rule(structure) == polarity


def test_sides(structure_of: StructureOf) -> None:
    """Every token is left, inside, between or right of the entities."""
    structure = structure_of("The Abc1 gene of Xyz2 ran.", "Abc1 gene", "Xyz2")
    sides = [side_of(structure, i) for i in range(len(structure.words))]
    assert sides == ["left", "inside", "inside", "between", "inside", "right", "right"]


def test_directions() -> None:
    """Verbs and their nouns lead one way; other words none."""
    found = [direction_of(word) for word in ("inhibition", "binding", "induces", "bound", "rats")]
    assert found == ["decreases", "binds", "increases", "binds", ""]
