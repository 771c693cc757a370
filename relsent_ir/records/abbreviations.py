"""Abbreviations that a text defines: "tumor necrosis factor (TNF)", "TNF (tumor necrosis factor)".

After Schwartz and Hearst: candidates stand at brackets, a long form reaches back over at most
min(|A| + 5, 2|A|) words, and the short form's characters must occur in it in order, the first of
them at the start of a word. Where they take the first match from the right, we take the cheapest
(alignment.py), and refuse it if it costs too much. docs/sentences.md has the rules and figures.

References
----------
A. S. Schwartz, M. A. Hearst. A simple algorithm for identifying abbreviation definitions in
biomedical text. Pacific Symposium on Biocomputing 8:451-462 (2003).
"""

import re
from collections.abc import Sequence
from functools import lru_cache

from relsent_ir.records.alignment import FILLERS, align
from relsent_ir.records.sentences import split_sentences
from relsent_ir.text.tokens import is_readable

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
