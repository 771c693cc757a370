"""The features of the CRF: strings, in optional groups.

The groups `PAPER` are those of Alamri & Stevenson (2015), the others ours. A string begins with a
letter or sign of its group; n-grams of the neighbours begin with ``-`` (before) and ``+`` (after).
"""

import re
from collections.abc import Collection, Sequence
from math import sqrt
from typing import Final

from relsent_ir.records import find_abbreviations
from relsent_ir.text.tense import tense
from relsent_ir.text.words import NUMBER, bigrams, words

_COMMON: Final = """
    0 % = < > ≤ ≥ ± a an and are as at be been by for from in is it its of on or our than that the
    these this to was we were which with
    """
_FUNCTION_WORDS: Final = frozenset(_COMMON.split())


_DEFINITION: Final = re.compile(r"\([^\W\d_][\w/+-]{1,11}[),;]")
"""A bracket that may have a short form; most of an abstract's have figures."""


def shorten(texts: Sequence[str]) -> list[str]:
    """Replace the long forms that texts define by their short forms; all in small letters."""
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
    """Return each sentence's cosine with the title, as sets of words.

    Function words and numbers do not count.

    Parameters
    ----------
    title : str
    sentences : sequence of str
    tokens : sequence of list of str, optional
        The sentences' `words`, to save time.
    """
    if not title:
        return [0.0] * len(sentences)
    if tokens is None:
        tokens = [words(sentence) for sentence in sentences]
    head, *rest = shorten([title, *sentences])
    title_words = set(words(head)) - _FUNCTION_WORDS
    # A short form is shorter, so a text of the same length has the same words.
    return [
        _cosine(title_words, whole if len(short) == len(sentence) else words(short))
        for short, sentence, whole in zip(rest, sentences, tokens, strict=True)
    ]


def _cosine(title_words: set[str], tokens: list[str]) -> float:
    bag = set(tokens) - _FUNCTION_WORDS
    if not title_words or not bag:
        return 0.0
    return len(title_words & bag) / sqrt(len(title_words) * len(bag))


PAPER: Final = ("sentence", "neighbours", "title", "similarity", "position", "tense")
"""N-grams of the sentence, of both neighbours and of the title; the others have one string."""

OURS: Final = ("place", "opening", "numbers", "length")
"""Sentences before and after, the first words, counts of numbers and of words."""

GROUPS: Final = PAPER + OURS

DEFAULT: Final = ("sentence", "neighbours", "similarity", "position", "tense", *OURS)
"""All but the title's n-grams, which tell the topic of an abstract and not its structure."""


def abstract_features(
    title: str, sentences: Sequence[str], groups: Collection[str] = DEFAULT
) -> list[list[str]]:
    """Describe the sentences of an abstract.

    Parameters
    ----------
    title : str
        May be "".
    sentences : sequence of str
    groups : collection of str
        From `GROUPS`.

    Returns
    -------
    list of list of str
        One list for each sentence, without duplicates.
    """
    tokens = [words(sentence) for sentence in sentences]
    ngrams = [list(dict.fromkeys([*row, *bigrams(row)])) for row in tokens]
    features: list[list[str]] = [[] for _ in sentences]
    if "sentence" in groups:
        for strings, row in zip(features, ngrams, strict=True):
            strings += row
    if "neighbours" in groups:
        _add_neighbours(features, ngrams)
    if "title" in groups:
        head = words(title)
        shared = [f"T{ngram}" for ngram in dict.fromkeys([*head, *bigrams(head)])]
        for strings in features:
            strings += shared
    if "similarity" in groups:
        cosines = title_similarities(title, sentences, tokens)
        for strings, cosine in zip(features, cosines, strict=True):
            strings.append(f"S{round(10 * cosine)}")
    if "tense" in groups:
        for strings, row in zip(features, tokens, strict=True):
            strings.append(f"V{tense(row)}")
    for i, (strings, row) in enumerate(zip(features, tokens, strict=True)):
        strings += _place(i, len(tokens), groups)
        strings += _shape(row, groups)
    return features


def _add_neighbours(features: list[list[str]], ngrams: list[list[str]]) -> None:
    for i, row in enumerate(ngrams):
        if i > 0:
            features[i - 1] += [f"+{ngram}" for ngram in row]
        if i + 1 < len(ngrams):
            features[i + 1] += [f"-{ngram}" for ngram in row]


def _place(i: int, n: int, groups: Collection[str]) -> list[str]:
    """Describe the place: the paper's ten bins; counts of sentences before and after, up to six."""
    strings = [f"P{10 * i // n}"] if "position" in groups else []
    if "place" in groups:
        strings += [f"A{min(i, 6)}", f"Z{min(n - 1 - i, 6)}", f"N{min(n, 20)}"]
    return strings


def _shape(tokens: list[str], groups: Collection[str]) -> list[str]:
    strings = []
    if "opening" in groups:
        strings += [f"^{'_'.join(tokens[:k])}" for k in (1, 2, 3)]
    if "numbers" in groups:
        strings += [f"C{min(tokens.count(NUMBER), 8)}", f"%{min(tokens.count('%'), 3)}"]
    if "length" in groups:
        strings.append(f"L{min(len(tokens) // 5, 10)}")
    return strings
