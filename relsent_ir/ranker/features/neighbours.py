"""Neighbours: likeness to the first hits by words and by latent semantics, and smoothed scores.

The latent space is that of the candidates alone (Hull 1994, local LSI): the leading eigenvectors of
the products of their ltc vectors, found by random projection (Halko, Martinsson, Tropp 2011).
"""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from relsent_ir.ranker.candidates import Candidates
from relsent_ir.ranker.features.group import Group
from relsent_ir.ranker.features.likeness import (
    FIRST,
    NEAREST,
    POOL,
    products,
    smoothed,
    standard,
    to_first,
)
from relsent_ir.typing import Floats

DIMENSIONS: Final = 64
_MORE: Final = 16  # random directions beyond the dimensions
_SEED: Final = 0
_LEAST: Final = 1e-6


def _compute(candidates: Candidates) -> dict[str, Floats]:
    vectors, first = candidates.contents.cosine, candidates.first[:POOL]
    near = products(vectors, first)
    latent = latent_space(near, first)
    found = {}
    for count in FIRST:
        some = first[:count]
        found[f"words-{count}"] = to_first(near[:, :count], some)
        found[f"latent-{count}"] = to_first(latent @ latent[some].T, some)
    found["words-smoothed"] = smoothed(near, first, standard(candidates.lead))
    return found


def latent_space(inner: NDArray[np.float32], first: NDArray[np.intp]) -> NDArray[np.float32]:
    """Give each vector's place among the leading eigenvectors, of length 1.

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
    kept = values > _LEAST
    kept[: max(0, count - DIMENSIONS)] = False
    places = inner @ (basis @ (vectors[:, kept] / np.sqrt(values[kept])))
    lengths = np.linalg.norm(places, axis=1, keepdims=True)
    unit: NDArray[np.float32] = np.divide(
        places, lengths, out=np.zeros_like(places), where=lengths > 0
    )
    return unit


GROUP: Final = Group(
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
    _compute,
)
