"""Learn the vectors of words: how often two stand near each other in sentences.

``n_wv`` counts how often v stands within six words of w in a sentence, at distance k as 1/√k;
the vectors are the singular vectors of the positive pointwise mutual information, n_v to the power
0.75, times the square roots of the singular values.

References
----------
O. Levy, Y. Goldberg, I. Dagan. Improving distributional similarity with lessons learned from word
embeddings. TACL 3, 2015, 211-225.
"""

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from typing import Any, Final

import numpy as np

from relsent_ir.answers.language import LEAST, WordVectors, terms
from relsent_ir.moves.features import shorten
from relsent_ir.records import Record, split_sentences
from relsent_ir.text.words import default_stopwords
from relsent_ir.typing import NDArray

SIZE: Final = 100
REACH: Final = 6
_POWER: Final = 0.75


def learn_vectors(records: Sequence[Record]) -> WordVectors:
    """Learn vectors from titles and abstracts, without scikit-learn's stop words."""
    from sklearn.utils.extmath import randomized_svd

    stops = frozenset(default_stopwords())
    sentences = [stems for record in records for stems in _sentences(record, stops)]
    frequency = Counter(word for stems in sentences for word in set(stems))
    words = tuple(sorted(word for word, n in frequency.items() if n >= LEAST))
    counts = np.array([frequency[word] for word in words], dtype=np.int64)
    information = _information(sentences, {word: i for i, word in enumerate(words)})
    size = min(SIZE, max(0, len(words) - 1))
    if not size:
        none = np.zeros((0, SIZE)), np.zeros(0, dtype=np.int64)
        return WordVectors((), *none, len(sentences), stops)
    u, s, _ = randomized_svd(information, size, random_state=0, n_iter=4)
    values = u * np.sqrt(s)
    values /= np.linalg.norm(values, axis=1, keepdims=True) + 1e-9
    return WordVectors(words, values, counts, len(sentences), stops)


def _sentences(record: Record, stopwords: Collection[str]) -> list[list[str]]:
    texts = [record.abstract[i:j] for i, j in split_sentences(record.abstract)]
    return [
        [word for word in terms(text, stopwords) if not word[0].isdigit()]
        for text in shorten([record.title or record.vernacular_title, *texts])
    ]


def _information(sentences: Sequence[Sequence[str]], place: Mapping[str, int]) -> Any:
    """Return the positive pointwise mutual information as a sparse matrix, (words, words)."""
    from scipy.sparse import coo_array

    rows = [[place[word] for word in stems if word in place] for stems in sentences]
    tokens = np.array([word for stems in rows for word in stems], dtype=np.int64)
    owner = np.repeat(np.arange(len(rows)), [len(stems) for stems in rows])
    shape = (len(place), len(place))
    counts = coo_array(shape).tocsr()
    for apart in range(1, REACH + 1):
        same = (owner[:-apart] == owner[apart:]) & (tokens[:-apart] != tokens[apart:])
        pair = tokens[:-apart][same], tokens[apart:][same]
        once = coo_array((np.full(len(pair[0]), apart**-0.5), pair), shape=shape).tocsr()
        counts = counts + once + once.T
    total: NDArray[np.float64] = np.asarray(counts.sum(axis=1)).reshape(-1)
    expected = total**_POWER / max((total**_POWER).sum(), 1e-9)
    stems = counts.tocoo()
    values = np.log(stems.data / (total[stems.row] * expected[stems.col]))
    positive = values > 0
    return coo_array(
        (values[positive], (stems.row[positive], stems.col[positive])), shape=shape
    ).tocsr()
