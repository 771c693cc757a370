"""Which way an answer points: increased, decreased or no difference; yes, no or unclear.

A finding is read by a multinomial logistic regression on what is left of its sentence once
intervention (I), comparator (C), outcome (O) and numbers are masked, and p values are told apart as
significant or not: single words, and runs of up to three among arms, outcome, p values and words
that point up, down or to no difference. A conclusion is read by rules.

A direction that is not sure enough is not given: it abstains.
"""

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final

import numpy as np

from relsent_ir.answers.questions import QuestionParts, question_parts
from relsent_ir.answers.words import terms
from relsent_ir.models import check_arrays, pack_strings, unpack_strings
from relsent_ir.text.words import stem
from relsent_ir.typing import Floats, NDArray

FINDING: Final = ("increased", "no difference", "decreased")
CONCLUSION: Final = ("yes", "no", "unclear")
LABELS: Final = {
    "significantly increased": "increased",
    "no significant difference": "no difference",
    "significantly decreased": "decreased",
}
"""Our names of directions, by the labels of the evidence."""

RARE: Final = 5  # sentences that a feature must be in
INVERSE_PENALTY: Final = 0.05
ACCURACY: Final = 0.9  # of what is said without abstaining, on records left out

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
_UNCLEAR: Final = re.compile(
    r"\b(?:unclear|uncertain|inconclusive|insufficient|remains? (?:to be|unknown|controversial)"
    r"|not (?:yet )?(?:known|clear|certain)|cannot be (?:drawn|determined|excluded)"
    r"|(?:more|further|additional|larger|future) (?:\w+ ){0,3}?(?:stud(?:y|ies)|research|trials?"
    r"|investigations?|evidence|data|evaluation|work))\b",
    re.IGNORECASE,
)
_DENIED: Final = re.compile(
    r"\b(?:no|not|neither|nor|without|fail(?:s|ed)?|lack(?:s|ed)?|un(?:necessary|likely|related)"
    r"|ineffective|similar(?:ly)?|comparable|equal(?:ly)?|unable|little)\b",
    re.IGNORECASE,
)
DIRECTION_RULES: Final = tuple(
    p.pattern for p in (_TOKEN, _UP, _DOWN, _NONE, _PAIR, _UNCLEAR, _DENIED)
)
"""The patterns, by which a model knows whether they have changed since it was trained."""


@dataclass(frozen=True, slots=True)
class Direction:
    """Which way a sentence points.

    Attributes
    ----------
    label : str
        One of `FINDING` or `CONCLUSION`.
    probability : float
        That it is so; 1 by a rule.
    sure : bool
        If not, it had better not be shown.
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
        Of the features, sorted.
    weights : ndarray of float, shape (features + 1, 3)
        In the order of `FINDING`; the intercepts last.
    threshold : float
        The least probability of a direction that is sure.
    """

    names: tuple[str, ...]
    weights: NDArray[np.floating]
    threshold: float

    def probabilities(self, features: Sequence[frozenset[str]]) -> Floats:
        """Return the probabilities of `FINDING`; shape (len(features), 3)."""
        sums = np.empty((len(features), len(FINDING)))
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
        """Return what `from_arrays` needs."""
        return {
            "direction_names": pack_strings(self.names),
            "direction_weights": np.asarray(self.weights, dtype=np.float16),
            "direction_threshold": np.array([self.threshold]),
        }

    @classmethod
    def from_arrays(cls, arrays: Any) -> "Directions":
        """Read what `to_arrays` gave."""
        names, weights = unpack_strings(arrays["direction_names"]), arrays["direction_weights"]
        wanted = {"direction_weights": "float rows columns", "direction_threshold": "float 1"}
        check_arrays(arrays, wanted, rows=len(names) + 1, columns=len(FINDING))
        return cls(names, weights, float(arrays["direction_threshold"][0]))


