"""How alike each sentence and the title are, after long forms gave way to their abbreviations."""

import re
from collections.abc import Sequence
from math import sqrt
from typing import Final

from relsent_ir.collection import find_abbreviations
from relsent_ir.text.words import words

_COMMON: Final = """
    0 % = < > ≤ ≥ ± a an and are as at be been by for from in is it its of on or our than that the
    these this to was we were which with
    """
_FUNCTION_WORDS: Final = frozenset(_COMMON.split())


_DEFINITION: Final = re.compile(r"\([^\W\d_][\w/+-]{1,11}[),;]")
"""A bracket that may hold a short form; most of an abstract's hold figures."""


def shorten(texts: Sequence[str]) -> list[str]:
    """Replace the long forms that the texts define by their short forms; all in small letters."""
    defining = [text for text in texts if _DEFINITION.search(text)]
    shortened = [text.lower() for text in texts]
    if defining:
        pairs = find_abbreviations(" ".join(defining))
        for short, long in sorted(pairs, key=lambda pair: -len(pair[1])):
            old, new = long.lower(), short.lower()
            shortened = [text.replace(old, new) for text in shortened]
    return shortened


def title_similarities(title: str, sentences: Sequence[str]) -> list[float]:
    """Cosine of the sets of words, without function words and numbers, for each sentence."""
    head, *rest = (set(words(text)) - _FUNCTION_WORDS for text in shorten([title, *sentences]))
    if not head:
        return [0.0] * len(rest)
    return [len(head & w) / sqrt(len(head) * len(w)) if w else 0.0 for w in rest]
