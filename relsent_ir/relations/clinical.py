"""Read the direction of an effect from a clinical sentence: raised, lowered, or no difference.

The patterns of clinical.txt are tried in turn over the words of the clause with both names; most
sentences match none, and say nothing then. They were written for 480 sentences of abstracts that
were labelled by reading; docs/results/statements.md has how often they are right.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
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
_COMPOUND: Final = re.compile(r"\b[AB] ~~x|~~x [AB]\b")
"""A name that something else is grown together with: heparin-binding factor, PPA/caffeine."""
_BRACKET: Final = re.compile(r"\([^()\x00]{0,80}\)")
_CLAUSE: Final = re.compile(r"[;:] |\b(?:but|whereas|while|although|however)\b")
_DENIED: Final = re.compile(r"\b(?:no|not|without|neither|nor|fail\w*|lack|un\w*related|cannot)\b")
_INSIGNIFICANT: Final = re.compile(
    r"non-?significant|insignificant|not (?:statistically )?significant"
)
_LINKED: Final = word_set(
    "by with in on after during for was were under following from among than to"
)
_PEOPLE: Final = re.compile(r"patients?|survivors?")
_EFFECT: Final = re.compile(
    r"~?(?:lower|reduc|rais|increas|elevat|decreas|enhanc|prevent|suppress)ing"
    r" (?:effects?|actions?|activit(?:y|ies)|efficac(?:y|ies)|potenc(?:y|ies)|properties)$"
)
"""After the name of what is acted upon: the glucose lowering effect of a drug."""
_OBJECT: Final = word_set(
    "in for before during after among to by from than versus vs plus despite while following loss"
    " fed discontinued discontinuation withdrawal until within kg"
)
"""Words within `_FAR` before a name that is no subject of what follows."""
_FAR: Final = 5
_GIVEN: Final = re.compile(r"exposure$|allocated$|assigned$|randomi[sz]ed$")
_RELIEF: Final = re.compile(r"(?:improvement|relief|reduction|decline|loss)$")
_RELATIVE: Final = re.compile(
    r"\b(?:higher|greater|more|larger|longer|lower|less|fewer|smaller|shorter|similar|comparable)\b"
)
_COMPARED: Final = re.compile(
    r"\b(?:than|compared|comparison|versus|vs|whereas|however|although|similar|differ\w*|between)\b"
)
_AGAINST: Final = re.compile(r"\b(?:than|compared (?:with|to)|versus|vs)\b")
_IMPROVES: Final = re.compile(r"\bimprove[sd]? (?:\S+ )*[AB] $")
_GOOD: Final = re.compile(
    r"surviv|sleep|function|memory|perform|toleran|sensitiv|fraction|capacit|strength|quality|cogniti"
    r"|fev|oxygen|growth|adheren|vision|mobility"
)
"""Names of what there is more of where it improves."""
_BASELINE: Final = re.compile(
    r"placebo|control|untreated|no treatment|non-?(?:users?|smokers?|drinkers?)|never|without"
    r"|\b(?:prevalence|caused|resulted|adding)|general population|healthy|before"
)
"""What says that a comparison is with nothing, not with another treatment."""
_WITH: Final = re.compile(
    r"treat|therap|supplement|interven|immuni|vaccinat|inject|infusion|an(?:a)?esthe|premedic"
    r"|patients|subjects|women|men$|children|persons|people|individuals"
)
"""Before a "with" that leads a subject."""
_BEFORE: Final = 60
"""Characters before a match in which a denial counts."""
_APART: Final = 13
"""Words between two names of which one raises or lowers the other, at most."""
_MOLECULE: Final = re.compile(
    r"(?:ase|kine|leukin|globulin|receptor|factor|protein|integrin|collagen|albumin|insulin|leptin"
    r"|trypsin|elastase|mucin|interferon|kinase|enzyme|gene|mrna)s?(?:[\W\d]|$)",
    re.IGNORECASE,
)


def is_molecule(name: str) -> bool:
    """Tell whether a name looks like a gene's or a protein's, by its form."""
    return any(map(is_name, name.split())) or bool(_MOLECULE.search(name))


@dataclass(frozen=True)
class _Pattern:
    """A line of clinical.txt: what it says, the order of the names, the expression for each."""

    says: str
    orders: tuple[tuple[str, str, re.Pattern[str]], ...]


def is_aim(text: str) -> bool:
    """Tell whether a sentence is a question or a study's aim, and asserts nothing."""
    return bool(_parts()[0]["AIM"].search(f"{' '.join(_TOKEN.findall(text.lower()))} "))


def direction(text: str, first: Span, second: Span) -> tuple[str, int]:
    """Return what a sentence says of two names, and which of them acts: 0 the first, 1 the other.

    It says ``raises``, ``lowers``, ``no difference``, ``associated``, or nothing.

    Examples
    --------
    >>> direction("Mortality was lower with metformin.", (0, 9), (25, 34))
    ('lowers', 1)
    """
    words = _words(text, first, second)
    parts, patterns = _parts()
    whole = " ".join(words) + " "
    clause = next((c for c in _CLAUSE.split(whole) if {"A", "B"} <= set(c.split())), None)
    if clause is None or any(
        words.search(whole) for words in (parts["AIM"], parts["DOUBT"], _COMPOUND)
    ):
        return "", 0
    clause = f"{' '.join(clause.split())} "
    row = clause.split()
    for pattern in patterns:
        for one, other, expression in pattern.orders:
            match = expression.search(clause)
            if (
                match
                and not _is_object(clause[: match.start()].split(), match.group())
                and not _vetoed(pattern, row, row.index(one), row.index(other), text)
            ):
                if _is_of_treatments(match.group(), text.lower()):
                    return "", 0
                name = text[slice(*sorted((first, second))[other == "B"])]
                if _IMPROVES.search(match.group()) and not _GOOD.search(name.lower()):
                    return "", 0
                around = clause[max(0, match.start() - _BEFORE) : match.end()]
                if pattern.says == NO_DIFFERENCE or not _DENIED.search(around):
                    return pattern.says, int((one == "A") != (first < second))
    return "", 0


