"""The features of the CRF: strings, in optional groups.

The groups in `PAPER` are those of Alamri & Stevenson (2015); the others are ours. A string starts
with its group's letter or sign; n-grams of neighbours with ``-`` (before) or ``+`` (after).
"""

import re
from collections.abc import Collection, Sequence
from itertools import pairwise
from math import sqrt
from typing import Final

from relsent_ir.records import find_abbreviations
from relsent_ir.text.words import NUMBER, bigrams, words

_AUXILIARIES: Final = {
    "past": "was were had did wasn't weren't didn't",
    "present": "is are has have does do isn't aren't doesn't don't remains remain",
    "future": "will shall",
    "modal": "may can could should would might must cannot",
}
_PAST: Final = """
    became began came chose did drew fell felt found gave grew held kept knew led left lost made met
    ran rose saw sought showed spent stood took taught thought told underwent understood went wrote
    """
_PRESENT: Final = """
    aim aims appear appears argue assess compare conclude consider demonstrate demonstrates describe
    describes discuss discusses evaluate evaluates examine examines explore explores highlight
    highlights hypothesise hypothesize include includes indicate indicates investigate investigates
    need needs plan present presents propose provide provides recommend remain remains report
    reports represent represents require requires review reviews seem seems show shows study suggest
    suggests support supports test
    """
_BEFORE_PARTICIPLES: Final = """
    a an the of in for with by to from at on as and or than that which who whose whom where when
    our their its this these those be been being was were is are had has have 0 %
    """
"""Words after which a form in -ed is a participle, or an apparent verb is a noun."""

_NO_PAST: Final = "need needed speed seed feed breed based indeed hundred red bed"
_PARTICIPLES: Final = "been become shown found made given seen led"

_FINITE: Final = (
    dict.fromkeys(_PRESENT.split(), "present")
    | dict.fromkeys(_PAST.split(), "past")
    | {word: tense for tense, verbs in _AUXILIARIES.items() for word in verbs.split()}
)
_NO_VERB_BEFORE: Final = frozenset(_BEFORE_PARTICIPLES.split())
_NEVER_PAST: Final = frozenset(_NO_PAST.split())
_SHORT_PARTICIPLES: Final = frozenset(_PARTICIPLES.split())
_ALWAYS: Final = frozenset(word for verbs in _AUXILIARIES.values() for word in verbs.split())


def tense(tokens: list[str]) -> str:
    """Return the tense of the main verb by a simple rule: the first finite verb decides.

    This is an auxiliary, a listed irregular verb, a regular past in -ed after a subject, or a verb
    with which authors report ("we conclude"). Words after a relative pronoun or a preposition are
    not in the main clause; docs/moves.md has examples and limits.

    Parameters
    ----------
    tokens : list of str
        The words of a sentence in lower case, as returned by `words`.

    Returns
    -------
    {"past", "present", "perfect", "pluperfect", "future", "modal", "infinitive", "none"}
        "infinitive" for a sentence that begins with "to" and a verb, as aims often do; "none" if
        no verb is recognised.
    """
    if tokens[:1] == ["to"]:
        return "infinitive"
    before = ""
    relative = False
    for i, word in enumerate(tokens):
        finite = _FINITE.get(word)
        if finite and (word in _ALWAYS or before not in _NO_VERB_BEFORE) and before != "to":
            if relative:
                relative = False  # the verb of the relative clause
            elif word in ("has", "have", "had"):
                return _perfect(tokens, i)
            else:
                return finite
        elif (
            not relative
            and word.endswith("ed")
            and len(word) > 4
            and word not in _NEVER_PAST
            and before
            and before not in _NO_VERB_BEFORE
        ):
            return "past"
        elif word in ("that", "which", "who", "whose", "where", "when", "if", "although", "while"):
            relative = i > 0 or word in ("when", "if", "although", "while")
        before = word
    return "none"


