"""The features of the CRF: strings, in groups that can be left out.

The groups `PAPER` are those of Alamri & Stevenson (2015), the others ours. A string begins with a
letter or sign of its group; the n-grams of the neighbours with ``-`` (before) and ``+`` (after).
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
    """Return each sentence's cosine with the title, as sets of words but for function words.

    Numbers are left out too.

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


PAPER: Final = ("sentence", "neighbours", "title", "similarity", "position", "tense")
"""N-grams of the sentence, of both neighbours and of the title; the rest is one string each."""

OURS: Final = ("place", "opening", "numbers", "length")
"""Sentences before and after, the first words, counts of numbers and of words."""

GROUPS: Final = PAPER + OURS

DEFAULT: Final = ("sentence", "neighbours", "similarity", "position", "tense", *OURS)
"""All but the title's n-grams, which say what an abstract is about and not how it is built."""


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
        Of `GROUPS`.

    Returns
    -------
    list of list of str
        One list a sentence, without duplicates.
    """
    tokens = [words(sentence) for sentence in sentences]
    ngrams = [list(dict.fromkeys([*found, *bigrams(found)])) for found in tokens]
    features: list[list[str]] = [[] for _ in sentences]
    if "sentence" in groups:
        for described, found in zip(features, ngrams, strict=True):
            described += found
    if "neighbours" in groups:
        _add_neighbours(features, ngrams)
    if "title" in groups:
        head = words(title)
        shared = [f"T{ngram}" for ngram in dict.fromkeys([*head, *bigrams(head)])]
        for described in features:
            described += shared
    if "similarity" in groups:
        cosines = title_similarities(title, sentences, tokens)
        for described, cosine in zip(features, cosines, strict=True):
            described.append(f"S{round(10 * cosine)}")
    if "tense" in groups:
        for described, found in zip(features, tokens, strict=True):
            described.append(f"V{tense(found)}")
    for i, (described, found) in enumerate(zip(features, tokens, strict=True)):
        described += _place(i, len(tokens), groups)
        described += _shape(found, groups)
    return features


def _add_neighbours(features: list[list[str]], ngrams: list[list[str]]) -> None:
    for i, found in enumerate(ngrams):
        if i > 0:
            features[i - 1] += [f"+{ngram}" for ngram in found]
        if i + 1 < len(ngrams):
            features[i + 1] += [f"-{ngram}" for ngram in found]


def _place(i: int, n: int, groups: Collection[str]) -> list[str]:
    """Describe the place: the paper's ten bins; how many are before and after, up to six."""
    found = [f"P{10 * i // n}"] if "position" in groups else []
    if "place" in groups:
        found += [f"A{min(i, 6)}", f"Z{min(n - 1 - i, 6)}", f"N{min(n, 20)}"]
    return found


def _shape(tokens: list[str], groups: Collection[str]) -> list[str]:
    found = []
    if "opening" in groups:
        found += [f"^{'_'.join(tokens[:k])}" for k in (1, 2, 3)]
    if "numbers" in groups:
        found += [f"C{min(tokens.count(NUMBER), 8)}", f"%{min(tokens.count('%'), 3)}"]
    if "length" in groups:
        found.append(f"L{min(len(tokens) // 5, 10)}")
    return found
