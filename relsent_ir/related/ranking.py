"""Weights that rank: of what a sentence is set against, another of its own record is to be first.

Sampled softmax (Bengio, Senécal: Quick training of probabilistic neural nets by importance
sampling. AISTATS 2003). For a sentence, another one of its record, and K drawn at random from other
records, each standing for n / K of n sentences::

    L(w) = 1/G Σ_g ln(1 + n/K Σ_k exp(w·x_gk - w·x_g0)) + ρ/2G ‖w‖²

It is convex; there are so few weights that L-BFGS takes no time. Break-even sets pairs against each
other whatever their sentences; here only pairs of one sentence are, as in a search.
"""

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from relsent_ir.related.corpus import Corpus
from relsent_ir.typing import Floats

GROUPS: Final = 6_000  # sentences that are set against others, at most
LEAST_GROUPS: Final = 200  # fewer say too little about dozens of weights
OTHERS: Final = 32  # K
AMONG: Final = 10_000  # n
RIDGE: Final = 10.0  # ρ; the columns have deviations of about 1
_MOST_STEPS: Final = 200


class Groups(NamedTuple):
    """Pairs of a sentence with others, the first of them of its own record.

    Attributes
    ----------
    a, b : ndarray of int, shape (groups, 1 + others)
        Rows of the corpus; `a` is the same in a group.
    """

    a: NDArray[np.integer]
    b: NDArray[np.integer]


def draw_groups(
    corpus: Corpus,
    kept: NDArray[np.bool_],
    asked: NDArray[np.bool_],
    others: NDArray[np.bool_],
    n: int,
    seed: int = 0,
) -> Groups:
    """Draw sentences of some records, one more of the same record for each, and random others.

    Parameters
    ----------
    corpus : Corpus
    kept : ndarray of bool, shape (sentences,)
        The sentences that may be drawn.
    asked, others : ndarray of bool, shape (records,)
        Whose sentences are set against others, and whose sentences these are.
    n : int
        How many, or all if there are fewer.
    seed : int

    Returns
    -------
    Groups
        Without any, if no record has two sentences or nothing but one record is left.
    """
    generator = np.random.default_rng(seed)
    record = corpus.record
    sizes = np.bincount(record[kept], minlength=len(corpus.records))
    rows = np.flatnonzero(kept & asked[record] & (sizes > 1)[record])
    pool = np.flatnonzero(kept & others[record])
    rows = generator.permutation(rows)[:n].astype(np.int32)
    starts = np.cumsum(sizes) - sizes
    all_kept = np.flatnonzero(kept)
    a = np.repeat(rows[:, None], 1 + OTHERS, axis=1)
    b = np.empty_like(a)
    chosen = np.zeros(len(rows), dtype=bool)
    for i, row in enumerate(rows.tolist()):
        own = all_kept[starts[record[row]] : starts[record[row]] + sizes[record[row]]]
        b[i, 0] = generator.choice(own[own != row])
        drawn = generator.choice(pool, 2 * OTHERS) if len(pool) else pool
        drawn = drawn[record[drawn] != record[row]][:OTHERS]
        chosen[i] = len(drawn) == OTHERS
        if chosen[i]:
            b[i, 1:] = drawn
    return Groups(a[chosen], b[chosen])


def rank_weights(values: Floats, ridge: float = RIDGE) -> Floats:
    """Find the weights of least loss.

    Parameters
    ----------
    values : ndarray of float64, shape (groups, 1 + others, columns)
        x, of the pair in one record first.
    ridge : float
        ρ, more than 0.

    Returns
    -------
    ndarray of float64, shape (columns,)
    """
    from scipy.optimize import minimize

    found = minimize(
        softmax_loss,
        np.zeros(values.shape[2]),
        args=(values, ridge / len(values)),
        jac=True,
        method="L-BFGS-B",
        options={"maxiter": _MOST_STEPS},
    )
    return np.asarray(found.x)


def softmax_loss(weights: Floats, values: Floats, ridge: float) -> tuple[float, Floats]:
    """Give the loss and its gradient; `ridge` is ρ / G."""
    count, size, _ = values.shape
    scores = values @ weights
    scores[:, 1:] += np.log(AMONG / (size - 1))
    top = scores.max(axis=1, keepdims=True)
    powers = np.exp(scores - top)
    sums = powers.sum(axis=1, keepdims=True)
    loss = float(np.mean(np.log(sums) + top - scores[:, :1]))
    slope = powers / sums
    slope[:, 0] -= 1.0
    gradient = np.einsum("gk,gkc->c", slope, values) / count
    return loss + 0.5 * ridge * float(weights @ weights), gradient + ridge * weights
