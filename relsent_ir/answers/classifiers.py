"""The classifier of answer sentences, linear, with two slots.

A finding (RESULTS: figures, p values) or the conclusion may answer a question. Each
slot has its weights: the softmax over the abstract's sentences of a weighted sum of features
(`relsent_ir.answers.sentence_features`). They maximise the likelihood that an answer sentence is
drawn, with an L2 penalty. A logistic regression on the parts of the question (`question_features`)
predicts its slot; it is learned from the place of the evidence, with equal weight for both slots. A
question that predicts the conclusion, and has its evidence there, teaches that slot; all others
teach the finding, wherever their evidence is. A sentence's score is its share of the predicted
slot.

A second logistic regression turns scores into probabilities that a sentence answers (Platt). It is
learned from the scores of records that were left out, as is the threshold for answers, by their F1.

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
"""Each slot's move: the likeliest sentence of this move fills the slot."""
Bools = NDArray[np.bool_]


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
        """Return each sentence's probability of being the slot's best; they sum to one."""
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
        For the log odds that the conclusion answers a question, the intercept last.
    calibration : ndarray of float64, shape (`CALIBRATED`,)
        For the columns of `calibration_columns`, the intercept last.
    least : float
        The least probability of an answer.
    """

    slots: tuple[Step, Step]
    order: Floats
    calibration: Floats
    least: float = LEAST

    def concludes(self, question: Floats) -> float:
        """Return the probability that the conclusion answers a question."""
        return float(probabilities_of(self.order, question))

    def slot(self, question: Floats) -> int:
        """Return the place in `SLOTS` of a question's slot."""
        return int(self.concludes(question) > 0.5)

    def shares(self, features: Floats) -> Floats:
        """Return each sentence's share of each slot; shape (2, sentences)."""
        return np.stack([slot.shares(features) for slot in self.slots])

    def scores(self, features: Floats, question: Floats) -> Floats:
        """Return each sentence's probability of being the best answer; they sum to one."""
        return self.slots[self.slot(question)].shares(features)

    def answers(self, scores: Floats, question: Floats) -> Floats:
        """Return each sentence's probability of being an answer."""
        return probabilities_of(self.calibration, calibration_columns(scores, self.slot(question)))


def probabilities_of(weights: Floats, columns: Floats) -> Floats:
    """Return the probabilities of a logistic regression; the weights end with the intercept."""
    values: Floats = 1.0 / (1.0 + np.exp(-(columns @ weights[:-1] + weights[-1])))
    return values


def calibration_columns(scores: Floats, concludes: int) -> Floats:
    """Return the columns of the calibration: log odds, the slot (0 or 1), and their product."""
    clipped = np.clip(scores, 1e-4, 1 - 1e-4)
    odds = np.log(clipped / (1 - clipped))
    return np.column_stack([odds, np.full(len(odds), float(concludes)), odds * concludes])


@dataclass(frozen=True)
class Verdict:
    """A model's judgement of the sentences of an abstract.

    Attributes
    ----------
    scores : ndarray of float64, shape (sentences,)
        For their ranks.
    probabilities : ndarray of float64, shape (sentences,)
        Probabilities that they are answers.
    answers : ndarray of bool, shape (sentences,)
        The sentences that the model regards as answers.
    slots : dict of str to int
        The best sentence for each of `SLOTS`, among those of its move; the question's slot first.
    """

    scores: Floats
    probabilities: Floats
    answers: Bools
    slots: Mapping[str, int] = field(default_factory=dict)

    def order(self) -> NDArray[np.intp]:
        """Return the sentences by score, ties in the order of the abstract."""
        return np.argsort(-self.scores, kind="stable")


def judge_abstract(
    weights: Weights,
    features: Floats,
    question: Floats,
    moves: Sequence[str],
    named: Sequence[Sequence[Floats]] = ((), ()),
    is_void: Callable[[int], bool] = lambda _: False,
) -> Verdict:
    """Judge the sentences of an abstract by their features and their moves, as `best_slots`."""
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
    """Return the best sentence of each slot among those of its move, if there are any.

    Parameters
    ----------
    shares : ndarray of float64, shape (2, sentences)
    first : int
        The place in `SLOTS` of the slot that comes first.
    moves : sequence of str
        The sentences' moves.
    named : pair of sequences of ndarray of float64, shape (sentences,)
        For each slot, how far they name what it is on. The best sentence, if it does not at all,
        gives way to one that does mostly.
    is_void : callable
        Whether a sentence gives way to any other of its move.
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
