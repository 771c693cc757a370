"""Abbreviations that a text defines: "tumor necrosis factor (TNF)", "TNF (tumor necrosis factor)".

The method is that of Schwartz and Hearst: candidates are at brackets, a long form has at most
min(|A| + 5, 2|A|) words, and it must contain the short form's characters in order, the first at the
start of a word. They take the first match from the right; we take the cheapest (`align`), and
refuse it if it costs too much. docs/sentences.md has the rules and figures.

A character costs nothing at the start of a word, a little at the start of a part of a word, and
more inside one; words skipped between the matches cost too. A dynamic programme over the characters
of both forms finds the cheapest match.

References
----------
A. S. Schwartz, M. A. Hearst. A simple algorithm for identifying abbreviation definitions in
biomedical text. Pacific Symposium on Biocomputing 8:451-462 (2003).
"""

import math
import re
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from relsent_ir.records.sentences import split_sentences
from relsent_ir.text.tokens import is_readable

_START, _PART, _INSIDE = 0, 1, 2
"""Cost of a character at the start of a word, at the start of a part of a word, elsewhere."""

_FILLER, _SKIPPED = 1, 4
"""Cost of skipping a function word, and any other word."""

_UNMATCHED = 3
"""Cost of a final digit or s that is missing in the long form: "trimurinine (T3)"."""

FILLERS = frozenset(
    ["a", "an", "and", "as", "at", "by", "for", "from", "in", "of", "on", "or", "the", "to", "with"]
)
"""Function words, which are cheap to skip."""

_NO_STARTS = FILLERS - {"a", "in"}
"""Words that start no long form; "in vitro" and "A disintegrin and …" are allowed."""

_DIGITS = re.compile("(one)|(two)|(three)|(four)|(five)|(six)|(seven)|(eight)|(nine)")

_WORD = re.compile(r"\S+")


class _Place(NamedTuple):
    """A letter or digit of a long form that a character can match."""

    position: int
    characters: str  # what the short form may have for it: "two" is "t" and "2"
    word: int
    cost: int
    first: bool  # whether a long form may start with it


_Match = tuple[float, int]
"""The cost so far and the negative start of the long form: of equal costs the shortest wins."""

_NONE: _Match = (math.inf, 0)


def align(short: str, long: str, *, whole: bool = False) -> tuple[float, int]:
    """Find the cheapest way to match the characters of `short` in `long`.

    With `whole`, the first character must be in the first word. A plural's final s, and one or two
    final digits, may stay unmatched at a cost.

    Returns
    -------
    (float, int)
        The cost, infinite if there is no match, and the position of the first character.
    """
    characters = [character for character in short.casefold() if character.isalnum()]
    plural = short[-1:] == "s" and short[-2:-1].isupper()
    rest = iter(long.casefold())  # most candidates fail because a letter is missing
    if not all(
        letter in rest for letter in characters[: -1 if plural else None] if letter.isalpha()
    ):
        return math.inf, 0
    places, passed = _places(long)
    cost, start = _cheapest(characters, places, passed, whole)
    missing = 0
    while cost == math.inf and missing < 2 and len(characters) > 1:
        if not (plural or characters[-1].isdigit()):
            break
        plural = False
        characters.pop()
        missing += 1
        cost, start = _cheapest(characters, places, passed, whole)
    return cost + missing * _UNMATCHED, -start


def _places(long: str) -> tuple[list[_Place], list[int]]:
    """List the characters of `long` that can match, and the costs of skipping its words.

    The second list holds cumulative costs: its entry n is the cost of all words before word n.
    """
    places = []
    passed = [0]
    for n, match in enumerate(_WORD.finditer(long)):
        word = match.group()
        core = word.strip("()[],;:.\"'").casefold()
        passed.append(passed[-1] + (_FILLER if core in FILLERS else _SKIPPED if core else 0))
        previous = ""
        begun = False
        for i, character in enumerate(word):
            if character.isalnum():
                cost = _cost(previous, character) if begun else _START
                parts = cost < _INSIDE
                spelled = character.casefold()
                if parts and (digit := _DIGITS.match(word, i)):
                    spelled += str(digit.lastindex)
                first = parts and core not in _NO_STARTS
                places.append(_Place(match.start() + i, spelled, n, cost, first))
                begun = True
            previous = character
    return places, passed


def _cost(previous: str, character: str) -> int:
    """Return the cost of a character inside a word with parts as in alpha-MEM, Sox|2, m|RNA."""
    parted = (
        not previous.isalnum()
        or character.isdigit() != previous.isdigit()
        or (character.isupper() and not previous.isupper())
    )
    return _PART if parted else _INSIDE


def _cheapest(
    characters: list[str], places: list[_Place], passed: list[int], whole: bool
) -> _Match:
    """Match `characters` in order; the time grows with the product of both lengths."""
    best = {
        i: (float(place.cost), -place.position)
        for i, place in enumerate(places)
        if characters[0] in place.characters and place.first and (place.word == 0 or not whole)
    }
    for character in characters[1:]:
        reached = {}
        here = before = _NONE  # the best match that ends in this word, in an earlier word
        word = -1
        for i, place in enumerate(places):
            if place.word != word:
                before = min(before, (here[0] - passed[word + 1], here[1]))
                here = _NONE
                word = place.word
            if character in place.characters:
                match = min(here, (before[0] + passed[word], before[1]))
                if match != _NONE:
                    reached[i] = (match[0] + place.cost, match[1])
            if i in best:
                here = min(here, best[i])
        best = reached
    ends = ((cost - passed[places[i].word + 1], start) for i, (cost, start) in best.items())
    cost, start = min(ends, default=_NONE)
    return cost + passed[-1], start