def _perfect(tokens: list[str], i: int) -> str:
    """Distinguish "has been shown" from "has a role": look for a participle within three words."""
    for word in tokens[i + 1 : i + 4]:
        if word in _SHORT_PARTICIPLES or word.endswith(("ed", "wn", "en")):
            return "pluperfect" if tokens[i] == "had" else "perfect"
    return _FINITE[tokens[i]]


_COMMON: Final = """
    0 % = < > ≤ ≥ ± a an and are as at be been by for from in is it its of on or our than that the
    these this to was we were which with
    """
_FUNCTION_WORDS: Final = frozenset(_COMMON.split())


_DEFINITION: Final = re.compile(r"\([^\W\d_][\w/+-]{1,11}[),;]")
"""A bracket that may hold a short form; most brackets of abstracts hold figures."""


def shorten(texts: Sequence[str]) -> list[str]:
    """Replace the long forms that texts define by their short forms; all in lower case."""
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
    """Return the cosine of each sentence with the title, as sets of words.

    Function words and numbers are ignored.

    Parameters
    ----------
    title : str
    sentences : sequence of str
    tokens : sequence of list of str, optional
        The `words` of the sentences, if they are already known.
    """
    if not title:
        return [0.0] * len(sentences)
    if tokens is None:
        tokens = [words(sentence) for sentence in sentences]
    head, *rest = shorten([title, *sentences])
    title_words = set(words(head)) - _FUNCTION_WORDS
    cosines = []
    for short, sentence, whole in zip(rest, sentences, tokens, strict=True):
        # A short form is shorter; so a text of the same length has the same words.
        bag = set(whole if len(short) == len(sentence) else words(short)) - _FUNCTION_WORDS
        size = len(title_words) * len(bag)
        cosines.append(len(title_words & bag) / sqrt(size) if size else 0.0)
    return cosines


PAPER: Final = ("sentence", "neighbours", "title", "similarity", "position", "tense")
"""N-grams of the sentence, its neighbours and the title; other groups have a single string."""

OURS: Final = ("place", "opening", "numbers", "length")
"""Sentences before and after, the first words, and counts of numbers and of words."""

GROUPS: Final = PAPER + OURS

DEFAULT: Final = ("sentence", "neighbours", "similarity", "position", "tense", *OURS)
"""All but the title's n-grams, which depend on the subject of an abstract, not its structure."""


def abstract_features(
    title: str, sentences: Sequence[str], groups: Collection[str] = DEFAULT
) -> list[list[str]]:
    """Return the features of an abstract's sentences.

    Parameters
    ----------
    title : str
        The title, which may be "".
    sentences : sequence of str
    groups : collection of str
        A subset of `GROUPS`.

    Returns
    -------
    list of list of str
        One list of features for each sentence, without duplicates.
    """
    tokens = [words(sentence) for sentence in sentences]
    ngrams = [list(dict.fromkeys([*row, *bigrams(row)])) for row in tokens]
    features: list[list[str]] = [[] for _ in sentences]
    if "sentence" in groups:
        for strings, row in zip(features, ngrams, strict=True):
            strings += row
    if "neighbours" in groups:
        for before, after in pairwise(range(len(ngrams))):
            features[before] += [f"+{ngram}" for ngram in ngrams[after]]
            features[after] += [f"-{ngram}" for ngram in ngrams[before]]
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
    n = len(tokens)
    for i, (strings, row) in enumerate(zip(features, tokens, strict=True)):
        if "position" in groups:  # ten bins, as in the paper
            strings.append(f"P{10 * i // n}")
        if "place" in groups:  # counts of sentences before and after, at most six
            strings += [f"A{min(i, 6)}", f"Z{min(n - 1 - i, 6)}", f"N{min(n, 20)}"]
        if "opening" in groups:
            strings += [f"^{'_'.join(row[:k])}" for k in (1, 2, 3)]
        if "numbers" in groups:
            strings += [f"C{min(row.count(NUMBER), 8)}", f"%{min(row.count('%'), 3)}"]
        if "length" in groups:
            strings.append(f"L{min(len(row) // 5, 10)}")
    return features
