"""The design matrix of pairs in blocks that others work on: Huber by summed gradients.

Blocks have the same pairs, and are summed in the same order, whoever works on them: so weights are
the same to the bit for any number of processes or workers. Beside one matrix of all pairs, sums run
in another order; both minimise the same cost, to the same tolerance.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from relsent_ir.related.compact import compact
from relsent_ir.related.design import LEAST_PAIRS, PairDesign
from relsent_ir.related.features import Lexicon, Sentences
from relsent_ir.related.workshop import Arrays, Shelf, Workshop, look
from relsent_ir.typing import Floats

BLOCK: Final = 50_000
"""Pairs of a block."""

_Item = tuple[int, bool, "Path | Floats"]


class SharedDesign:
    """A `relsent_ir.related.design.LinearDesign` of blocks; see `PairDesign`.

    Parameters
    ----------
    lexicon : Lexicon
    pairs : int
    shelf : Shelf
        With the words of the pairs' sentences, and the pairs.
    """

    def __init__(self, lexicon: Lexicon, pairs: int, shelf: Shelf) -> None:
        self.lexicon = lexicon
        self.shape = pairs, 2 * len(lexicon)
        self._shelf = shelf
        self._size = BLOCK
        self._make = partial(_Blocks, shelf.arrays, self._size)
        self.kept = np.ones(self.shape[1], dtype=bool)
        self.kept = np.rint(self.transposed_dot(np.ones(pairs))) >= LEAST_PAIRS

    def dot(self, weights: Floats) -> Floats:
        """X w; shape (pairs,)."""
        return np.concatenate(list(self._each(np.where(self.kept, weights, 0.0), back=False)))

    def transposed_dot(self, values: Floats) -> Floats:
        """Xᵀ v; shape (weights,)."""
        result = np.zeros(self.shape[1])
        for part in self._each(values, back=True):
            result += part
        result[~self.kept] = 0.0
        return result

    def squared_transposed_dot(self, values: Floats) -> Floats:
        """(X ∘ X)ᵀ v: X is binary, so it is Xᵀ v."""
        return self.transposed_dot(values)

    def sizes(self) -> Floats:
        """The number of kept features of each pair, which is its squared norm; shape (pairs,)."""
        return np.rint(self.dot(np.ones(self.shape[1])))

    def _each(self, vector: Floats, *, back: bool) -> Iterator[Floats]:
        given = self._shelf.put(vector)
        blocks = range(-(-self.shape[0] // self._size))
        return self._shelf.spread(self._make, [(block, back, given) for block in blocks])


@contextmanager
def shared_design(
    sentences: Sentences, a: NDArray[np.integer], b: NDArray[np.integer], workshop: Workshop
) -> Iterator[SharedDesign]:
    """Give the design of pairs, while a block of code runs, to those who work."""
    rows, places = np.unique(np.concatenate([a, b]), return_inverse=True)
    few = compact(sentences, rows)
    arrays = {
        **few.lexicon.to_arrays(),
        "starts": few.words.indptr,
        "columns": few.words.indices,
        "counts": few.words.data,
        "pairs": places.reshape(2, -1).astype(np.int32),
    }
    with workshop.shelf(arrays) as shelf:
        yield SharedDesign(few.lexicon, len(a), shelf)


class _Blocks:
    """Multiplies blocks with vectors; each is made when it is wanted for the first time."""

    def __init__(self, arrays: Arrays, size: int) -> None:
        from scipy.sparse import csr_array

        read = arrays.read()
        lexicon = Lexicon.from_arrays(read)
        parts = tuple(read[name] for name in ("counts", "columns", "starts"))
        words = csr_array(parts, shape=(len(parts[2]) - 1, len(lexicon.words)))
        self._sentences = Sentences(lexicon, words)
        self._pairs = read["pairs"]
        self._size = size
        self._made: dict[int, PairDesign] = {}

    def __call__(self, item: _Item) -> Floats:
        block, back, given = item
        here = slice(block * self._size, (block + 1) * self._size)
        if block not in self._made:
            a, b = self._pairs[:, here]
            self._made[block] = PairDesign(self._sentences, a, b, part=True)
        design, vector = self._made[block], look(given)
        if back:
            return design.transposed_dot(vector[here])
        return design.dot(vector)
