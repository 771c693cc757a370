"""What many sentences share with one: words' features as bits, or-ed and looked up byte by byte."""

from threading import local
from typing import Final

import numpy as np
from numpy.typing import NDArray

from relsent_ir.related.features import Sentences
from relsent_ir.text.vocabulary import ranges
from relsent_ir.typing import Floats

_SCORED: Final = 8192  # sentences that are looked at together
_BITS: Final = 48  # of a float64, which holds sums of so many powers of 2 exactly
_TOGETHER: Final = 64 * _BITS  # features whose bits are in memory at a time


class Sharing:
    """Sums weights of features over those that sentences have; threads may share one.

    Parameters
    ----------
    sentences : Sentences
        Mapped from a store.
    """

    def __init__(self, sentences: Sentences) -> None:
        self._lexicon = sentences.lexicon
        # Views without the class of memory maps, which makes each access ten times as slow.
        words = sentences.words
        self._starts, self._columns = np.asarray(words.indptr), np.asarray(words.indices)
        self._here = local()

    def sums(self, features: NDArray[np.int32], weights: Floats, rows: NDArray[np.intp]) -> Floats:
        """Sum weights of some features over what each of some sentences has of them.

        The sum always runs in the same order, so that equal sentences have equal sums to the bit.
        """
        shared = np.zeros(len(rows))
        for start in range(0, len(features), _TOGETHER):
            part = slice(start, start + _TOGETHER)
            shared += self._shared(features[part], weights[part], rows)
        return shared

    def _shared(
        self, features: NDArray[np.int32], weights: Floats, rows: NDArray[np.intp]
    ) -> Floats:
        """Sum the weights of what sentences share: words' bits or-ed, looked up byte by byte."""
        shared = np.zeros(len(rows))
        sums = _sums_by_byte(weights)
        firsts = 256 * np.arange(len(sums), dtype=np.int32)
        for start in range(0, len(rows), _SCORED):
            some = rows[start : start + _SCORED]
            begins = self._starts[some].astype(np.intp)
            sizes = self._starts[some + 1] - begins
            filled = np.flatnonzero(sizes)
            if len(filled):
                words = self._columns[ranges(begins, sizes)]
                heads = (np.cumsum(sizes) - sizes)[filled]
                union = np.empty((len(filled), len(sums) // 8), dtype="<u8")
                number, bits = self._bits(features, words)
                for i, part in enumerate(bits):
                    union[:, i] = np.bitwise_or.reduceat(part[number], heads)
                places = union.view(np.uint8) + firsts
                shared[start + filled] = np.take(sums, places).sum(axis=1)
        return shared

    def _bits(
        self, features: NDArray[np.int32], words: NDArray[np.integer]
    ) -> tuple[NDArray[np.int32], NDArray[np.uint64]]:
        """Which of some features words have: each word's place in bits, and these.

        They are of shape (features / 48, different words). No feature is twice among a word's, so
        that adding up powers of 2 sets bits.
        """
        asked, number = self._rooms()
        number[words] = 1
        different = np.flatnonzero(number)
        number[different] = np.arange(len(different), dtype=np.int32)
        places = number[words]
        number[different] = 0
        table = self._lexicon.table[different]
        asked[features] = np.arange(1, len(features) + 1)
        found = asked[table.indices]
        asked[features] = 0
        there = np.flatnonzero(found != 0)
        feature = found[there] - 1
        word = np.repeat(np.arange(len(different), dtype=np.int32), np.diff(table.indptr))[there]
        width = -(-len(features) // _BITS)
        column, bit = np.divmod(np.arange(width * _BITS), _BITS)
        sums = np.bincount(
            word + (column * len(different))[feature],
            weights=np.ldexp(1.0, bit)[feature],
            minlength=width * len(different),
        )
        return places, sums.astype("<u8").reshape(width, len(different))

    def _rooms(self) -> tuple[NDArray[np.int16], NDArray[np.int32]]:
        """Zeros for each feature and for each word, this thread's own, to be left as zeros.

        New ones would take longer than what is done with them.
        """
        if not hasattr(self._here, "rooms"):
            features, words = len(self._lexicon), len(self._lexicon.words)
            self._here.rooms = np.zeros(features, np.int16), np.zeros(words, np.int32)
        rooms: tuple[NDArray[np.int16], NDArray[np.int32]] = self._here.rooms
        return rooms


def _sums_by_byte(weights: Floats) -> Floats:
    """Sum the weights of every combination of the bits of each byte; shape (bytes, 256)."""
    width = -(-len(weights) // _BITS) * 64
    padded = np.zeros(width)
    places = np.arange(len(weights))
    padded[places // _BITS * 64 + places % _BITS] = weights
    bits = np.unpackbits(np.arange(256, dtype=np.uint8)[:, None], axis=1, bitorder="little")
    return np.asarray(padded.reshape(-1, 8) @ bits.T.astype(np.float64))
