"""Words of laymen and clinicians for the same thing: kidney and renal, heart attack and infarction.

The list is ``lay.txt``. It was written from general knowledge, for questions.
"""

import re
from collections.abc import Iterator
from functools import cache
from importlib.resources import files
from typing import Final

from relsent_ir.text.words import stem

_TOKEN: Final = re.compile(r"[^\W_]+")


@cache
def _names() -> tuple[dict[tuple[str, ...], tuple[str, ...]], dict[str, list[int]], frozenset[str]]:
    """Read the list: names' lines by their stems, lengths of names by the first, and how it begins.

    Words with the same stem begin alike, so that few words of a text need theirs.
    """
    lines: dict[tuple[str, ...], tuple[str, ...]] = {}
    lengths: dict[str, set[int]] = {}
    beginnings: set[str] = set()
    for line in (files("relsent_ir.text") / "lay.txt").read_text(encoding="utf-8").splitlines():
        names = () if line.startswith("#") else tuple(re.split(r"[:,] ", line))
        for name in names:
            words = _TOKEN.findall(name)
            stems = tuple(map(stem, words))
            beginnings |= {words[0][:4], stems[0][:4]}
            lines[stems] = names
            lengths.setdefault(stems[0], set()).add(len(stems))
    sizes = {first: sorted(of, reverse=True) for first, of in lengths.items()}
    return lines, sizes, frozenset(beginnings)


def lay_words(text: str) -> Iterator[tuple[int, int, tuple[str, ...]]]:
    """Yield the spans, [start, end), of a text's words that have others for the same thing.

    Yields
    ------
    tuple of int, int and tuple of str
        The span of the longest name at its place, and the names on its line, the one that is most
        frequent in abstracts first.

    Examples
    --------
    >>> [(start, end, names[:2]) for start, end, names in lay_words("After a heart attack")]
    [(8, 20, ('myocardial infarction', 'heart attack'))]
    """
    lines, lengths, beginnings = _names()
    tokens = [(*match.span(), match[0].lower()) for match in _TOKEN.finditer(text)]
    end = 0
    for n, (start, _, word) in enumerate(tokens):
        if start < end or beginnings.isdisjoint((word[:3], word[:4])):
            continue
        for size in lengths.get(stem(word), ()):
            written = tokens[n : n + size]
            if names := lines.get(tuple(stem(other) for *_, other in written)):
                end = written[-1][1]
                yield start, end, names
                break


def reword(text: str) -> str:
    """Replace each of `lay_words` by its name that is most frequent in abstracts.

    Examples
    --------
    >>> reword("pain of the kidneys")
    'pain of the renal'
    """
    parts, before = [], 0
    for start, end, names in lay_words(text):
        parts += [text[before:start], names[0]]
        before = end
    return "".join((*parts, text[before:]))
