"""The linear classifier of answer sentences, with two slots.

A finding (in RESULTS: figures, p values) or the conclusion may answer a question. For each of these
slots there are weights: the softmax over the abstract's sentences of a weighted sum of features
(`relsent_ir.answers.sentence_features`). They maximise the likelihood of drawing an answer
sentence, with an L2 penalty. A logistic regression on the parts of a question (`question_features`)
predicts the slot; it is trained on where the evidence is, with equal weights of the slots. A
question that predicts the conclusion, and has its evidence there, trains that slot; all others
train the finding, wherever their evidence is. A sentence's score is its share of the predicted
slot.

A second logistic regression turns scores into probabilities that a sentence answers (Platt). It is
trained on scores of held-out records, like the threshold for answers, which maximises their F1.

References
----------
D. McFadden. Conditional logit analysis of qualitative choice behavior. 1974.
J. C. Platt. Probabilistic outputs for support vector machines. 1999.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

import numpy as np

from relsent_ir.typing import Floats, NDArray

CALIBRATED: Final = 4
LEAST: Final = 0.5
MOST: Final = 0.5
SLOTS: Final = ("finding", "conclusion")
SLOT_MOVES: Final = ("RESULTS", "CONCLUSION")
"""The move of each slot; the likeliest sentence with this move fills the slot."""
Bools = NDArray[np.bool_]


@dataclass(frozen=True)
class Step:
    """The softmax of one slot; the sum for a sentence is ``x / deviation @ weights``.

    Attributes
    ----------
    deviation, weights : ndarray of float64, shape (features,)
    """

    deviation: Floats
    weights: Floats

    def shares(self, features: Floats) -> Floats:
        """Return the probability of each sentence that it is the slot's best; the sum is one."""
        sums = features / self.deviation @ self.weights
        powers = np.exp(sums - sums.max(initial=-np.inf))
        shares: Floats = powers / powers.sum() if len(powers) else powers
        return shares


@dataclass(frozen=True)
class Weights:
    """The weights of the linear classifier.

    Attributes
    ----------
    slots : tuple of two Step
        In the order of `SLOTS`.
    order : ndarray of float64, shape (question features + 1,)
        Weights for the log odds that the conclusion answers a question; the last is the intercept.
    calibration : ndarray of float64, shape (`CALIBRATED`,)
        Weights of the columns of `calibration_columns`; the last is the intercept.
    least : float
        The least probability of an answer sentence.
    """

    slots: tuple[Step, Step]
    order: Floats
    calibration: Floats
    least: float = LEAST

    def concludes(self, question: Floats) -> float:
        """Return the probability that the conclusion answers a question."""
        return float(probabilities_of(self.order, question))

    def slot(self, question: Floats) -> int:
        """Return the index in `SLOTS` of a question's slot."""
        return int(self.concludes(question) > 0.5)

    def shares(self, features: Floats) -> Floats:
        """Return the share of each sentence in each slot; shape (2, sentences)."""
        return np.stack([slot.shares(features) for slot in self.slots])

    def scores(self, features: Floats, question: Floats) -> Floats:
        """Return the probability of each sentence that it is the best answer; the sum is one."""
        return self.slots[self.slot(question)].shares(features)

    def answers(self, scores: Floats, question: Floats) -> Floats:
        """Return the probability of each sentence that it is an answer."""
        return probabilities_of(self.calibration, calibration_columns(scores, self.slot(question)))


def probabilities_of(weights: Floats, columns: Floats) -> Floats:
    """Return the probabilities of a logistic regression; the last weight is the intercept."""
    values: Floats = 1.0 / (1.0 + np.exp(-(columns @ weights[:-1] + weights[-1])))
    return values


def calibration_columns(scores: Floats, concludes: int) -> Floats:
    """Return the columns of the calibration: log odds, slot (0 or 1), and their product."""
    clipped = np.clip(scores, 1e-4, 1 - 1e-4)
    odds = np.log(clipped / (1 - clipped))
    return np.column_stack([odds, np.full(len(odds), float(concludes)), odds * concludes])


@dataclass(frozen=True)
class Verdict:
    """What a model says about the sentences of an abstract.

    Attributes
    ----------
    scores : ndarray of float64, shape (sentences,)
        The scores by which sentences are ranked.
    probabilities : ndarray of float64, shape (sentences,)
        Probabilities that they are answers.
    answers : ndarray of bool, shape (sentences,)
        Whether the model regards each sentence as an answer.
    slots : dict of str to int
        The best sentence for each of `SLOTS` among those with its move; the question's slot first.
    """

    scores: Floats
    probabilities: Floats
    answers: Bools
    slots: Mapping[str, int] = field(default_factory=dict)

    def order(self) -> NDArray[np.intp]:
        """Return the sentences in order of score; ties keep their order in the abstract."""
        return np.argsort(-self.scores, kind="stable")


def judge_abstract(
    weights: Weights,
    features: Floats,
    question: Floats,
    moves: Sequence[str],
    named: Sequence[Sequence[Floats]] = ((), ()),
    is_void: Callable[[int], bool] = lambda _: False,
) -> Verdict:
    """Judge the sentences of an abstract by their features and their moves, with `best_slots`."""
    shares, first = weights.shares(features), weights.slot(question)
    probabilities = weights.answers(shares[first], question)
    slots = best_slots(shares, first, moves, named, is_void)
    return Verdict(shares[first], probabilities, probabilities >= weights.least, slots)


def best_slots(
    shares: Floats,
    first: int,
    moves: Sequence[str],
    named: Sequence[Sequence[Floats]] = ((), ()),
    is_void: Callable[[int], bool] = lambda _: False,
) -> dict[str, int]:
    """Return the best sentence of each slot among those with its move, if there are any.

    Parameters
    ----------
    shares : ndarray of float64, shape (2, sentences)
    first : int
        The index in `SLOTS` of the slot that comes first.
    moves : sequence of str
        The moves of the sentences.
    named : pair of sequences of ndarray of float64, shape (sentences,)
        For each slot, how far the sentences name its subject. A best sentence that does not name it
        at all is replaced by one that mostly does.
    is_void : callable
        Whether a sentence is replaced by any other with its move.
    """
    slots = {}
    for slot in (first, 1 - first):
        candidates = [n for n, move in enumerate(moves) if move == SLOT_MOVES[slot]]
        candidates.sort(key=lambda n: -shares[slot][n])
        if not candidates:
            continue
        best = next((n for n in candidates if not is_void(n)), candidates[0])
        for share in named[slot]:
            if not share[best]:
                best = next((n for n in candidates if share[n] > MOST and not is_void(n)), best)
        slots[SLOTS[slot]] = best
    return slots
