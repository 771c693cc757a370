"""Some sentences of many, on a lexicon of their own words: what is done to a few stays small."""

from collections.abc import Iterable

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


def with_text(
    text: str, sentences: Sentences, rows: NDArray[np.integer], stopwords: Iterable[str]
) -> Sentences:
    """Put a text before sentences that are taken out, all on one lexicon."""
    from scipy.sparse import csr_array

    parts = Sentences.from_texts([text], stopwords), compact(sentences, rows)
    lexicon = Lexicon.of(name for part in parts for name in part.lexicon.words)
    columns = [lexicon.words.locate(some.lexicon.words)[some.words.indices] for some in parts]
    one, others = (some.words for some in parts)
    starts = np.append(one.indptr, others.indptr[1:] + one.nnz)
    data = np.append(one.data, others.data)
    shape = len(rows) + 1, len(lexicon.words)
    return Sentences(lexicon, csr_array((data, np.concatenate(columns), starts), shape=shape))
