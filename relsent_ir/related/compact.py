"""Some sentences of many, on a lexicon of their own words: what is done to a few stays small."""

import numpy as np
from numpy.typing import NDArray

from relsent_ir.related.features import Lexicon, Sentences


def compact(sentences: Sentences, rows: NDArray[np.integer]) -> Sentences:
    """Take sentences out, in the order of `rows`; their features stay the same."""
    from scipy.sparse import csr_array

    words = sentences.words[rows]
    used, columns = np.unique(words.indices, return_inverse=True)
    lexicon = Lexicon.of(sentences.lexicon.words[i] for i in used.tolist())
    parts = words.data, columns.astype(np.int32), words.indptr
    return Sentences(lexicon, csr_array(parts, shape=(len(rows), len(used))))
