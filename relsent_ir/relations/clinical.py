"""Read the direction of an effect from a clinical sentence: raised, lowered, or no difference.

The patterns of clinical.txt are tried in turn on the clause that has both names, and account for
each of its words up to those behind the names. Most sentences match none, and have no direction.
docs/results/statements.md reports how often they are right.
"""

import re
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Final

from relsent_ir.relations.structure import is_name
from relsent_ir.text.phrases import word_set
from relsent_ir.text.tokens import Span

NO_DIFFERENCE: Final = "no difference"
ASSOCIATED: Final = "associated"

_TOKEN: Final = re.compile(r"[AB](?=\x00)|\d+(?:[.,·/-]\d+)*|~{0,2}[^\W\d_]+|[,;:?%]")
_HYPHEN: Final = re.compile(
    r"[-‐-–](?=(?:induced|related|associated|mediated|dependent|lowering|reducing|treated|based|free)\b)"
)
_GROWN: Final = re.compile(
    r"(?<=[AB]\x00) (?:[-‐-–](?=[a-z\d])| ?[/+])|(?:[/+] ?|(?<=[a-z])[-‐-–])(?= [AB]\x00)"
)
_BRACKET: Final = re.compile(r"\([^()\x00]{0,300}\)|\[[^][\x00]{0,300}\]")
_CLAUSE: Final = re.compile(r"[;:] |\b(?:but|whereas|while|although|however)\b")
_CHANCE: Final = re.compile(
    r"\bp\s*>|\bp\s*=\s*(?:0?[.·](?:0[6-9]|[1-9])|ns\b)|\bns\b"
    r"|\b(?:non-?|in|not |without |not statistically )significan",
    re.IGNORECASE,
)
"""Signs of a difference that may be due to chance."""
_AGAINST: Final = re.compile(r"\b(?:than|compared (?:with|to)|versus|vs|relative to) ")
_RELATIVE: Final = re.compile(
    r"\b(?:higher|greater|more|larger|better|lower|less|fewer|smaller)\b"
    r"(?! (?:risks?|odds|likelihood)\b)"
)
_IMPROVES: Final = re.compile(
    r"\b(?:improve\w*|better|(?:positive|beneficial|favou?rable) \w+ (?:up)?on) "
)
_GOOD: Final = re.compile(
    r"surviv|sleep|function|memory|perform|toleran|sensitiv|fraction|capacit|strength|quality|cogniti"
    r"|fev|oxygen|growth|adheren|vision|mobility"
)
"""Names of things that increase when they improve."""
_GIVEN: Final = re.compile(
    r"[AB] (?:~(?:induced|associated)|associated with|due to|secondary to|resulting from"
    r"|(?:induced|caused|provoked|produced|precipitated) by) "
)
"""A noun phrase states no possibility: we may study the fever induced by a drug."""
_WHICH: Final = re.compile(r"[AB] (?:, )?(?:which|that) ")
_LONGEST: Final = 120
"""The most words of a clause that is read."""
_LONG_FORM: Final = 4
"""The most words of a long form."""
_MOLECULE: Final = re.compile(
    r"(?:ase|kine|leukin|globulin|receptor|factor|protein|integrin|collagen|albumin|insulin|leptin"
    r"|trypsin|elastase|mucin|interferon|kinase|enzyme|gene|mrna)s?(?:[\W\d]|$)",
    re.IGNORECASE,
)


def is_molecule(name: str) -> bool:
    """Tell whether a name looks like a gene's or a protein's, by its form."""
    return any(map(is_name, name.split())) or bool(_MOLECULE.search(name))


_LARGE: Final = word_set(
    "ACTOR AMONG ASIDE ENDED LEAD LIST MODAL OBJ RISK SHOWN SUBJ SUBJARM TAIL VP"
)
"""Parts that no pattern excludes or repeats: without them, patterns are a twentieth as long."""

_SWAPPED: Final = str.maketrans("AB", "BA")
"""In patterns A is the name that acts: a clause is tried again with its names exchanged."""


def compile_patterns() -> None:
    """Compile all patterns at once, for a server whose requests are not to wait for it."""
    for _, pattern in _parts()[1]:
        pattern.compile()


def is_aim(text: str) -> bool:
    """Tell whether a sentence is a question or a study's aim, and asserts nothing."""
    return bool(_parts()[0]["AIM"].search(f"{' '.join(_TOKEN.findall(text.lower()))} "))


def is_hedged(text: str, first: Span, second: Span) -> bool:
    """Tell whether a clause states the relation of two names as a possibility."""
    clause, _ = _clause(text, first, second)
    at, end = sorted(map(clause.find, ("A ", "B ")))
    start = at if _WHICH.match(clause[at:]) else 0  # the words before are another clause
    return not _GIVEN.match(clause[at:]) and bool(_parts()[0]["HEDGE"].search(clause[start:end]))


