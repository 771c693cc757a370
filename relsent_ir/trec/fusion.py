"""Fusion: combine several runs into one, by ranks or by scores.

All topics of the runs are fused, in order of first appearance. A run contributes nothing to a
document that it lacks. Sums do not depend on the order of the runs, so documents with the same
contributions tie, and ties are ordered by id from A to Z.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from statistics import median
from typing import Final

import numpy as np
from numpy.typing import NDArray

from relsent_ir.errors import UsageError
from relsent_ir.hits import Hits, Run

Runs = Sequence[Mapping[str, Hits]]

_LARGEST = 10**9

Scorer = Callable[[int, Hits], NDArray[np.float64]]
"""Gets the number of the run and a topic's n hits; returns each hit's contribution, shape (n,)."""

COMBINATIONS: Final[Mapping[str, Callable[[list[float]], float]]] = {
    "combsum": math.fsum,
    "combmnz": lambda scores: math.fsum(scores) * len(scores),
    "combanz": lambda scores: math.fsum(scores) / len(scores),
    "combmax": max,
    "combmin": min,
    "combmed": median,
}
"""How `combine` computes a document's score from those in the runs that have it."""


def reciprocal_rank(
    runs: Runs, *, rrf_k: int = 60, depth: int | None = None, k: int | None = None
) -> Run:
    """Fuse by reciprocal ranks: a document gets the sum of ``1 / (rrf_k + rank)``, ranks from 1.

    Cormack, Clarke, Buettcher: Reciprocal rank fusion outperforms Condorcet and individual rank
    learning methods. SIGIR 2009.

    Parameters
    ----------
    runs : sequence of Run
        At least two.
    rrf_k : int
        The larger it is, the less the first ranks stand out; 60 in the paper.
    depth : int, optional
        Number of hits of each topic to use from each run; all if None.
    k : int, optional
        Number of hits to return for each topic; all if None.
    """
    if not 0 <= rrf_k <= _LARGEST:
        raise UsageError(f"rrf.k {str(rrf_k)[:20]}", fix=f"it goes from 0 to {_LARGEST}")
    return _fuse(runs, lambda _, hits: 1 / (rrf_k + np.arange(1.0, len(hits) + 1)), depth, k)


def interpolate(
    runs: Runs, *, alpha: float = 0.5, depth: int | None = None, k: int | None = None
) -> Run:
    """Fuse two runs' scores: ``alpha`` times the first plus ``1 - alpha`` times the second.

    Fox, Shaw: Combination of multiple searches. TREC-2, 1993 (CombSUM, here with weights).

    Parameters
    ----------
    runs : sequence of Run
        Exactly two runs.
    alpha : float
        The weight of the first run, from 0 to 1.
    depth, k : int, optional
        As in `reciprocal_rank`.
    """
    if len(runs) != 2:
        raise UsageError(f"interpolation of {len(runs)} runs", fix="give two")
    if not 0 <= alpha <= 1:
        raise UsageError(f"alpha {alpha}", fix="it goes from 0 to 1")
    weights = (alpha, 1 - alpha)
    return _fuse(runs, lambda i, hits: weights[i] * hits.scores, depth, k)


def average(runs: Runs, *, depth: int | None = None, k: int | None = None) -> Run:
    """Fuse by the mean of the unchanged scores; a missing document counts as 0.

    Fox, Shaw: Combination of multiple searches. TREC-2, 1993. Parameters as in `reciprocal_rank`.
    """
    return _fuse(runs, lambda _, hits: hits.scores / len(runs), depth, k)


def normalize(
    runs: Runs,
    *,
    weights: Sequence[float] | None = None,
    depth: int | None = None,
    k: int | None = None,
) -> Run:
    """Fuse by the sum of the scores, scaled to 0 to 1 for each topic in each run.

    The lowest score of a topic's hits becomes 0 and the highest 1, before `depth` is applied; equal
    scores all become 1.

    Lee: Analyses of multiple evidence combination. SIGIR 1997.

    Parameters
    ----------
    runs : sequence of Run
        At least two.
    weights : sequence of float, optional
        A factor for each run; all 1 if None.
    depth, k : int, optional
        As in `reciprocal_rank`.
    """
    factors = [1.0] * len(runs) if weights is None else list(weights)
    if len(factors) != len(runs):
        raise UsageError(f"{len(factors)} weights for {len(runs)} runs", fix="give one a run")
    if not all(abs(factor) <= _LARGEST for factor in factors):
        raise UsageError("a weight is out of range", fix=f"at most {_LARGEST} either way")
    return _fuse(runs, lambda i, hits: factors[i] * _min_max(hits.scores), depth, k)


def combine(runs: Runs, *, how: str, depth: int | None = None, k: int | None = None) -> Run:
    """Fuse by a function of a document's scores, scaled to 0 to 1 as in `normalize`.

    Fox, Shaw: Combination of multiple searches. TREC-2, 1993; with scaled scores, Lee: Analyses of
    multiple evidence combination. SIGIR 1997.

    Parameters
    ----------
    runs : sequence of Run
        At least two.
    how : {"combsum", "combmnz", "combanz", "combmax", "combmin", "combmed"}
        The sum; the sum multiplied or divided by the number of runs that have the document; the
        highest, the lowest, or the median of the scores in those runs.
    depth, k : int, optional
        As in `reciprocal_rank`.
    """
    if how not in COMBINATIONS:
        raise UsageError(f"no combination {how}", fix=f"one of {', '.join(COMBINATIONS)}")
    return _fuse(runs, lambda _, hits: _min_max(hits.scores), depth, k, COMBINATIONS[how])


def _min_max(scores: NDArray[np.float64]) -> NDArray[np.float64]:
    low, high = scores.min(), scores.max()
    return np.ones_like(scores) if low == high else (scores - low) / (high - low)


def _fuse(
    runs: Runs,
    scorer: Scorer,
    depth: int | None,
    k: int | None,
    together: Callable[[list[float]], float] = math.fsum,
) -> Run:
    """Sum the contributions of the runs to each document."""
    if len(runs) < 2:
        raise UsageError(f"fusion of {len(runs)} run", fix="give at least two")
    for name, number in (("depth", depth), ("k", k)):
        if number is not None and number < 1:
            raise UsageError(f"{name} {number}", fix="it is at least 1")
    fused = Run()
    for topic in dict.fromkeys(topic for run in runs for topic in run):
        parts: dict[str, list[float]] = {}
        for i, run in enumerate(runs):
            if topic not in run or not len(run[topic]):
                continue
            hits = run[topic]
            scores = scorer(i, hits)[:depth].tolist()
            for document, score in zip(hits.ids[:depth].tolist(), scores, strict=True):
                parts.setdefault(document, []).append(score)
        # fsum rounds once: the sum does not depend on the order of the terms.
        fused[topic] = Hits.ranked(parts, map(together, parts.values()), k)
    return fused


METHODS: Final[dict[str, Callable[..., Run]]] = {
    "rrf": reciprocal_rank,
    "interpolation": interpolate,
    "average": average,
    "normalize": normalize,
    **{name: partial(combine, how=name) for name in COMBINATIONS},
}
"""Methods by the names that ``fuse --method`` accepts."""
