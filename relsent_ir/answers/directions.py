"""Directions of findings (increased, decreased, no difference), and verdicts (yes, no, unclear).

A multinomial logistic regression reads the direction of a finding. In its sentence intervention
(I), comparator (C), outcome (O) and numbers are masked, and p values are significant or not. Its
features are single words, and runs of up to three among arms, outcome, p values and words that
point up, down or to no difference.

Another one reads the verdict of a sentence on a yes/no question, from the signs of the sentence in
their order: for the claim and against it (by what *yes* says of the outcome, `QuestionParts.way`),
negations and the words in their scope, hedges, concessions, calls for research, and the places of
subject (S), comparator (C) and outcome (O). It was learned from sentences that were judged by
readers (docs/answers.md).

Below a threshold a direction is not sure and the model abstains; a verdict is *unclear* then.
"""

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from itertools import pairwise
from typing import Any, ClassVar, Final, Self

import numpy as np

from relsent_ir.answers.language import QuestionParts, question_parts, terms
from relsent_ir.models import check_arrays, pack_strings, unpack_strings
from relsent_ir.text.words import stem
from relsent_ir.typing import Floats, NDArray

FINDING: Final = ("increased", "no difference", "decreased")
LABELS: Final = {
    "significantly increased": "increased",
    "no significant difference": "no difference",
    "significantly decreased": "decreased",
}
"""Our names of directions, by the labels of the evidence."""

INVERSE_PENALTY: Final = 0.05

_TOKEN: Final = re.compile(
    r"\bp[ -]?(?:values?)?\s*(?P<sign>[=<>≤≥]|less than)\s*(?P<p>0?[.·]\d+|\d)"
    r"|(?P<number>\d+(?:[.,·]\d+)*)|(?P<word>[^\W\d_]+)|(?P<other>[%<>=≤≥±])",
    re.IGNORECASE,
)
_UP: Final = re.compile(
    r"higher|greater|more|increas|better|improv|larger|longer|superior|rose|faster|gain"
)
_DOWN: Final = re.compile(
    r"lower|less|fewer|decreas|reduc|declin|shorter|smaller|wors|inferior|fell|prevent|slow"
)
_NONE: Final = re.compile(r"(?:no|not|similar|compar\w*|same|neither|nor|without|equal\w*|non)$")
_PAIR: Final = re.compile(
    r"(\d+(?:[.·]\d+)?)[^.;]{0,60}?\b(?:vs\.?|versus|compared (?:with|to)|and)\b[^\d]{0,30}"
    r"(\d+(?:[.·]\d+)?)"
)
_SIGNS: Final = frozenset({"UP", "DOWN", "NONE", "I", "C", "O", "P+", "P-", "than"})
DIRECTION_RULES: Final = tuple(p.pattern for p in (_TOKEN, _UP, _DOWN, _NONE, _PAIR))
"""The patterns, which a model compares with those it was trained with."""


@dataclass(frozen=True, slots=True)
class Direction:
    """The direction or the verdict of a sentence.

    Attributes
    ----------
    label : str
        One of `FINDING`, or of `VERDICTS`.
    probability : float
        The label's; 1 by a rule.
    sure : bool
        If False, it should not be shown.
    """

    label: str
    probability: float
    sure: bool