_LIMIT = 3
"""Highest cost per character of the short form."""

_LONGEST = 12
"""Largest number of characters of a short form."""

_REACH = 250
"""Number of characters examined before a bracket, and inside it."""

_GAP = 2
"""Largest number of characters between a name and the bracket after it."""

_NO_SHORT_FORMS = FILLERS | frozenset(
    ["c", "eg", "e.g.", "i", "ie", "i.e.", "ii", "iii", "iv", "mean", "n", "vs", "vs."]
)
"""Texts in brackets that are no short forms, though their letters may match the words before."""

_BRACKET = re.compile(r"[()\[\]]")

_LEAD = re.compile(
    r"(?:(?:hereafter|henceforth) )?"
    r"(?:(?:abbreviated|denoted|designated|referred to)(?: as)?"
    r"|called|i\.e\.,?|named|or|termed|the) ",
    re.IGNORECASE,
)
"""Words that may precede the short form in the brackets."""

_CLAUSE = re.compile(r"[,;:]\s|\s(?:and|or)\s")
"""The end of the short form if more text follows in the brackets."""

_SHORT = re.compile(r"(?=\W?[^\W_])(?: ?(?=\S{0,11}[^\W\d_])[^\s=<>≤≥%]{1,12}+){1,2}")
"""One or two words of at most `_LONGEST` characters, each with a letter; not "P<0.01"."""

_COMPOUND = re.compile(r"\d+[a-z]")
"""A number by which chemists refer to a compound: 2b."""


def find_abbreviations(
    text: str, beside: Sequence[tuple[int, int]] | None = None
) -> list[tuple[str, str]]:
    """Find the abbreviations that a text defines at brackets, in either order.

    Parameters
    ----------
    text : str
        Any text, such as an abstract or a title.
    beside : sequence of (int, int), optional
        Search only at brackets directly after one of these spans of characters, or around one.

    Returns
    -------
    list of (str, str)
        Short form and long form, as written except for white space, in order of appearance; each
        pair once.
    """
    pairs: dict[tuple[str, str], None] = {}
    for start, end in split_sentences(text):
        sentence = text[start:end]
        for opened, closed in _brackets(sentence) if is_readable(sentence) else ():
            if beside is not None and not any(
                opened - _GAP <= b - start <= opened or opened < a - start < closed
                for a, b in beside
            ):
                continue
            pair = _defined(sentence, opened, closed)
            if pair:
                pairs[pair] = None
    return list(pairs)


def _brackets(sentence: str) -> list[tuple[int, int]]:
    """Return the positions of matching brackets, including nested ones."""
    pairs = []
    stack: list[re.Match[str]] = []
    for bracket in _BRACKET.finditer(sentence):
        if bracket.group() in "([":
            stack.append(bracket)
        elif stack and stack[-1].group() + bracket.group() in ("()", "[]"):
            pairs.append((stack.pop().start(), bracket.start()))
        else:
            stack.clear()
    return sorted(pairs)


@lru_cache(maxsize=1 << 13)  # an abstract's are looked for twice
def _defined(sentence: str, opened: int, closed: int) -> tuple[str, str] | None:
    """Return the pair that the brackets at `opened` and `closed` define, if they do."""
    if opened == 0 or closed - opened > _REACH:
        return None
    if not sentence[opened - 1].isspace() or sentence[closed + 1 : closed + 2].isalnum():
        return None  # PaO(2), [K+]e
    before = sentence[max(0, opened - _REACH) : opened].split()
    inner = " ".join(sentence[opened + 1 : closed].split())
    short = _CLAUSE.split(_LEAD.sub("", inner, count=1), maxsplit=1)[0].strip("\"' ")
    if _is_short(short):
        long = _long_before(short, before)
        if long:
            return short, long
    short = before[-1].lstrip("([\"'") if before else ""
    long = inner.partition("; ")[0]
    if _is_short(short) and _expands(short, long):
        return short, long
    return None


def _is_short(short: str) -> bool:
    """Tell whether it looks like a short form."""
    if len(short) > _LONGEST or not _SHORT.fullmatch(short) or short in _NO_SHORT_FORMS:
        return False
    if short.islower() and len(short) > 4:
        return False
    return not _COMPOUND.fullmatch(short)


def _size(short: str) -> int:
    """Count letters and digits."""
    return sum(character.isalnum() for character in short)


def _span(short: str) -> int:
    """Return how many words a long form may have."""
    return min(_size(short) + 5, 2 * _size(short))


def _long_before(short: str, before: list[str]) -> str | None:
    """Find the long form that ends where the words `before` end."""
    span = 1 if short.islower() and len(short) == 1 else _span(short)
    window = " ".join(before[-span:])
    cost, start = align(short, window)
    if cost > _LIMIT * _size(short):
        return None
    start = max(window.rfind(" ", 0, start), window.rfind("/", 0, start)) + 1
    long = window[start:].lstrip("([\"'").rstrip('",;:')
    if len(long) <= len(short) or short.casefold() in long.casefold().split():
        return None
    balanced = all(long.count(left) == long.count(right) for left, right in ("()", "[]"))
    return long if balanced else None


def _expands(short: str, long: str) -> bool:
    """Tell whether `long`, in brackets after `short`, is its long form."""
    if short.islower() or len(short) < 2 or len(long) <= len(short):
        return False
    if len(long.split()) > _span(short):
        return False
    cost, _ = align(short, long, whole=True)
    return cost <= _LIMIT * _size(short)
