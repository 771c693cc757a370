"""Simple rules for statements, beside which the models are measured."""

import pytest

from relsent_ir.relations.structure import Structure, structures
from relsent_ir.text.parsing import default_parser
from reproduce.tudor_2012.protocol import agent_rule, polarity_rule, status_rule
from tests.relations.conftest import candidate_of


def structure_of(text: str, first: str, second: str) -> Structure:
    """Find the structure of a sentence with two entities."""
    return next(structures(default_parser(), [candidate_of(text, first, second)]))


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
def test_rules(text: str, status: str, polarity: str, agent: int) -> None:
    """The rules take the cue that is nearest, "by" and "in response to"."""
    structure = structure_of(text, "Abc1", "Xyz2")
    assert (status_rule(structure), agent_rule(structure)) == (status, agent)
    assert polarity_rule(structure) == polarity


def test_an_entity_outside() -> None:
    """A sentence without both entities has the commonest classes."""
    whole = structure_of("Abc1 does not block Xyz2.", "Abc1", "Xyz2")
    lacking = Structure(whole.candidate, whole.words, whole.tags, whole.first, None, whole.phrases)
    rules = status_rule(lacking), polarity_rule(lacking), agent_rule(lacking)
    assert rules == ("asserted", "increases", 0)
