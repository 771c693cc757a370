"""A sorted list of strings as bytes, searched by bisection, so that it can stay on disk."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from relsent_ir.models import check_arrays
from relsent_ir.models.folders import check_starts

_FEW = 64  # strings; for more, a table is built instead of bisection
_MANY = 1 << 20  # strings moved at a time
_LINE_FEED = 10
_WIDE = 64  # bytes; longer strings are not put into one array for sorting
_HEAD = 40  # bytes of each string in the table; longer strings are bisected


@dataclass(eq=False, repr=False)
class Vocabulary:
    """Distinct strings in the order of their UTF-8 bytes.

    Parameters
    ----------
    text : ndarray of uint8
        The bytes of all strings, joined.
    ends : ndarray of int64, shape (n,)
        The end of each string in `text`.
    """

    text: NDArray[np.uint8]
    ends: NDArray[np.int64]
    _bisected: int = field(default=0, init=False)

    @classmethod
    def of(cls, names: Iterable[str]) -> "Vocabulary":
        """Create a vocabulary from strings, in any order."""
        coded = [name.encode() for name in sorted(set(names))]
        ends = np.cumsum([len(name) for name in coded], dtype=np.int64)
        return cls(np.frombuffer(b"".join(coded), dtype=np.uint8), ends)

    @classmethod
    def of_lines(cls, data: bytes) -> tuple["Vocabulary", NDArray[np.intp]]:
        """Create a vocabulary from many distinct lines with line feeds, without Python strings.

        Returns
        -------
        vocabulary : Vocabulary
        order : ndarray of intp, shape (n,)
            The number of the line that each string was.
        """
        text = np.frombuffer(data, dtype=np.uint8)
        ends = np.flatnonzero(text == _LINE_FEED)
        sizes = np.diff(ends, prepend=-1) - 1
        starts = ends - sizes
        if sizes.max(initial=0) > _WIDE:
            names = data.split(b"\n")
            order = np.array(sorted(range(len(ends)), key=names.__getitem__), dtype=np.intp)
        else:
            order = np.argsort(side_by_side(text, starts, sizes), kind="stable")
        starts, sizes = starts[order], sizes[order]
        packed = np.empty(int(sizes.sum()), dtype=np.uint8)
        at = 0
        for first in range(0, len(order), _MANY):
            piece = text[ranges(starts[first : first + _MANY], sizes[first : first + _MANY])]
            packed[at : at + len(piece)] = piece
            at += len(piece)
        return cls(packed, np.cumsum(sizes, dtype=np.int64)), order

    @classmethod
    def stored(cls, text: NDArray[np.uint8], ends: NDArray[np.int64]) -> "Vocabulary":
        """Create a vocabulary from stored arrays; ValueError if they are invalid."""
        check_arrays({"text": text, "ends": ends}, {"text": "bytes size", "ends": "int n"})
        check_starts(np.concatenate([[0], ends]), len(text))
        vocabulary = cls(text, ends)
        starts = vocabulary.ends[:-1]
        if ((vocabulary.text[starts[starts < len(text)]] & 0xC0) == 0x80).any():
            raise ValueError("strings that begin inside a character")
        vocabulary.text.tobytes().decode()
        return vocabulary

    def __len__(self) -> int:
        return len(self.ends)

    def __getitem__(self, i: int) -> str:
        return self._bytes(i).decode()

    def __iter__(self) -> Iterator[str]:
        data = self.text.tobytes()
        start = 0
        for end in self.ends.tolist():
            yield data[start:end].decode()
            start = end

    def take(self, places: NDArray[np.integer]) -> list[str]:
        """Return the strings at some places."""
        ends = self.ends[places]
        sizes = ends - np.where(places > 0, self.ends[places - 1], 0)
        data = self.text[ranges(ends - sizes, sizes)].tobytes()
        stops = np.cumsum(sizes).tolist()
        return [data[a:b].decode() for a, b in zip([0, *stops], stops, strict=False)]

    def find(self, name: str) -> int:
        """Return the place of a string, or -1 if it is missing."""
        at = self.place(name)
        return at if at < len(self) and self._bytes(at) == name.encode() else -1

    def place(self, name: str) -> int:
        """Return the number of strings that sort before a string, which may be missing."""
        coded = name.encode()
        low, high = 0, len(self)
        text, ends = self.text.data, self.ends.data  # access to items is faster than NumPy's
        while low < high:
            middle = (low + high) // 2
            if bytes(text[ends[middle - 1] if middle else 0 : ends[middle]]) < coded:
                low = middle + 1
            else:
                high = middle
        return low

    def locate(self, names: "Sequence[str] | Vocabulary") -> NDArray[np.int32]:
        """Return the place of each string, -1 for a missing string; shape (len(names),)."""
        tabled = "_heads" in self.__dict__
        few = len(names) <= _FEW and not tabled
        if not few and not tabled:
            self._bisected += len(names)  # the sum over all calls decides whether a table pays off
            few = self._bisected * _FEW < len(self)
        if few:
            return np.array([self.find(name) for name in names], dtype=np.int32)
        if isinstance(names, Vocabulary):
            heads, sizes = names._heads, np.diff(names.ends, prepend=0)
        else:
            coded = [name.encode() for name in names]
            heads = np.array(coded, dtype=self._heads.dtype)
            sizes = np.array([len(name) for name in coded])
        places = np.searchsorted(self._heads, heads).astype(np.int32)
        present = places < len(self)
        present[present] = self._heads[places[present]] == heads[present]
        places[~present] = -1
        for i in np.flatnonzero((sizes >= _HEAD) & present).tolist():
            name = names[i]
            if self._bytes(int(places[i])) != name.encode():  # another string with the same head
                places[i] = self.find(name)
        return places

    @cached_property
    def _heads(self) -> NDArray[np.bytes_]:
        """The first bytes of each string in one array; no string has a NUL."""
        starts = np.append(0, self.ends)[:-1]
        return side_by_side(self.text, starts, self.ends - starts, _HEAD)

    def _bytes(self, i: int) -> bytes:
        start = int(self.ends[i - 1]) if i else 0
        return self.text[start : int(self.ends[i])].tobytes()


def side_by_side(
    text: NDArray[np.uint8],
    starts: NDArray[np.integer],
    sizes: NDArray[np.integer],
    width: int | None = None,
) -> NDArray[np.bytes_]:
    """Return the strings as one array of bytes, cut to `width` if it is given.

    The strings must not have a NUL.
    """
    width = max(1, int(sizes.max(initial=0))) if width is None else width
    table = np.zeros((len(starts), width), dtype=np.uint8)
    for i in range(width):
        longer = np.flatnonzero(sizes > i)
        table[longer, i] = text[starts[longer] + i]
    return table.view(f"S{width}").reshape(-1)


def ranges(starts: NDArray[np.integer], sizes: NDArray[np.integer]) -> NDArray[np.intp]:
    """Concatenate the numbers ``start … start + size - 1`` of all ranges."""
    ends = np.cumsum(sizes, dtype=np.intp)
    total = int(ends[-1]) if len(ends) else 0
    return np.repeat(starts - (ends - sizes), sizes) + np.arange(total)
