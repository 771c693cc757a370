"""Which sentences answer, by the evidence: a sentence and a span share half the shorter's words."""

import re
from collections.abc import Collection, Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

_WORD: Final = re.compile(r"\w+")
LEAST: Final = 0.5


def word_set(text: str) -> frozenset[str]:
    """Give the distinct words of a text in small letters, numbers among them."""
    return frozenset(_WORD.findall(text.lower()))


def repeats(a: Collection[str], b: Collection[str]) -> bool:
    """Tell whether two sets of words share at least half of the smaller one."""
    smaller = min(len(a), len(b))
    return smaller > 0 and len(set(a) & set(b)) >= LEAST * smaller


def answer_sentences(sentences: Sequence[str], evidence: Sequence[str]) -> NDArray[np.bool_]:
    """Tell which sentences answer; shape (sentences,)."""
    spans = [word_set(span) for span in evidence]
    found = [any(repeats(word_set(text), span) for span in spans) for text in sentences]
    return np.array(found, dtype=bool)
