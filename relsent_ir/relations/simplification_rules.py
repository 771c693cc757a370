"""The rules of simplification: constructions over codes of phrases, and the forms made of them.

References
----------
C. O. Tudor, K. Vijay-Shanker. RankPref: ranking sentences describing relations between biomedical
entities with an application. BioNLP 2012, 163-171: section 2.4.
"""

import re
from dataclasses import dataclass
from typing import Final

_NP: Final = "[NDGIB]"
_PREP: Final = "[oipwy]"
_NPS: Final = f"(?:{_NP}(?:{_PREP}{_NP})*+)"
_VERB: Final = "(?:[VP]|b[ng]?)"
_LIST: Final = f"(?:{_NPS}(?:(?:,{_NPS})*+,?c{_NPS}(?![VPb]))?+)"
_REST: Final = f"(?:[atq]|{_PREP}g?|{_LIST})*+"  # never gives back: time stays linear
"""What follows a verb in its phrase."""


@dataclass(frozen=True, slots=True)
class Rule:
    """One construction, and what is made of it.

    Attributes
    ----------
    name : str
    triggers : str
        Codes of which it needs one.
    expression : re.Pattern
        With named parts.
    forms : tuple of tuple of str
        Simplified forms: rows of part names, "IS", and "<" and ">" for what stands before and
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
        "interruption",
        ",",
        rf"(?P<out>,(?:[sx]?{_PREP}?{_NP}?|{_PREP}{_NPS}),)(?=[VPbtq])",
        "< >",
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
    _rule(
        "participles",
        "n",
        rf"(?P<a>n{_REST})(?P<and>,?c)(?P<b>n{_REST})",
        "< a >",
        "< b >",
    ),
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
        "infinitives",
        "c",
        rf"(?P<a>[tv]{_REST})(?P<and>,?c)(?P<b>[tv]{_REST})",
        "< a >",
        "< b >",
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