def direction(text: str, first: Span, second: Span) -> tuple[str, int]:
    """Return the relation of two names in a sentence, and which of them acts: 0 first, 1 second.

    The relation is ``raises``, ``lowers``, ``no difference``, ``associated`` or, if none, "".

    Examples
    --------
    >>> direction("Mortality was lowered by metformin.", (0, 9), (25, 34))
    ('lowers', 1)
    """
    parts, patterns = _parts()
    clause, whole = _clause(text, first, second)
    nothing = "", 0
    if not 0 < clause.count(" ") <= _LONGEST:
        return nothing
    if parts["AIM"].search(whole) or parts["DOUBT"].search(whole):
        return nothing
    compared = [bool(parts["NOTHING"].match(clause[m.end() :])) for m in _AGAINST.finditer(clause)]
    if not all(compared):
        return nothing  # compared with another treatment
    for relation, pattern in patterns:
        for actor, either in enumerate((clause, clause.translate(_SWAPPED))):
            if match := pattern.search(either):
                if relation != NO_DIFFERENCE and (
                    _CHANCE.search(text) or (_RELATIVE.search(match.group()) and not compared)
                ):
                    return nothing
                name = text[slice(*sorted((first, second))[not actor])]
                improved = relation == "raises" and _IMPROVES.search(match.group())
                if improved and not _GOOD.search(name.lower()):
                    return nothing
                return relation, actor if first < second else 1 - actor
    return nothing


def _clause(text: str, first: Span, second: Span) -> tuple[str, str]:
    """Return the words of the clause with both names ("" if there is none), and all words."""
    (a, b), (c, d) = sorted((first, second))
    before, between, after = text[:a].lower(), text[b:c].lower(), text[d:].lower()
    if before.endswith("(") and between.startswith(")"):  # a short form, behind its long one
        before, between = _without_long_form(before, text[a]), between[1:]
    if between.endswith("(") and after.startswith(")"):
        between, after = _without_long_form(between, text[c]), after[1:]
    marked = f"{before} A\x00 {between} B\x00 {after}"
    joined = _GROWN.sub(" ~~x ", _HYPHEN.sub(" ~", marked))
    whole = " ".join(_TOKEN.findall(_BRACKET.sub(" ", joined))) + " "
    clauses = (clause.split() for clause in _CLAUSE.split(whole))
    return next((f"{' '.join(c)} " for c in clauses if {"A", "B"} <= set(c)), ""), whole


def _without_long_form(before: str, initial: str) -> str:
    """Return the text before the long form of a name, which begins with a word of its initial."""
    words = before[:-1].split()
    starts = [n for n in range(len(words)) if words[n].startswith(initial.lower())]
    near = [n for n in starts if len(words) - n <= _LONG_FORM]
    return f"{' '.join(words[: near[0]])} " if near else before


class _Pattern:
    """A pattern of a clause, compiled when a clause comes near it: all together take a second.

    `near` is the expression with anything for its large parts: where that is not found, it is not.
    """

    def __init__(self, expression: str, near: str) -> None:
        self.expression, self.near = expression, re.compile(near)
        self._whole: re.Pattern[str] | None = None

    def compile(self) -> re.Pattern[str]:
        """Return the compiled expression."""
        if not self._whole:
            self._whole = re.compile(self.expression)
        return self._whole

    def search(self, clause: str) -> re.Match[str] | None:
        """Find the pattern in a clause."""
        return self.compile().search(clause) if self._whole or self.near.search(clause) else None


def _filled(expression: str, parts: Mapping[str, str]) -> str:
    """Return an expression with its parts in the place of their names."""
    return re.sub(r"\{([A-Z]+)\}", lambda name: _filled(parts[name[1]], parts), expression)


@cache
def _parts() -> tuple[dict[str, re.Pattern[str]], list[tuple[str, _Pattern]]]:
    """Return the named parts and the patterns of clinical.txt."""
    text = (files("relsent_ir") / "relations" / "clinical.txt").read_text(encoding="utf-8")
    lines = [line.split("\t") for line in text.splitlines() if not line.startswith("#")]
    parts = {name: part for name, part in lines if name.isupper()}
    named = {
        name: re.compile(_filled(parts[name], parts))
        for name in ("AIM", "DOUBT", "HEDGE", "NOTHING")
    }
    loose = {name: ".*" if name in _LARGE else part for name, part in parts.items()}
    patterns = []
    for says, part in lines:
        if says.islower():
            whole, near = (
                _filled(part, of).replace("X", "A").replace("Y", "B") for of in (parts, loose)
            )
            near = re.sub(r"(?:\.\*|\(\?:\.\*\|\.\*\))+", ".*", near).removeprefix(".*")
            patterns.append((says, _Pattern(whole, near)))
    return named, patterns
