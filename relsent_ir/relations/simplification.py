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
from functools import lru_cache
from itertools import pairwise
from typing import Final

_NP: Final = "[NDGIB]"
_PREP: Final = "[oipwy]"
_NPS: Final = f"(?:{_NP}(?:{_PREP}{_NP})*+)"
_VERB: Final = "(?:[VP]|b[ng]?)"
_LIST: Final = f"(?:{_NPS}(?:(?:,{_NPS})*+,?c{_NPS}(?![VPb]))?+)"
_REST: Final = f"(?:[atq]|{_PREP}g?|{_LIST})*+"  # never gives back: time stays linear
"""The rest of a verb's phrase."""


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


def _rule(name: str, triggers: str, expression: str, *forms: str) -> Rule:
    compiled = re.compile(expression)
    return Rule(name, triggers, compiled, tuple(tuple(form.split()) for form in forms))


RULES: Final = (
    _rule(
        "brackets",
        "(",
        rf"(?P<np>{_NP})?(?P<open>\()(?P<inside>[^()]*)(?P<close>\))",
        "< np >",
        "< inside >",
    ),
    _rule(
        "interruption", ",", rf"(?P<out>,(?:[sx]?{_PREP}?{_NP}?|{_PREP}{_NPS}),)(?=[VPbtq])", "< >"
    ),
    _rule(
        "apposition",
        ",",
        rf"(?<![,c])(?P<np>{_NP}(?:o{_NP})?)(?P<comma>,)(?P<app>{_NPS})"
        rf"(?P<clause>[ng]{_REST})?(?P<end>,)(?=[VPbtq])",
        "< np >",
        "np IS app",
        "np IS clause",
        "< app >",
    ),
    _rule(
        "final apposition",
        "D",
        rf"(?<![,c])(?P<np>{_NP})(?P<comma>,)(?P<app>D(?:{_PREP}{_NP})*)"
        rf"(?P<clause>[ng]{_REST})?$",
        "< np",
        "np IS app",
        "np IS clause",
    ),
    _rule(
        "relative clause",
        "W",
        rf"(?P<np>{_NPS})(?P<open>,?W)(?P<clause>{_VERB}{_REST})(?P<end>,)?",
        "< np >",
        "np clause",
    ),
    _rule(
        "reduced relative clause",
        "n",
        rf"(?P<np>{_NPS})(?P<open>,?)(?P<clause>n{_REST})(?P<end>,(?=[VPb]))?",
        "< np >",
        "np IS clause",
    ),
    _rule(
        "gerund clause",
        "g",
        rf"(?P<np>{_NPS})(?P<clause>g{_REST})(?P<end>,(?=[VPb]))?",
        "< np >",
        "np IS clause",
    ),
    _rule(
        "clause of a predicate",
        "b",
        rf"(?P<np>{_NPS})(?P<be>b)(?P<app>{_NPS})(?P<clause>[ng]{_REST}(?:,?c[ng]{_REST})*)",
        "< np be app >",
        "np IS clause",
    ),
    _rule(
        "relative clause of a predicate",
        "b",
        rf"(?P<np>{_NPS})(?P<be>b)(?P<app>{_NPS})(?P<open>,?W)(?P<clause>{_VERB}{_REST})",
        "np clause",
    ),
    _rule("participles", "n", rf"(?P<a>n{_REST})(?P<and>,?c)(?P<b>n{_REST})", "< a >", "< b >"),
    _rule(
        "noun phrases",
        "c",
        rf"(?P<a>{_NP}(?:o{_NP})?)(?P<more>(?:,{_NP}(?:o{_NP})?)*)(?P<and>,?c)(?P<b>{_NP}(?:o{_NP})?)",
        "< a >",
        "< b >",
        "< *more >",
    ),
    _rule(
        "prepositional phrases",
        "c",
        rf"(?P<a>{_PREP}{_NPS})(?P<more>(?:,{_PREP}{_NPS})*)(?P<and>,?c)(?P<b>{_PREP}{_NPS})",
        "< a >",
        "< b >",
        "< *more >",
    ),
    _rule(
        "verb phrases",
        "cd",
        rf"(?P<np>{_NPS})(?P<a>{_VERB}{_REST})(?P<more>(?:,{_VERB}{_REST})*)(?P<and>,?[cd])"
        rf"(?P<b>(?:{_VERB}|n){_REST})",
        "< np a >",
        "< np b >",
        "< np *more >",
    ),
    _rule(
        "infinitives", "c", rf"(?P<a>[tv]{_REST})(?P<and>,?c)(?P<b>[tv]{_REST})", "< a >", "< b >"
    ),
    _rule(
        "participle clause",
        "g",
        rf"(?P<np>{_NPS})(?P<a>{_VERB}{_REST})(?P<comma>,)(?P<b>g{_REST})",
        "< np a >",
        "np IS b",
    ),
    _rule(
        "clauses",
        "cds;",
        rf"(?P<a>{_NPS}{_VERB}{_REST})(?P<and>,?[cds;]|,s)(?P<b>{_NPS}[VPb].*)",
        "< a",
        "b",
    ),
    _rule(
        "leading clause",
        "s",
        rf"^(?P<s>s)(?P<a>{_NPS}{_VERB}{_REST})(?P<comma>,)(?P<b>{_NPS}.*)",
        "a",
        "b",
    ),
)


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


