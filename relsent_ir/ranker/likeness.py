"""The likeness of candidates to the first hits, by words and by latent semantics.

The latent space is that of the rows alone (Hull 1994, local LSI): the leading eigenvectors of the
products of their ltc vectors, by random projection (Halko, Martinsson, Tropp 2011).
"""

from contextlib import suppress
from typing import Final

import numpy as np

from relsent_ir.counts.weighting import Rows
from relsent_ir.ranker.candidates import FeatureGroup, TopicCandidates
from relsent_ir.sparse import csr
from relsent_ir.typing import Floats, NDArray, Sparse

FIRST: Final = (5, 20)
"""Numbers of first hits with which candidates are compared."""
POOL: Final = 1000
"""Number of first hits among which a candidate's nearest are selected."""
NEAREST: Final = 30
"""Number of nearest hits."""
OFTEN: Final = 30
"""Columns in at most this number of rows are multiplied as sparse columns."""
_ROWS: Final = 250  # rows whose rare columns are multiplied at once: memory for all would cost more
_BLOCK: Final = 64  # rows whose nearest hits are selected at once
_SHARED: Final = 8  # columns whose maximum is examined first


def products(vectors: Sparse, m: int) -> NDArray[np.float32]:
    """Multiply sparse vectors with the first m of them; shape (n, m).

    Columns with entries in many rows are multiplied as a dense matrix, since the cost of a sparse
    column grows with the square of the number of its rows.
    """
    many = np.bincount(vectors.indices, minlength=vectors.shape[1]) > OFTEN
    frequent = _columns(vectors, many).toarray()
    # BLAS takes half the time if both factors are the same array
    near: NDArray[np.float32] = frequent @ (frequent if m == len(frequent) else frequent[:m]).T
    rare = _columns(vectors, ~many)
    firsts = rare[:m].T.tocsr()
    for start in range(0, len(near), _ROWS):
        rows = slice(start, start + _ROWS)
        near[rows] += (rare[rows] @ firsts).toarray()
    return near


def _columns(vectors: Sparse, chosen: NDArray[np.bool_]) -> Sparse:
    """Select columns of sparse vectors."""
    taken = chosen[vectors.indices]
    entries = np.flatnonzero(taken)
    columns = (np.cumsum(chosen, dtype=np.int32) - 1)[vectors.indices[entries]]
    starts = np.append(0, np.cumsum(taken, dtype=np.int32))[vectors.indptr]
    shape = vectors.shape[0], int(np.count_nonzero(chosen))
    return csr((vectors.data[entries], columns, starts), shape=shape)


def to_first(near: NDArray[np.floating]) -> Floats:
    """Average the likeness to the first hits other than itself, each weighted by 1/√rank.

    Parameters
    ----------
    near : ndarray of float, shape (n, m)
        The likeness of each candidate to each of the first m; 0 to itself.

    Returns
    -------
    ndarray of float64, shape (n,)
    """
    weights = 1 / np.sqrt(np.arange(1, near.shape[1] + 1))
    totals = np.full(len(near), weights.sum())
    totals[: len(weights)] -= weights
    sums = (near * weights).sum(axis=1)
    ratios: Floats = np.divide(sums, totals, out=np.zeros(len(near)), where=totals > 0)
    return ratios


def smoothed(near: NDArray[np.floating], scores: Floats) -> Floats:
    """Average scores over the nearest first hits other than itself, weighted by likeness.

    Hits that are as near as the last of the nearest are included.

    Parameters
    ----------
    near : ndarray of float, shape (n, m)
        The likeness of each candidate to each of the first m; 0 to itself.
    scores : ndarray of float64, shape (n,)
        The scores of all candidates.

    Returns
    -------
    ndarray of float64, shape (n,)
        0 for a candidate that is similar to no hit.
    """
    n, m = near.shape
    count = min(NEAREST, m)
    sums = np.zeros((n, 2))
    columns = np.column_stack([scores[:m], np.ones(m)]).astype(near.dtype)
    for start in range(0, n if count else 0, _BLOCK):
        rows = near[start : start + _BLOCK]
        least = highest(rows, count)[:, None]
        sums[start : start + _BLOCK] = np.where(rows >= least, rows, 0) @ columns
    smooth: Floats = np.divide(sums[:, 0], sums[:, 1], out=np.zeros(n), where=sums[:, 1] > 0)
    return smooth


