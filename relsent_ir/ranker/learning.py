"""Learning the weights of a ranker: of its linear part, and of the part for exact questions.

The linear score is w·x; for each pair of candidates (a relevant, b not), the difference x_a - x_b
is an example of one class (Joachims: Optimizing search engines using clickthrough data. KDD 2002);
loss and minimiser are those of Smith & Wilbur's weights (`relsent_ir.related.training.huber`). The
other part (`relsent_ir.ranker.model.probabilities`) has the loss of Cao, Qin, Liu, Tsai, Li:
Learning to rank: from pairwise approach to listwise approach. ICML 2007.
"""

from collections.abc import Sequence
from typing import Final

import numpy as np

from relsent_ir.ranker.judgements import JudgedTopic, draw_pairs
from relsent_ir.related.training.huber import JointDesign, minimise
from relsent_ir.typing import Floats, NDArray

PENALTIES: Final = (0.01, 0.03, 0.1)
"""Values of λ0 to choose from: λ of the loss is λ0 times the mean squared length of a pair."""
DIGITS: Final = 7
"""Significant digits of a weight; further digits depend on the order of summation."""
PENALTY: Final = 0.01
"""The factor of the squared weights for exact questions; the loss is a mean over topics."""
_ROUNDS: Final = 300


def learn_linear(
    topics: Sequence[JudgedTopic], penalty: float, seed: int, chosen: Floats | float = 1.0
) -> Floats:
    """Learn the weights of features from topics, of which at least one is usable.

    Every other pair is reversed, so that no threshold can separate the classes. `chosen` is as in
    `learn_exact`; by default all features may have weights.
    """
    pairs = draw_pairs(topics, seed) * chosen
    labels = np.where(np.arange(len(pairs)) % 2 == 0, 1.0, -1.0)
    pairs *= labels[:, None]
    size = float((pairs**2).sum(axis=1).mean())
    if not size:
        return np.zeros(pairs.shape[1])
    minimum = minimise(JointDesign(pairs), labels, penalty * size)
    return np.array([float(f"{w:.{DIGITS}g}") for w in minimum.weights])


def learn_exact(topics: Sequence[JudgedTopic], chosen: Floats) -> Floats:
    """Learn weights from topics with one relevant record each, by the softmax's cross-entropy.

    Parameters
    ----------
    topics : sequence of JudgedTopic
        Topics; those whose relevant record is not a candidate are ignored.
    chosen : ndarray of float64, shape (features,)
        1 for features that may have a weight, else 0.

    Returns
    -------
    ndarray of float64, shape (features,)
    """
    from scipy.optimize import minimize

    usable = [topic for topic in topics if topic.usable]
    columns = np.flatnonzero(chosen)
    features = np.concatenate([topic.features[:, columns] for topic in usable])
    relevant = np.concatenate([topic.grades > 0 for topic in usable]).astype(np.float64)
    starts = np.cumsum([0, *(len(topic.grades) for topic in usable)])
    owners = np.repeat(np.arange(len(usable)), np.diff(starts))

    def loss(weights: Floats) -> tuple[float, Floats]:
        logits = features @ weights
        logits -= np.maximum.reduceat(logits, starts[:-1])[owners]
        shares = np.exp(logits)
        totals = np.add.reduceat(shares, starts[:-1])[owners]
        value = -(relevant * (logits - np.log(totals))).sum() / len(usable)
        slope = features.T @ (shares / totals - relevant) / len(usable)
        return float(value + PENALTY * weights @ weights), slope + 2 * PENALTY * weights

    start: NDArray[np.float64] = np.zeros(len(columns))
    found = minimize(loss, start, jac=True, method="L-BFGS-B", options={"maxiter": _ROUNDS})
    weights = np.zeros(len(chosen))
    weights[columns] = [float(f"{weight:.{DIGITS}g}") for weight in found.x]
    return weights
