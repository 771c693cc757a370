"""How a sentence puts a relation: words that negate or hedge it, and that say which way it goes.

Each feature has a name, ``group:…``, and the value 1. The groups:

status    words of negation (`NEGATION`) and of conjecture (`CONJECTURE`): which, on which side of
          the entities, how far, and what stands between
polarity  verbs and their nouns by kind (verbs.txt), and the stems near the entities, by their side
"""

from collections.abc import Iterator
from functools import cache
from typing import Final

from relsent_ir.relations.features import CONJECTURE, NEGATION
from relsent_ir.relations.stems import stem
from relsent_ir.relations.structure import Structure
from relsent_ir.relations.verbs import OTHER, inflect, kind_of, listed
from relsent_ir.text.phrases import word_set

KINDS: Final = {"activate": "increases", "inhibit": "decreases", "bind": "binds"}
"""What a kind of verb says of the second entity."""

NEAR: Final = 5
"""Tokens outside the entities whose stems count."""

_BREAKS: Final = word_set(
    ", ; : ( ) -LRB- -RRB- but whereas while although however and which that because since when"
)
_STEPS: Final = (2, 6, 12)


def status_features(structure: Structure) -> Iterator[str]:
    """Yield what may negate or hedge the relation; nothing if an entity is not in the text."""
    first, second = structure.first, structure.second
    if first is None or second is None:
        return
    words = [word.lower() for word in structure.words]
    breaks = min(2, sum(word in _BREAKS for word in words[first[1] : second[0]]))
    for i, word in enumerate(words):
        kind = "negation" if word in NEGATION else "conjecture" if word in CONJECTURE else ""
        if not kind or (word == "not" and words[i + 1 : i + 2] == ["only"]):
            continue
        side = side_of(structure, i)
        yield f"status:{side} {kind}"
        yield f"status:{side} {stem(word)}"
        yield f"status:{stem(word)}"
        between = {"left": words[i + 1 : first[0]], "right": words[second[1] : i]}.get(side, [])
        far = sum(len(between) > step for step in _STEPS)
        yield f"status:{side} {kind} far {far}"
        yield f"status:{side} {kind} breaks {min(2, sum(word in _BREAKS for word in between))}"
        if side in ("left", "between") and any(map(direction_of, words[i + 1 : i + 4])):
            yield f"status:{side} {kind} verb"
        if side == "between":
            yield f"status:between {kind} of {min(4, (second[0] - first[1]) // 4)}"
            yield f"status:between {kind} with breaks {breaks}"


def polarity_features(structure: Structure) -> Iterator[str]:
    """Yield what may say which way the relation goes; nothing if an entity is not in the text."""
    first, second = structure.first, structure.second
    if first is None or second is None:
        return
    for i, word in enumerate(structure.words):
        side = side_of(structure, i)
        apart = {"left": first[0] - i, "right": i - second[1]}.get(side, 0)
        near = apart <= NEAR
        kind = kind_of(word.lower())
        known = kind if kind != OTHER else direction_of(word)  # of a noun, where it leads
        if known:
            yield f"polarity:{side} {known}"
            yield f"polarity:{side} {known} {'near' if near else 'far'}"
        if side == "between" or near:
            yield f"polarity:{stem(word)}"
            yield f"polarity:{side} {stem(word)}"


def side_of(structure: Structure, token: int) -> str:
    """Tell where a token of a sentence with both entities stands: left, between, right, inside."""
    first, second = structure.first, structure.second
    assert first is not None
    assert second is not None
    if token < first[0]:
        return "left"
    if token >= second[1]:
        return "right"
    return "between" if first[1] <= token < second[0] else "inside"


def direction_of(word: str) -> str:
    """Tell which way a verb or its noun goes, by its stem; "" of other words."""
    return _directions().get(stem(word), "")


@cache
def _directions() -> dict[str, str]:
    """The direction of the stems of listed verbs; of one that two kinds have, the first."""
    found: dict[str, str] = {}
    for kind, verb in listed():
        if kind in KINDS:
            for form in inflect(verb):
                found.setdefault(stem(form), KINDS[kind])
    return found


# What a simple rule would say, to measure the models against.


def status_rule(structure: Structure) -> str:
    """Tell the status by any cue at most two tokens away from the entities, negation first."""
    first, second = structure.first, structure.second
    if first is None or second is None:
        return "asserted"
    near = {word.lower() for word in structure.words[max(0, first[0] - 2) : second[1] + 2]}
    return "negated" if near & NEGATION else "speculated" if near & CONJECTURE else "asserted"


def polarity_rule(structure: Structure) -> str:
    """Tell the polarity by the first directed verb: between the entities, then left, then right."""
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
    """Tell the agent: the entity that comes first, unless "by" or "in response to" is between."""
    first, second = structure.first, structure.second
    if first is None or second is None:
        return 0
    words = {word.lower() for word in structure.words[first[1] : second[0]]}
    return int("by" in words or {"response", "to"} <= words)
