"""The probability that a candidate is the one record that a topic asks for.

A question that quotes one record wants that record first, and a broad topic wants all that are
like the first hits: what is best for the one harms the other. So a ranker has two parts. The first
orders by likeness to what is relevant; the second, a softmax over the topic's candidates, says how
likely each is *the* record, and where it is sure of one, that one comes first. Features are
relative to the topic's other candidates, so that the margin of the first hit, and how much of the
topic that hit has, decide how sure it is: a topic tells what it is by itself.

References
----------
Cao, Qin, Liu, Tsai, Li: Learning to rank: from pairwise approach to listwise approach. ICML 2007
(the loss). Amati, Carpineto, Romano: Query difficulty, robustness, and selective application of
query expansion. ECIR 2004.
"""

from collections.abc import Sequence
from typing import Final

import numpy as np

from relsent_ir.ranker.features.likeness import standard
from relsent_ir.ranker.judgements import JudgedTopic
from relsent_ir.ranker.linear import DIGITS
from relsent_ir.typing import Floats, NDArray

STRENGTH: Final = 30.0
"""Standard deviations of the other part's scores that a probability of 1 adds."""
STRENGTHS: Final = (STRENGTH, 20.0, 10.0, 5.0, 2.0)
"""To choose from by topics that people judged, which tell how exact they are."""
PENALTY: Final = 0.01
"""Of the squared weights, beside the mean loss of a topic."""
_ROUNDS: Final = 300


def probabilities(features: Floats, weights: Floats) -> Floats:
    """Compute the probability that each candidate is the record wanted; shape (n,), of sum 1."""
    if not len(features):
        return np.zeros(0)
    logits = features @ weights
    shares = np.exp(logits - logits.max())
    normalized: Floats = shares / shares.sum()
    return normalized


def combined(
    scores: Floats, features: Floats, weights: Floats | None, strength: float = STRENGTH
) -> Floats:
    """Add the probabilities to scores, which are brought to deviation 1; shape (n,)."""
    if weights is None:
        return scores
    both: Floats = standard(scores) + strength * probabilities(features, weights)
    return both


def learn(topics: Sequence[JudgedTopic], chosen: Floats) -> Floats:
    """Learn weights from topics with one relevant record each, by the cross-entropy of the softmax.

    Parameters
    ----------
    topics : sequence of JudgedTopic
        Those whose relevant record is no candidate are passed over.
    chosen : ndarray of float64, shape (features,)
        1 for the features that may weigh, else 0.

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
