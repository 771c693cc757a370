"""Naive Bayes weights of pair features (Smith & Wilbur 2010, section 2.4.1).

``w = ln(p (1 - q) / (q (1 - p)))``, p and q the shares of related and of unrelated training pairs
that have the feature, each with half a pair added to either side, so that none is 0 or 1.
"""

import numpy as np
from numpy.typing import NDArray

from relsent_ir.related.design import LinearDesign

SMOOTHING = 0.5


def bayes_weights(
    design: LinearDesign, labels: NDArray[np.floating], kept: NDArray[np.bool_]
) -> NDArray[np.float64]:
    """Work out the weights of a binary design.

    Parameters
    ----------
    design : LinearDesign
        Binary, of shape (pairs, weights).
    labels : ndarray of float, shape (pairs,)
        1 for related, -1 for unrelated, 0 for a pair that is left out.
    kept : ndarray of bool, shape (weights,)
        The features that get a weight; the others' is 0.
    """
    odds = []
    for label in (1, -1):
        chosen = (labels == label).astype(np.float64)
        share = (design.transposed_dot(chosen) + SMOOTHING) / (chosen.sum() + 2 * SMOOTHING)
        odds.append(np.log(share) - np.log1p(-share))
    return np.where(kept, odds[0] - odds[1], 0.0)
