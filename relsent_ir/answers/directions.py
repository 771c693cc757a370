"""Which way a finding points: increased, decreased or no difference.

A finding is read by a multinomial logistic regression on what is left of its sentence once
intervention (I), comparator (C), outcome (O) and numbers are masked, and p values are told apart as
significant or not: single words, and runs of up to three among arms, outcome, p values and words
that point up, down or to no difference. A conclusion is read by rules.

A direction that is not sure enough is not given: it abstains.
"""

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, ClassVar, Final, Self

import numpy as np

from relsent_ir.answers.asking import QuestionParts, question_parts
from relsent_ir.answers.words import terms
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
DIRECTION_RULES: Final = tuple(p.pattern for p in (_TOKEN, _UP, _DOWN, _NONE, _PAIR))
"""The patterns, by which a model knows whether they have changed since it was trained."""


@dataclass(frozen=True, slots=True)
class Direction:
    """Which way a sentence points.

    Attributes
    ----------
    label : str
        One of `FINDING`, or of `relsent_ir.answers.verdicts.VERDICTS`.
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
        In the order of `labels`; the intercepts last.
    threshold : float
        The least probability of a direction that is sure.
    """

    labels: ClassVar[tuple[str, ...]] = FINDING
    stored: ClassVar[str] = "direction"
    rare: ClassVar[int] = RARE
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
        """Return what `from_arrays` needs."""
        return {
            f"{self.stored}_names": pack_strings(self.names),
            f"{self.stored}_weights": np.asarray(self.weights, dtype=np.float16),
            f"{self.stored}_threshold": np.array([self.threshold]),
        }

    @classmethod
    def from_arrays(cls, arrays: Any) -> Self:
        """Read what `to_arrays` gave."""
        own = {part: f"{cls.stored}_{part}" for part in ("names", "weights", "threshold")}
        names, weights = unpack_strings(arrays[own["names"]]), arrays[own["weights"]]
        wanted = {own["weights"]: "float rows columns", own["threshold"]: "float 1"}
        check_arrays(arrays, wanted, rows=len(names) + 1, columns=len(cls.labels))
        return cls(names, weights, float(arrays[own["threshold"]][0]))

    @classmethod
    def fit(
        cls,
        features: Sequence[frozenset[str]],
        y: NDArray[np.int64],
        importance: Floats | None = None,
    ) -> Self:
        """Learn the weights; `y` are places among the labels, the threshold is 0."""
        from sklearn.feature_extraction import DictVectorizer
        from sklearn.linear_model import LogisticRegression

        vectorizer = DictVectorizer()
        x = vectorizer.fit_transform([dict.fromkeys(some, 1.0) for some in features])
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
        if len(classes) == 2:  # scikit-learn then gives one row: that of the second class
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
        """Return the probabilities of what each fold leaves out, learned from the others."""
        probabilities = np.full((len(y), len(cls.labels)), 1 / len(cls.labels))
        for out in held:
            if out.any() and not out.all():
                others = [f for f, o in zip(features, out, strict=True) if not o]
                taught = cls.fit(others, y[~out], None if importance is None else importance[~out])
                left = [f for f, o in zip(features, out, strict=True) if o]
                probabilities[out] = taught.probabilities(left)
        return probabilities


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
    probabilities = Directions.unseen(features, y, held)
    best, right = probabilities.max(axis=1), probabilities.argmax(axis=1) == y
    steps = np.round(np.arange(0.34, 1.0, 0.02), 2).tolist()
    good = [s for s in steps if (best >= s).any() and right[best >= s].mean() >= ACCURACY]
    return replace(Directions.fit(features, y), threshold=good[0] if good else steps[-1])


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
