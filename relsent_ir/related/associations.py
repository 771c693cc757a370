"""Word associations, learned from words in sentences that are near each other in an abstract.

The pairs are those of sentences at most five apart in a record. ``P`` pairs have ``2 P`` places for
a sentence. Word w is in the sentence at ``n_w`` of these places; in ``n_wv`` pairs, counted in both
orders, w is in one sentence and v in the other::

    a(w, v) = n_wv / (n_wv + 3) * max(0, ln(n_wv * 2 P / (n_w * n_v))),   n_wv >= 3

the positive pointwise mutual information (Church, Hanks: Word association norms, mutual
information, and lexicography. Computational Linguistics 16, 1990), discounted where it rests on
few pairs (after Pantel, Lin: Discovering word senses from text. KDD 2002).
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final

import numpy as np

from relsent_ir.models import check_arrays
from relsent_ir.models.folders import check_places, check_starts
from relsent_ir.related.features import chunks
from relsent_ir.sparse import csr
from relsent_ir.typing import NDArray, Progress, Sparse

WINDOW: Final = 5
LEAST: Final = 3
DISCOUNT: Final = 3
_BLOCK: Final = 2000  # words counted at a time


@dataclass(frozen=True)
class Associations:
    """A symmetric table of associations between words; most are 0.

    Attributes
    ----------
    starts : ndarray of int64, shape (words + 1,)
        The start of each word's entries.
    others : ndarray of int32
        The second word of each entry, ascending within a word.
    values : ndarray of float16
        a(w, v).
    """

    starts: NDArray[np.int64]
    others: NDArray[np.int32]
    values: NDArray[np.float16]

    def __len__(self) -> int:
        """Return the number of words in the table."""
        return len(self.starts) - 1

    def between(self, w: NDArray[np.integer], v: NDArray[np.integer]) -> NDArray[np.float32]:
        """Look up a(w[i], v[i]) for many pairs of words; -1 is an unknown word."""
        strengths = np.zeros(len(w), dtype=np.float32)
        known = np.flatnonzero((w >= 0) & (v >= 0))
        if len(known):
            strengths[known] = self.matrix[w[known], v[known]]
        return strengths

    def rows(self, words: NDArray[np.integer], others: NDArray[np.integer]) -> NDArray[np.float32]:
        """Look up the associations of a few words with other words; -1 is an unknown word.

        Returns
        -------
        ndarray of float32, shape (words, others)
        """
        table = np.zeros((len(words), len(others)), dtype=np.float32)
        row = np.zeros(len(self) + 1, dtype=np.float32)
        for place, word in enumerate(words.tolist()):
            if word >= 0:
                part = slice(int(self.starts[word]), int(self.starts[word + 1]))
                entries = self.others[part]
                row[entries] = self.values[part]
                table[place] = row[others]
                row[entries] = 0.0
        return table

    @cached_property
    def matrix(self) -> Sparse:
        """The table as a sparse matrix of float32."""
        arrays = self.values.astype(np.float32), self.others, self.starts
        return csr(arrays, shape=(len(self), len(self)))

    def to_arrays(self) -> dict[str, NDArray[Any]]:
        """Return the arrays that `from_arrays` reads."""
        return {
            "association_starts": self.starts,
            "association_words": self.others,
            "associations": self.values,
        }

    @classmethod
    def from_arrays(cls, arrays: Mapping[str, NDArray[Any]]) -> "Associations":
        """Read the arrays of `to_arrays`."""
        names = "association_starts", "association_words", "associations"
        starts, others, values = (arrays[name] for name in names)
        check_arrays(arrays, dict(zip(names, ("int starts", "int n", "float n"), strict=True)))
        check_starts(starts, len(others))
        check_places(others, len(starts) - 1)
        return cls(starts, others, values)


def learn_associations(
    words: Sparse, record: NDArray[np.integer], progress: Progress | None = None
) -> Associations:
    """Count and weight the word pairs of neighbouring sentences.

    Parameters
    ----------
    words : scipy.sparse.csr_array, shape (sentences, words)
        Not 0 if the sentence has the word.
    record : ndarray of int, shape (sentences,)
        The record of each sentence; sentences of a record are consecutive and in text order.
    progress : callable, optional
        Called with the number of words done and the total.
    """
    held = csr((np.ones(words.nnz, dtype=np.float32), words.indices, words.indptr), words.shape)
    i, j = close_pairs(record)
    pairs = np.concatenate([i, j]), np.concatenate([j, i])
    close = csr((np.ones(2 * len(i), dtype=np.float32), pairs), shape=(len(record),) * 2)
    log_n = np.log(np.maximum(held.T @ np.diff(close.indptr).astype(np.float64), 1.0))
    around, across = (close @ held).tocsr(), held.T.tocsr()
    sizes: list[NDArray[np.integer]] = [np.zeros(1, dtype=np.int64)]
    others: list[NDArray[np.int32]] = [np.empty(0, dtype=np.int32)]
    values: list[NDArray[np.float16]] = [np.empty(0, dtype=np.float16)]
    for part in chunks(words.shape[1], _BLOCK):
        both = (across[part] @ around).tocsr()
        both.sort_indices()
        w = np.repeat(np.arange(both.shape[0]), np.diff(both.indptr))
        enough = both.data >= LEAST
        w, v, n_wv = w[enough], both.indices[enough], both.data[enough].astype(np.float64)
        information = np.log(n_wv * close.nnz) - (log_n[w + part.start] + log_n[v])
        positive = information > 0
        strength = (information * n_wv / (n_wv + DISCOUNT))[positive]
        sizes.append(np.bincount(w[positive], minlength=both.shape[0]))
        others.append(v[positive].astype(np.int32))
        values.append(strength.astype(np.float16))
        if progress:
            progress(part.stop, words.shape[1])
    starts = np.cumsum(np.concatenate(sizes))
    return Associations(starts, np.concatenate(others), np.concatenate(values))


def close_pairs(record: NDArray[np.integer]) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Pair the sentences of each record that are at most `WINDOW` apart."""
    distances = range(1, WINDOW + 1)
    first = [np.flatnonzero(record[:-apart] == record[apart:]) for apart in distances]
    second = [rows + apart for rows, apart in zip(first, distances, strict=True)]
    return np.concatenate(first), np.concatenate(second)
