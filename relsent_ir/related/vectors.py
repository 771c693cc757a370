"""Word vectors from a table of associations, and the cosine of sentences by them.

The truncated singular value decomposition of positive pointwise mutual information (Levy, Goldberg,
Dagan: Improving distributional similarity with lessons learned from word embeddings. TACL 3, 2015),
singular values to the power 1/2. A sentence is the sum of its words' vectors, each times idf to the
power 3/2.
"""

from typing import TYPE_CHECKING, Final

import numpy as np
from numpy.typing import NDArray

from relsent_ir.related.associations import Associations

if TYPE_CHECKING:
    from scipy.sparse import csr_array

DIMENSIONS: Final = 128
IDF_POWER: Final = 1.5
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
    idf: NDArray[np.floating],
    vectors: NDArray[np.floating],
) -> NDArray[np.float64]:
    """Compare the summed vectors of pairs of sentences.

    Parameters
    ----------
    words : scipy.sparse.csr_array, shape (sentences, words)
        Not 0 where the sentence holds the word.
    a, b : ndarray of int, shape (pairs,)
        The pairs, as rows of `words`.
    idf : ndarray of float, shape (words,)
    vectors : ndarray of float, shape (words, dimensions)

    Returns
    -------
    ndarray of float64, shape (pairs,)
        0 where a sentence has no known word.
    """
    from scipy.sparse import csr_array

    rows, places = np.unique(np.concatenate([a, b]), return_inverse=True)
    some = words[rows]
    weights = (idf**IDF_POWER)[some.indices].astype(np.float32)
    weighted = csr_array((weights, some.indices, some.indptr), shape=some.shape)
    sums = np.asarray(weighted @ vectors)
    lengths = np.linalg.norm(sums, axis=1, keepdims=True)
    units = np.divide(sums, lengths, out=np.zeros_like(sums), where=lengths > 0)
    first, second = places[: len(a)], places[len(a) :]
    cosines: NDArray[np.floating] = np.einsum("ij,ij->i", units[first], units[second])
    return cosines.astype(np.float64)
