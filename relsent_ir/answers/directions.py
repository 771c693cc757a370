"""Verdicts: a sentence's answer to a yes/no question (yes, no, unclear).

A multinomial logistic regression reads the verdict from the sequence of signs in a sentence: for
the claim and against it (according to what *yes* means for the outcome, `QuestionParts.way`),
negations and the words in their scope, hedges, concessions, calls for research, and the places of
subject (S), comparator (C) and outcome (O). It was trained on sentences judged by readers
(docs/answers.md).

If the probability is below a threshold, the verdict is *unclear*.
"""

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import pairwise
from typing import Any, Final, Self

import numpy as np

from relsent_ir.answers.language import NOT, Question, QuestionParts, terms
from relsent_ir.models import check_arrays, pack_strings, unpack_strings
from relsent_ir.text.words import stem
from relsent_ir.typing import Floats, NDArray

_UP: Final = re.compile(
    r"higher|greater|more|increas|better|improv|larger|longer|superior|rose|faster|gain"
)
_DOWN: Final = re.compile(
    r"lower|less|fewer|decreas|reduc|declin|shorter|smaller|wors|inferior|fell|prevent|slow"
)
_NONE: Final = re.compile(r"^(?:no|not|similar|compar\w*|same|neither|nor|without|equal\w*|non)$")


@dataclass(frozen=True, slots=True)
class Direction:
    """The verdict of a sentence.

    Attributes
    ----------
    label : str
        One of `VERDICTS`.
    probability : float
        The probability of the label.
    sure : bool
        Whether the verdict is certain enough to be shown.
    """

    label: str
    probability: float
    sure: bool


def is_direction(word: str) -> bool:
    """Return whether a word states an increase, a decrease or no difference."""
    return any(pattern.match(word) for pattern in (_UP, _DOWN, _NONE))


VERDICTS: Final = ("yes", "no", "unclear")
SCOPE: Final = 8  # words that a negation reaches
BEFORE: Final = 60  # characters before the subject that may turn it into the other arm

_TOKEN: Final = re.compile(
    r"\bp[ -]?(?:values?)?\s*(?P<sign>[=<>≤≥]|less than)\s*(?P<p>0?[.·]\d+|\d)"
    r"|(?P<word>[^\W\d_]+)|(?P<stop>[,;:])",
    re.IGNORECASE,
)
_CLAIM_SIGNS: Final = {
    "ASK": r"further|additional|future|warrant\w*|unclear|unknown|uncertain\w*|insufficient"
    r"|unproved|inconclusive|controvers\w*|debate\w*|investigat\w*|limited|discuss\w*|review\w*|evaluat\w*"
    r"|protocol|remains?|weak\w*|bias\w*",
    "NEG": r"no|not|neither|nor|without|fail(?:s|ed|ing)?|lack\w*|unable|little|never|cannot"
    r"|absence|rather|un(?:necessary|likely|related|supported|affected|changed)|ineffective\w*|question|doubts?",
    "SAME": r"similar\w*|comparabl\w*|equal\w*|same|equivalen\w*|independent\w*|irrespective"
    r"|regardless",
    "BUT": r"although|however|but|despite|while|whereas|though|nevertheless",
    "BAD": r"wors\w*|inferior\w*|harm\w*|contraindicat\w*|caution|disadvantage\w*|risks?|adverse",
    "GOOD": r"effective\w*|efficac\w*|useful\w*|safe\w*|benefi\w*|help\w*|superior\w*|advantage\w*"
    r"|well|recommend\w*|successful\w*|valu\w*|viable|promis\w*|toler\w*|feasib\w*|better|favou?r\w*"
    r"|improv\w*|relie[fv]\w*|heal\w*|alleviat\w*|best|satisf\w*|choice|reliabl\w*|accurate\w*|valid\w*|appropriate\w*|support\w*",
    "UP": r"higher|greater|more|increas\w*|enhanc\w*|larger|longer|rose|faster|gain\w*|elevat\w*"
    r"|rais\w*|boost\w*|prolong\w*|induc\w*|caus\w*|produc\w*|lead|leads|led|promot\w*|stimulat\w*"
    r"|worsen\w*",
    "DOWN": r"lower\w*|less|fewer|decreas\w*|reduc\w*|declin\w*|shorter|smaller|fell|prevent\w*"
    r"|slow\w*|attenuat\w*|suppress\w*|inhibit\w*|protect\w*|counteract\w*|diminish\w*"
    r"|delay\w*|impair\w*|block\w*",
    "LINK": r"associat\w*|relat(?!iv)\w*|correlat\w*|affect\w*|influenc\w*|alter\w*|chang\w*"
    r"|predict\w*|differ\w*|role|effects?|contribut\w*|depend\w*|link\w*|factors?|involv\w*|explain\w*|impact\w*"
    r"|mediat\w*",
    "HEDGE": r"may|might|could|possib\w*|potential\w*|seems?|appears?|suggest\w*|tentative",
    "SHOULD": r"should|must|need\w*|require\w*|necess\w*",
    "THAN": r"than|compared|versus|vs",
}
SIGN: Final = re.compile(
    "^(?:" + "|".join(f"(?P<{name}>(?:{text})$)" for name, text in _CLAIM_SIGNS.items()) + ")"
)
_WAYS: Final[Mapping[str, Mapping[str, str]]] = {
    "up": {"UP": "FOR", "DOWN": "AGAINST"},
    "down": {"DOWN": "FOR", "UP": "AGAINST"},
    "good": {"GOOD": "FOR", "BAD": "AGAINST", "DOWN": "MOVES", "UP": "MOVES"},
    "bad": {"BAD": "FOR", "GOOD": "AGAINST"},
    "same": {"SAME": "FOR", "LINK": "AGAINST"},
    "linked": {"LINK": "FOR", "UP": "MOVES", "DOWN": "MOVES"},
}
_OPPOSITE: Final = {
    "FOR": "AGAINST",
    "AGAINST": "FOR",
    "not FOR": "not AGAINST",
    "not AGAINST": "not FOR",
}
_PARTS: Final = frozenset("SCOB")
_BUT_ALSO: Final = re.compile(r"\bnot (?=only\b|just\b|merely\b)", re.IGNORECASE)
_ABSENT: Final = re.compile(
    r"\b(?:(?:or|and|versus|vs\.?|than|to|with) no|without)\s$", re.IGNORECASE
)
"""Words before the subject that make it the other arm without a denial: "with or without it"."""
_THAN_IT: Final = re.compile(
    r"\b(?:than(?: \w+){0,2}|compared (?:with|to)(?: the)?|versus|vs\.?)\s$", re.IGNORECASE
)
"""Words that turn a subject after them, if not named earlier, into the comparator."""
VERDICT_RULES: Final = (
    *(p.pattern for p in (_UP, _DOWN, _NONE, _TOKEN, SIGN, _BUT_ALSO, _ABSENT, _THAN_IT, NOT)),
    repr(_WAYS),
    str(SCOPE),
)
"""The patterns; a model compares them with those of its training."""


