"""Likeness of candidates to the first hits, by words and by latent semantics.

The latent space is that of the candidates alone (Hull 1994, local LSI): the leading eigenvectors of
the products of their ltc vectors, found by random projection (Halko, Martinsson, Tropp 2011).
"""

from typing import Final

import numpy as np

from relsent_ir.ranker.candidates import FeatureGroup, TopicCandidates
from relsent_ir.typing import Floats, NDArray, Sparse

FIRST: Final = (5, 20)
"""Numbers of first hits that candidates are compared with."""
POOL: Final = 1000
"""First hits among which the nearest of a candidate are found."""
NEAREST: Final = 30
"""Number of nearest hits."""
OFTEN: Final = 40
"""Rows with a column up to which it is multiplied as a sparse one."""


def to_first(likeness: NDArray[np.floating], first: NDArray[np.intp]) -> Floats:
    """Average the likeness to the first hits, each weighed by 1/√rank, without one's own.

    Parameters
    ----------
    likeness : ndarray of float, shape (n, m)
        Of each candidate to each of the first m hits.
    first : ndarray of int, shape (m,)
        Which candidates those are, the best first.

    Returns
    -------
    ndarray of float64, shape (n,)
    """
    weights = np.tile(1 / np.sqrt(np.arange(1, len(first) + 1)), (len(likeness), 1))
    weights[first, np.arange(len(first))] = 0.0
    totals = weights.sum(axis=1)
    sums = (likeness * weights).sum(axis=1)
    return _ratios(sums, totals)


def products(vectors: Sparse, first: NDArray[np.intp]) -> NDArray[np.float32]:
    """Multiply sparse vectors with m of them; shape (n, m).

    Columns that many rows have are multiplied as a dense matrix: as a sparse one they cost the
    square of how many they are.
    """
    many = np.bincount(vectors.indices, minlength=vectors.shape[1]) > OFTEN
    dense = many[vectors.indices]
    rare = vectors.copy()
    rare.data = np.where(dense, np.float32(0), vectors.data)
    rare.eliminate_zeros()
    frequent = np.zeros((vectors.shape[0], int(many.sum())), dtype=np.float32)
    owners = np.repeat(np.arange(vectors.shape[0]), np.diff(vectors.indptr))[dense]
    frequent[owners, (np.cumsum(many) - 1)[vectors.indices[dense]]] = vectors.data[dense]
    near = (rare @ rare[first].T).toarray()
    if len(first) == len(frequent):  # BLAS takes half the time where it sees that both are one
        near += (frequent @ frequent.T)[:, first]
    else:
        near += frequent @ frequent[first].T
    inner: NDArray[np.float32] = near
    return inner


def smoothed(likeness: NDArray[np.floating], first: NDArray[np.intp], scores: Floats) -> Floats:
    """Average scores over the nearest of the first hits but oneself, weighed by likeness.

    Parameters
    ----------
    likeness : ndarray of float, shape (n, m)
        Of each candidate to each of the first m hits.
    first : ndarray of int, shape (m,)
        Which candidates those are.
    scores : ndarray of float64, shape (n,)
        Of all candidates.

    Returns
    -------
    ndarray of float64, shape (n,)
        0 for a candidate that is like none.
    """
    n, m = likeness.shape
    others = likeness.copy()
    others[first, np.arange(m)] = 0.0
    count = min(NEAREST, m)
    if not n or not count:
        return np.zeros(n)
    nearest = np.argpartition(others, m - count, axis=1)[:, m - count :]
    weights = np.take_along_axis(others, nearest, axis=1).astype(np.float64)
    totals = weights.sum(axis=1)
    sums = (weights * scores[first][nearest]).sum(axis=1)
    return _ratios(sums, totals)


def standard(values: Floats) -> Floats:
    """Bring values to mean 0 and standard deviation 1; all to 0 where they are equal."""
    spread = float(values.std()) if len(values) else 0.0
    if spread <= 1e-12 * float(np.abs(values).max(initial=0.0)):
        return np.zeros(len(values))
    scaled: Floats = (values - values.mean()) / spread
    return scaled


def _ratios(a: Floats, b: Floats) -> Floats:
    """Divide, with 0 where b is not above 0."""
    ratios: Floats = np.divide(a, b, out=np.zeros(len(a)), where=b > 0)
    return ratios


DIMENSIONS: Final = 64
_MORE: Final = 16  # random directions beyond the dimensions
_SEED: Final = 0
_LEAST: Final = 1e-6


def _neighbours(candidates: TopicCandidates) -> dict[str, Floats]:
    vectors, first = candidates.contents.cosine, candidates.first[:POOL]
    near = products(vectors, first)
    latent = latent_space(near, first)
    values = {}
    for count in FIRST:
        leading = first[:count]
        values[f"words-{count}"] = to_first(near[:, :count], leading)
        values[f"latent-{count}"] = to_first(latent @ latent[leading].T, leading)
    values["words-smoothed"] = smoothed(near, first, standard(candidates.lead))
    return values


def latent_space(inner: NDArray[np.float32], first: NDArray[np.intp]) -> NDArray[np.float32]:
    """Compute each vector's place among the leading eigenvectors, of length 1.

    Parameters
    ----------
    inner : ndarray of float32, shape (n, m)
        Inner products of n vectors with m of them.
    first : ndarray of int, shape (m,)
        Which of the n those are.

    Returns
    -------
    ndarray of float32, shape (n, d)
        d is `DIMENSIONS`, or m where that is less.
    """
    own = inner[first]
    count = min(len(own), DIMENSIONS + _MORE)
    start = np.random.default_rng(_SEED).standard_normal((len(own), count)).astype(np.float32)
    basis, _ = np.linalg.qr(own @ start)
    basis, _ = np.linalg.qr(own @ basis)
    values, vectors = np.linalg.eigh(basis.T @ (own @ basis))
    chosen = values > _LEAST
    chosen[: max(0, count - DIMENSIONS)] = False
    places = inner @ (basis @ (vectors[:, chosen] / np.sqrt(values[chosen])))
    lengths = np.linalg.norm(places, axis=1, keepdims=True)
    unit: NDArray[np.float32] = np.divide(
        places, lengths, out=np.zeros_like(places), where=lengths > 0
    )
    return unit


NEIGHBOURS: Final = FeatureGroup(
    "neighbours",
    "Hull 1994 (local LSI); Diaz 2005 (regularised scores)",
    {
        **{
            f"{kind}-{count}": f"likeness to the first {count} hits by {how}"
            for count in FIRST
            for kind, how in (("words", "ltc cosine"), ("latent", "latent semantics"))
        },
        "words-smoothed": f"score after feedback of the {NEAREST} nearest by ltc cosine",
    },
    _neighbours,
)
