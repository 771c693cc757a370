"""The lexico-syntactic patterns of patterns.txt, matched against the codes of phrases.

The code of the phrase with the first entity is G, that of the phrase with the second is I.

References
----------
C. O. Tudor, K. Vijay-Shanker. RankPref: ranking sentences describing relations between biomedical
entities with an application. BioNLP 2012, 163-171: Tables 1 and 2.
"""

import re
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib.resources import files
from typing import Final

from relsent_ir.relations.simplification import BEFORE, IS, Simplified, simplify, window
from relsent_ir.relations.structure import Structure

_NP: Final = "[ND]"
_PP: Final = f"(?:[oipwy]{_NP})"
_SYMBOLS: Final = {
    "X": f"G{_NP}?{_PP}*",  # a phrase to its left, to which it belongs, needs no match
    "Y": f"(?:{_NP}[oipwy]){{0,20}}+(?:{_NP}?,?[e:]|{_NP})?I",  # bounded, so that time is linear
    "NP": _NP,
    "PP": _PP,
    "VG+": "(?:[VPb]a?[tqng]*)",
    "ACT": ",?(?:V|[VPb]?a?[tqn]*[tv]|bg|ba[op]g)",
    "PASS": ",?(?:P|bn|[VPb]a?[tqn]*q)",
    "BE": ",?b",
    "ADJ": "a",
    "VB": "[tqv]",
    "VBG": "g",
    "VBN": "n",
    "of": "o",
    "by": "y",
    "in": "i",
    "via": "w",
    "PREP": "[ip]",
    "and": "c",
    "such-as": "e",
    ",": ",",
    "LRB": r"\(",
    "RRB": r"\)",
    "(": "(?:",
    ")": ")",
    "|": "|",
}

AGENTS: Final = ("G1", "G3")
"""The groups of patterns in which the paper's gene acts, not the term."""


@dataclass(frozen=True, slots=True)
class Pattern:
    """A line of patterns.txt.

    Attributes
    ----------
    number : int
        The number of the pattern, from 0.
    group : str
        The group, from G1 to G8.
    text : str
        The line as written.
    expression : re.Pattern
        The line as an expression for codes of phrases.
    """

    number: int
    group: str
    text: str
    expression: re.Pattern[str]

    @property
    def agent(self) -> str:
        """The code of the entity that acts, in groups with an agent; else ""."""
        if self.group not in AGENTS:
            return ""
        return "I" if self.text.endswith(" by Y") else "G"


@dataclass(frozen=True, slots=True)
class Match:
    """A match of a pattern.

    Attributes
    ----------
    pattern : Pattern
    start, end : int
        The range of the phrases that match.
    """

    pattern: Pattern
    start: int
    end: int


@cache
def patterns() -> tuple[Pattern, ...]:
    """Read and compile the patterns of patterns.txt."""
    text = (files("relsent_ir") / "relations" / "patterns.txt").read_text(encoding="utf-8")
    lines = [line.partition("#")[0].split(maxsplit=1) for line in text.splitlines()]
    made: list[Pattern] = []
    for group, written in filter(None, lines):
        parts = []
        for word in re.findall(r"[(|]|\)[?*]?|[^\s()|]+", written):
            symbol, sign = (word, "") if word in _SYMBOLS else (word[:-1], word[-1])
            parts.append(_SYMBOLS[symbol] + sign)
        made.append(Pattern(len(made), group, written.strip(), re.compile("".join(parts))))
    return tuple(made)


def find_patterns(codes: str) -> list[Match]:
    """Find the patterns that a sequence of phrases matches, in the order of patterns.txt.

    Parameters
    ----------
    codes : str
        One letter for each phrase; G and I, each at most once, for the entities' phrases.
    """
    first = codes.find("G")
    if first < 0 or "I" not in codes:
        return []
    start = max(0, first - BEFORE)
    return [Match(p, start + i, start + j) for p, i, j in _matches(window(codes))]


@lru_cache(maxsize=10_000)
def _matches(codes: str) -> tuple[tuple[Pattern, int, int], ...]:
    first = codes.index("G")
    matches = []
    for pattern in patterns():
        of = pattern.expression  # most patterns start with the first entity
        match = of.match(codes, first) if pattern.text.startswith("X") else of.search(codes)
        if match:
            matches.append((pattern, match.start(), match.end()))
    return tuple(matches)


LEVELS: Final = ("original", "simplified", "combined")


@dataclass(frozen=True, slots=True)
class PatternEvidence:
    """A match in a form of a sentence.

    Attributes
    ----------
    match : Match
    form : Simplified
        The form; if it is the sentence itself, it has no rules.
    """

    match: Match
    form: Simplified

    @property
    def level(self) -> str:
        """One of `LEVELS`: the sentence itself, a form by one rule, a form by several rules."""
        return LEVELS[min(2, len(self.form.rules))]


def form_text(form: Simplified, structure: Structure) -> str:
    """Write a form in words of the sentence, without adverbs other than "not"."""
    phrases = structure.phrases
    words: list[str] = []
    for place in form.source:
        if place == IS:
            words.append("is")
            continue
        for i in range(phrases.starts[place], phrases.ends[place]):
            word = structure.words[i]
            if structure.tags[i] != "RB" or word.lower() in ("not", "n't"):
                words.append(word)
    return " ".join(words)


def find_forms(structure: Structure, simplified: bool = True) -> list[Simplified]:
    """Return the sentence itself, and the simplified forms that have both entities."""
    original = Simplified.original(structure.phrases.codes)
    if not simplified or "I" not in original.codes:
        return [original]
    return [original, *simplify(original.codes)]


def find_evidence(forms: list[Simplified], agent: str = "") -> list[PatternEvidence]:
    """Find the patterns that any form of a sentence matches, the simplest forms first.

    Parameters
    ----------
    forms : list of Simplified
    agent : str
        The code of the entity that must act in patterns with an agent; "" if both may.
    """
    return [
        PatternEvidence(match, form)
        for form in forms
        for match in find_patterns(form.codes)
        if not agent or match.pattern.agent in ("", agent)
    ]
