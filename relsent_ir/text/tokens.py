"""Tokens as in treebanks: punctuation is split off, "CD4(+)" and "IL-2-induced" stay whole.

The rules are the Penn treebank's, as the GENIA treebank applies them: a string between white space
loses punctuation at both ends, mark by mark; a bracket stays if its partner is inside it.
"""

import re
from functools import lru_cache
from itertools import pairwise
from typing import Final

Span = tuple[int, int]

_WHOLE: Final = re.compile(r"\S+")
_OPENING: Final = "([{\"'`“‘«"
_CLOSING: Final = ")]},;:?!%\"'”’»…."
_PARTNERS: Final = {"(": ")", "[": "]", "{": "}"}
_OPENERS: Final = {closing: opening for opening, closing in _PARTNERS.items()}
_DOTTED: Final = re.compile(
    r"(?:[A-Za-z]\.)+[A-Za-z]|al|approx|ca|cf|etc|vs|sp|spp|St|Dr|No|Fig|[A-Z]"
)
"""Words that keep their full stop: e.g., i.v., et al., initials."""

_GENITIVE: Final = re.compile(r"['’]s?$")
_DASH: Final = re.compile(r"(?<=[\w)]{2})(?:--+|—|–(?=[a-z]{2}))(?=[A-Za-z(])")


LETTERS_MAX: Final = 4_000
WORDS_MAX: Final = 400
"""Sentences with more characters are indexed and shown, but no rule reads them."""


def is_readable(sentence: str) -> bool:
    """Return whether a sentence is short enough to be read by rules."""
    return len(sentence) <= LETTERS_MAX and len(sentence.split()) <= WORDS_MAX


def tokenize(text: str) -> list[Span]:
    """Split a sentence into tokens.

    Parameters
    ----------
    text : str
        Usually one sentence, but any text is accepted.

    Returns
    -------
    list of (int, int)
        Character offsets [start, end), in order. They cover all characters but white space.
    """
    spans: list[Span] = []
    for word in _WHOLE.finditer(text):
        start = word.start()
        spans += [(start + i, start + j) for i, j in _split(word.group())]
    if spans:
        start, end = spans[-1]
        if end - start > 1 and text[end - 1] == ".":  # it ends the sentence, even after "al"
            spans[-1:] = [(start, end - 1), (end - 1, end)]
    return spans


@lru_cache(maxsize=5_000)
def _split(word: str) -> tuple[Span, ...]:
    """Split the punctuation off both ends of a string without white space."""
    start, end = 0, len(word)
    tail: list[Span] = []
    head: list[Span] = []
    while end - start > 1:
        first, last = word[start], word[end - 1]
        inside = word[start:end]
        if first in _OPENING and not _closes_inside(inside):
            head.append((start, start + 1))
            start += 1
        elif last in _CLOSING and not _stays(inside, last):
            tail.append((end - 1, end))
            end -= 1
        else:
            break
    spans = head + _parts(word, start, end) + tail[::-1]
    return tuple(spans)


def _parts(word: str, start: int, end: int) -> list[Span]:
    """Split off a genitive, and split at dashes."""
    cut = [start]
    if genitive := _GENITIVE.search(word, start + 2, end):
        cut.append(genitive.start())
    for dash in _DASH.finditer(word, start, end):
        cut += [dash.start(), dash.end()]
    cut = sorted({*cut, end})
    return [(i, j) for i, j in pairwise(cut) if i < j]


def _closes_inside(word: str) -> bool:
    """Return whether the bracket at the start of a word closes before its end: "(+)-catechin"."""
    partner = _PARTNERS.get(word[0])
    if partner is None:
        return False
    marks = _CLOSING.replace(partner, "")
    return 0 < word.find(partner) < len(word.rstrip(marks)) - 1


def _stays(word: str, last: str) -> bool:
    """Return whether the last mark belongs to the word."""
    if last == ".":
        return bool(_DOTTED.fullmatch(word[:-1]))
    opening = _OPENERS.get(last)
    if opening is not None:
        return word.count(opening) >= word.count(last) and word[0] != opening
    if last in "'’":  # as in 5' and 3'
        return word[-2].isdigit()
    return False
