"""Sentences as words, read piece by piece, each piece with words of its own, and put together."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from scipy.sparse import csr_array


class Growing(Protocol):
    """An array that is written piece by piece, as `relsent_ir.lucene.derived.Spool`."""

    def add(self, piece: NDArray[Any]) -> None:
        """Write a piece."""

    def array(self) -> NDArray[Any]:
        """Give the whole."""


class InMemory:
    """A `Growing` array in memory.

    Parameters
    ----------
    dtype : dtype
    """

    def __init__(self, dtype: Any) -> None:
        self._pieces = [np.empty(0, dtype)]

    def add(self, piece: NDArray[Any]) -> None:
        """Keep a piece."""
        self._pieces.append(piece)

    def array(self) -> NDArray[Any]:
        """Give the whole, and let go of the pieces."""
        whole = np.concatenate(self._pieces)
        self._pieces = []
        return whole


@dataclass(frozen=True)
class Words:
    """Some sentences as words, wherever they come from.

    Attributes
    ----------
    names : list of str
        The words, each once.
    starts : ndarray of int, shape (sentences + 1,)
    columns : ndarray of int32
        Places in `names`.
    counts : ndarray of uint16
    """

    names: list[str]
    starts: NDArray[np.integer]
    columns: NDArray[np.int32]
    counts: NDArray[np.uint16]

    @classmethod
    def of(cls, counted: "tuple[list[str], csr_array]") -> "Words":
        """Take what `relsent_ir.related.features.counted` gave."""
        names, words = counted
        return cls(names, words.indptr, words.indices, words.data)

    def sorted(self) -> "tuple[list[str], csr_array]":
        """Give what `counted` would have given of all sentences at once."""
        from scipy.sparse import csr_array

        order = sorted(range(len(self.names)), key=self.names.__getitem__)
        column_of = np.empty(len(order), dtype=np.int32)
        column_of[order] = np.arange(len(order), dtype=np.int32)
        arrays = self.counts, column_of[self.columns], self.starts.astype(np.int32)
        words = csr_array(arrays, shape=(len(self.starts) - 1, len(order)))
        words.sort_indices()
        return [self.names[i] for i in order], words


class Gathering:
    """Puts pieces together, numbering their words by first appearance.

    Parameters
    ----------
    known : list of str
        Words that have the first numbers.
    columns, counts : Growing
    """

    def __init__(self, known: list[str], columns: Growing, counts: Growing) -> None:
        self._number = {name: place for place, name in enumerate(known)}
        self._columns, self._counts = columns, counts
        self._sizes = [np.zeros(1, np.int64)]

    def add(self, words: Words) -> int:
        """Add sentences; give their number."""
        number = self._number
        places = [number.setdefault(name, len(number)) for name in words.names]
        self._columns.add(np.array(places, dtype=np.int32)[words.columns])
        self._counts.add(words.counts)
        self._sizes.append(np.diff(words.starts))
        return len(self._sizes[-1])

    def words(self) -> Words:
        """Give all of them."""
        starts = np.cumsum(np.concatenate(self._sizes), dtype=np.int64)
        return Words(list(self._number), starts, self._columns.array(), self._counts.array())
