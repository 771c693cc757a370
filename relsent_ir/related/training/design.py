"""The design matrix of pairs, in a form that is a tenth of its size.

A pair's features are (t, I), t in both sentences, and (t, D), t in exactly one. With w the weights,
the score of a pair is ``d(A) + d(B) + sum of (wI[t] - 2 wD[t]) over A ∩ B``, where
``d(S) = sum of wD[t] over S``: the D features, eight of nine entries, need no row of their own. And
a sentence's features are those of its words, less the repetitions among its words:
``F = W T - E``, W the words of the sentences, T the features of the words, E that excess.

All these matrices have ones only, and share one array of them.
"""

from typing import Final, Protocol

import numpy as np

from relsent_ir.related.features import Sentences, chunks, compact
from relsent_ir.sparse import csr
from relsent_ir.typing import Floats, NDArray

LEAST_PAIRS: Final = 2  # a feature in fewer training pairs gets no weight (the paper's rule)


class LinearDesign(Protocol):
    """A matrix X of pairs × weights, by its products with vectors."""

    shape: tuple[int, int]

    def dot(self, weights: Floats) -> Floats:
        """Return X w; shape (pairs,)."""

    def transposed_dot(self, values: Floats) -> Floats:
        """Return Xᵀ v; shape (weights,)."""

    def squared_transposed_dot(self, values: Floats) -> Floats:
        """Return (X ∘ X)ᵀ v, for the diagonal of a Hessian; shape (weights,)."""


class PairDesign(LinearDesign):
    """The features of training pairs; weights are those of (t, I), then those of (t, D).

    Parameters
    ----------
    sentences : Sentences
    a, b : ndarray of int, shape (pairs,)
        The pairs, as rows of `sentences`.

    Attributes
    ----------
    lexicon : Lexicon
        The words of the pairs' sentences, and their features, which the weights are for.
    shape : (int, int)
        Pairs, and twice the features of the lexicon.
    used : ndarray of bool, shape (weights,)
        The features in two or more of the pairs; the weights of the others stay 0.
    """

    def __init__(
        self, sentences: Sentences, a: NDArray[np.integer], b: NDArray[np.integer]
    ) -> None:
        rows, places = np.unique(np.concatenate([a, b]), return_inverse=True)
        sentences = compact(sentences, rows)
        self.lexicon = sentences.lexicon
        self.features = len(self.lexicon)
        self.shape = len(a), 2 * self.features
        self._a, self._b = places[: len(a)].astype(np.int32), places[len(a) :].astype(np.int32)
        patterns = [
            (sentences.words.indptr, sentences.words.indices),
            (self.lexicon.table.indptr, self.lexicon.table.indices),
            _excess(sentences),
            _intersections(sentences, self._a, self._b),
        ]
        ones = np.ones(max(len(columns) for _, columns in patterns))
        words, features = len(self.lexicon.words), self.features
        shapes = [(len(rows), words), (words, features), (len(rows), features), (len(a), features)]
        matrices = self._words, self._table, self._excess, self._both = [
            csr((ones[: len(columns)], columns, starts), shape=shape)
            for (starts, columns), shape in zip(patterns, shapes, strict=True)
        ]
        # Views of the same arrays; making them takes longer than a small product.
        self._words_t, self._table_t, self._excess_t, self._both_t = (m.T for m in matrices)
        self.used = np.ones(self.shape[1], dtype=bool)
        self.used = np.rint(self.transposed_dot(np.ones(len(a)))) >= LEAST_PAIRS

    def dot(self, weights: Floats) -> Floats:
        """Return X w; shape (pairs,)."""
        weights = np.where(self.used, weights, 0.0)
        both, one = weights[: self.features], weights[self.features :]
        alone = self._words @ (self._table @ one) - self._excess @ one
        scores: Floats = self._both @ (both - 2.0 * one)
        scores += alone[self._a]
        scores += alone[self._b]
        return scores

    def transposed_dot(self, values: Floats) -> Floats:
        """Return Xᵀ v; shape (weights,)."""
        sides = np.bincount(self._a, weights=values, minlength=self._words.shape[0])
        sides += np.bincount(self._b, weights=values, minlength=self._words.shape[0])
        result = np.empty(self.shape[1])
        both, one = result[: self.features], result[self.features :]
        both[:] = self._both_t @ values
        one[:] = self._table_t @ (self._words_t @ sides) - self._excess_t @ sides - 2.0 * both
        result[~self.used] = 0.0
        return result

    def squared_transposed_dot(self, values: Floats) -> Floats:
        """Return (X ∘ X)ᵀ v, which is Xᵀ v: X has zeros and ones."""
        return self.transposed_dot(values)

    def sizes(self) -> Floats:
        """Count the features of each pair that have weights: its squared norm; shape (pairs,)."""
        return np.rint(self.dot(np.ones(self.shape[1])))


Pattern = tuple[NDArray[np.int32], NDArray[np.int32]]


def _excess(sentences: Sentences) -> Pattern:
    """Return each feature of m words of a sentence m - 1 times."""
    parts, sizes = [], []
    for part in chunks(len(sentences)):
        words = sentences.words[part]
        words.data = np.ones(words.nnz, dtype=np.uint16)
        counts = words @ sentences.lexicon.binary
        parts.append(np.repeat(counts.indices, counts.data - 1))
        before = np.append(0, np.cumsum(counts.data - 1, dtype=np.int64))
        sizes.append(np.diff(before[counts.indptr]))
    return _joined(sizes, parts)


def _intersections(sentences: Sentences, a: NDArray[np.integer], b: NDArray[np.integer]) -> Pattern:
    parts, sizes = [], []
    for part in chunks(len(a)):
        shared = sentences.shared(a[part], b[part])
        parts.append(shared.features)
        sizes.append(np.diff(shared.starts))
    return _joined(sizes, parts)


def _joined(sizes: list[NDArray[np.int64]], parts: list[NDArray[np.int32]]) -> Pattern:
    starts = np.append(0, np.cumsum(np.concatenate(sizes))).astype(np.int32)
    columns = np.empty(starts[-1], dtype=np.int32)
    at = 0
    while parts:  # each is freed as soon as it is copied
        piece = parts.pop(0)
        columns[at : at + len(piece)] = piece
        at += len(piece)
    return starts, columns
