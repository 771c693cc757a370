"""The features of a topic's candidates as one matrix, each brought to the same scale."""

from collections.abc import Sequence

import numpy as np

from relsent_ir.ranker.candidates import Candidates
from relsent_ir.ranker.features import group, has
from relsent_ir.ranker.features.likeness import standard
from relsent_ir.typing import Floats


def available(candidates: Candidates, groups: Sequence[str]) -> list[str]:
    """Give the groups that can be computed for candidates, in their order."""
    return [name for name in groups if has(candidates, name)]


def features(candidates: Candidates, groups: Sequence[str]) -> Floats:
    """Compute groups of features; those that cannot be computed are 0.

    Each feature has mean 0 and standard deviation 1 over the candidates of the topic, and is 0
    where it is the same for all: so topics with long and with short texts weigh alike.

    Returns
    -------
    ndarray of float64, shape (n, features)
        In the order of the groups and of the features in each.
    """
    columns = []
    for name in groups:
        of = group(name)
        found = of.compute(candidates) if len(candidates) and has(candidates, name) else {}
        columns += [
            standard(np.asarray(found[feature], dtype=np.float64))
            if feature in found
            else np.zeros(len(candidates))
            for feature in of.features
        ]
    return np.stack(columns, axis=1) if columns else np.zeros((len(candidates), 0))
