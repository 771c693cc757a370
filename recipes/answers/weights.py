"""Learn the weights of the linear classifier of answers."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from recipes.answers.titles import folds
from relsent_ir.answers.classifiers import (
    Bools,
    Step,
    Weights,
    calibration_columns,
    probabilities_of,
)
from relsent_ir.typing import Floats

PENALTY: Final = 100.0
FOLDS: Final = 10
PLATEAU: Final = 0.002
_STEPS: Final = np.round(np.arange(0.05, 0.95, 0.01), 2).tolist()


@dataclass(frozen=True)
class Example:
    """A question with its abstract, as features.

    Attributes
    ----------
    record : str
        The abstract's id.
    features : ndarray of float64, shape (sentences, features)
    question : ndarray of float64, shape (question features,)
        From `question_features`, to predict the slot.
    answers : ndarray of bool, shape (sentences,)
    concludes : bool
        Most answers are in the CONCLUSION.
    whole : bool
        The question's parts are hidden, so it does not teach the slots' order.
    moves : tuple of str
        The sentences' moves.
    """

    record: str
    features: Floats
    question: Floats
    answers: Bools
    concludes: bool = False
    whole: bool = False
    moves: tuple[str, ...] = ()


def train_weights(
    examples: Sequence[Example],
    penalty: float = PENALTY,
    *,
    unseen: Sequence[int] = (),
    calibrated: bool = True,
) -> Weights:
    """Learn the slots, their order, and the calibration.

    Parameters
    ----------
    examples : sequence of Example
    penalty : float
        On the slots' weights.
    unseen : sequence of int
        Columns of the features that are hidden from the finding.
    calibrated : bool
        If False, probabilities are scores; that takes a tenth of the time.
    """
    whole = _uncalibrated(examples, penalty, unseen)
    if not calibrated:
        return whole
    scores = [whole.scores(example.features, example.question) for example in examples]
    for held in folds([example.record for example in examples], FOLDS):
        rest = [example for example, out in zip(examples, held, strict=True) if not out]
        if not held.any() or not any(example.answers.any() for example in rest):
            continue
        part = _uncalibrated(rest, penalty, unseen)
        for i in np.flatnonzero(held).tolist():
            scores[i] = part.scores(examples[i].features, examples[i].question)
    pairs = [  # a question without its parts has no slot of its own
        (row, e) for row, e in zip(scores, examples, strict=True) if len(row) and not e.whole
    ]
    x = np.vstack([calibration_columns(row, whole.slot(e.question)) for row, e in pairs])
    right = np.concatenate([example.answers for _, example in pairs])
    calibration = logistic(x, right)
    least = best_threshold(probabilities_of(calibration, x), right, _STEPS)
    return Weights(whole.slots, whole.order, calibration, least)


def best_threshold(values: Floats, right: Bools, steps: Sequence[float]) -> float:
    """Return the threshold among the steps with the best F1 of the values from it on.

    It is the middle one of the steps whose F1 is within `PLATEAU` of the best, the lower of two:
    one question more or less moves the best step itself by a tenth.
    """

    def f1(least: float) -> float:
        positive = values >= least
        return float(2 * (positive & right).sum() / max(1, positive.sum() + right.sum()))

    scores = [f1(step) for step in steps]
    good = [s for s, value in zip(steps, scores, strict=True) if value >= max(scores) - PLATEAU]
    return good[(len(good) - 1) // 2]


def logistic(
    x: Floats, y: Bools, weights: Floats | None = None, inverse_penalty: float = 1.0
) -> Floats:
    """Fit a logistic regression; one weight for each column, and the intercept.

    If all of `y` are the same, only the intercept counts, near certainty.
    """
    from sklearn.linear_model import LogisticRegression

    if y.all() or not y.any():
        return np.append(np.zeros(x.shape[1]), 20.0 if y.all() else -20.0)
    fitted = LogisticRegression(C=inverse_penalty, max_iter=5000).fit(x, y, weights)
    return np.append(fitted.coef_[0], fitted.intercept_[0])


def _uncalibrated(examples: Sequence[Example], penalty: float, unseen: Sequence[int]) -> Weights:
    """Learn the order of the slots, and the slots."""
    taught = [example for example in examples if example.answers.any()]
    in_parts = [example for example in taught if not example.whole]
    concludes = np.array([example.concludes for example in in_parts])
    sizes = np.where(concludes, concludes.sum(), (~concludes).sum())
    questions = np.stack([example.question for example in in_parts])
    order = logistic(questions, concludes, 1 / sizes * len(in_parts) / 2)
    none = Step(np.zeros(0), np.zeros(0))
    ordered = Weights((none, none), order, np.array([1.0, 0.0, 0.0, 0.0]))
    parts: list[list[Example]] = [[], []]
    for example in taught:
        parts[int(example.concludes and ordered.slot(example.question))].append(example)
    finding = _step(parts[0] or taught, penalty, unseen)  # an empty slot is like the other
    return replace(ordered, slots=(finding, _step(parts[1] or taught, penalty, ())))


def _step(taught: Sequence[Example], penalty: float, unseen: Sequence[int]) -> Step:
    """Learn one slot; unseen columns get weight 0."""
    from scipy.optimize import minimize

    x = np.vstack([example.features for example in taught])
    x[:, list(unseen)] = 0.0
    y = np.concatenate([example.answers for example in taught])
    owner = np.repeat(np.arange(len(taught)), [len(example.answers) for example in taught])
    starts = np.flatnonzero(np.diff(owner, prepend=-1))
    deviation = x.std(axis=0)
    deviation[deviation < 1e-9] = 1.0
    x = (x - x.mean(axis=0)) / deviation

    def cost(w: Floats) -> tuple[float, Floats]:
        sums = x @ w
        powers = np.exp(sums - np.maximum.reduceat(sums, starts)[owner])
        share = powers / np.add.reduceat(powers, starts)[owner]
        right = np.add.reduceat(share * y, starts)
        target = share * y / right[owner]
        return 0.5 * penalty * w @ w - np.log(right).sum(), x.T @ (share - target) + penalty * w

    minimum = minimize(cost, np.zeros(x.shape[1]), jac=True, method="L-BFGS-B")
    return Step(deviation, minimum.x)
