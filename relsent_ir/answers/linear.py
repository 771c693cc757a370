"""Our answer model: linear, in two steps.

1. Which sentence of the abstract answers? The softmax over its sentences of a weighted sum of
   `relsent_ir.answers.features`; the weights maximise the likelihood that one of the answer
   sentences is drawn, with an L2 penalty.
2. Is a sentence an answer? Evidence is often said twice, and a sentence that repeats at least half
   of an answer's words (of the shorter one's) counts as one too. Logistic regression on the first
   step's probability, that of the sentences which a sentence repeats, and whether the best one is
   among these; learned from the first step's probabilities of records that were left out. The
   probability from which on a sentence counts as an answer is that of the best F1 there.

References
----------
D. McFadden. Conditional logit analysis of qualitative choice behavior. 1974.
J. C. Platt. Probabilistic outputs for support vector machines. 1999.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from relsent_ir.answers.gold import LEAST, word_set
from relsent_ir.answers.splits import folds
from relsent_ir.typing import Floats

PENALTY: Final = 100.0
FOLDS: Final = 10
_THRESHOLDS: Final = np.round(np.arange(0.1, 0.71, 0.02), 2)

Bools = NDArray[np.bool_]


@dataclass(frozen=True)
class Example:
    """A question with its abstract, as the model sees them.

    Attributes
    ----------
    record : str
        The abstract's id.
    features : ndarray of float64, shape (sentences, features)
    repeats : ndarray of bool, shape (sentences, sentences)
        As `repetitions` gives them.
    answers : ndarray of bool, shape (sentences,)
    """

    record: str
    features: Floats
    repeats: Bools
    answers: Bools


@dataclass(frozen=True)
class Weights:
    """What was learned.

    Attributes
    ----------
    mean, deviation, weights : ndarray of float64, shape (features,)
        Of the first step; a sentence's sum is ``(x - mean) / deviation @ weights``.
    second : ndarray of float64, shape (4,)
        Weights of the second step, the intercept last.
    threshold : float
        The least probability of an answer.
    """

    mean: Floats
    deviation: Floats
    weights: Floats
    second: Floats
    threshold: float

    def best(self, features: Floats) -> Floats:
        """Give each sentence's probability to be the best answer; they sum to one."""
        sums = (features - self.mean) / self.deviation @ self.weights
        return _softmax(sums) if len(sums) else sums

    def answers(self, best: Floats, repeats: Bools) -> Floats:
        """Give each sentence's probability to count as an answer."""
        if not len(best):
            return best
        return _sigmoid(_second(best, repeats) @ self.second[:-1] + self.second[-1])


def repetitions(texts: Sequence[str]) -> Bools:
    """Tell which sentences share half the words of the shorter; shape (texts, texts).

    A sentence repeats itself.
    """
    sets = [word_set(text) for text in texts]
    sizes = np.array([len(words) for words in sets])
    shared = np.array([[len(a & b) for b in sets] for a in sets]).reshape(len(sets), len(sets))
    found: Bools = shared >= LEAST * np.minimum.outer(sizes, sizes)
    return found | np.eye(len(sets), dtype=bool)


def train_weights(examples: Sequence[Example], penalty: float = PENALTY) -> Weights:
    """Learn both steps, and the threshold."""
    whole = _first(examples, penalty)
    best = [whole.best(example.features) for example in examples]
    for held in folds([example.record for example in examples], FOLDS):
        others = [example for example, out in zip(examples, held, strict=True) if not out]
        if not held.any() or not any(example.answers.any() for example in others):
            continue
        first = _first(others, penalty)
        for i in np.flatnonzero(held).tolist():
            best[i] = first.best(examples[i].features)
    pairs = [(found, e) for found, e in zip(best, examples, strict=True) if len(found)]
    x = np.vstack([_second(found, example.repeats) for found, example in pairs])
    y = np.concatenate([example.answers for _, example in pairs])
    second = _logistic(x, y)
    probabilities = _sigmoid(x @ second[:-1] + second[-1])
    threshold = _threshold(probabilities, y)
    return Weights(whole.mean, whole.deviation, whole.weights, second, threshold)


def _first(examples: Sequence[Example], penalty: float) -> Weights:
    """Learn the first step."""
    from scipy.optimize import minimize

    taught = [example for example in examples if example.answers.any()]
    x = np.vstack([example.features for example in taught])
    y = np.concatenate([example.answers for example in taught])
    owner = np.repeat(np.arange(len(taught)), [len(example.answers) for example in taught])
    starts = np.flatnonzero(np.diff(owner, prepend=-1))
    mean = x.mean(axis=0)
    deviation = x.std(axis=0)
    deviation[deviation < 1e-9] = 1.0
    x = (x - mean) / deviation

    def cost(w: Floats) -> tuple[float, Floats]:
        sums = x @ w
        powers = np.exp(sums - np.maximum.reduceat(sums, starts)[owner])
        share = powers / np.add.reduceat(powers, starts)[owner]
        right = np.add.reduceat(share * y, starts)
        wanted = share * y / right[owner]
        return 0.5 * penalty * w @ w - np.log(right).sum(), x.T @ (share - wanted) + penalty * w

    found = minimize(cost, np.zeros(x.shape[1]), jac=True, method="L-BFGS-B")
    return Weights(mean, deviation, found.x, np.zeros(4), 0.5)


def _second(best: Floats, repeats: Bools) -> Floats:
    """What the second step sees: log odds, the share of what is repeated, and of the best one."""
    clipped = np.clip(best, 1e-4, 1 - 1e-4)
    odds = np.log(clipped / (1 - clipped))
    return np.column_stack([odds, repeats @ best, repeats[:, int(best.argmax())]])


def _logistic(x: Floats, y: Bools) -> Floats:
    from sklearn.linear_model import LogisticRegression

    if y.all() or not y.any():
        return np.append(np.zeros(x.shape[1]), 20.0 if y.all() else -20.0)
    fitted = LogisticRegression(max_iter=1000).fit(x, y)
    return np.append(fitted.coef_[0], fitted.intercept_[0])


def _threshold(probabilities: Floats, y: Bools) -> float:
    """Choose the threshold of the best F1."""

    def f1(threshold: float) -> float:
        given = probabilities >= threshold
        return float(2 * (given & y).sum() / max(1, given.sum() + y.sum()))

    return float(max(_THRESHOLDS.tolist(), key=f1))


def _softmax(sums: Floats) -> Floats:
    powers = np.exp(sums - sums.max())
    shares: Floats = powers / powers.sum()
    return shares


def _sigmoid(sums: Floats) -> Floats:
    values: Floats = 1.0 / (1.0 + np.exp(-sums))
    return values
