"""What a model says of the sentences of an abstract, and the best one for each slot."""

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from relsent_ir.answers.linear import SLOTS, Weights
from relsent_ir.typing import Floats


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
    slots = best_slots(weights.shares(features), weights.wanted(asked)) if len(scores) else {}
    return Judged(scores, probabilities, probabilities >= weights.least, slots)


def best_slots(shares: Floats, wanted: int) -> dict[str, int]:
    """Give the best sentence of each slot; the one that is wanted chooses first.

    Parameters
    ----------
    shares : ndarray of float64, shape (2, sentences)
    wanted : int
        Of `SLOTS`.
    """
    first = int(shares[wanted].argmax())
    found = {SLOTS[wanted]: first}
    if shares.shape[1] > 1:
        others = shares[1 - wanted].copy()
        others[first] = -1.0
        found[SLOTS[1 - wanted]] = int(others.argmax())
    return found
