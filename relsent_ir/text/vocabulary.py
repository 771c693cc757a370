"""A sorted list of strings as bytes, searched by bisection, so that it can stay on the disk."""

from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from relsent_ir.models import check_arrays, check_starts

_FEW = 64  # strings that are looked up by bisection; more are worth a table
_HEAD = 32  # bytes of each string in that table; longer ones are looked up by bisection


class Vocabulary:
    """Distinct strings in the order of their UTF-8 bytes.

    Parameters
    ----------
    text : ndarray of uint8
        All strings, end to end.
    ends : ndarray of int64, shape (n,)
        Where each ends in `text`.
    """

    def __init__(self, text: NDArray[np.uint8], ends: NDArray[np.int64]) -> None:
        # Views without the class of memory maps, which makes each access ten times as slow.
        self.text = np.asarray(text)
        self.ends = np.asarray(ends)

    @classmethod
    def of(cls, names: Iterable[str]) -> "Vocabulary":
        """Make one of strings, in any order."""
        coded = [name.encode() for name in sorted(set(names))]
        ends = np.cumsum([len(name) for name in coded], dtype=np.int64)
        return cls(np.frombuffer(b"".join(coded), dtype=np.uint8), ends)

    @classmethod
    def stored(cls, text: NDArray[np.uint8], ends: NDArray[np.int64]) -> "Vocabulary":
        """Take stored arrays; ValueError if they are no strings."""
        check_arrays({"text": text, "ends": ends}, {"text": "bytes size", "ends": "int n"})
        check_starts(np.concatenate([[0], ends]), len(text))
        made = cls(text, ends)
        starts = made.ends[:-1]
        if ((made.text[starts[starts < len(text)]] & 0xC0) == 0x80).any():
            raise ValueError("strings that begin inside a character")
        made.text.tobytes().decode()
        return made

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

    def find(self, name: str) -> int:
        """Give the place of a string, -1 where it is not."""
        wanted = name.encode()
        low, high = 0, len(self)
        while low < high:
            middle = (low + high) // 2
            if self._bytes(middle) < wanted:
                low = middle + 1
            else:
                high = middle
        return low if low < len(self) and self._bytes(low) == wanted else -1

    def locate(self, names: "Sequence[str] | Vocabulary") -> NDArray[np.int32]:
        """Give the place of each string, -1 where it is not; shape (len(names),)."""
        if len(names) <= _FEW or (len(names) * _FEW < len(self) and "_heads" not in self.__dict__):
            return np.array([self.find(name) for name in names], dtype=np.int32)
        if isinstance(names, Vocabulary):
            wanted, sizes = names._heads, np.diff(names.ends, prepend=0)
        else:
            coded = [name.encode() for name in names]
            wanted = np.array(coded, dtype=self._heads.dtype)
            sizes = np.array([len(name) for name in coded])
        places = np.searchsorted(self._heads, wanted).astype(np.int32)
        found = places < len(self)
        found[found] = self._heads[places[found]] == wanted[found]
        places[~found] = -1
        for i in np.flatnonzero(sizes >= _HEAD).tolist():
            places[i] = self.find(names[i])
        return places

    @cached_property
    def _heads(self) -> NDArray[np.bytes_]:
        """The first bytes of each string, side by side; no string has a NUL."""
        starts = np.append(0, self.ends[:-1])
        sizes = self.ends - starts
        heads = np.zeros((len(self), _HEAD), dtype=np.uint8)
        for i in range(_HEAD):
            longer = np.flatnonzero(sizes > i)
            heads[longer, i] = self.text[starts[longer] + i]
        return heads.view(f"S{_HEAD}").reshape(-1)

    def _bytes(self, i: int) -> bytes:
        start = int(self.ends[i - 1]) if i else 0
        return self.text[start : int(self.ends[i])].tobytes()
