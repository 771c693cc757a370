"""Features of sentences and of pairs (Smith & Wilbur 2010, section 2.2), by sparse products.

A feature of a sentence is a word (type W) or a substring of a word (type S: 2 to 6 characters, one
or more of them a letter). The features of each distinct *word* are computed once; those of
sentences are ``words @ table``, a sparse product, and those shared by two sentences are another.
`compact` and `with_text` map a few sentences to a lexicon of their own words, so that work on a few
sentences stays small.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final

import numpy as np

from relsent_ir.related.tokens import LONGEST, SHORTEST, Substrings, count_words, split_words
from relsent_ir.sparse import csr, like, sums
from relsent_ir.text.vocabulary import Vocabulary
from relsent_ir.typing import NDArray, Sparse

CHUNK: Final = 8192  # sentences or pairs whose features are in memory at once
_HIGH: Final = 1 << 32


@dataclass(eq=False)
class Lexicon:
    """The features of a set of words.

    Feature ``i < len(words)`` is the word ``words[i]`` (type W), feature ``len(words) + j`` is the
    substring ``j`` (type S): a word of six letters and the same substring are two features.
    """

    words: Vocabulary
    substrings: Substrings

    @classmethod
    def of(cls, words: Iterable[str] | Vocabulary) -> "Lexicon":
        """Create the lexicon of words."""
        vocabulary = words if isinstance(words, Vocabulary) else Vocabulary.of(words)
        substrings, *occurrences = split_words(vocabulary)
        lexicon = cls(vocabulary, substrings)
        lexicon.table = lexicon._count(*occurrences)
        return lexicon

    def __len__(self) -> int:
        """Return the number of features (columns)."""
        return len(self.words) + len(self.substrings)

    @cached_property
    def table(self) -> Sparse:
        """The frequency of each feature in each word: uint16, shape (words, features), sorted."""
        return self._count(*split_words(self.words)[1:])

    def _count(self, word: NDArray[np.int32], substring: NDArray[np.int32]) -> Sparse:
        """Make the table of the occurrences that `split_words` returns."""
        diagonal = np.arange(len(self.words), dtype=np.int32)
        rows = np.concatenate([diagonal, word])
        columns = np.concatenate([diagonal, substring + np.int32(len(self.words))])
        ones = np.ones(len(rows), dtype=np.uint16)
        return csr((ones, (rows, columns)), shape=(len(self.words), len(self)))

    def locate_words(self, other: "Lexicon") -> NDArray[np.int32]:
        """Return the place of each word of another lexicon, -1 if it is missing here."""
        if other is self:
            return np.arange(len(self.words), dtype=np.int32)
        return self.words.locate(other.words)

    def locate(self, other: "Lexicon") -> NDArray[np.int32]:
        """Return the number here of each feature of another lexicon, -1 if it is missing.

        ``carried(weights, mine.locate(theirs))`` are my weights for the other's features.
        """
        if other is self:
            return np.arange(len(self), dtype=np.int32)
        substrings = self.substrings.locate(other.substrings)
        substrings = np.where(substrings < 0, -1, substrings + len(self.words))
        return np.concatenate([self.locate_words(other), substrings])

    def name(self, feature: int) -> tuple[str, str]:
        """Return a feature's type, ``W`` or ``S``, and its string."""
        if feature < len(self.words):
            return "W", self.words[feature]
        return "S", self.substrings.name(feature - len(self.words))

    def to_arrays(self) -> dict[str, NDArray[Any]]:
        """Return the arrays that `from_arrays` reads, for `relsent_ir.models.save_folder`."""
        levels = enumerate(self.substrings.levels, SHORTEST)
        return {
            "words": self.words.text,
            "word_ends": self.words.ends,
            "alphabet": self.substrings.alphabet,
            **{f"substrings_{length}": level for length, level in levels},
        }

    @classmethod
    def from_arrays(cls, arrays: Mapping[str, NDArray[Any]]) -> "Lexicon":
        """Read the arrays of `to_arrays`."""
        lengths = range(SHORTEST, LONGEST + 1)
        levels = tuple(arrays[f"substrings_{length}"] for length in lengths)
        words = Vocabulary.stored(arrays["words"], arrays["word_ends"])
        return cls(words, Substrings.stored(arrays["alphabet"], levels))


@dataclass(frozen=True)
class Shared:
    """The features that the two sentences of each pair share.

    Attributes
    ----------
    starts : ndarray of int64, shape (pairs + 1,)
        The start of each pair's features in the following arrays.
    features : ndarray of int32
        Features of each pair, without order or repetition.
    counts_a, counts_b : ndarray of int64, as `features`
        The frequency of the feature in the first and in the second sentence.
    """

    starts: NDArray[np.int64]
    features: NDArray[np.int32]
    counts_a: NDArray[np.int64]
    counts_b: NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.starts) - 1

    @cached_property
    def pair(self) -> NDArray[np.intp]:
        """The pair of each entry."""
        return np.repeat(np.arange(len(self)), np.diff(self.starts))

    def sum(self, values: NDArray[Any]) -> NDArray[np.float64]:
        """Sum one value per entry over each pair; shape (pairs,), 0 for a pair without entries."""
        return sums(self.pair, values, len(self))


