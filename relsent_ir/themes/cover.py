"""Kernels that cover a collection: each the record that stands for most of what others leave out.

Facility location, taken greedily, which is within 1 - 1/e of the best choice (Nemhauser, Wolsey,
Fisher: An analysis of approximations for maximizing submodular set functions. Mathematical
Programming 14, 1978): a record is as well covered as it is similar to the nearest kernel.
"""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from relsent_ir.themes.matrix import PresenceMatrix

CANDIDATES: Final = 500
"""Records that may be kernels, drawn at random from larger collections."""


def choose_kernels(
    matrix: PresenceMatrix, count: int, *, candidates: int = CANDIDATES, seed: int = 0
) -> NDArray[np.intp]:
    """Choose records that cover a collection.

    Parameters
    ----------
    matrix : PresenceMatrix
    count : int
        At most so many; fewer where the rest is like none of the candidates.
    candidates : int
        How many records are looked at.
    seed : int
        Of drawing them.

    Returns
    -------
    ndarray of int, shape (kernels,)
        Their rows, the one that covers most first. Records are as similar as the cosine of their
        terms says, each weighing ln(records / records with it).
    """
    usable = np.flatnonzero(matrix.lengths)
    if len(usable) > candidates:
        usable = np.sort(np.random.default_rng(seed).choice(usable, candidates, replace=False))
    vectors = matrix.presence * np.log(len(matrix.ids) / np.maximum(matrix.frequencies, 1))
    norms = np.sqrt(vectors.power(2).sum(axis=1))
    scale = np.divide(1, norms, out=np.zeros(len(norms)), where=norms > 0)
    # single precision: all candidates × all records are in memory
    units = (vectors.tocsr() * scale[:, None]).tocsr().astype(np.float32)
    similar = (units[usable] @ units.T).toarray()
    covered = np.zeros(len(matrix.ids), np.float32)
    chosen: list[int] = []
    while len(chosen) < min(count, len(usable)):
        gains = np.maximum(similar - covered, 0).sum(axis=1, dtype=np.float64)
        best = int(gains.argmax())
        if gains[best] <= 0:
            break
        chosen.append(best)
        covered = np.maximum(covered, similar[best])
    return usable[chosen]
