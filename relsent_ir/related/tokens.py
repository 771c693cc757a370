"""Words and substrings: the features of sentences (Smith & Wilbur 2010, section 2.2).

Type W: sentences are split at every character that is no letter or digit; tokens without a letter
and stop words are dropped; words are in lower case.

Type S: the substrings of words form a trie of sorted numbers. A substring of length L consists of
its first L-1 characters, which have a number, and a last character: ``number * len(alphabet) +
last`` encodes it as one integer, exactly and in any script. The sorted integers of each length are
the trie. Numbering words and translating another trie are done for all words at once, one length
after another, never string by string; and a trie can stay on disk.
"""

import re
import sys
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from relsent_ir.errors import InputError
from relsent_ir.models import check_arrays
from relsent_ir.models.folders import check_places
from relsent_ir.text import words as text_words
from relsent_ir.text.vocabulary import Vocabulary

_TOKEN = re.compile(r"[^\W_]+")


def words(text: str, stopwords: Iterable[str]) -> list[str]:
    """Return the words of a sentence, in order."""
    stops = frozenset(stopwords)
    return [
        token
        for token in _TOKEN.findall(text.lower())
        if not token.isnumeric() and token not in stops
    ]


def word_spans(text: str, stopwords: Iterable[str]) -> list[tuple[int, int, str]]:
    """Return the places of a sentence's words, [start, end), with the words in lower case."""
    stops = frozenset(stopwords)
    spans = ((*match.span(), match.group().lower()) for match in _TOKEN.finditer(text))
    return [span for span in spans if not span[2].isnumeric() and span[2] not in stops]


def read_stopwords(path: str | Path) -> tuple[str, ...]:
    """Read a stop list; its words are split into tokens like sentences (the paper has 313).

    Raises
    ------
    InputError
        If the file cannot be read, or has no word.
    """
    tokens = sorted(
        {token for word in text_words.read_stopwords(path) for token in words(word, ())}
    )
    if not tokens:
        raise InputError("there are no words in this file", where=path)
    return tuple(tokens)


class _Numbers(dict[str, int]):
    """Number words by first appearance; -1 for words that are dropped."""

    def __init__(self, stopwords: Iterable[str]) -> None:
        super().__init__((word, -1) for word in stopwords)
        self.words: list[str] = []

    def __missing__(self, token: str) -> int:
        if token.isnumeric():
            return -1
        self[token] = number = len(self.words)
        self.words.append(token)
        return number


def count_words(
    texts: Iterable[str], stopwords: Iterable[str]
) -> tuple[list[str], NDArray[np.int64], NDArray[np.int32]]:
    """Split many sentences into words, processing each distinct word once.

    Returns
    -------
    words : list of str
        The distinct words, sorted by their UTF-8 bytes.
    starts : ndarray of int64, shape (sentences + 1,)
        The start of each sentence's words in `numbers`.
    numbers : ndarray of int32
        The place of each word in `words`, sentence by sentence, in text order.
    """
    known = _Numbers(stopwords)
    number = known.__getitem__
    find = _TOKEN.findall
    blocks: list[NDArray[np.int32]] = []
    lengths: list[int] = []
    block: list[int] = []
    for text in texts:
        before = len(block)
        block.extend(map(number, find(text.lower())))
        lengths.append(len(block) - before)
        if len(block) > 1 << 20:
            blocks.append(np.array(block, dtype=np.int32))
            block = []
    blocks.append(np.array(block, dtype=np.int32))
    numbers = np.concatenate(blocks)
    is_word = numbers >= 0
    starts = np.append(0, np.cumsum(lengths, dtype=np.int64))
    before_each = np.append(0, np.cumsum(is_word))
    # code points sort like UTF-8 bytes
    order = sorted(range(len(known.words)), key=known.words.__getitem__)
    place = np.empty(len(order), dtype=np.int32)
    place[order] = np.arange(len(order), dtype=np.int32)
    return [known.words[i] for i in order], before_each[starts], place[numbers[is_word]]


SHORTEST: Final = 2
LONGEST: Final = 6


