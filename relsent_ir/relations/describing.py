"""The input of the models: structure, patterns and features of a candidate's sentence.

The paper's features are named ``group:name``; the groups are those of section 2.3, in the order of
`PAPER_GROUPS`. Our own features (words, phrases and the shortest simplified path) are named
``group:…`` and have the value 1. Their groups, in the order of `LEXICAL_GROUPS`:

between     stems between the entities, and neighbouring pairs of them
beside      stems at most three words away from the entities, outside
affixes     affixes that are joined to an entity's name: "-induced", "/"
heads       stems in the entities' noun phrases, and the heads by themselves
names       number of names between the entities; whether both are the same name
distance    words between the entities, in steps
simplified  the phrases between the entities, as codes and stems, in the form where they are closest
evidence    the patterns that matched, and the verb

References
----------
C. O. Tudor, K. Vijay-Shanker. RankPref: ranking sentences describing relations between biomedical
entities with an application. BioNLP 2012, 163-171: section 2.3.
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from relsent_ir.errors import UsageError
from relsent_ir.models import digest
from relsent_ir.relations.candidates import Candidate
from relsent_ir.relations.patterns import PatternEvidence, find_evidence, find_forms
from relsent_ir.relations.simplification import IS, Simplified
from relsent_ir.relations.structure import Structure, is_name, kind_of, listed, stem, structures
from relsent_ir.text.cues import HEDGE, NEGATION
from relsent_ir.text.parsing import Parser
from relsent_ir.text.phrases import NOUN_PHRASES, TENSED
from relsent_ir.text.tokens import Span
from relsent_ir.typing import Progress

PAPER_GROUPS: Final = (
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
"""The feature of a sentence that lacks at least one of the entities."""

NEAR: Final = 5
"""Number of tokens around the entities that may express conjecture or negation."""

_VERBS: Final = "VPbtqgnv"


def position(structure: Structure) -> float:
    """Count the words left of the entities, plus half of those between: the second baseline.

    A sentence that lacks an entity is ranked below all with both.
    """
    first, second = structure.first, structure.second
    if first is None or second is None:
        return 2.0 * len(structure.words) + 1000
    return first[0] + max(0, second[0] - first[1]) / 2


def paper_features(
    structure: Structure, evidence: list[PatternEvidence], forms: list[Simplified]
) -> dict[str, float]:
    """Return the features of a candidate that are not 0.

    Parameters
    ----------
    structure : Structure
    evidence : list of PatternEvidence
        The patterns that the forms match.
    forms : list of Simplified
        The sentence itself, and the simplified forms to use.
    """
    values = {f"patterns:{match.match.pattern.group}": 1.0 for match in evidence}
    if evidence:
        values[f"matched:{evidence[0].level}"] = 1.0
    verbs = (evidence_verb(structure, match) for match in evidence)
    if verb := next(filter(None, verbs), ""):
        values[f"verb:{kind_of(verb)}"] = 1.0
    simplest = min((form.codes for form in forms), key=len)
    tensed = next((i for i, code in enumerate(simplest) if code in TENSED), 0)
    if before := sum(code in simplest[:tensed] for code in "GI"):
        values[("subject:one", "subject:both")[before - 1]] = 1.0
    tags, codes = structure.tags, structure.phrases.codes
    counts = {
        "verbs": sum(code in _VERBS for code in codes),
        "conjunctions": tags.count("CC"),
        "commas": tags.count(","),
        "brackets": tags.count("-LRB-"),
    }
    values |= {f"complexity:{name}": math.sqrt(n) for name, n in counts.items() if n}
    values["length:words"] = len(structure.words) / 10
    first, second = structure.first, structure.second
    if first is None or second is None:
        values[MISSING] = 1.0
        return values
    values["position:sum"] = position(structure) / 10
    values["length:between"] = max(0, second[0] - first[1]) / 10
    for name, entity in (("first", first), ("second", second)):
        if entity[1] in structure.phrases.ends:  # the head of its noun phrase
            values[f"headedness:{name}"] = 1.0
    if "B" in codes:
        values["headedness:same phrase"] = 1.0
    near = {word.lower() for word in structure.words[max(0, first[0] - NEAR) : second[1] + NEAR]}
    if near & HEDGE:
        values["conjecture:near"] = 1.0
    if near & NEGATION:
        values["negation:near"] = 1.0
    return values


def evidence_verb(structure: Structure, evidence: PatternEvidence) -> str:
    """Return the head of a match's last verb group, in lower case; "" if it has none."""
    form, match = evidence.form, evidence.match
    for i in range(match.end - 1, match.start - 1, -1):
        place = form.source[i]
        if form.codes[i] in _VERBS and place != IS:
            return structure.words[structure.phrases.ends[place] - 1].lower()
    return ""


