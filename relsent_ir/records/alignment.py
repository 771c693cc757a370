"""Reading a short form in a long one: the cheapest way to find its characters in order.

A character costs nothing at the start of a word, a little at the start of a part of a word, more
inside one; words that are passed over on the way to the end cost too. The search is a dynamic
programme over the short form's characters and the long form's.
"""

import math
import re
from typing import NamedTuple

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