@dataclass(frozen=True)
class Substrings:
    """All substrings of length 1 (the alphabet) to 6 of some words.

    Substrings of length 2 to 6 are numbered consecutively, the shorter first. Substrings without a
    letter have numbers too, since longer ones start with them, but are not features.

    Attributes
    ----------
    alphabet : ndarray of int32
        The code points of the alphabet, ascending.
    levels : tuple of ndarray of int64
        The sorted integers of each length from 2 to 6, as described above.
    """

    alphabet: NDArray[np.int32]
    levels: tuple[NDArray[np.int64], ...]

    @cached_property
    def starts(self) -> tuple[int, ...]:
        """The first number of each length from 2, followed by the number of all substrings."""
        return tuple(accumulate(map(len, self.levels), initial=0))

    def __len__(self) -> int:
        return self.starts[-1]

    @classmethod
    def stored(
        cls, alphabet: NDArray[np.int32], levels: tuple[NDArray[np.int64], ...]
    ) -> "Substrings":
        """Create the trie from stored arrays; ValueError if they are invalid."""
        arrays: dict[str, NDArray[Any]] = {f"of {n}": level for n, level in enumerate(levels, 2)}
        arrays["of 1"] = alphabet
        check_arrays(arrays, {name: f"int {name.split()[1]}-long" for name in arrays})
        check_places(alphabet, sys.maxunicode + 1)
        before = len(alphabet)
        for level in levels:
            check_places(level, before * len(alphabet))
            before = len(level)
        if any((level[1:] <= level[:-1]).any() for level in arrays.values()):
            raise ValueError("a trie that is not sorted")
        return cls(alphabet, levels)

    def name(self, number: int) -> str:
        """Return the string of a substring."""
        length = next(i for i, end in enumerate(self.starts[1:]) if number < end)
        place = number - self.starts[length]
        spelt = ""
        for level in reversed(self.levels[: length + 1]):
            place, last = divmod(int(level[place]), len(self.alphabet))
            spelt = chr(self.alphabet[last]) + spelt
        return chr(self.alphabet[place]) + spelt

    def locate(self, other: "Substrings") -> NDArray[np.int32]:
        """Return this trie's number of each substring of another trie, -1 if it is missing here."""
        characters = find_sorted(self.alphabet, other.alphabet)
        prefixes = characters
        numbers = np.empty(len(other), dtype=np.int32)
        for i, (ours, theirs) in enumerate(zip(self.levels, other.levels, strict=True)):
            before, last = np.divmod(theirs, len(other.alphabet))
            before, last = prefixes[before], characters[last]
            there = (before >= 0) & (last >= 0)
            prefixes = find_sorted(ours, np.where(there, before * len(self.alphabet) + last, -1))
            numbers[other.starts[i] : other.starts[i + 1]] = np.where(
                prefixes < 0, -1, prefixes + self.starts[i]
            )
        return numbers


def split_words(words: Vocabulary) -> tuple[Substrings, NDArray[np.int32], NDArray[np.int32]]:
    """Return the substrings of words, and their occurrences.

    Returns
    -------
    substrings : Substrings
    word, substring : ndarray of int32, same shape
        Each occurrence of a substring with a letter: the place of the word and the number.
    """
    decoded = list(words)  # a vocabulary would decode them at each access
    text = "".join(decoded)
    points = np.frombuffer(text.encode("utf-32-le"), dtype="<i4").astype(np.int32)
    lengths = np.array([len(word) for word in decoded], dtype=np.int64)
    word = np.repeat(np.arange(len(words), dtype=np.int32), lengths)
    left = np.repeat(np.cumsum(lengths), lengths) - np.arange(len(points))  # to the end
    alphabet, last = np.unique(points, return_inverse=True)
    letters = np.array([not chr(point).isnumeric() for point in alphabet], dtype=bool)
    with_letter = letters[last] if len(points) else np.zeros(0, dtype=bool)
    here = np.arange(len(points))
    number = last.astype(np.int64)
    levels, places, numbers, start = [], [], [], 0
    for length in range(SHORTEST, LONGEST + 1):
        longer = left[here] >= length
        here, number = here[longer], number[longer]
        end = here + length - 1
        with_letter = with_letter[longer] | letters[last[end]]
        level, number = np.unique(number * len(alphabet) + last[end], return_inverse=True)
        levels.append(level)
        places.append(word[here[with_letter]])
        numbers.append((number[with_letter] + start).astype(np.int32))
        start += len(level)
    return Substrings(alphabet, tuple(levels)), np.concatenate(places), np.concatenate(numbers)


def find_sorted(array: NDArray[np.integer], values: NDArray[np.integer]) -> NDArray[np.int64]:
    """Return the place of each value in a sorted array, -1 where it is missing."""
    if not len(array):
        return np.full(len(values), -1, dtype=np.int64)
    at = np.minimum(np.searchsorted(array, values), len(array) - 1)
    return np.where(array[at] == values, at, -1)