@dataclass(frozen=True)
class Sentences:
    """Sentences as words, with the lexicon that defines their features.

    Attributes
    ----------
    lexicon : Lexicon
    words : scipy.sparse.csr_array of uint16, shape (sentences, len(lexicon.words))
        The frequency of each word in each sentence (at most 65,535), rows sorted by word.
    """

    lexicon: Lexicon
    words: Sparse

    @classmethod
    def from_texts(cls, texts: Iterable[str], stopwords: Iterable[str]) -> "Sentences":
        """Split sentences into words, and create the lexicon of these words."""
        names, words = counted(texts, stopwords)
        return cls(Lexicon.of(names), words)

    def __len__(self) -> int:
        return int(self.words.shape[0])

    @cached_property
    def lengths(self) -> NDArray[np.int64]:
        """The number of words of each sentence, with repetitions; shape (sentences,)."""
        return np.asarray(self.words.sum(axis=1, dtype=np.int64)).reshape(-1)

    def counts(self, rows: NDArray[np.integer] | slice) -> Sparse:
        """Count features in sentences: int64, shape (rows, features), unsorted."""
        words, table = self.words[rows].astype(np.int64), self.lexicon.table
        narrow, used = without_empty(words)
        if 2 * len(used) < table.shape[0]:  # the product would convert all of the table to int64
            words, table = narrow, table[used]
        counts: Sparse = words @ table
        return counts

    def shared(self, a: NDArray[np.integer], b: NDArray[np.integer]) -> Shared:
        """Return the features that sentences `a[i]` and `b[i]` share, for each i.

        One product counts both: the second sentence's counts are multiplied by 2**32.
        """
        first, second = (self.words[rows].astype(np.int64) for rows in (a, b))
        second.data *= _HIGH
        both = (first + second) @ self.lexicon.table
        counts_a, counts_b = both.data % _HIGH, both.data // _HIGH
        shared = (counts_a > 0) & (counts_b > 0)
        before = np.append(0, np.cumsum(shared))
        features = both.indices[shared].astype(np.int32)
        return Shared(before[both.indptr], features, counts_a[shared], counts_b[shared])

    def shared_with(self, query: int, rows: NDArray[np.integer] | slice) -> Shared:
        """Return the features that one sentence shares with many; cheaper than `shared`.

        Parameters
        ----------
        query : int
            The first sentence of every pair.
        rows : ndarray of int or slice
            The second sentences.
        """
        first = self.counts(slice(query, query + 1))
        counts = self.words[rows].astype(np.int64) @ self.lexicon.table[:, first.indices]
        return Shared(
            counts.indptr.astype(np.int64),
            first.indices[counts.indices].astype(np.int32),
            first.data[counts.indices],
            counts.data,
        )


def counted(texts: Iterable[str], stopwords: Iterable[str]) -> tuple[list[str], Sparse]:
    """Return the words of sentences, sorted by UTF-8 bytes, and the counts `Sentences.words`."""
    names, starts, numbers = count_words(texts, stopwords)
    shape = (len(starts) - 1, len(names))
    counts = csr((np.ones(len(numbers), dtype=np.int32), numbers, starts), shape=shape)
    counts.sum_duplicates()
    data = np.minimum(counts.data, np.iinfo(np.uint16).max).astype(np.uint16)
    small = counts.indices.astype(np.int32), counts.indptr.astype(np.int32)
    return names, csr((data, *small), shape=shape)


def carried(values: NDArray[Any], places: NDArray[np.integer]) -> NDArray[Any]:
    """Return the values at some places, 0 for -1; only these values of a large array are read."""
    chosen = np.zeros(len(places), dtype=values.dtype)
    present = places >= 0
    chosen[present] = values[places[present]]
    return chosen


def without_empty(counts: Sparse) -> tuple[Sparse, NDArray[np.intp]]:
    """Return a matrix without its empty columns, and the numbers of the other columns."""
    here = np.zeros(counts.shape[1], dtype=bool)
    here[counts.indices] = True
    used = np.flatnonzero(here)
    place = np.empty(len(here), dtype=np.int32)
    place[used] = np.arange(len(used), dtype=np.int32)
    arrays = counts.data, place[counts.indices], counts.indptr
    return csr(arrays, shape=(counts.shape[0], len(used))), used


def presence(counts: Sparse, dtype: Any = np.float32) -> Sparse:
    """Return a sparse matrix with 1 in place of each entry."""
    return like(counts, np.ones(counts.nnz, dtype=dtype))


def row_sums(counts: Sparse, values: NDArray[Any]) -> NDArray[np.float64]:
    """Sum one value per entry of a sparse matrix over each row; shape (rows,)."""
    rows = np.repeat(np.arange(counts.shape[0]), np.diff(counts.indptr))
    return sums(rows, values, counts.shape[0])


def chunks(n: int, size: int = 0) -> Iterator[slice]:
    """Split n rows into slices of a size, by default `CHUNK`, whose features take little memory."""
    size = size or CHUNK
    for start in range(0, n, size):
        yield slice(start, min(start + size, n))


def compact(sentences: Sentences, rows: NDArray[np.integer]) -> Sentences:
    """Select sentences, in the order of `rows`; their features stay the same."""
    words, used = without_empty(sentences.words[rows])
    return Sentences(Lexicon.of(sentences.lexicon.words[i] for i in used.tolist()), words)


def with_text(
    text: str, sentences: Sentences, rows: NDArray[np.integer], stopwords: Iterable[str]
) -> Sentences:
    """Put a text before selected sentences, with one lexicon for all."""
    parts = Sentences.from_texts([text], stopwords), compact(sentences, rows)
    lexicon = Lexicon.of(name for part in parts for name in part.lexicon.words)
    columns = [lexicon.words.locate(part.lexicon.words)[part.words.indices] for part in parts]
    first, others = (part.words for part in parts)
    starts = np.append(first.indptr, others.indptr[1:] + first.nnz)
    data = np.append(first.data, others.data)
    shape = len(rows) + 1, len(lexicon.words)
    return Sentences(lexicon, csr((data, np.concatenate(columns), starts), shape=shape))
