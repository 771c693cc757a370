"""Read the direction of an effect from a clinical sentence: raised, lowered, or no difference.

The patterns of clinical.txt are tried in turn over the clause with both names, and account for each
of its words up to what follows the names; most sentences match none, and say nothing then.
docs/results/statements.md has how often they are right.
"""

import re
from functools import cache
from importlib.resources import files
from typing import Final

from relsent_ir.relations.structure import is_name
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
"""A difference that may be chance."""
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
"""Names of what there is more of where it improves."""
_GIVEN: Final = re.compile(
    r"[AB] (?:~(?:induced|associated)|associated with|due to|secondary to|resulting from"
    r"|(?:induced|caused|provoked|produced|precipitated) by) "
)
"""What a noun phrase says is no possibility: we may study the fever induced by a drug."""
_WHICH: Final = re.compile(r"[AB] (?:, )?(?:which|that) ")
_LONGEST: Final = 120
"""Words of a clause that is read, at most."""
_LONG_FORM: Final = 4
"""Words of a long form, at most."""
_MOLECULE: Final = re.compile(
    r"(?:ase|kine|leukin|globulin|receptor|factor|protein|integrin|collagen|albumin|insulin|leptin"
    r"|trypsin|elastase|mucin|interferon|kinase|enzyme|gene|mrna)s?(?:[\W\d]|$)",
    re.IGNORECASE,
)


def is_molecule(name: str) -> bool:
    """Tell whether a name looks like a gene's or a protein's, by its form."""
    return any(map(is_name, name.split())) or bool(_MOLECULE.search(name))


_SWAPPED: Final = str.maketrans("AB", "BA")
"""Patterns have A for the name that acts: a clause is tried again with its names exchanged."""


def is_aim(text: str) -> bool:
    """Tell whether a sentence is a question or a study's aim, and asserts nothing."""
    return bool(_parts()[0]["AIM"].search(f"{' '.join(_TOKEN.findall(text.lower()))} "))


def is_hedged(text: str, first: Span, second: Span) -> bool:
    """Tell whether a clause states what it says of two names as a possibility."""
    clause, _ = _clause(text, first, second)
    at, end = sorted(map(clause.find, ("A ", "B ")))
    start = at if _WHICH.match(clause[at:]) else 0  # what comes before is another clause's
    return not _GIVEN.match(clause[at:]) and bool(_parts()[0]["HEDGE"].search(clause[start:end]))


def direction(text: str, first: Span, second: Span) -> tuple[str, int]:
    """Return what a sentence says of two names, and which of them acts: 0 the first, 1 the other.

    It says ``raises``, ``lowers``, ``no difference``, ``associated``, or nothing.

    Examples
    --------
    >>> direction("Mortality was lowered by metformin.", (0, 9), (25, 34))
    ('lowers', 1)
    """
    parts, patterns = _parts()
    clause, whole = _clause(text, first, second)
    if not 0 < clause.count(" ") <= _LONGEST:
        return "", 0
    if parts["AIM"].search(whole) or parts["DOUBT"].search(whole):
        return "", 0
    compared = [bool(parts["NOTHING"].match(clause[m.end() :])) for m in _AGAINST.finditer(clause)]
    if not all(compared):
        return "", 0  # with another treatment, not with nothing
    for says, expression in patterns:
        for actor, either in enumerate((clause, clause.translate(_SWAPPED))):
            if match := expression.search(either):
                if says != NO_DIFFERENCE and (
                    _CHANCE.search(text) or (_RELATIVE.search(match.group()) and not compared)
                ):
                    return "", 0
                name = text[slice(*sorted((first, second))[not actor])]
                improved = says == "raises" and _IMPROVES.search(match.group())
                if improved and not _GOOD.search(name.lower()):
                    return "", 0
                return says, actor if first < second else 1 - actor
    return "", 0


def _clause(text: str, first: Span, second: Span) -> tuple[str, str]:
    """Return the words of the clause with both names ("" if none has), and all of the sentence."""
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
    """Return what stands before the long form of a name: from the first word with its initial."""
    words = before[:-1].split()
    starts = [n for n in range(len(words)) if words[n].startswith(initial.lower())]
    near = [n for n in starts if len(words) - n <= _LONG_FORM]
    return f"{' '.join(words[: near[0]])} " if near else before


@cache
def _parts() -> tuple[dict[str, re.Pattern[str]], list[tuple[str, re.Pattern[str]]]]:
    """Read clinical.txt: its parts, and its patterns."""
    text = (files("relsent_ir") / "relations" / "clinical.txt").read_text(encoding="utf-8")
    lines = [line.split("\t") for line in text.splitlines() if not line.startswith("#")]
    parts = {name: part for name, part in lines if name.isupper()}

    def whole(part: str) -> str:
        return re.sub(r"\{([A-Z]+)\}", lambda name: whole(parts[name[1]]), part)

    named = {name: re.compile(whole(parts[name])) for name in ("AIM", "DOUBT", "HEDGE", "NOTHING")}
    bodies = [(says, whole(part)) for says, part in lines if says.islower()]
    return named, [
        (says, re.compile(body.replace("X", "A").replace("Y", "B"))) for says, body in bodies
    ]
