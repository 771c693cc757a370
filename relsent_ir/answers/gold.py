"""Which sentences answer, by the evidence.

A sentence answers if it and a span of the evidence share half the characters of the shorter of the
two. Spans are located by letters and digits alone: some keep no-break spaces, or lost a heading.

Until version 0.3 they had to share half the shorter's distinct words, wherever these stood; so
sentences of METHODS that name the same arms and outcomes counted too. The results page still has
that definition beside this one.
"""

import re
from collections.abc import Iterator, Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

_WORD: Final = re.compile(r"\w+")
_RUN: Final = re.compile(r"[^\W_]+")
LEAST: Final = 0.5


def letters(text: str) -> str:
    """Give the letters and digits of a text, in small letters."""
    return "".join(_RUN.findall(text.casefold()))


def answer_sentences(sentences: Sequence[str], evidence: Sequence[str]) -> NDArray[np.bool_]:
    """Tell which sentences answer; shape (sentences,).

    Parameters
    ----------
    sentences : sequence of str
        All of an abstract, in their order: a span may begin in one and end in another.
    evidence : sequence of str
        Spans of the abstract. One that is not found in it makes nothing an answer.
    """
    parts = [letters(sentence) for sentence in sentences]
    lengths = np.array([len(part) for part in parts], dtype=np.int64)
    ends = np.cumsum(lengths)
    starts = ends - lengths
    found = np.zeros(len(parts), dtype=bool)
    for span in map(letters, evidence):
        for place in _places("".join(parts), span):
            shared = np.minimum(ends, place + len(span)) - np.maximum(starts, place)
            found |= (lengths > 0) & (shared >= LEAST * np.minimum(lengths, len(span)))
    return found


def similar_sentences(sentences: Sequence[str], evidence: Sequence[str]) -> NDArray[np.bool_]:
    """Tell which sentences share half the words of the shorter with a span; shape (sentences,)."""
    spans = [_words(span) for span in evidence]
    found = [any(_share(_words(text), span) for span in spans) for text in sentences]
    return np.array(found, dtype=bool)


def _places(text: str, span: str) -> Iterator[int]:
    """Yield where a span begins in a text, as often as it is there."""
    place = text.find(span) if span else -1
    while place >= 0:
        yield place
        place = text.find(span, place + 1)


def _words(text: str) -> frozenset[str]:
    return frozenset(_WORD.findall(text.lower()))


def _share(a: frozenset[str], b: frozenset[str]) -> bool:
    smaller = min(len(a), len(b))
    return smaller > 0 and len(a & b) >= LEAST * smaller
