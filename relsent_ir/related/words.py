"""Words of a sentence: the features of type W (Smith & Wilbur 2010, section 2.2).

A sentence is broken on every character that is neither letter nor digit; tokens without a letter
and stop words are dropped; everything is in lower case.
"""

import re
from collections.abc import Iterable, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from relsent_ir.errors import InputError
from relsent_ir.text import stopwords

_TOKEN = re.compile(r"[^\W_]+")


def words(text: str, stopwords: Iterable[str]) -> list[str]:
    """Give the words of a sentence, in their order."""
    stops = frozenset(stopwords)
    return [
        token
        for token in _TOKEN.findall(text.lower())
        if not token.isnumeric() and token not in stops
    ]


def word_spans(text: str, stopwords: Iterable[str]) -> list[tuple[int, int, str]]:
    """Give the places of a sentence's words, [start, end), each with the word in small letters."""
    stops = frozenset(stopwords)
    found = ((*match.span(), match.group().lower()) for match in _TOKEN.finditer(text))
    return [one for one in found if not one[2].isnumeric() and one[2] not in stops]


def read_stopwords(path: str | Path) -> tuple[str, ...]:
    """Read a stop list whose words are broken into tokens as sentences are (the paper's 313).

    Raises
    ------
    InputError
        If the file cannot be read, or holds no word.
    """
    found = sorted({token for word in stopwords.read_stopwords(path) for token in words(word, ())})
    if not found:
        raise InputError("there are no words in this file", where=path)
    return tuple(found)


class _Numbers(dict[str, int]):
    """Words by order of first appearance; -1 for what is dropped."""

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
    """Break many sentences into words, each distinct word being handled once.

    Returns
    -------
    words : list of str
        The distinct words, sorted as their UTF-8 bytes are.
    starts : ndarray of int64, shape (sentences + 1,)
        Where each sentence's words begin in `numbers`.
    numbers : ndarray of int32
        Each word's place in `words`, sentence after sentence, in the order of the text.
    """
    seen = _Numbers(stopwords)
    number = seen.__getitem__
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
    kept = numbers >= 0
    starts = np.zeros(len(lengths) + 1, dtype=np.int64)
    np.cumsum(lengths, out=starts[1:])
    before_each = np.zeros(len(kept) + 1, dtype=np.int64)
    np.cumsum(kept, out=before_each[1:])
    order, place = _sorted(seen.words)
    return order, before_each[starts], place[numbers[kept]]


def _sorted(names: Sequence[str]) -> tuple[list[str], NDArray[np.int32]]:
    """Sort strings by their UTF-8 bytes, which is the order of their code points."""
    order = sorted(range(len(names)), key=names.__getitem__)
    place = np.empty(len(names), dtype=np.int32)
    place[order] = np.arange(len(names), dtype=np.int32)
    return [names[i] for i in order], place
