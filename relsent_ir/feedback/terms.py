"""How the terms of feedback documents weigh before they are added up."""

import re
from typing import TYPE_CHECKING, Final

import numpy as np
from numpy.typing import NDArray

from relsent_ir.counts.weighting import (
    DF,
    NORM,
    SLOPE,
    TF,
    bm25_idf,
    bm25_weights,
    smart_weights,
)
from relsent_ir.errors import UsageError
from relsent_ir.feedback.pool import Pool

if TYPE_CHECKING:
    from scipy.sparse import csr_array

Floats = NDArray[np.float32]

LENGTHS: Final = range(2, 21)
"""Characters of a term that feedback takes, as in Anserini."""
MOST: Final = 0.1
"""In what share of the documents a term may be, in Anserini."""

BM25: Final = "bm25"
TF_ONLY: Final = "tf"
K1, B = 0.9, 0.4
DOCUMENT_WEIGHTS: Final = ("uniform", "rank", "score")
_PLAIN: Final = re.compile("[a-z0-9]+")


def check_weighting(name: str) -> None:
    """See that a term weighting exists: ``tf``, ``bm25`` or a SMART triple such as ``ltn``.

    Raises
    ------
    UsageError
        If it does not.
    """
    if name in (TF_ONLY, BM25):
        return
    if len(name) == 3 and name[0] in TF and name[1] in DF and name[2] in NORM:
        return
    raise UsageError(
        f"no term weighting {name!r}", fix="tf, bm25 or a SMART triple for documents, as ltn"
    )


def weigh(
    pool: Pool, weighting: str, slope: float = SLOPE, pivot: float | None = None
) -> "csr_array":
    """Weigh the terms of all rows of a pool; float64, the shape of its counts.

    A term whose parts weigh more than others (a move's weight, a classifier's score) gains in
    proportion. Letter u's pivot is the collection's mean number of distinct terms if None.
    """
    from scipy.sparse import csr_array

    weights = pool.counts
    size = max(1, pool.size)
    if weighting == BM25:
        factors = bm25_idf(np.maximum(pool.frequencies, 1), size)
        weights = bm25_weights(weights, factors, max(pool.mean_length, 1), K1, B)
    elif weighting != TF_ONLY:
        pivot = pool.mean_distinct if pivot is None else pivot
        weights = smart_weights(weighting, weights, pool.frequencies, size, slope, pivot)
    values = weights.data * pool.emphasis
    return csr_array((values, weights.indices, weights.indptr), shape=weights.shape)


def allowed(pool: Pool, most: float = MOST, *, plain: bool = False) -> NDArray[np.bool_]:
    """Which terms feedback may take: neither short nor long, nor in too many documents.

    Parameters
    ----------
    pool : Pool
    most : float
        In what share of the collection's documents a term may be.
    plain : bool
        Only terms of a-z and 0-9, as Anserini's RM3 (its Rocchio takes all).

    Returns
    -------
    ndarray of bool, shape (m,)
    """
    fits = [
        _java_length(term) in LENGTHS and (not plain or _PLAIN.fullmatch(term) is not None)
        for term in pool.terms
    ]
    return np.array(fits, dtype=bool) & (pool.share <= np.float32(most))


def only(weights: "csr_array", kept: NDArray[np.bool_]) -> "csr_array":
    """Drop the columns that are not kept, as float32; the shape stays."""
    from scipy.sparse import csr_array

    of = kept[weights.indices]
    starts = np.concatenate([[0], np.cumsum(of)])[weights.indptr]
    data = weights.data[of].astype(np.float32)
    return csr_array((data, weights.indices[of], starts), shape=weights.shape)


def norms(weights: "csr_array", power: int) -> Floats:
    """The L1 or L2 norm of each row, added up in double precision, as Anserini does."""
    totals = np.zeros(weights.shape[0])
    full = np.diff(weights.indptr) > 0
    if weights.nnz:
        values = weights.data.astype(np.float64) ** power
        totals[full] = np.add.reduceat(values, weights.indptr[:-1][full])
    return np.asarray(totals if power == 1 else np.sqrt(totals), dtype=np.float32)


def document_weights(name: str, scores: Floats) -> Floats:
    """How much each feedback document counts, from the best on.

    ``uniform``: all the same, as in Rocchio; ``rank``: 1/√rank; ``score``: the score.
    """
    if name == "rank":
        return (1 / np.sqrt(np.arange(1, len(scores) + 1))).astype(np.float32)
    return scores if name == "score" else np.ones(len(scores), dtype=np.float32)


def best(
    ranks: NDArray[np.integer], columns: NDArray[np.integer], values: Floats, m: int
) -> NDArray[np.int64]:
    """The places of the `m` highest values, from the highest; ties by `Pool.ranks` of columns."""
    places = np.arange(len(values))
    if len(values) > m:
        places = np.flatnonzero(values >= np.partition(values, len(values) - m)[len(values) - m])
    order = np.lexsort((ranks[columns[places]], -values[places]))
    chosen: NDArray[np.int64] = places[order[:m]]
    return chosen


def _java_length(term: str) -> int:
    return len(term) if term.isascii() else len(term.encode("utf-16-be")) // 2
