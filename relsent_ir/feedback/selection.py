"""Selective feedback: hits that stood out before it stay in front.

A topic that quotes one record finds it first, far above the next, and feedback from the other hits
moves away from it; of a broad topic the first hits are much alike, and feedback is left to order
them. So each topic tells by its first scores how much of its first order is kept (the margins that
Amati et al. and Shtok et al. predict by), hit by hit.

References
----------
Amati, Carpineto, Romano: Query difficulty, robustness, and selective application of query
expansion. ECIR 2004. Shtok, Kurland, Carmel, Raiber, Markovits: Predicting query performance by
query-drift estimation. ACM Transactions on Information Systems 30, 2012.
"""

from typing import Final

import numpy as np

from relsent_ir.hits import Hits, Run

FIRST: Final = 20
"""Hits before feedback that may stay in front."""
POWER: Final = 20.0
"""Of a score's ratio to the first: a hit at 1.04 times the next score has twice its share."""
DEPTH: Final = 1000
"""Hits after feedback to search at least, so that few come in the order of many."""


def selected(before: Run, after: Run) -> Run:
    """Order hits by their score after feedback, plus their share before it.

    The first is a part of the highest score of the topic; the share is that of the score's 20th
    power among the first hits before feedback. Both are from 0 to 1. A hit of before that is not
    found any more has its share alone.

    Parameters
    ----------
    before, after : Run
        Hits of the same topics; a topic that `before` lacks keeps its order.
    """
    run = Run()
    for topic, hits in after.items():
        first = before.get(topic, Hits.ranked([], [])).head(FIRST)
        if not len(first) or not len(hits) or first.scores[0] <= 0 or hits.scores[0] <= 0:
            run[topic] = hits
            continue
        ratios = np.maximum(first.scores.astype(np.float64), 0.0) / float(first.scores[0])
        shares = ratios**POWER
        scores = dict(
            zip(hits.ids.tolist(), (hits.scores / float(hits.scores[0])).tolist(), strict=True)
        )
        for name, share in zip(first.ids.tolist(), (shares / shares.sum()).tolist(), strict=True):
            scores[name] = scores.get(name, 0.0) + share
        run[topic] = Hits.ranked(list(scores), list(scores.values()))
    return run
