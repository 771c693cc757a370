"""Word vectors from a table of associations, and the cosine of sentences by them.

The truncated singular value decomposition of positive pointwise mutual information (Levy, Goldberg,
Dagan: Improving distributional similarity with lessons learned from word embeddings. TACL 3, 2015),
singular values to the power 1/2. They are then tuned (`relsent_ir.related.contrast`), which puts a
weight into each; a sentence is the sum of its words' vectors.
"""

from typing import TYPE_CHECKING, Final

import numpy as np
from numpy.typing import NDArray

from relsent_ir.related.associations import Associations
from relsent_ir.related.contrast import presence, units

if TYPE_CHECKING:
    from scipy.sparse import csr_array

DIMENSIONS: Final = 128
_PASSES: Final = 2  # over the table, after the first


def word_vectors(associations: Associations) -> NDArray[np.float16]:
    """Decompose a table of associations.

    Returns
    -------
    ndarray of float16, shape (words, dimensions)
        0 for a word without associations.
    """
    from sklearn.utils.extmath import randomized_svd

    dimensions = min(DIMENSIONS, len(associations))
    if not len(associations.values):
        return np.zeros((len(associations), dimensions), dtype=np.float16)
    u, singular, _ = randomized_svd(
        associations.matrix(), dimensions, n_iter=_PASSES, random_state=0
    )
    return np.asarray(u * np.sqrt(singular), dtype=np.float16)


def vector_cosines(
    words: "csr_array",
    a: NDArray[np.integer],
    b: NDArray[np.integer],
    vectors: NDArray[np.floating],
) -> NDArray[np.float64]:
    """Compare the summed vectors of pairs of sentences.

    Parameters
    ----------
    words : scipy.sparse.csr_array, shape (sentences, words)
        Not 0 where the sentence holds the word.
    a, b : ndarray of int, shape (pairs,)
        The pairs, as rows of `words`.
    vectors : ndarray of float, shape (words, dimensions)
        With the words' weights in them.

    Returns
    -------
    ndarray of float64, shape (pairs,)
        0 where a sentence has no known word.
    """
    rows, places = np.unique(np.concatenate([a, b]), return_inverse=True)
    unit = sentence_vectors(words[rows], vectors)
    first, second = places[: len(a)], places[len(a) :]
    cosines: NDArray[np.floating] = np.einsum("ij,ij->i", unit[first], unit[second])
    return cosines.astype(np.float64)


def sentence_vectors(words: "csr_array", vectors: NDArray[np.floating]) -> NDArray[np.float32]:
    """Sum each sentence's words' vectors to one of length 1; shape (sentences, dimensions)."""
    return units(np.asarray(presence(words) @ vectors.astype(np.float32, copy=False)))[0]
