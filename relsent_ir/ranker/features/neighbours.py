"""Neighbours: likeness to the first hits by words and by latent semantics, and smoothed scores.

The latent space is that of the first hits alone (Hull 1994, local LSI): the leading singular vectors
of their ltc vectors, into which all candidates are folded (Deerwester et al. 1990).
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
    smoothed,
    standard,
    to_first,
)
from relsent_ir.typing import Floats

DIMENSIONS: Final = 32
BASIS: Final = 300
"""First hits that span the latent space."""
_LEAST: Final = 1e-6


def _compute(candidates: Candidates) -> dict[str, Floats]:
    vectors, first = candidates.contents.cosine, candidates.first[:POOL]
    products = (vectors @ vectors[first].T).toarray()
    latent = folded(products[:, :BASIS], first[:BASIS])
    found = {}
    for count in FIRST:
        some = first[:count]
        found[f"words-{count}"] = to_first(products[:, :count], some)
        found[f"latent-{count}"] = to_first(latent @ latent[some].T, some)
    found["words-smoothed"] = smoothed(products, first, standard(candidates.lead))
    return found


def folded(products: NDArray[np.float32], first: NDArray[np.intp]) -> NDArray[np.float64]:
    """Fold vectors into the space of the leading singular vectors of some of them.

    Parameters
    ----------
    products : ndarray of float32, shape (n, m)
        Inner products of n vectors with m of them.
    first : ndarray of int, shape (m,)
        Which of the n those are.

    Returns
    -------
    ndarray of float64, shape (n, d)
        d is `DIMENSIONS`, or less where the m vectors span less.
    """
    values, vectors = np.linalg.eigh(products[first].astype(np.float64))
    kept = np.flatnonzero(values > _LEAST)[-DIMENSIONS:]
    places: NDArray[np.float64] = products @ (vectors[:, kept] / np.sqrt(values[kept]))
    return places


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
