"""Words of questions and sentences, and their vectors.

``n_wv`` counts how often v stands within six words of w in a sentence, at distance k as 1/√k;
the vectors are the singular vectors of the positive pointwise mutual information, n_v to the power
0.75, times the square roots of the singular values.

References
----------
O. Levy, Y. Goldberg, I. Dagan. Improving distributional similarity with lessons learned from word
embeddings. TACL 3, 2015, 211-225.
"""

import re
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from math import log
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from relsent_ir.models import check_arrays, pack_strings, unpack_strings
from relsent_ir.moves.features import shorten
from relsent_ir.records import Record, split_sentences
from relsent_ir.text.words import default_stopwords, stem

_TOKEN: Final = re.compile(r"[^\W_]+")
ASKING: Final = frozenset(
    [
        "benefit",
        "benefits",
        "better",
        "compared",
        "comparison",
        "did",
        "does",
        "effect",
        "effective",
        "effects",
        "efficacy",
        "help",
        "helps",
        "impact",
        "improve",
        "increase",
        "influence",
        "prevent",
        "reduce",
    ]
)
"""Words that ask, and that an abstract which answers may well lack."""


def content_words(text: str, stopwords: Collection[str]) -> list[str]:
    """Return a text's words and numbers in small letters, without the stop words, in order."""
    return [word for word in _TOKEN.findall(text.lower()) if word not in stopwords]


def token_spans(text: str, stopwords: Collection[str]) -> list[tuple[int, int, str]]:
    """Return the places of a text's `content_words`, [start, end), each with the word."""
    tokens = ((*match.span(), match.group().lower()) for match in _TOKEN.finditer(text))
    return [token for token in tokens if token[2] not in stopwords]


def terms(text: str, stopwords: Collection[str]) -> list[str]:
    """Return the stems of a text's `content_words`."""
    return [stem(word) for word in content_words(text, stopwords)]


@lru_cache(maxsize=256)  # an abstract's sentences are looked at again for what they cover
def _known(text: str, stopwords: frozenset[str]) -> tuple[str, ...]:
    """Return the `terms` of a text."""
    return tuple(terms(text, stopwords))


SIZE: Final = 100
REACH: Final = 6
LEAST: Final = 4  # sentences that a word must be in
_POWER: Final = 0.75


@dataclass(frozen=True)
class WordVectors:
    """Vectors and frequencies of words.

    Attributes
    ----------
    words : tuple of str
    values : ndarray of float, shape (words, size)
        Of length one.
    frequency : ndarray of int, shape (words,)
        Sentences that hold the word.
    sentences : int
        Of how many.
    stopwords : frozenset of str
        Words that are no terms.
    """

    words: tuple[str, ...]
    values: NDArray[np.floating]
    frequency: NDArray[np.integer]
    sentences: int
    stopwords: frozenset[str] = frozenset()

    def terms(self, text: str) -> list[str]:
        """Return the stems of a text's words, without the stop words."""
        return list(_known(text.lower(), self.stopwords))

    @cached_property
    def place(self) -> dict[str, int]:
        """The row of each word."""
        return {word: i for i, word in enumerate(self.words)}

    def idf(self, word: str) -> float:
        """Return ln((N + 1) / (n + 1)); an unknown word counts as one that was too rare to keep."""
        return self._idf.get(word, self._rare)

    @cached_property
    def _rows(self) -> NDArray[np.float32]:
        """The vectors, and 0 for the words that are not known, at the end."""
        return np.vstack([self.values, np.zeros((1, self.values.shape[1]))]).astype(np.float32)

    @cached_property
    def _idf(self) -> dict[str, float]:
        values = np.log((self.sentences + 1) / (self.frequency + 1.0))  # small integers wrap round
        return dict(zip(self.words, values.tolist(), strict=True))

    @cached_property
    def _rare(self) -> float:
        return log((self.sentences + 1) / (LEAST / 2 + 1)) if self.sentences else 1.0

    def of(self, words: Sequence[str]) -> NDArray[np.float32]:
        """Return the vectors of words, 0 for one that is not known; shape (len(words), size)."""
        rows = np.array([self.place.get(word, -1) for word in words], dtype=np.intp)
        return self._rows[rows]

    def to_arrays(self) -> dict[str, NDArray[Any]]:
        """Return what `from_arrays` needs."""
        return {
            "words": pack_strings(self.words),
            "stopwords": pack_strings(sorted(self.stopwords)),
            "vectors": self.values.astype(np.float16),
            "frequency": self.frequency.astype(np.min_scalar_type(self.sentences)),
            "sentences": np.array([self.sentences]),
        }

    @classmethod
    def from_arrays(cls, arrays: Mapping[str, NDArray[Any]]) -> "WordVectors":
        """Read what `to_arrays` gave."""
        words, stopwords = unpack_strings(arrays["words"]), unpack_strings(arrays["stopwords"])
        values, frequency = arrays["vectors"], arrays["frequency"]
        wanted = {"vectors": "float n size", "frequency": "int n", "sentences": "int 1"}
        check_arrays(arrays, wanted, n=len(words))
        if frequency.min(initial=0) < 0 or frequency.max(initial=0) > arrays["sentences"][0]:
            raise ValueError("a frequency that no word can have")
        return cls(words, values, frequency, int(arrays["sentences"][0]), frozenset(stopwords))


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
