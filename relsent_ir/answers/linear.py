"""Our answer model: linear, with two slots.

A question may be answered by a finding (RESULTS: figures, p values) or by the conclusion. Each slot
has its weights: the softmax over the abstract's sentences of a weighted sum of features
(`relsent_ir.answers.sentence_features`); they maximise the likelihood that one of the answer
sentences is drawn, with an L2 penalty. Which slot a question wants is a logistic regression on the
parts of the question (`asked_features`), learned from where the evidence is, both slots' questions
weighing the same. A question that wants the conclusion, and has its evidence there, teaches that
slot; any other teaches the finding, wherever its evidence is. A sentence's score is its share of
the slot that the question more probably wants.

The probability that a sentence answers comes from its score by one more logistic regression,
learned from the scores of records that were left out (Platt). From which probability on a sentence
is taken for an answer is chosen there too, by the F1 of the answers.

References
----------
D. McFadden. Conditional logit analysis of qualitative choice behavior. 1974.
J. C. Platt. Probabilistic outputs for support vector machines. 1999.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

import numpy as np

from relsent_ir.answers.questions import folds
from relsent_ir.typing import Floats, NDArray

PENALTY: Final = 100.0
FOLDS: Final = 10
CALIBRATED: Final = 4
LEAST: Final = 0.5
PLATEAU: Final = 0.002
_STEPS: Final = np.round(np.arange(0.05, 0.95, 0.01), 2).tolist()
SLOTS: Final = ("finding", "conclusion")
SLOT_MOVES: Final = ("RESULTS", "CONCLUSION")
"""Each slot's move: a slot has a sentence of this move, the likeliest, or none."""

Bools = NDArray[np.bool_]


@dataclass(frozen=True)
class Example:
    """A question with its abstract, as the model sees them.

    Attributes
    ----------
    record : str
        The abstract's id.
    features : ndarray of float64, shape (sentences, features)
    asked : ndarray of float64, shape (asked,)
        What the question says of the slot that it wants.
    answers : ndarray of bool, shape (sentences,)
    concludes : bool
        The answers are in the CONCLUSION, most of them.
    whole : bool
        The question's parts are hidden, so it does not teach which slot is wanted.
    moves : tuple of str
        The sentences' moves.
    """

    record: str
    features: Floats
    asked: Floats
    answers: Bools
    concludes: bool = False
    whole: bool = False
    moves: tuple[str, ...] = ()


@dataclass(frozen=True)
class Step:
    """The softmax of one slot: a sentence's sum is ``x / deviation @ weights``.

    Attributes
    ----------
    deviation, weights : ndarray of float64, shape (features,)
    """

    deviation: Floats
    weights: Floats

    def shares(self, features: Floats) -> Floats:
        """Return each sentence's probability to be the slot's best; they sum to one."""
        sums = features / self.deviation @ self.weights
        powers = np.exp(sums - sums.max(initial=-np.inf))
        shares: Floats = powers / powers.sum() if len(powers) else powers
        return shares


