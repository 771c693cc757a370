"""Abbreviations that a text defines: "tumor necrosis factor (TNF)", "TNF (tumor necrosis factor)".

After Schwartz and Hearst: candidates stand at brackets, a long form reaches back over at most
min(|A| + 5, 2|A|) words, and the short form's characters must occur in it in order, the first of
them at the start of a word. Where they take the first match from the right, we take the cheapest
(`align`), and refuse it if it costs too much. docs/sentences.md has the rules and figures.

A character costs nothing at the start of a word, a little at the start of a part of a word, more
inside one; words that are passed over on the way to the end cost too. The search is a dynamic
programme over the short form's characters and the long form's.

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
"""Cost of a character at the start of a word, at the start of a part of one, elsewhere."""

_FILLER, _SKIPPED = 1, 4
"""Cost of passing over a function word, over any other word."""

_UNMATCHED = 3
"""Cost of a final digit or s that the long form does not hold: "trimurinine (T3)"."""

FILLERS = frozenset(
    ["a", "an", "and", "as", "at", "by", "for", "from", "in", "of", "on", "or", "the", "to", "with"]
)
"""Function words: cheap to pass over."""

_NO_STARTS = FILLERS - {"a", "in"}
"""No long form starts with these; there is "in vitro", and "A disintegrin and …"."""

_DIGITS = re.compile("(one)|(two)|(three)|(four)|(five)|(six)|(seven)|(eight)|(nine)")

_WORD = re.compile(r"\S+")


class _Place(NamedTuple):
    """A letter or digit of a long form."""

    position: int
    characters: str  # its letters in a short form: "two" is "t" and "2"
    word: int
    cost: int
    first: bool  # whether a long form may start with it


_Match = tuple[float, int]
"""Cost so far, and where the long form starts, negative: of equal costs the shortest wins."""

_NONE: _Match = (math.inf, 0)


def align(short: str, long: str, *, whole: bool = False) -> tuple[float, int]:
    """Find the cheapest way to read `short` in `long`.

    With `whole`, the first character must be in the first word. A plural's final s, and one or
    two final digits, may be without a match, at a price.

    Returns
    -------
    (float, int)
        The cost, infinite if there is no way, and the position of the first character.
    """
    characters = [character for character in short.casefold() if character.isalnum()]
    plural = short[-1:] == "s" and short[-2:-1].isupper()
    rest = iter(long.casefold())  # most fail for a letter that is not even there
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
    """List the characters of `long` that can match, and the cost of passing over its words.

    The second list has one entry more than there are words: the cost of all before the n-th.
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
                spelled = character.casefold() + (_digit(word, i) if parts else "")
                first = parts and core not in _NO_STARTS
                places.append(_Place(match.start() + i, spelled, n, cost, first))
                begun = True
            previous = character
    return places, passed


def _cost(previous: str, character: str) -> int:
    """Return the cost of a character inside a word: its parts are alpha-MEM, Sox|2, m|RNA."""
    parted = (
        not previous.isalnum()
        or character.isdigit() != previous.isdigit()
        or (character.isupper() and not previous.isupper())
    )
    return _PART if parted else _INSIDE


def _digit(word: str, at: int) -> str:
    """Return the digit that the word spells at a place, or ""."""
    match = _DIGITS.match(word, at)
    return str(match.lastindex) if match else ""


def _cheapest(
    characters: list[str], places: list[_Place], passed: list[int], whole: bool
) -> _Match:
    """Match `characters` in order, one after the other; time grows with their product."""
    best = {
        i: (float(place.cost), -place.position)
        for i, place in enumerate(places)
        if characters[0] in place.characters and place.first and (place.word == 0 or not whole)
    }
    for character in characters[1:]:
        reached = {}
        here = before = _NONE  # the best so far that ends in this word, and in an earlier one
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
"""Highest cost, for each character of the short form."""

_LONGEST = 12
"""Characters of a short form, at most."""

_REACH = 250
"""Characters before a bracket, and inside it, that are examined."""

_GAP = 2
"""Characters between a name and a bracket behind it."""

_NO_SHORT_FORMS = FILLERS | frozenset(
    ["c", "eg", "e.g.", "i", "ie", "i.e.", "ii", "iii", "iv", "mean", "n", "vs", "vs."]
)
"""Texts in brackets after a word that happens to hold their letters."""

_BRACKET = re.compile(r"[()\[\]]")

_LEAD = re.compile(
    r"(?:(?:hereafter|henceforth) )?"
    r"(?:(?:abbreviated|denoted|designated|referred to)(?: as)?"
    r"|called|i\.e\.,?|named|or|termed|the) ",
    re.IGNORECASE,
)
"""Words that may stand before the short form in the brackets."""

_CLAUSE = re.compile(r"[,;:]\s|\s(?:and|or)\s")
"""The end of the short form, if more follows in the brackets."""

_SHORT = re.compile(r"(?=\W?[^\W_])(?: ?(?=\S{0,11}[^\W\d_])[^\s=<>≤≥%]{1,12}+){1,2}")
"""One word or two of `_LONGEST` that hold a letter each, and no comparison: "P<0.01"."""

_COMPOUND = re.compile(r"\d+[a-z]")
"""A chemist's number for a compound: 2b."""


def find_abbreviations(
    text: str, beside: Sequence[tuple[int, int]] | None = None
) -> list[tuple[str, str]]:
    """Find the abbreviations that a text defines at brackets, in either order.

    Parameters
    ----------
    text : str
        Any text, such as an abstract or a title.
    beside : sequence of (int, int), optional
        Only at brackets right behind one of these spans of characters, or around one.

    Returns
    -------
    list of (str, str)
        Short form and long form, as written but for white space, in order of appearance; a pair
        is given once.
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
    """Return the positions of the brackets that match, also of those inside others."""
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
