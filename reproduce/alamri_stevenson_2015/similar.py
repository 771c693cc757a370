"""Answers by shared words, as before version 0.3: the results page has them beside ours.

A sentence answers if it and a span of the evidence share half the distinct words of the shorter of
the two, wherever these stand; so sentences of METHODS that name the same arms and outcomes count.
"""

import re
from collections.abc import Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from relsent_ir.answers.questions import LEAST

_WORD: Final = re.compile(r"\w+")


def similar_sentences(sentences: Sequence[str], evidence: Sequence[str]) -> NDArray[np.bool_]:
    """Return which sentences share half the shorter's words with a span; shape (sentences,)."""
    spans = [_words(span) for span in evidence]
    found = [any(_share(_words(text), span) for span in spans) for text in sentences]
    return np.array(found, dtype=bool)


def _words(text: str) -> frozenset[str]:
    return frozenset(_WORD.findall(text.lower()))


def _share(a: frozenset[str], b: frozenset[str]) -> bool:
    smaller = min(len(a), len(b))
    return smaller > 0 and len(a & b) >= LEAST * smaller