def marked(
    parts: QuestionParts, sentence: str, stopwords: Collection[str]
) -> list[tuple[str, str, int]]:
    """Return the words of a sentence, each with its sign or "", and its start.

    For a p value, and for a punctuation mark, the word is "".
    """
    places: dict[str, str] = {}
    for name, text in (("O", parts.outcome), ("C", parts.comparator), ("S", parts.intervention)):
        for word in terms(text, stopwords):
            places[word] = "B" if name == "S" and places.get(word) == "C" else name
    words: list[tuple[str, str, int]] = []
    last = -1  # place of the last sign
    scope = 0
    sentence = _BUT_ALSO.sub("", sentence)
    for match in _TOKEN.finditer(sentence):
        word = (match["word"] or "").lower()
        name = ""
        if match["sign"]:
            name = _significance(match)
        elif not word:
            scope = 0
        else:
            scope = max(0, scope - 1)
            sign = SIGN.match(word)
            name = places.get(stem(word), "")
            if name and (name != "O" or not sign):
                before = sentence[max(0, match.start() - BEFORE) : match.start()]
                if name == "S" and _ABSENT.search(before) and last >= 0 and words[last][1] == "NEG":
                    words[last], scope, name = (words[last][0], "C", words[last][2]), 0, ""
            else:
                name = str(sign.lastgroup) if sign else ""
                if name in ("NEG", "BUT"):
                    scope = SCOPE if name == "NEG" else 0
                elif name:
                    name = _WAYS.get(parts.way, {}).get(name, name)
                    if scope and name not in ("HEDGE", "ASK", "THAN", "SHOULD"):
                        name = f"not {name}"
        last = len(words) if name else last
        words.append((match["word"] or "", name, match.start()))
    return words


def signs(parts: QuestionParts, sentence: str, stopwords: Collection[str]) -> list[str]:
    """Return the signs of a sentence in order; in the scope of a negation as ``not FOR``."""
    names: list[str] = []
    turned = False
    sentence = _BUT_ALSO.sub("", sentence)
    for _, name, start in marked(parts, sentence, stopwords):
        if name in _PARTS:
            before = sentence[max(0, start - BEFORE) : start]
            turned |= name == "S" and not {"S", "C"} & set(names) and bool(_THAN_IT.search(before))
        if name and (name not in _PARTS or names[-1:] != [name]):
            names.append(name)
    if parts.way != "same" and (turned or _is_of_comparator(names)):
        return [_OPPOSITE.get(sign, sign) for sign in names]
    return names


