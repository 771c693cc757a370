"""How alike each sentence and the title are, after long forms gave way to their abbreviations."""

import re
from collections.abc import Sequence
from math import sqrt
from typing import Final

from relsent_ir.records import find_abbreviations
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


def title_similarities(
    title: str, sentences: Sequence[str], tokens: Sequence[list[str]] | None = None
) -> list[float]:
    """Cosine of the sets of words, without function words and numbers, for each sentence.

    Parameters
    ----------
    title : str
    sentences : sequence of str
    tokens : sequence of list of str, optional
        The sentences' `words`, if they are known.
    """
    if not title:
        return [0.0] * len(sentences)
    if tokens is None:
        tokens = [words(sentence) for sentence in sentences]
    head, *rest = shorten([title, *sentences])
    wanted = set(words(head)) - _FUNCTION_WORDS
    # a short form is shorter: the same length, the same words
    return [
        _cosine(wanted, known if len(short) == len(sentence) else words(short))
        for short, sentence, known in zip(rest, sentences, tokens, strict=True)
    ]


def _cosine(wanted: set[str], found: list[str]) -> float:
    bag = set(found) - _FUNCTION_WORDS
    return len(wanted & bag) / sqrt(len(wanted) * len(bag)) if wanted and bag else 0.0
