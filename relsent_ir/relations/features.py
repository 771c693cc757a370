"""The paper's features of a candidate.

Each has a name, ``group:name``; the groups are those of section 2.3, in the order of `GROUPS`.

References
----------
C. O. Tudor, K. Vijay-Shanker. RankPref: ranking sentences describing relations between biomedical
entities with an application. BioNLP 2012, 163-171: section 2.3.
"""

import math
from typing import Final

from relsent_ir.relations.evidence import Evidence
from relsent_ir.relations.simplification import IS, Simplified
from relsent_ir.relations.structure import Structure
from relsent_ir.relations.verbs import kind_of
from relsent_ir.text.phrases import TENSED, word_set

GROUPS: Final = (
    "patterns",
    "verb",
    "matched",
    "subject",
    "position",
    "headedness",
    "complexity",
    "conjecture",
    "negation",
    "length",
)
MISSING: Final = "length:missing"
"""The feature of a sentence that lacks one of the entities, or both."""

NEAR: Final = 5
"""Tokens around the entities in which conjecture and negation are looked for."""

CONJECTURE: Final = word_set(
    """
    may might could would can possible possibly probable probably potential potentially perhaps
    putative putatively presumably presumed likely unlikely hypothesis hypothesize hypothesized
    hypothesise hypothesised speculate speculated suggest suggests suggested suggesting suspected
    whether if unclear unknown appear appears appeared seem seems seemed propose proposed
    investigate investigated examine examined tested determine assess assessed studied
    """
)
NEGATION: Final = word_set(
    """
    not no neither nor without fail fails failed failing failure unable inability cannot lack lacks
    lacked lacking absence absent independent independently never none n't unaffected unchanged
    rather instead except
    """
)
_VERBS: Final = "VPbtqgnv"


def position(structure: Structure) -> float:
    """Words left of the entities, and half of those between them; the second baseline's order.

    A sentence without one of them is worse than any with both.
    """
    first, second = structure.first, structure.second
    if first is None or second is None:
        return 2.0 * len(structure.words) + 1000
    return first[0] + max(0, second[0] - first[1]) / 2


def paper_features(
    structure: Structure, found: list[Evidence], forms: list[Simplified]
) -> dict[str, float]:
    """Give a candidate's features that are not 0.

    Parameters
    ----------
    structure : Structure
    found : list of Evidence
        From the sentence as it is, and its simplified forms if they are to be used.
    forms : list of Simplified
        The sentence as it is, and the simplified forms that are to be used.
    """
    values = _patterns(structure, found)
    values |= _subject(min(forms, key=lambda form: len(form.codes)))
    values |= _complexity(structure)
    values["length:words"] = len(structure.words) / 10
    first, second = structure.first, structure.second
    if first is None or second is None:
        values[MISSING] = 1.0
        return values
    values["position:sum"] = position(structure) / 10
    values["length:between"] = max(0, second[0] - first[1]) / 10
    values |= _headedness(structure)
    near = {word.lower() for word in structure.words[max(0, first[0] - NEAR) : second[1] + NEAR]}
    if near & CONJECTURE:
        values["conjecture:near"] = 1.0
    if near & NEGATION:
        values["negation:near"] = 1.0
    return values


def _patterns(structure: Structure, found: list[Evidence]) -> dict[str, float]:
    values = {f"patterns:{evidence.match.pattern.group}": 1.0 for evidence in found}
    if found:
        values[f"matched:{found[0].level}"] = 1.0
        for evidence in found:
            verb = evidence_verb(structure, evidence)
            if verb:
                values[f"verb:{kind_of(verb)}"] = 1.0
                break
    return values


def evidence_verb(structure: Structure, evidence: Evidence) -> str:
    """Give the head of the last verb group of a match, in small letters; "" if it has none."""
    form, match = evidence.form, evidence.match
    for i in range(match.end - 1, match.start - 1, -1):
        if form.codes[i] in _VERBS:
            place = form.source[i]
            if place == IS:
                continue
            return structure.words[structure.phrases.ends[place] - 1].lower()
    return ""


def _subject(form: Simplified) -> dict[str, float]:
    """Tell which entities come before the first tensed verb of the simplest form."""
    codes = form.codes
    verb = next((i for i, code in enumerate(codes) if code in TENSED), -1)
    if verb < 0:
        return {}
    places = [i for i in (codes.find("G"), codes.find("I")) if i >= 0]
    before = sum(i < verb for i in places)
    if not before or not places:
        return {}
    return {"subject:both" if before == 2 else "subject:one": 1.0}


def _headedness(structure: Structure) -> dict[str, float]:
    """Tell which entities are the heads of their noun phrases: the last words."""
    phrases = structure.phrases
    ends = set(phrases.ends)
    values = {}
    for name, entity in (("first", structure.first), ("second", structure.second)):
        if entity is not None and entity[1] in ends:
            values[f"headedness:{name}"] = 1.0
    if "B" in phrases.codes:
        values["headedness:same phrase"] = 1.0
    return values


def _complexity(structure: Structure) -> dict[str, float]:
    tags = structure.tags
    counts = {
        "verbs": sum(code in _VERBS for code in structure.phrases.codes),
        "conjunctions": tags.count("CC"),
        "commas": tags.count(","),
        "brackets": tags.count("-LRB-"),
    }
    return {f"complexity:{name}": math.sqrt(count) for name, count in counts.items() if count}