@dataclass(frozen=True)
class Weights:
    """The learned weights.

    Attributes
    ----------
    slots : tuple of two Step
        In the order of `SLOTS`.
    order : ndarray of float64, shape (asked + 1,)
        The log odds that a question wants the conclusion, the intercept last.
    calibration : ndarray of float64, shape (`CALIBRATED`,)
        Of `_second`, the intercept last.
    least : float
        The least probability of what is taken for an answer.
    """

    slots: tuple[Step, Step]
    order: Floats
    calibration: Floats
    least: float = LEAST

    def concludes(self, question: Floats) -> float:
        """Return the probability that a question wants the conclusion."""
        return float(sigmoid(question @ self.order[:-1] + self.order[-1]))

    def wanted(self, question: Floats) -> int:
        """Return which of `SLOTS` a question wants."""
        return int(self.concludes(question) > 0.5)

    def shares(self, features: Floats) -> Floats:
        """Return each sentence's share of each slot; shape (2, sentences)."""
        return np.stack([slot.shares(features) for slot in self.slots])

    def scores(self, features: Floats, question: Floats) -> Floats:
        """Return each sentence's probability to be the best answer; they sum to one."""
        return self.slots[self.wanted(question)].shares(features)

    def answers(self, scores: Floats, question: Floats) -> Floats:
        """Return each sentence's probability to be an answer."""
        x = _second(scores, self.wanted(question))
        return sigmoid(x @ self.calibration[:-1] + self.calibration[-1])


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
        Of the slots' weights.
    unseen : sequence of int
        Columns of the features that the finding is not shown.
    calibrated : bool
        Without, probabilities are scores; that takes a tenth of the time.
    """
    whole = _uncalibrated(examples, penalty, unseen)
    if not calibrated:
        return whole
    scores = [whole.scores(example.features, example.asked) for example in examples]
    for held in folds([example.record for example in examples], FOLDS):
        others = [example for example, out in zip(examples, held, strict=True) if not out]
        if not held.any() or not any(example.answers.any() for example in others):
            continue
        part = _uncalibrated(others, penalty, unseen)
        for i in np.flatnonzero(held).tolist():
            scores[i] = part.scores(examples[i].features, examples[i].asked)
    pairs = [  # what hides its parts cannot say which slot it wants
        (own, e) for own, e in zip(scores, examples, strict=True) if len(own) and not e.whole
    ]
    x = np.vstack([_second(own, whole.wanted(example.asked)) for own, example in pairs])
    right = np.concatenate([example.answers for _, example in pairs])
    calibration = logistic(x, right)
    least = best_threshold(sigmoid(x @ calibration[:-1] + calibration[-1]), right, _STEPS)
    return Weights(whole.slots, whole.order, calibration, least)


def best_threshold(values: Floats, right: Bools, steps: Sequence[float]) -> float:
    """Return the step from which on the values that are taken for right have the best F1.

    It is the middle one of the steps whose F1 is within `PLATEAU` of the best, the lower of two:
    the best step itself moves by a tenth with a question more or less.
    """

    def f1(least: float) -> float:
        given = values >= least
        return float(2 * (given & right).sum() / max(1, given.sum() + right.sum()))

    reached = [f1(step) for step in steps]
    good = [s for s, value in zip(steps, reached, strict=True) if value >= max(reached) - PLATEAU]
    return good[(len(good) - 1) // 2]


def logistic(x: Floats, y: Bools, weights: Floats | None = None) -> Floats:
    """Fit a logistic regression; one weight a column, and the intercept.

    Where all of `y` are the same, it says so with certainty.
    """
    from sklearn.linear_model import LogisticRegression

    if y.all() or not y.any():
        return np.append(np.zeros(x.shape[1]), 20.0 if y.all() else -20.0)
    fitted = LogisticRegression(max_iter=1000).fit(x, y, sample_weight=weights)
    return np.append(fitted.coef_[0], fitted.intercept_[0])


def sigmoid(sums: Floats) -> Floats:
    """Return probabilities for log odds."""
    values: Floats = 1.0 / (1.0 + np.exp(-sums))
    return values


def _uncalibrated(examples: Sequence[Example], penalty: float, unseen: Sequence[int]) -> Weights:
    """Learn the order of the slots, and the slots."""
    taught = [example for example in examples if example.answers.any()]
    parted = [example for example in taught if not example.whole]
    wanted = np.array([example.concludes for example in parted])
    alike = (
        np.where(wanted, 1 / max(1, wanted.sum()), 1 / max(1, (~wanted).sum())) * len(parted) / 2
    )
    order = logistic(np.stack([example.asked for example in parted]), wanted, alike)
    none = Step(np.zeros(0), np.zeros(0))
    ordered = Weights((none, none), order, np.array([1.0, 0.0, 0.0, 0.0]))
    parts: list[list[Example]] = [[], []]
    for example in taught:
        parts[int(example.concludes and ordered.wanted(example.asked))].append(example)
    finding = _step(parts[0] or taught, penalty, unseen)  # an empty slot is as the other
    return replace(ordered, slots=(finding, _step(parts[1] or taught, penalty, ())))


def _step(taught: Sequence[Example], penalty: float, unseen: Sequence[int]) -> Step:
    """Learn one slot; unseen columns get no weight."""
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
        wanted = share * y / right[owner]
        return 0.5 * penalty * w @ w - np.log(right).sum(), x.T @ (share - wanted) + penalty * w

    minimum = minimize(cost, np.zeros(x.shape[1]), jac=True, method="L-BFGS-B")
    return Step(deviation, minimum.x)


def _second(scores: Floats, concludes: int) -> Floats:
    """Return the columns of the calibration: log odds, whether a conclusion is wanted, and both."""
    clipped = np.clip(scores, 1e-4, 1 - 1e-4)
    odds = np.log(clipped / (1 - clipped))
    return np.column_stack([odds, np.full(len(odds), float(concludes)), odds * concludes])


@dataclass(frozen=True)
class Verdict:
    """A model's judgement of the sentences of an abstract.

    Attributes
    ----------
    scores : ndarray of float64, shape (sentences,)
        By which they are ranked.
    probabilities : ndarray of float64, shape (sentences,)
        That a sentence is an answer.
    answers : ndarray of bool, shape (sentences,)
        Whether the model takes it for one.
    slots : dict of str to int
        The sentence that is best for each of `SLOTS`, of its move; the slot that is wanted first.
    """

    scores: NDArray[np.float64]
    probabilities: NDArray[np.float64]
    answers: NDArray[np.bool_]
    slots: Mapping[str, int] = field(default_factory=dict)

    def order(self) -> NDArray[np.intp]:
        """Return the sentences by their scores, ties in the order of the abstract."""
        return np.argsort(-self.scores, kind="stable")


def judged(weights: Weights, features: Floats, question: Floats, moves: Sequence[str]) -> Verdict:
    """Judge the sentences of an abstract by their features and their moves."""
    scores = weights.scores(features, question)
    probabilities = weights.answers(scores, question)
    slots = best_slots(weights.shares(features), weights.wanted(question), moves)
    return Verdict(scores, probabilities, probabilities >= weights.least, slots)


def best_slots(shares: Floats, wanted: int, moves: Sequence[str]) -> dict[str, int]:
    """Return the best sentence of each slot among those of its move; the one wanted is first.

    A slot is empty where no sentence has its move.

    Parameters
    ----------
    shares : ndarray of float64, shape (2, sentences)
    wanted : int
        Of `SLOTS`.
    moves : sequence of str
        The sentences' moves.
    """
    slots = {}
    for slot in (wanted, 1 - wanted):
        own = [n for n, move in enumerate(moves) if move == SLOT_MOVES[slot]]
        if own:
            slots[SLOTS[slot]] = max(own, key=lambda n: shares[slot][n])
    return slots