def simplify(codes: str, *, depth: int = 3, limit: int = 40) -> list[Simplified]:
    """Find the simplified forms of a sentence, the simple ones first.

    Parameters
    ----------
    codes : str
        One letter for each phrase; phrases with entities have G, I or B (both).
    depth : int
        The most rules that are combined.
    limit : int
        The most forms.
    """
    return list(_simplified(codes, False, depth, limit))


def simplify_between(codes: str) -> list[Simplified]:
    """Find the simplified forms that have both entities, and differ around and between them.

    Among forms that differ only elsewhere only the simplest is returned, so that far fewer are
    made.

    Parameters
    ----------
    codes : str
        As for `simplify`, with a G and an I.
    """
    return list(_simplified(codes, True, 3, 16))


@lru_cache(maxsize=2_000)
def _simplified(codes: str, between: bool, depth: int, limit: int) -> tuple[Simplified, ...]:
    last = [Simplified.original(codes)]
    seen: set[object] = {window(codes) if between else last[0].source}
    forms: list[Simplified] = []
    for _ in range(depth):
        made: list[Simplified] = []
        for form in last:
            for simpler in _once(form, between):
                key = window(simpler.codes) if between else simpler.source
                if key not in seen:
                    seen.add(key)
                    made.append(simpler)
                    if len(forms) + len(made) == limit:
                        return (*forms, *made)
        forms += made
        last = made
    return tuple(forms)


def window(codes: str) -> str:
    """Cut a row of phrases with a G and an I to the part around and between them."""
    return codes[max(0, codes.find("G") - BEFORE) : codes.find("I") + 1 + AFTER]


def _once(form: Simplified, between: bool) -> Iterator[Simplified]:
    """Apply every rule once, wherever it matches."""
    codes = form.codes
    for rule in RULES:
        if not any(trigger in codes for trigger in rule.triggers):
            continue
        for match in rule.expression.finditer(codes):
            for parts in _forms(rule, match):
                row = "".join(["b" if part is None else codes[part] for part in parts])
                if len(row) > 1 and (not between or ("G" in row and "I" in row)):
                    source: tuple[int, ...] = ()
                    for part in parts:
                        source += (IS,) if part is None else form.source[part]
                    yield Simplified(row, source, (*form.rules, rule.name))


_Parts = list[slice | None]
"""Parts of a row of phrases, None for an "is"."""


def _forms(rule: Rule, match: re.Match[str]) -> Iterator[_Parts]:
    """Return the parts of each of a rule's simplified forms."""
    for form in rule.forms:
        if "*more" in form:
            for member in _members(match):
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


def _members(match: re.Match[str]) -> Iterator[slice]:
    """Return the members of a list ", A, B", the group ``more``."""
    start, end = match.span("more")
    commas = [i for i in range(start, end) if match.string[i] == ","]
    for i, j in pairwise([*commas, end]):
        yield slice(i + 1, j)
