"""Content words: how strongly a word is related to its context.

Kim & Wilbur (Corpus-based statistical screening for content-bearing terms, JASIST 52, 2001) call
it the strength of context; their scores are not public, so this is ours. For a word w, n_w the
number of its records, n_wv that of the records that hold both w and v, N of all::

    s(w) = sum over v != w of  n_wv/(n_wv + 3) * n_wv/n_w * max(0, ln(n_wv * N / (n_w * n_v)))

the expected pointwise mutual information of w with the other words of its records, discounted
where it rests on few records. A sentence is as strong as its strongest word, and the threshold
lies where the asked share of the sentences reaches it.
"""

from typing import TYPE_CHECKING, Final

import numpy as np
from numpy.typing import NDArray

from relsent_ir.related.corpus import Corpus

if TYPE_CHECKING:
    from scipy.sparse import csr_array

DISCOUNT: Final = 3
_BLOCK: Final = 2000  # words whose contexts are in memory at a time


def strength_of_context(words: "csr_array") -> NDArray[np.float64]:
    """Score words by how far they predict the other words of their records.

    Parameters
    ----------
    words : scipy.sparse.csr_array, shape (records, words)
        Not 0 where the record holds the word.

    Returns
    -------
    ndarray of float64, shape (words,)
        0 for a word that is in fewer than two records.
    """
    from scipy.sparse import csr_array

    present = csr_array(
        (np.ones(words.nnz, dtype=np.int32), words.indices, words.indptr), shape=words.shape
    )
    n = np.bincount(present.indices, minlength=words.shape[1])
    scores = np.zeros(words.shape[1])
    repeated = np.flatnonzero(n > 1)
    inside = present[:, repeated].tocsr()
    across = inside.T.tocsr()
    n = n[repeated]
    log_n = np.log(n)
    for start in range(0, len(repeated), _BLOCK):
        both = across[start : start + _BLOCK] @ inside
        w = np.repeat(np.arange(start, start + both.shape[0]), np.diff(both.indptr))
        n_wv = both.data
        pmi = np.log(n_wv) + np.log(words.shape[0]) - log_n[w] - log_n[both.indices]
        value = n_wv / (n_wv + DISCOUNT) * n_wv * np.maximum(pmi, 0.0)
        value[w == both.indices] = 0.0
        sums = np.bincount(w - start, weights=value, minlength=both.shape[0])
        scores[repeated[start : start + _BLOCK]] = sums / n[start : start + _BLOCK]
    return scores


def content_sentences(corpus: Corpus, kept: NDArray[np.bool_], share: float) -> NDArray[np.bool_]:
    """Keep the share of the kept sentences whose strongest word is strongest.

    Words are scored over all records of the corpus.
    """
    from scipy.sparse import csr_array

    words = corpus.sentences.words
    members = csr_array(
        (np.ones(len(corpus), dtype=np.int32), (corpus.record, np.arange(len(corpus)))),
        shape=(len(corpus.records), len(corpus)),
    )
    scores = strength_of_context(members @ words.astype(np.int32))
    strongest = np.zeros(len(corpus))
    filled = np.flatnonzero(np.diff(words.indptr))
    strongest[filled] = np.maximum.reduceat(scores[words.indices], words.indptr[filled])
    values = np.sort(strongest[kept])
    wanted = round(share * len(values))
    if not wanted:
        return np.zeros_like(kept)
    strong: NDArray[np.bool_] = kept & (strongest >= values[len(values) - wanted])
    return strong