def conclusion_direction(sentence: str) -> Direction:
    """Read a conclusion: unclear if it asks for more research, no if it denies, else yes."""
    if _UNCLEAR.search(sentence):
        return Direction("unclear", 1.0, sure=False)
    return Direction("no" if _DENIED.search(sentence) else "yes", 1.0, sure=True)


def cue_direction(sentence: str) -> Direction:
    """Read a finding by the first cue: one of no difference before all others; else up, or down."""
    signs = [name for name in map(_sign, tokens(sentence)) if name in ("UP", "DOWN", "NONE", "P-")]
    if not signs or "NONE" in signs or "P-" in signs:
        return Direction("no difference", 1.0, sure=bool(signs))
    return Direction("increased" if signs[0] == "UP" else "decreased", 1.0, sure=True)


def tokens(sentence: str) -> list[str]:
    """Return words in small letters; NUM for numbers, P+ and P- for p values below, above .05."""
    words = []
    for match in _TOKEN.finditer(sentence):
        if match["sign"]:
            value = float(match["p"].replace("·", "."))
            most = value <= 0.05 if match["sign"] in ("<", "≤", "less than") else value < 0.05
            words.append("P+" if most and match["sign"] not in (">", "≥") else "P-")
        elif match["number"]:
            words.append("NUM")
        else:
            words.append((match["word"] or match["other"]).lower())
    return words


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


def train_directions(
    features: Sequence[frozenset[str]], labels: Sequence[str], held: Sequence[NDArray[np.bool_]]
) -> Directions:
    """Learn to read findings.

    Parameters
    ----------
    features : sequence of frozenset of str
    labels : sequence of str
        Of `FINDING`.
    held : sequence of ndarray of bool
        Folds; on what each leaves out, the threshold is chosen: the least from which on `ACCURACY`
        of the directions are right.
    """
    y = np.array([FINDING.index(label) for label in labels])
    probabilities = np.full((len(y), len(FINDING)), 1 / len(FINDING))
    for out in held:
        if out.any() and not out.all():
            taught = _fit([f for f, o in zip(features, out, strict=True) if not o], y[~out])
            probabilities[out] = taught.probabilities(
                [f for f, o in zip(features, out, strict=True) if o]
            )
    best, right = probabilities.max(axis=1), probabilities.argmax(axis=1) == y
    steps = np.round(np.arange(0.34, 1.0, 0.02), 2).tolist()
    good = [s for s in steps if (best >= s).any() and right[best >= s].mean() >= ACCURACY]
    whole = _fit(features, y)
    return Directions(whole.names, whole.weights, good[0] if good else steps[-1])


def _fit(features: Sequence[frozenset[str]], y: NDArray[np.int64]) -> Directions:
    from sklearn.feature_extraction import DictVectorizer
    from sklearn.linear_model import LogisticRegression

    vectorizer = DictVectorizer()
    x = vectorizer.fit_transform([dict.fromkeys(some, 1.0) for some in features])
    frequent = np.flatnonzero(np.asarray(x.sum(axis=0)).ravel() >= min(RARE, len(y) // 10 + 1))
    names = tuple(vectorizer.get_feature_names_out()[frequent].tolist())
    weights = np.zeros((len(names) + 1, len(FINDING)))
    classes = np.unique(y)
    if len(classes) == 1:
        weights[-1, classes[0]] = 20.0
        return Directions(names, weights, 0.0)
    fitted = LogisticRegression(C=INVERSE_PENALTY, max_iter=2000).fit(x[:, frequent], y)
    coefficients, intercepts = fitted.coef_, fitted.intercept_
    if len(classes) == 2:  # scikit-learn then gives one row: that of the second class
        coefficients = np.vstack([0 * coefficients, coefficients])
        intercepts = np.append(0.0, intercepts)
    weights[:-1, classes] = coefficients.T
    weights[-1, classes] = intercepts
    return Directions(names, weights, 0.0)


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


def _sign(word: str) -> str:
    if _UP.match(word):
        return "UP"
    if _DOWN.match(word):
        return "DOWN"
    return "NONE" if _NONE.match(word) else word
