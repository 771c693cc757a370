"""Soft alignment: how far the words of two sentences that they do not share are associated.

``best(w)`` is `SHARED` if the other sentence has w too, else the strongest association of w with a
word of it. A sentence is aligned by ``sum of idf(w) best(w) / sum of idf(w)`` over its words; the
idea is that of Corley, Mihalcea: Measuring the semantic similarity of texts. ACL workshop on
empirical modeling of semantic equivalence and entailment, 2005.
"""

from collections.abc import Callable
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from relsent_ir.typing import Floats

if TYPE_CHECKING:
    from scipy.sparse import csr_array

SHARED: Final = 8.0
ALIGNMENT: Final = (
    "alignment",  # the sum of the two sentences'
    "alignment difference",
    "best of unshared",  # the two means, added up
    "best of unshared, idf",
    "mean association",  # of the unshared words of one with those of the other
    "mean association, idf",
    "root mean square association",
    "strongest association",
    "associated share",
)
"""What `alignment_features` gives, column by column."""

Lookup = Callable[[NDArray[np.integer], NDArray[np.integer]], NDArray[np.floating]]


def alignment_features(
    words: "csr_array",
    a: NDArray[np.integer],
    b: NDArray[np.integer],
    idf: NDArray[np.floating],
    strength: Lookup,
) -> Floats:
    """Measure how the words of pairs of sentences are associated.

    Parameters
    ----------
    words : scipy.sparse.csr_array, shape (sentences, words)
        Not 0 where the sentence holds the word.
    a, b : ndarray of int, shape (pairs,)
        The pairs, as rows of `words`.
    idf : ndarray of float, shape (words,)
    strength : callable
        Gives the associations of words w[i], v[i], w of the first sentence and v of the second.

    Returns
    -------
    ndarray of float64, shape (pairs, len(ALIGNMENT))
        0 throughout where a sentence has no word.
    """
    lengths = np.diff(words.indptr)
    features = np.zeros((len(a), len(ALIGNMENT)))
    filled = np.flatnonzero((lengths[a] > 0) & (lengths[b] > 0))
    if len(filled):
        features[filled] = _features(words, a[filled], b[filled], idf, strength)
    return features


class _Side(NamedTuple):
    """What the words of one sentence of each pair find in the other."""

    aligned: Floats
    best: Floats
    best_by_idf: Floats
    unshared: NDArray[np.bool_]  # of each word


def _features(
    words: "csr_array",
    a: NDArray[np.integer],
    b: NDArray[np.integer],
    idf: NDArray[np.floating],
    strength: Lookup,
) -> Floats:
    length = np.diff(words.indptr).astype(np.intp)
    n_a, n_b = length[a], length[b]
    sizes = n_a * n_b
    starts = np.cumsum(sizes) - sizes
    pair = np.repeat(np.arange(len(a)), sizes)
    # each pair's words against each other, row by row; `turned` is the same column by column
    row, column = np.divmod(np.arange(len(pair)) - starts[pair], n_b[pair])
    first = words.indices[words.indptr[a][pair] + row]
    second = words.indices[words.indptr[b][pair] + column]
    turned = starts[pair] + column * n_a[pair] + row
    same = first == second
    found = np.where(same, 0.0, strength(first, second))
    found_turned, same_turned = np.empty_like(found), np.empty_like(same)
    found_turned[turned], same_turned[turned] = found, same
    one = _side(words, a, n_b, idf, found, same)
    other = _side(words, b, n_a, idf, found_turned, same_turned)
    others = np.repeat(other.unshared, np.repeat(n_a, n_b))[turned]
    unshared = np.repeat(one.unshared, np.repeat(n_b, n_a)) & others

    def total(values: NDArray[np.floating] | NDArray[np.bool_]) -> Floats:
        return np.asarray(np.bincount(pair, weights=values, minlength=len(a)), dtype=np.float64)

    found = found * unshared
    weights = idf[first] * idf[second] * unshared
    number = np.maximum(total(unshared), 1.0)
    columns = {
        "alignment": one.aligned + other.aligned,
        "alignment difference": np.abs(one.aligned - other.aligned),
        "best of unshared": one.best + other.best,
        "best of unshared, idf": one.best_by_idf + other.best_by_idf,
        "mean association": total(found) / number,
        "mean association, idf": _ratio(total(weights * found), total(weights)),
        "root mean square association": np.sqrt(total(found * found) / number),
        "strongest association": np.maximum.reduceat(found, starts),
        "associated share": total(found > 0) / number,
    }
    return np.stack([columns[name] for name in ALIGNMENT], axis=1)


def _side(
    words: "csr_array",
    rows: NDArray[np.integer],
    opposite: NDArray[np.intp],
    idf: NDArray[np.floating],
    found: Floats,
    same: NDArray[np.bool_],
) -> _Side:
    """Work out one sentence of each pair; `opposite` is the other's number of words."""
    length = np.diff(words.indptr).astype(np.intp)[rows]
    pair = np.repeat(np.arange(len(rows)), length)
    within = np.arange(len(pair)) - np.repeat(np.cumsum(length) - length, length)
    weight = idf[words.indices[words.indptr[rows][pair] + within]]
    starts = np.cumsum(opposite[pair]) - opposite[pair]
    best = np.maximum.reduceat(found, starts)
    shared = np.logical_or.reduceat(same, starts)
    unshared = ~shared

    def total(values: NDArray[np.floating] | NDArray[np.bool_]) -> Floats:
        return np.asarray(np.bincount(pair, weights=values, minlength=len(rows)), dtype=np.float64)

    return _Side(
        _ratio(total(weight * np.where(shared, SHARED, best)), total(weight)),
        _ratio(total(best * unshared), total(unshared)),
        _ratio(total(weight * best * unshared), total(weight * unshared)),
        unshared,
    )


def _ratio(above: Floats, below: Floats) -> Floats:
    """Divide, nothing by nothing being 0."""
    return np.divide(above, below, out=np.zeros_like(above), where=below > 0)