def _is_of_comparator(signs: Sequence[str]) -> bool:
    """Return whether a statement is about the comparator: "more with C than with S"."""
    arms = [sign for sign in signs if sign in ("S", "C", "THAN", "FOR", "AGAINST")]
    order = "".join(sign[0] for sign in arms)
    named = re.sub("[FA]", "", order)
    if "S" not in named:
        return named.startswith("C")
    return "CTS" in named or ("T" not in named and bool(re.match("(?:C+[FA]+S|[FA]+C+S)", order)))


@lru_cache(maxsize=256)  # the sentences of an abstract are used twice
def verdict_features(
    parts: QuestionParts, sentence: str, stopwords: frozenset[str]
) -> frozenset[str]:
    """Return the names of a sentence's features for a question with these parts."""
    names = signs(parts, sentence, stopwords)
    claims = [sign for sign in names if sign not in _PARTS and sign not in ("P+", "P-")]
    way = parts.way or "is"
    features = {*names, *(f"{way}: {sign}" for sign in names)}
    features |= {f"{a}/{b}" for a, b in pairwise(names)}
    features |= {f"{a}, {b}" for a, b in pairwise(claims)}
    features |= {f"first {claims[0]}", f"last {claims[-1]}"} if claims else {"none"}
    features.add(f"negations {min(2, names.count('NEG'))}")
    for n, sign in enumerate(names):
        if sign == "O":
            near = names[max(0, n - 2) : n + 3]
            features |= {f"O by {other}" for other in near if other not in _PARTS}
    total = names.count("FOR") - names.count("AGAINST") - names.count("not FOR")
    features |= {f"net {np.sign(total)}", f"{way}: net {np.sign(total)}"}
    stems = set(terms(sentence, stopwords))
    for name, text in (("S", parts.intervention), ("O", parts.outcome)):
        words = set(terms(text, stopwords))
        features.add(f"{name} {int(2 * len(words & stems) / max(1, len(words)))}")
    return frozenset(features)


def _significance(match: re.Match[str]) -> str:
    """Return P+ if a p value is below .05, else P-."""
    value, sign = float(match["p"].replace("·", ".")), match["sign"]
    small = value <= 0.05 if sign in ("<", "≤", "less than") else value < 0.05
    return "P+" if small and sign not in (">", "≥") else "P-"


@dataclass(frozen=True)
class Verdicts:
    """The regression that reads verdicts from features.

    Attributes
    ----------
    names : tuple of str
        The names of the features, sorted.
    weights : ndarray of float, shape (features + 1, 3)
        Weights in the order of `VERDICTS`; the last row has the intercepts.
    threshold : float
        The least probability for a verdict that is certain.
    """

    names: tuple[str, ...]
    weights: NDArray[np.floating]
    threshold: float

    def probabilities(self, features: Sequence[frozenset[str]]) -> Floats:
        """Return the probabilities of the verdicts; shape (len(features), 3)."""
        sums = np.empty((len(features), len(VERDICTS)))
        place = self._place
        for row, names in zip(sums, features, strict=True):
            rows = [place[name] for name in sorted(names) if name in place]
            row[:] = self.weights[rows].sum(axis=0, dtype=np.float64) + self.weights[-1]
        powers = np.exp(sums - sums.max(axis=1, keepdims=True))
        shares: Floats = powers / powers.sum(axis=1, keepdims=True)
        return shares

    @cached_property
    def _place(self) -> dict[str, int]:
        return {name: i for i, name in enumerate(self.names)}

    def read(
        self,
        question: Question,
        sentence: str,
        stopwords: Collection[str],
        least: float | None = None,
    ) -> Direction:
        """Read the verdict of a sentence; it is unclear if neither yes nor no is probable enough.

        For "X does not reduce O", a sentence that says that it does is a no.
        """
        features = verdict_features(question.spelled_parts, sentence, frozenset(stopwords))
        (row,) = self.probabilities([features])
        best = int(row[:2].argmax())
        sure = bool(row[best] >= (self.threshold if least is None else least))
        place = (1 - best if question.denies else best) if sure else 2
        return Direction(VERDICTS[place], float(row[best] if sure else 1 - row[:2].max()), sure)

    def to_arrays(self) -> dict[str, NDArray[Any]]:
        """Return the arrays for `from_arrays`."""
        return {
            "verdict_names": pack_strings(self.names),
            "verdict_weights": np.asarray(self.weights, dtype=np.float16),
            "verdict_threshold": np.array([self.threshold]),
        }

    @classmethod
    def from_arrays(cls, arrays: Any) -> Self:
        """Read the arrays of `to_arrays`."""
        names = unpack_strings(arrays["verdict_names"])
        weights, threshold = "verdict_weights", "verdict_threshold"
        shapes = {weights: "float rows columns", threshold: "float 1"}
        check_arrays(arrays, shapes, rows=len(names) + 1, columns=len(VERDICTS))
        return cls(names, arrays[weights], float(arrays[threshold][0]))
