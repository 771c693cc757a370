"""Simplification: split a long sentence into short sentences, one for each clause.

Rules over the codes of a sentence's phrases (relsent_ir/text/phrases.py) find appositions, relative
clauses, lists of noun phrases and of verb phrases, and remarks in brackets. Each rule makes shorter
sequences of phrases, and is also applied to the results of other rules. A simplified sentence is a
sequence of phrases of the sentence, with "is" inserted where a clause has no verb.

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
_REST: Final = f"(?:[atq]|{_PREP}g?|{_LIST})*+"  # possessive, so that time is linear
"""The rest of a verb's phrase."""
_PARTS: Final = {
    "NP": _NP, "PREP": _PREP, "NPS": _NPS, "VERB": _VERB, "LIST": _LIST, "REST": _REST
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Rule:
    """A construction in sentences, with its simplified forms.

    Attributes
    ----------
    name : str
    triggers : str
        Codes, at least one of which a sentence must have.
    expression : re.Pattern
        A pattern with named parts.
    forms : tuple of tuple of str
        Simplified forms: sequences of names of parts, "IS", and "<" and ">" for the phrases before
        and after the match.
    """

    name: str
    triggers: str
    expression: re.Pattern[str]
    forms: tuple[tuple[str, ...], ...]


@cache
def rules() -> tuple[Rule, ...]:
    """Return the rules in simplification.txt."""
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
"""The value for an inserted "is" among the numbers of phrases."""

BEFORE: Final = 6
AFTER: Final = 4
"""Numbers of phrases before the first entity and after the second that patterns can reach."""


@dataclass(frozen=True, slots=True)
class Simplified:
    """A simplified sentence.

    Attributes
    ----------
    codes : str
        One letter for each phrase; the code of `IS` is b.
    source : tuple of int
        For each phrase, its number in the original sentence, or `IS`.
    rules : tuple of str
        The rules applied, in order: one for a simple form, several for a combined form, none for
        the sentence itself.
    """

    codes: str
    source: tuple[int, ...]
    rules: tuple[str, ...]

    @classmethod
    def original(cls, codes: str) -> "Simplified":
        """Return the sentence itself as a form."""
        return cls(codes, tuple(range(len(codes))), ())


DEPTH: Final = 3
"""Largest number of rules that are combined."""
FORMS: Final = 16
"""Largest number of forms of a sentence."""


@lru_cache(maxsize=2_000)
def simplify(codes: str) -> tuple[Simplified, ...]:
    """Find the simplified forms that have both entities, the simple ones first.

    Of forms that differ only away from the entities, the simplest is returned, so that far fewer
    have to be made.

    Parameters
    ----------
    codes : str
        One letter for each phrase; G and I for the phrases with the entities.
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
    """Cut a sequence with a G and an I to the part around and between them."""
    return codes[max(0, codes.find("G") - BEFORE) : codes.find("I") + 1 + AFTER]


_Row = list[slice | None]
"""Parts of a sequence of phrases; None for an inserted "is"."""


def _once(codes: str) -> Iterator[tuple[str, _Row, str]]:
    """Apply each rule once wherever it matches: yield the new sequence, its parts, and the rule."""
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
    """Return the parts of each simplified form that a rule makes."""
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