@dataclass(frozen=True)
class Directions:
    """The regression that reads findings.

    Attributes
    ----------
    names : tuple of str
        The features', sorted.
    weights : ndarray of float, shape (features + 1, 3)
        In the order of `labels`; the intercepts last.
    threshold : float
        The least probability of a sure direction.
    """

    labels: ClassVar[tuple[str, ...]] = FINDING
    stored: ClassVar[str] = "direction"
    rare: ClassVar[int] = 5  # fewest sentences with a feature
    definite: ClassVar[int] = 3  # labels that may be sure, the first ones
    accuracy: ClassVar[float] = 0.9  # of the sure directions, on records left out
    step: ClassVar[float] = 0.02  # of the threshold
    names: tuple[str, ...]
    weights: NDArray[np.floating]
    threshold: float

    def probabilities(self, features: Sequence[frozenset[str]]) -> Floats:
        """Return the probabilities of the labels; shape (len(features), 3)."""
        sums = np.empty((len(features), len(self.labels)))
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

    def read(self, question: str, sentence: str, stopwords: Collection[str]) -> Direction:
        """Read a finding."""
        (row,) = self.probabilities([direction_features(question, sentence, stopwords)])
        best = int(row.argmax())
        return Direction(FINDING[best], float(row[best]), bool(row[best] >= self.threshold))

    def to_arrays(self) -> dict[str, NDArray[Any]]:
        """Return the arrays for `from_arrays`."""
        return {
            f"{self.stored}_names": pack_strings(self.names),
            f"{self.stored}_weights": np.asarray(self.weights, dtype=np.float16),
            f"{self.stored}_threshold": np.array([self.threshold]),
        }

    @classmethod
    def from_arrays(cls, arrays: Any) -> Self:
        """Read the arrays of `to_arrays`."""
        names = unpack_strings(arrays[f"{cls.stored}_names"])
        weights, threshold = f"{cls.stored}_weights", f"{cls.stored}_threshold"
        shapes = {weights: "float rows columns", threshold: "float 1"}
        check_arrays(arrays, shapes, rows=len(names) + 1, columns=len(cls.labels))
        return cls(names, arrays[weights], float(arrays[threshold][0]))

    @classmethod
    def fit(
        cls,
        features: Sequence[frozenset[str]],
        y: NDArray[np.int64],
        importance: Floats | None = None,
    ) -> Self:
        """Learn the weights, with the threshold 0; `y` are places among the labels."""
        from sklearn.feature_extraction import DictVectorizer
        from sklearn.linear_model import LogisticRegression

        vectorizer = DictVectorizer()
        x = vectorizer.fit_transform([dict.fromkeys(names, 1.0) for names in features])
        least = min(cls.rare, len(y) // 10 + 1)
        frequent = np.flatnonzero(np.asarray(x.sum(axis=0)).ravel() >= least)
        names = tuple(vectorizer.get_feature_names_out()[frequent].tolist())
        weights = np.zeros((len(names) + 1, len(cls.labels)))
        classes = np.unique(y)
        if len(classes) == 1:
            weights[-1, classes[0]] = 20.0
            return cls(names, weights, 0.0)
        fitted = LogisticRegression(C=INVERSE_PENALTY, max_iter=2000)
        fitted.fit(x[:, frequent], y, sample_weight=importance)
        coefficients, intercepts = fitted.coef_, fitted.intercept_
        if len(classes) == 2:  # scikit-learn has one row then, the second class's
            coefficients = np.vstack([0 * coefficients, coefficients])
            intercepts = np.append(0.0, intercepts)
        weights[:-1, classes] = coefficients.T
        weights[-1, classes] = intercepts
        return cls(names, weights, 0.0)

    @classmethod
    def unseen(
        cls,
        features: Sequence[frozenset[str]],
        y: NDArray[np.int64],
        held: Sequence[NDArray[np.bool_]],
        importance: Floats | None = None,
    ) -> Floats:
        """Return the probabilities of the sentences in each fold, learned from the other folds."""
        probabilities = np.full((len(y), len(cls.labels)), 1 / len(cls.labels))
        for out in held:
            if out.any() and not out.all():
                part = [features[n] for n in np.flatnonzero(~out).tolist()]
                model = cls.fit(part, y[~out], None if importance is None else importance[~out])
                rest = [features[n] for n in np.flatnonzero(out).tolist()]
                probabilities[out] = model.probabilities(rest)
        return probabilities

    @classmethod
    def train(
        cls,
        features: Sequence[frozenset[str]],
        labels: Sequence[str],
        held: Sequence[NDArray[np.bool_]],
        importance: Floats | None = None,
        judged: NDArray[np.bool_] | None = None,
    ) -> Self:
        """Learn the weights and the threshold.

        Parameters
        ----------
        features : sequence of frozenset of str
        labels : sequence of str
        held : sequence of ndarray of bool
            Folds, on which the threshold is chosen: the least with `accuracy` reached.
        importance : ndarray of float64, shape (sentences,), optional
        judged : ndarray of bool, shape (sentences,), optional
            The sentences on which the threshold is chosen; all if None.
        """
        y = np.array([cls.labels.index(label) for label in labels])
        rows = np.ones(len(y), dtype=bool) if judged is None else judged
        probabilities = cls.unseen(features, y, held, importance)[rows][:, : cls.definite]
        best, right = probabilities.max(axis=1), probabilities.argmax(axis=1) == y[rows]
        steps: list[float] = np.round(np.arange(0.34, 1.0, cls.step), 2).tolist()
        good = (s for s in steps if (best >= s).any() and right[best >= s].mean() >= cls.accuracy)
        return replace(cls.fit(features, y, importance), threshold=next(good, steps[-1]))


def cue_direction(sentence: str) -> Direction:
    """Read a finding by its cues: no difference if any says so, else by the first, up or down."""
    signs = [name for name in map(_sign, tokens(sentence)) if name in ("UP", "DOWN", "NONE", "P-")]
    if not signs or "NONE" in signs or "P-" in signs:
        return Direction("no difference", 1.0, sure=bool(signs))
    return Direction("increased" if signs[0] == "UP" else "decreased", 1.0, sure=True)


def tokens(sentence: str) -> list[str]:
    """Return words in small letters; NUM for numbers, P+ and P- for p values below, above .05."""
    words = []
    for match in _TOKEN.finditer(sentence):
        if match["sign"]:
            words.append(_significance(match))
        elif match["number"]:
            words.append("NUM")
        else:
            words.append((match["word"] or match["other"]).lower())
    return words


def _significance(match: re.Match[str]) -> str:
    """Return P+ for a p value below .05, else P-."""
    value, sign = float(match["p"].replace("·", ".")), match["sign"]
    small = value <= 0.05 if sign in ("<", "≤", "less than") else value < 0.05
    return "P+" if small and sign not in (">", "≥") else "P-"


def direction_features(question: str, sentence: str, stopwords: Collection[str]) -> frozenset[str]:
    """Return the names of a sentence's features."""
    masked = _masked(question_parts(question), sentence, stopwords)
    signs = [sign for sign in map(_sign, masked) if sign in _SIGNS]
    features = set(masked)
    for n in (1, 2, 3):
        features |= {"/".join(signs[i : i + n]) for i in range(len(signs) - n + 1)}
    arms = [word for word in masked if word in ("I", "C")]
    first = arms[0] if arms else "?"
    features.add(f"first {first}")
    ways = [sign for sign in signs if sign in ("UP", "DOWN")]
    if ways:
        features.add(f"{ways[0]} after {first}")
    if numbers := _PAIR.search(sentence):
        a, b = (float(number.replace("·", ".")) for number in numbers.groups())
        order = ">" if a > b else "<" if a < b else "="
        features |= {f"numbers {order}", f"numbers {order} after {first}"}
    return frozenset(features)


def _masked(parts: QuestionParts, sentence: str, stopwords: Collection[str]) -> list[str]:
    """Return the stems of a sentence, with its arms, outcome and numbers masked."""
    intervention, comparator, outcome = (
        frozenset(terms(text, stopwords))
        for text in (parts.intervention, parts.comparator, parts.outcome)
    )
    words: list[str] = []
    for token in tokens(sentence):
        word = token if token in ("NUM", "P+", "P-") else stem(token)
        if word in intervention and word in comparator:
            word = "B"
        elif word in intervention:
            word = "I"
        elif word in comparator:
            word = "C"
        elif word in outcome:
            word = "O"
        if word not in ("I", "C", "O", "B") or words[-1:] != [word]:
            words.append(word)
    return words


def is_direction(word: str) -> bool:
    """Return whether a word points up, down or to no difference."""
    return _sign(word) != word


def _sign(word: str) -> str:
    if _UP.match(word):
        return "UP"
    if _DOWN.match(word):
        return "DOWN"
    return "NONE" if _NONE.match(word) else word


VERDICTS: Final = ("yes", "no", "unclear")
SCOPE: Final = 8  # reach of a negation, in words
BEFORE: Final = 60  # characters before the subject that may make it the other arm
LEAST_NO: Final = 0.85
"""The least probability of a *no*: readers of an index found 11 of 12 right from here on, and none
of 7 below (docs/answers.md)."""

_VERDICT_TOKEN: Final = re.compile(
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
    "|".join(f"(?P<{name}>(?:{text})$)" for name, text in _CLAIM_SIGNS.items())
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
"""Before the subject it makes the other arm, and denies nothing: "with or without it"."""
_THAN_IT: Final = re.compile(
    r"\b(?:than(?: \w+){0,2}|compared (?:with|to)(?: the)?|versus|vs\.?)\s$", re.IGNORECASE
)
"""Before the subject, if not named earlier, it makes the subject the comparator."""
_NOT: Final = re.compile(r"\b(?:not|\w+n't|no longer|cannot|fails?)\b", re.IGNORECASE)
VERDICT_RULES: Final = (
    *(p.pattern for p in (_VERDICT_TOKEN, SIGN, _BUT_ALSO, _ABSENT, _THAN_IT, _NOT)),
    repr(_WAYS),
    str(SCOPE),
)
"""The patterns, which a model compares with those it was trained with."""


def marked(
    parts: QuestionParts, sentence: str, stopwords: Collection[str]
) -> list[tuple[str, str, int]]:
    """Return the words of a sentence, each with its sign or "", and its start.

    A p value, and a punctuation mark, has the word "".
    """
    places: dict[str, str] = {}
    for name, text in (("O", parts.outcome), ("C", parts.comparator), ("S", parts.intervention)):
        for word in terms(text, stopwords):
            places[word] = "B" if name == "S" and places.get(word) == "C" else name
    words: list[tuple[str, str, int]] = []
    last = -1  # place of the last sign
    scope = 0
    sentence = _BUT_ALSO.sub("", sentence)
    for match in _VERDICT_TOKEN.finditer(sentence):
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
    """Return a sentence's signs in their order; in the scope of a negation, as ``not FOR``."""
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


@lru_cache(maxsize=256)  # an abstract's sentences are weighed, and then read
def verdict_features(
    parts: QuestionParts, sentence: str, stopwords: frozenset[str]
) -> frozenset[str]:
    """Return the names of a sentence's features, for a question of these parts."""
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


class Verdicts(Directions):
    """The regression that reads verdicts."""

    labels: ClassVar[tuple[str, ...]] = VERDICTS
    stored: ClassVar[str] = "verdict"
    rare: ClassVar[int] = 3
    definite: ClassVar[int] = 2
    accuracy: ClassVar[float] = 0.89
    step: ClassVar[float] = 0.01

    def read(self, question: str, sentence: str, stopwords: Collection[str]) -> Direction:
        """Read a sentence; it is unclear if neither yes nor no is sure.

        On "X does not reduce O", a sentence that says it does is a no.
        """
        features = verdict_features(question_parts(question), sentence, frozenset(stopwords))
        (row,) = self.probabilities([features])
        best = int(row[:2].argmax())
        sure = bool(row[best] >= (max(self.threshold, LEAST_NO) if best else self.threshold))
        place = (1 - best if denies(question) else best) if sure else 2
        return Direction(VERDICTS[place], float(row[best] if sure else 1 - row[:2].max()), sure)


def denies(question: str) -> bool:
    """Return whether a question or a statement has a negation: "X does not reduce O"."""
    return bool(_NOT.search(question))
