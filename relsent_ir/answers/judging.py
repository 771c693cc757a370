"""What a model says of the sentences of an abstract, and the best one for each slot."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

import numpy as np
from numpy.typing import NDArray

from relsent_ir.answers.linear import SLOTS, Weights
from relsent_ir.typing import Floats

LEAST: Final = 0.5
"""The least probability of an answer."""


@dataclass(frozen=True)
class Judged:
    """What a model says of the sentences of an abstract.

    Attributes
    ----------
    scores : ndarray of float64, shape (sentences,)
        By which they are ranked.
    probabilities : ndarray of float64, shape (sentences,)
        That a sentence is an answer.
    answers : ndarray of bool, shape (sentences,)
        Whether the model takes it for one.
    slots : dict of str to int
        The sentence that is best for each of `SLOTS`, two different ones; what is first is first.
    """

    scores: NDArray[np.float64]
    probabilities: NDArray[np.float64]
    answers: NDArray[np.bool_]
    slots: Mapping[str, int] = field(default_factory=dict)


def judged(weights: Weights, features: Floats, asked: Floats) -> Judged:
    """Judge the sentences of an abstract by their features."""
    scores = weights.scores(features, asked)
    probabilities = weights.answers(scores, asked)
    answers = np.zeros(len(scores), dtype=bool)
    if not len(scores):
        return Judged(scores, probabilities, answers)
    first = int(scores.argmax())
    answers[first] = probabilities[first] >= LEAST
    return Judged(scores, probabilities, answers, best_slots(weights.shares(features), first))


def best_slots(shares: Floats, first: int) -> dict[str, int]:
    """Give the best sentence of each slot.

    The first sentence takes the slot that it has more of; the other slot gets the best of the
    others.

    Parameters
    ----------
    shares : ndarray of float64, shape (2, sentences)
    first : int
        The sentence that is first.
    """
    mine = int(shares[:, first].argmax())
    found = {SLOTS[mine]: first}
    if shares.shape[1] > 1:
        others = shares[1 - mine].copy()
        others[first] = -1.0
        found[SLOTS[1 - mine]] = int(others.argmax())
    return found
