"""Simple rules for statements of relations, beside which the models are measured."""

from relsent_ir.relations.describing import CONJECTURE, NEGATION
from relsent_ir.relations.statements import direction_of, side_of
from relsent_ir.relations.structure import Structure


def status_rule(structure: Structure) -> str:
    """Return the status by any cue at most two tokens away from the entities, negation first."""
    first, second = structure.first, structure.second
    if first is None or second is None:
        return "asserted"
    near = {word.lower() for word in structure.words[max(0, first[0] - 2) : second[1] + 2]}
    return "negated" if near & NEGATION else "speculated" if near & CONJECTURE else "asserted"


def polarity_rule(structure: Structure) -> str:
    """Return the polarity of the first directed verb: between the entities, left, then right."""
    sides = ("between", "left", "right")
    if structure.first is None or structure.second is None:
        return "increases"
    found = [
        (sides.index(side), i, direction)
        for i, word in enumerate(structure.words)
        if (side := side_of(structure, i)) in sides and (direction := direction_of(word))
    ]
    return min(found)[2] if found else "increases"


def agent_rule(structure: Structure) -> int:
    """Return the agent: the first entity, unless "by" or "in response to" is between."""
    first, second = structure.first, structure.second
    if first is None or second is None:
        return 0
    words = {word.lower() for word in structure.words[first[1] : second[0]]}
    return int("by" in words or {"response", "to"} <= words)
