"""Words of questions and sentences, and the parts of a question."""

import re
from collections.abc import Collection
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from relsent_ir.text.words import stem

_TOKEN: Final = re.compile(r"[^\W_]+")
ASKING: Final = frozenset(
    [
        "benefit",
        "benefits",
        "better",
        "compared",
        "comparison",
        "did",
        "does",
        "effect",
        "effective",
        "effects",
        "efficacy",
        "help",
        "helps",
        "impact",
        "improve",
        "increase",
        "influence",
        "prevent",
        "reduce",
    ]
)
"""Words that ask, and that an abstract which answers may well lack."""


def content_words(text: str, stopwords: Collection[str]) -> list[str]:
    """Give a text's words and numbers in small letters, without the stop words, in order."""
    return [word for word in _TOKEN.findall(text.lower()) if word not in stopwords]


def token_spans(text: str, stopwords: Collection[str]) -> list[tuple[int, int, str]]:
    """Give the places of a text's `content_words`, [start, end), each with the word."""
    found = ((*match.span(), match.group().lower()) for match in _TOKEN.finditer(text))
    return [one for one in found if one[2] not in stopwords]


def terms(text: str, stopwords: Collection[str]) -> list[str]:
    """Give the stems of a text's `content_words`."""
    return [stem(word) for word in content_words(text, stopwords)]


@dataclass(frozen=True, slots=True)
class Parts:
    """What a question asks about; the outcome is the whole question where no rule finds it.

    Attributes
    ----------
    intervention, comparator, outcome : str
    population : str
        In whom; "" where no rule finds it, as for all but the last.
    """

    intervention: str
    comparator: str
    outcome: str
    population: str = ""


_LEADING: Final = re.compile(
    r"^(?:as )?compared (?:with|to) (?P<comparator>.+?), ?(?=(?:what|does|do|did|is|are|how)\b)",
    re.IGNORECASE,
)
_COMPARED: Final = re.compile(
    r"(?:,\s*)?(?:\b(?:as )?compared (?:with|to)|\bin comparison (?:with|to)|\bversus|\bvs\.?"
    r"|\b(?:rather )?than|\brelative to)\s+(?P<comparator>.+?)"
    r"(?=,\s|\s+(?:on|reduces?|improves?|increases?|decreases?|prevents?|affects?)\s|$)",
    re.IGNORECASE,
)
_BETTER: Final = re.compile(
    r"\b(?:is|are|was|were|does|do|did)\s+(?P<intervention>.+?)\s(?:(?:any|work|works|worked)\s)?"
    r"(?:better|worse|superior|inferior|safer|(?:more|less|as) (?:effective|good|safe|well))"
    r"\s(?:than|to|as)\s(?P<comparator>.+?)\s(?:for|in|at|on|against)\s(?P<outcome>.+)$",
    re.IGNORECASE,
)
_WHOM: Final = re.compile(
    r"\s(?:in|among|of)\s(?P<population>(?:[\w-]+\s){0,3}?(?:patients?|people|persons?|women|men"
    r"|children|adults|adolescents|infants|neonates|newborns|volunteers|individuals|mice|rats)\b.*)$",
    re.IGNORECASE,
)
_OF: Final = (
    r"\b(?:effect|impact|influence|efficacy|effectiveness|benefit|role)s? of (?P<intervention>.+)"
)
_ON: Final = re.compile(_OF + r"\son\s(?P<outcome>.+)$", re.IGNORECASE)
_FOR: Final = re.compile(
    _OF + r"\s(?:for|in (?:reducing|preventing|improving))\s(?P<outcome>.+)$", re.IGNORECASE
)
_VERB: Final = re.compile(
    r"\b(?:does|do|did|is|are|was|were|can|could|will|would|has|have|may)\s+(?P<intervention>.+?)"
    r",?\s(?:significantly )?(?:reduc\w+|improv\w+|increas\w+|decreas\w+|lower\w*|prevent\w*"
    r"|affect\w*|influenc\w+|enhanc\w+|chang\w+|alter\w*|delay\w*|lead to|result in|caus\w+"
    r"|associated with|related to|linked to|protect\w* against|effective (?:for|in|against|at)"
    r"|predict\w*)\s+(?P<outcome>.+)$",
    re.IGNORECASE,
)
_NAMED: Final = re.compile(
    r"^(?!(?:what|which|who|when|where|why|how|does|do|did|is|are|was|were|can|could|will|would"
    r"|should|has|have|may)\b)(?:(?:the )?(?:effect|impact|influence|efficacy|benefit|role)s? of )?"
    r"(?P<intervention>\w[\w-]*(?:\s[\w-]+){0,3}?)\s(?:in|for|against)\s(?P<outcome>[\w\s-]+)$",
    re.IGNORECASE,
)

RULES: Final = tuple(
    p.pattern for p in (_LEADING, _COMPARED, _BETTER, _WHOM, _ON, _FOR, _VERB, _NAMED)
)
"""The patterns, to tell whether they have changed since a model learned from them."""


@lru_cache(maxsize=1024)
def question_parts(question: str) -> Parts:
    """Find intervention, comparator, outcome and population by rules.

    "Compared with C, what is the effect of I on O?", "Does I, compared to C, reduce O?", "Is I
    better than C for O?", "effect of I on O in P" and the like; "on" is the last one, since dosages
    hold others. What is no sentence, as "metformin in PCOS", has an intervention too.
    """
    text = " ".join(question.split()).rstrip("? .")
    if found := _BETTER.search(text):
        return _parted(found["intervention"], found["comparator"], found["outcome"])
    comparator = ""
    if found := _LEADING.match(text) or _COMPARED.search(text):
        comparator = found["comparator"]
        text = f"{text[: found.start()]} {text[found.end() :]}".strip(" ,")
    for pattern in (_ON, _FOR, _VERB):
        if found := pattern.search(text):
            return _parted(found["intervention"], comparator, found["outcome"])
    if not comparator and "?" not in question and (found := _NAMED.match(text)):
        return Parts(found["intervention"], "", found["outcome"])
    return Parts("", comparator, question)


def _parted(intervention: str, comparator: str, outcome: str) -> Parts:
    """Take the population off the outcome."""
    found = _WHOM.search(outcome)
    whom = found["population"] if found else ""
    rest = outcome[: found.start()] if found else outcome
    return Parts(intervention.strip(" ,"), comparator, rest, whom)
