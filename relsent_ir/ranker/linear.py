"""A linear ranker, learned on pairs by the modified Huber loss.

The score is w·x; of each pair of candidates (a relevant, b not) the difference x_a - x_b is an
example of one class (Joachims: Optimizing search engines using clickthrough data. KDD 2002), with
the loss and the minimiser of Smith & Wilbur's weights (`relsent_ir.related.training.huber`).
"""

from collections.abc import Sequence
from typing import Final

import numpy as np

from relsent_ir.ranker.judgements import JudgedTopic, draw_pairs
from relsent_ir.related.training.huber import minimise
from relsent_ir.typing import Floats

PENALTIES: Final = (0.01, 0.03, 0.1)
"""λ0 to choose from: λ of the loss is λ0 times the mean squared length of a pair."""
DIGITS: Final = 7
"""Significant digits of a weight: further ones depend on the order of sums."""


class DenseDesign:
    """A design matrix in full (`relsent_ir.related.training.design.LinearDesign`).

    Parameters
    ----------
    matrix : ndarray of float64, shape (pairs, weights)
    """

    def __init__(self, matrix: Floats) -> None:
        self.matrix = matrix
        self.shape: tuple[int, int] = matrix.shape[0], matrix.shape[1]

    def dot(self, weights: Floats) -> Floats:
        """Compute X w."""
        product: Floats = self.matrix @ weights
        return product

    def transposed_dot(self, values: Floats) -> Floats:
        """Compute Xᵀ v."""
        product: Floats = self.matrix.T @ values
        return product

    def squared_transposed_dot(self, values: Floats) -> Floats:
        """Compute (X ∘ X)ᵀ v."""
        product: Floats = (self.matrix**2).T @ values
        return product


def learn(topics: Sequence[JudgedTopic], penalty: float, seed: int) -> Floats:
    """Learn the weights of features from topics, at least one of them usable.

    Every other pair is turned round, so that no threshold can tell the classes apart.
    """
    pairs = draw_pairs(topics, seed)
    labels = np.where(np.arange(len(pairs)) % 2 == 0, 1.0, -1.0)
    pairs *= labels[:, None]
    size = float((pairs**2).sum(axis=1).mean())
    if not size:
        return np.zeros(pairs.shape[1])
    minimum = minimise(DenseDesign(pairs), labels, penalty * size)
    return np.array([float(f"{w:.{DIGITS}g}") for w in minimum.weights])
