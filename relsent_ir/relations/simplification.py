"""Simplification: the clauses of a long sentence as short sentences.

Rules over the codes of a sentence's phrases (relsent_ir/text/phrases.py) find appositions, relative
clauses, lists of noun phrases and of verb phrases, and bracketed remarks. Each makes shorter rows
of phrases, and is applied to the rows of other rules. A simplified sentence is a row of the
source's phrases, with "is" inserted where a clause had no verb of its own.

References
----------
C. O. Tudor, K. Vijay-Shanker. RankPref: ranking sentences describing relations between biomedical
entities with an application. BioNLP 2012, 163-171: section 2.4 and Table 3.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib.resources import files
from itertools import chain, pairwise
from typing import Final

_NP: Final = "[NDGIB]"
_PREP: Final = "[oipwy]"
_NPS: Final = f"(?:{_NP}(?:{_PREP}{_NP})*+)"
_VERB: Final = "(?:[VP]|b[ng]?)"
_LIST: Final = f"(?:{_NPS}(?:(?:,{_NPS})*+,?c{_NPS}(?![VPb]))?+)"
_REST: Final = f"(?:[atq]|{_PREP}g?|{_LIST})*+"  # never gives back: time stays linear
"""The rest of a verb's phrase."""
_PARTS: Final = {
    "NP": _NP, "PREP": _PREP, "NPS": _NPS, "VERB": _VERB, "LIST": _LIST, "REST": _REST
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Rule:
    """A construction, and the simplified forms of it.

    Attributes
    ----------
    name : str
    triggers : str
        Codes, at least one of which it needs.
    expression : re.Pattern
        With named parts.
    forms : tuple of tuple of str
        Simplified forms: rows of part names, "IS", and "<" and ">" for the phrases before and
        behind the match.
    """

    name: str
    triggers: str
    expression: re.Pattern[str]
    forms: tuple[tuple[str, ...], ...]


@cache
def rules() -> tuple[Rule, ...]:
    """Return the rules of simplification.txt."""
    text = (files("relsent_ir") / "relations" / "simplification.txt").read_text(encoding="utf-8")
    blocks = [block.splitlines() for block in text.split("\n\n") if not block.startswith("#")]
    found = []
    for first, *rest in blocks:
        name, triggers = first.split(": ")
        expression, *forms = map(str.strip, rest)
        compiled = re.compile(expression.format_map(_PARTS))
        found.append(Rule(name, triggers, compiled, tuple(tuple(f.split()) for f in forms)))
    return tuple(found)


IS: Final = -1
"""The "is" that a rule inserts, among numbers of phrases."""

BEFORE: Final = 6
AFTER: Final = 4
"""Numbers of phrases before the first entity and behind the second that patterns can reach."""


@dataclass(frozen=True, slots=True)
class Simplified:
    """A simplified sentence.

    Attributes
    ----------
    codes : str
        One letter for each of its phrases; that of `IS` is b.
    source : tuple of int
        The source's phrase for each of its phrases, or `IS`.
    rules : tuple of str
        The rules that made it, in order: one for a simple simplification, several for a combined
        one, none for the sentence as it is.
    """

    codes: str
    source: tuple[int, ...]
    rules: tuple[str, ...]

    @classmethod
    def original(cls, codes: str) -> "Simplified":
        """Return the sentence as it is."""
        return cls(codes, tuple(range(len(codes))), ())


DEPTH: Final = 3
"""The most rules that are combined."""
FORMS: Final = 16
"""The most forms of a sentence."""


@lru_cache(maxsize=2_000)
def simplify(codes: str) -> tuple[Simplified, ...]:
    """Find the simplified forms that have both entities, the simple ones first.

    Among forms that differ only elsewhere than around and between the entities, only the simplest
    is returned, so that far fewer are made.

    Parameters
    ----------
    codes : str
        One letter for each phrase; the phrases with the entities have G and I.
    """
    last = [Simplified.original(codes)]
    seen = {window(codes)}
    forms: list[Simplified] = []
    for _ in range(DEPTH):
        made: list[Simplified] = []
        for form in last:
            for row, parts, rule in _once(form.codes):
                if "G" in row and "I" in row and (key := window(row)) not in seen:
                    seen.add(key)
                    places = ((IS,) if part is None else form.source[part] for part in parts)
                    source = tuple(chain.from_iterable(places))
                    made.append(Simplified(row, source, (*form.rules, rule)))
                    if len(forms) + len(made) == FORMS:
                        return (*forms, *made)
        forms += made
        last = made
    return tuple(forms)


def window(codes: str) -> str:
    """Cut a row of phrases with a G and an I to the part around and between them."""
    return codes[max(0, codes.find("G") - BEFORE) : codes.find("I") + 1 + AFTER]


_Row = list[slice | None]
"""Parts of a row of phrases, None for an "is"."""


def _once(codes: str) -> Iterator[tuple[str, _Row, str]]:
    """Apply every rule once, wherever it matches: yield the new row, its parts, the rule's name."""
    present = frozenset(codes)
    for rule in rules():
        if present.isdisjoint(rule.triggers):
            continue
        for match in rule.expression.finditer(codes):
            for parts in _forms(rule, match):
                row = "".join(["b" if part is None else codes[part] for part in parts])
                if len(row) > 1:
                    yield row, parts, rule.name


def _forms(rule: Rule, match: re.Match[str]) -> Iterator[_Row]:
    """Return the parts of each of a rule's simplified forms."""
    for form in rule.forms:
        if "*more" in form:
            start, end = match.span("more")  # ", A, B"
            commas = [i for i in range(start, end) if match.string[i] == ","]
            for i, j in pairwise([*commas, end]):
                member = slice(i + 1, j)
                yield [member if name == "*more" else _part(name, match) for name in form]
        elif all(name in _PLACES or match[name] for name in form):
            yield [_part(name, match) for name in form]


_PLACES: Final = frozenset(["<", ">", "IS"])


def _part(name: str, match: re.Match[str]) -> slice | None:
    if name == "<":
        return slice(match.start())
    if name == ">":
        return slice(match.end(), None)
    return None if name == "IS" else slice(*match.span(name))