LEXICAL_GROUPS: Final = (
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
    structure: Structure, evidence: list[PatternEvidence], forms: list[Simplified]
) -> Iterator[str]:
    """Yield the names of a candidate's features; none if an entity is not in the text.

    Parameters
    ----------
    As in `paper_features`.
        As for `paper_features`.
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
    yield from _evidence(structure, evidence)


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
    candidate = structure.candidate
    one, two = (  # in text order
        candidate.text[max(0, start) : end].lower()
        for start, end in sorted((candidate.e1, candidate.e2))
    )
    if one == two:
        yield "names:same"
    elif one.startswith(two) or two.startswith(one):
        yield "names:one begins the other"
    for which, entity, name in (("first", first, one), ("second", second, two)):
        word = structure.words[entity[1] - 1].lower()
        affix = word.rpartition(name[-4:])[2] if name[-4:] in word else ""
        if affix:
            yield f"affixes:{which} {stem(affix.strip('-/')) or affix}"
            if affix[0] == "/":
                yield f"affixes:{which} /"


def _heads(structure: Structure, stems: list[str]) -> Iterator[str]:
    phrases = structure.phrases
    for code in "GI":
        place = phrases.codes.find(code)
        if place >= 0:
            inside = stems[phrases.starts[place] : phrases.ends[place]]
            yield f"heads:{code} {inside[-1]}"
            yield from (f"heads:{code}+ {word}" for word in inside)


def _simplified(structure: Structure, stems: list[str], forms: list[Simplified]) -> Iterator[str]:
    """Return features of the phrases between the entities, in the form where they are closest."""
    both = [form for form in forms if "G" in form.codes and "I" in form.codes]
    if not both:
        return
    form = min(both, key=lambda form: abs(form.codes.find("G") - form.codes.find("I")))
    start, end = sorted((form.codes.find("G"), form.codes.find("I")))
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


def _evidence(structure: Structure, evidence: list[PatternEvidence]) -> Iterator[str]:
    for match in evidence:
        yield f"evidence:{match.match.pattern.number}"
    if evidence:
        first = evidence[0]
        group = first.match.pattern.group
        verb = evidence_verb(structure, first)
        yield f"evidence:{group} {stem(verb)}"
        yield f"evidence:{group} kind {kind_of(verb)}"


KINDS: Final = ("paper", "lexical")
"""The paper's features only, or together with our lexical features."""

TICK: Final = 100
Features = dict[str, float]


@dataclass(frozen=True)
class FeatureSettings:
    """The features that a ranker uses.

    Attributes
    ----------
    kind : str
        One of `KINDS`.
    simplify : bool
        Whether to use simplified forms of the sentences.
    without : tuple of str
        Groups of features to leave out.
    """

    kind: str = "lexical"
    simplify: bool = True
    without: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if self.kind not in KINDS:
            raise UsageError(f"no features {self.kind!r}", fix=f"one of {', '.join(KINDS)}")


@dataclass(frozen=True, slots=True)
class Described:
    """A candidate's sentence in the form that the models use.

    Attributes
    ----------
    structure : Structure
    evidence : list of PatternEvidence
        The patterns that the sentence matches.
    features : dict of str to float
    """

    structure: Structure
    evidence: list[PatternEvidence]
    features: Features


def describe(
    candidates: Sequence[Candidate],
    parser: Parser,
    settings: FeatureSettings,
    progress: Progress | None = None,
) -> Iterator[Described]:
    """Yield the structure, the patterns and the features of each candidate."""
    for i, structure in enumerate(structures(parser, candidates)):
        forms = find_forms(structure, settings.simplify)
        evidence = find_evidence(forms, structure.agent)
        features = paper_features(structure, evidence, forms)
        if settings.kind == "lexical":
            features.update(dict.fromkeys(lexical_features(structure, evidence, forms), 1.0))
        if settings.without:
            out = settings.without
            features = {n: x for n, x in features.items() if n.partition(":")[0] not in out}
        yield Described(structure, evidence, features)
        if progress and i % TICK == 0:
            progress(i, len(candidates))


def _invented(text: str) -> Candidate:
    e1, e2 = ((text.index(name), text.index(name) + len(name)) for name in ("Abc1", "Xyz2"))
    return Candidate("", "", text, e1, e2)


PROBE: Final = (
    _invented("Abc1 activates Xyz2 in liver cells."),
    _invented("Activation of Xyz2 by the kinase Abc1, which may not bind it, was not seen."),
    _invented("Xyz2 was measured in 12 rats, and so was the Abc1-dependent growth factor."),
    _invented("While Def3 was low, Abc1 seemed to suppress Xyz2."),
)
"""Sentences whose features differ between versions of the features."""


def columns(parser: Parser, settings: FeatureSettings) -> dict[str, str]:
    """Return a digest of the features of each group (`relsent_ir.models.folders`)."""
    named: dict[str, list[object]] = {"lists": [HEDGE, NEGATION, *listed()]}
    for place, row in enumerate(describe(PROBE, parser, settings)):
        for name, value in sorted(row.features.items()):
            named.setdefault(name.partition(":")[0], []).append([place, name, round(value, 6)])
    return {group: digest(*values) for group, values in sorted(named.items())}