def _is_of_treatments(matched: str, text: str) -> bool:
    """Tell whether a sentence compares with another treatment, and not with nothing."""
    compared = _COMPARED if _RELATIVE.search(matched) else _AGAINST
    return bool(compared.search(text)) and not _BASELINE.search(text)


def _vetoed(pattern: _Pattern, row: Sequence[str], actor: int, other: int, text: str) -> bool:
    """Tell whether the words beside the names make something else of them."""
    parts, _ = _parts()
    after_actor, after_other = ([*row[i + 1 : i + 2], ""][0] for i in (actor, other))
    if _RELIEF.match(" ".join(row[other + 2 : other + 3])) or any(
        map(parts["PART"].match, (after_actor, after_other))
    ):
        return True
    no_actor, nothing = parts["NOACTOR"], parts["NOTHING"]
    if pattern.says == NO_DIFFERENCE:
        people = any(map(_PEOPLE.match, (after_actor, after_other)))
        return people or bool(no_actor.match(after_actor) or nothing.match(after_other))
    if _EFFECT.match(" ".join(row[actor + 1 : actor + 3])) or after_other.startswith("~"):
        return True
    if no_actor.match(after_actor) or nothing.match(after_other) or _INSIGNIFICANT.search(text):
        return True
    if pattern.says == ASSOCIATED:
        return bool(no_actor.match(after_other) or nothing.match(after_actor))
    if row[actor + 1 : actor + 2] == ["and"] or "after" in row[other + 1 : actor]:
        return True  # one of several, or what came before
    if "~induced" in row and "~induced" not in (after_actor, *row[actor + 2 : other]):
        return True  # what another thing induces
    before = row[max(0, actor - 4) : actor]
    if before[-1:] == ["and"] and before[-3:-2] in (["of"], ["with"], ["by"], ["both"]):
        return True  # a part of a combination
    if abs(actor - other) > _APART:
        return True
    return before[-1:] == ["for"] or _is_lack(before)


def _is_object(before: Sequence[str], matched: str) -> bool:
    """Tell whether a name that should be a subject belongs to what stands before it.

    As in "in patients with heart failure reduced", "loss of weight caused by".
    """
    if matched[0] not in "AB" or matched[2:3] == "~":
        return False
    for n, word in enumerate(reversed(before[-_FAR:])):
        leads = " ".join(before[-n - 2 : -n - 1])
        if word in ",:" or word in _OBJECT:
            return word in _OBJECT and not _GIVEN.match(leads)
        if word == "with" and not _WITH.search(leads):
            return True
    return False


def _is_lack(before: Sequence[str]) -> bool:
    """Tell whether what acts is that there is less of it: low vitamin D."""
    for word in reversed(before):
        if word in _LINKED:
            return False
        if _parts()[0]["LOW"].match(word):
            return True
    return False


def _words(text: str, first: Span, second: Span) -> list[str]:
    (a, b), (c, d) = sorted((first, second))
    marked = f"{text[:a].lower()} A\x00 {text[b:c].lower()} B\x00 {text[d:].lower()}"
    joined = _GROWN.sub(" ~~x ", _HYPHEN.sub(" ~", marked))
    return _TOKEN.findall(_BRACKET.sub(" ", joined))


@cache
def _parts() -> tuple[dict[str, re.Pattern[str]], list[_Pattern]]:
    """Read clinical.txt: its parts, and its patterns."""
    text = (files("relsent_ir") / "relations" / "clinical.txt").read_text(encoding="utf-8")
    lines = [line.split("\t") for line in text.splitlines() if not line.startswith("#")]
    parts = {name: part for name, part in lines if name.isupper()}
    fewer = "|".join(word for word in parts["STOP"].split("|") if word not in ("with", "to"))
    for n in range(1, 10):
        parts[f"gap{n}"] = rf"(?:(?!(?:{parts['STOP']}) )\S+ ){{0,{n}}}?"
        parts[f"open{n}"] = rf"(?:(?!(?:{fewer}) )\S+ ){{0,{n}}}?"

    def whole(part: str) -> str:
        return re.sub(r"\{([A-Za-z]+\d?)\}", lambda name: whole(parts[name[1]]), part)

    alone = ("AIM", "DOUBT", "PART", "NOACTOR", "NOTHING", "LOW")
    named = {name: re.compile(whole(parts[name])) for name in alone}
    return named, list(_patterns((says, whole(part)) for says, part in lines if says.islower()))


def _patterns(rows: Iterator[tuple[str, str]]) -> Iterator[_Pattern]:
    for says, body in rows:
        made = []
        for one, other in (("A", "B"), ("B", "A")):
            either = body.replace("(?:X|Y)", "(?:A|B)").replace("X", one)
            made.append((one, other, re.compile(f"{either.replace('Y', other)} ")))
        yield _Pattern(says, tuple(made))