def highest(rows: NDArray[np.floating], count: int) -> NDArray[np.floating]:
    """Return the `count`-th highest value of each row; shape (rows,).

    The maxima of groups of columns give `count` or more values: few values are above the lowest of
    these, and only they are sorted.
    """
    m = rows.shape[1]
    width = max(count, -(-m // _SHARED))
    some = rows[:, :width].copy()
    for start in range(width, m, width):
        part = rows[:, start : start + width]
        np.maximum(some[:, : part.shape[1]], part, out=some[:, : part.shape[1]])
    least = np.sort(some, axis=1)[:, -count]
    tried = rows >= np.where(least == 0, np.finfo(rows.dtype).tiny, least)[:, None]  # 0 is frequent
    sizes = np.count_nonzero(tried, axis=1)
    kept = np.repeat(least[:, None], max(count, int(sizes.max())), axis=1)
    kept[np.arange(kept.shape[1]) < sizes[:, None]] = rows[tried]
    kept.sort(axis=1)
    return kept[:, -count]


def standard(values: Floats) -> Floats:
    """Scale values to mean 0 and standard deviation 1 along the last axis; equal ones to 0."""
    if not values.shape[-1]:
        return np.zeros(values.shape)
    spread = values.std(axis=-1, keepdims=True)
    differ = spread > 1e-12 * np.abs(values).max(axis=-1, keepdims=True)
    centred = values - values.mean(axis=-1, keepdims=True)
    scaled: Floats = np.divide(centred, spread, out=np.zeros(values.shape), where=differ)
    return scaled


DIMENSIONS: Final = 64
_MORE: Final = 16  # random directions in addition to the dimensions
_SEED: Final = 0
_LEAST: Final = 1e-6
_DEPENDENT: Final = 1e-4


def like_first(candidates: TopicCandidates, rows: Rows) -> NDArray[np.float32]:
    """Compute the cosines of candidates, in the order of `first`, with the first `POOL` of them.

    Parameters
    ----------
    candidates : TopicCandidates
    rows : Rows
        The counts of the candidates.

    Returns
    -------
    ndarray of float32, shape (n, min(n, POOL))
    """
    return products(rows.cosine[candidates.first], min(POOL, len(candidates)))


def compared(
    candidates: TopicCandidates, near: NDArray[np.float32], kind: str
) -> dict[str, Floats]:
    """Compute the features of likeness to the first hits.

    Parameters
    ----------
    candidates : TopicCandidates
    near : ndarray of float32, shape (n, m)
        The result of `like_first`; the diagonal (a candidate's likeness to itself) is set to 0.
    kind : str
        The prefix of the features' names.
    """
    np.fill_diagonal(near, 0.0)
    scores = standard(candidates.lead)[candidates.first]
    values = {f"{kind}-{count}": to_first(near[:, :count]) for count in FIRST}
    values[f"{kind}-smoothed"] = smoothed(near, scores)
    back = np.argsort(candidates.first)
    return {name: ordered[back] for name, ordered in values.items()}


def latent_space(near: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return the coordinates of each vector on the leading eigenvectors, scaled to length 1.

    Parameters
    ----------
    near : ndarray of float32, shape (n, m)
        Inner products of n vectors with the first m of them.

    Returns
    -------
    ndarray of float32, shape (n, d)
        d is `DIMENSIONS`, or m if m is smaller.
    """
    own = near[: near.shape[1]]
    count = min(len(own), DIMENSIONS + _MORE)
    directions = np.random.default_rng(_SEED).standard_normal((len(own), count))
    basis = _orthonormal(own @ directions.astype(np.float32))
    basis = _orthonormal(own @ basis)
    turned = near @ basis
    values, vectors = np.linalg.eigh(basis.T @ turned[: len(own)])
    chosen = values > _LEAST
    chosen[: max(0, count - DIMENSIONS)] = False
    places = turned @ (vectors[:, chosen] / np.sqrt(values[chosen]))
    lengths = np.linalg.norm(places, axis=1, keepdims=True)
    unit: NDArray[np.float32] = np.divide(
        places, lengths, out=np.zeros_like(places), where=lengths > 0
    )
    return unit


def _orthonormal(columns: NDArray[np.float32]) -> NDArray[np.float32]:
    """Compute an orthonormal basis by Cholesky's method, or Householder's for dependent columns."""
    double = columns.astype(np.float64)
    with suppress(np.linalg.LinAlgError):
        lower = np.linalg.cholesky(double.T @ double)
        sizes = np.diagonal(lower)
        if sizes.min(initial=np.inf) > _DEPENDENT * sizes.max(initial=0.0):
            basis: NDArray[np.float64] = double @ np.linalg.inv(lower).T
            return basis.astype(np.float32)
    return np.linalg.qr(double)[0].astype(np.float32)


NEIGHBOURS: Final = FeatureGroup(
    "neighbours",
    "Diaz 2005 (regularised scores)",
    {
        **{f"words-{count}": f"ltc cosine with the first {count} hits" for count in FIRST},
        "words-smoothed": f"score after feedback of the {NEAREST} nearest by ltc cosine",
    },
    lambda candidates: compared(candidates, like_first(candidates, candidates.contents), "words"),
)
