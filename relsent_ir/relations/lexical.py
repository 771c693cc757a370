"""Features of our own, beside the paper's: words, phrases and the shortest simplified path.

Each has a name, ``group:…``, and the value 1. The groups, in the order of `GROUPS`:

between     stems between the entities, and neighbouring pairs of them
beside      stems at most three words away from the entities, outside
affixes     what is grown together with an entity's name: "-induced", "/"
heads       stems in the entities' noun phrases, their heads apart
names       how many names stand between the entities; whether both are the same name
distance    words between the entities, in steps
simplified  the phrases between the entities, as codes and stems, in the form where they are closest
evidence    which of the patterns matched, and with which verb
"""

from collections.abc import Iterator
from itertools import pairwise
from typing import Final

from relsent_ir.relations.candidates import Candidate
from relsent_ir.relations.evidence import Evidence
from relsent_ir.relations.features import evidence_verb
from relsent_ir.relations.simplification import IS, Simplified
from relsent_ir.relations.stems import is_name, stem
from relsent_ir.relations.structure import Structure
from relsent_ir.relations.verbs import kind_of
from relsent_ir.text.phrases import NOUN_PHRASES
from relsent_ir.text.tokens import Span

GROUPS: Final = (
    "between",
    "beside",
    "affixes",
    "heads",
    "names",
    "distance",
    "simplified",
    "evidence",
)
_BESIDE: Final = 3
_LONGEST_PATH: Final = 12
_STEPS: Final = (0, 1, 2, 3, 4, 6, 8, 11, 15, 20, 30, 45)
_START, _END = "<", ">"


def lexical_features(
    structure: Structure, found: list[Evidence], forms: list[Simplified]
) -> Iterator[str]:
    """Yield the names of a candidate's features; none if an entity is not in the text.

    Parameters
    ----------
    structure : Structure
    found : list of Evidence
    forms : list of Simplified
        The sentence as it is, and the simplified forms that may be used.
    """
    first, second = structure.first, structure.second
    if first is None or second is None:
        return
    stems = [stem(word) for word in structure.words]
    between = stems[first[1] : second[0]]
    yield from (f"between:{word}" for word in between)
    yield from (f"between:{a} {b}" for a, b in pairwise([_START, *between, _END]))
    yield from _beside(stems, first, second)
    yield from _names(structure, first, second)
    yield from _heads(structure, stems)
    yield from _simplified(structure, stems, forms)
    yield from _evidence(structure, found)


def _beside(stems: list[str], first: Span, second: Span) -> Iterator[str]:
    padded = [_START] * _BESIDE + stems + [_END] * _BESIDE
    left = padded[first[0] : first[0] + _BESIDE]
    right = padded[second[1] + _BESIDE :][:_BESIDE]
    yield from (f"beside:left {word}" for word in left)
    yield from (f"beside:right {word}" for word in right)
    yield f"beside:left1 {left[-1]}"
    yield f"beside:left2 {left[-2]} {left[-1]}"
    yield f"beside:right1 {right[0]}"
    yield f"beside:right2 {right[0]} {right[1]}"
    inner = padded[first[1] + _BESIDE], padded[second[0] + _BESIDE - 1]
    yield f"beside:after {inner[0]}"
    yield f"beside:before {inner[1]}"
    yield f"beside:inner {inner[0]} {inner[1]}"


def _names(structure: Structure, first: Span, second: Span) -> Iterator[str]:
    between = structure.words[first[1] : second[0]]
    yield f"names:{min(5, sum(map(is_name, between)))}"
    apart = second[0] - first[1]
    yield f"distance:{next((step for step in _STEPS if apart <= step), 'more')}"
    spans = _in_order(structure.candidate)
    one, other = (structure.candidate.text[slice(*span)].lower() for span in spans)
    if one == other:
        yield "names:same"
    elif one.startswith(other) or other.startswith(one):
        yield "names:one begins the other"
    for which, entity, name in (("first", first, one), ("second", second, other)):
        word = structure.words[entity[1] - 1].lower()
        affix = word.rpartition(name[-4:])[2] if name[-4:] in word else ""
        if affix:
            yield f"affixes:{which} {stem(affix.strip('-/')) or affix}"
            if affix[0] == "/":
                yield f"affixes:{which} /"


def _in_order(candidate: Candidate) -> list[Span]:
    """Give the entities' spans inside the text, in the order of `Structure`."""
    spans = sorted((candidate.e1, candidate.e2))
    return [(max(0, start), end) for start, end in spans]


def _heads(structure: Structure, stems: list[str]) -> Iterator[str]:
    phrases = structure.phrases
    for code in "GI":
        place = phrases.codes.find(code)
        if place >= 0:
            inside = stems[phrases.starts[place] : phrases.ends[place]]
            yield f"heads:{code} {inside[-1]}"
            yield from (f"heads:{code}+ {word}" for word in inside)


def _simplified(structure: Structure, stems: list[str], forms: list[Simplified]) -> Iterator[str]:
    """Describe what stands between the entities where they are closest."""
    best: tuple[int, int, Simplified] | None = None
    for form in forms:
        start, end = sorted((form.codes.find("G"), form.codes.find("I")))
        if start >= 0 and (best is None or end - start < best[1] - best[0]):
            best = start, end, form
    if best is None:
        return
    start, end, form = best
    path = form.codes[start + 1 : end]
    yield f"simplified:path {path[:_LONGEST_PATH]}"
    yield f"simplified:length {min(len(path), _LONGEST_PATH)}"
    words = [_START]
    for code, place in zip(path, form.source[start + 1 : end], strict=True):
        word = "be" if place == IS else stems[structure.phrases.ends[place] - 1]
        if code in NOUN_PHRASES:
            yield f"simplified:noun {word}"
            word = code
        words.append(word)
    yield from (f"simplified:{word}" for word in words[1:])
    yield from (f"simplified:{a} {b}" for a, b in pairwise([*words, _END]))
    if len(words) <= 5:
        yield f"simplified:all {' '.join(words)}"


def _evidence(structure: Structure, found: list[Evidence]) -> Iterator[str]:
    for evidence in found:
        yield f"evidence:{evidence.match.pattern.number}"
    if found:
        first = found[0]
        group = first.match.pattern.group
        verb = evidence_verb(structure, first)
        yield f"evidence:{group} {stem(verb)}"
        yield f"evidence:{group} kind {kind_of(verb)}"
