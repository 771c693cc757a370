"""An entity's names: spellings of one, and the abbreviations that records define for it."""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Final

from relsent_ir.records import Record
from relsent_ir.records.abbreviations import find_abbreviations
from relsent_ir.relations.stems import is_name
from relsent_ir.text.tokens import Span

_GREEK: Final = {
    "alpha": "α",
    "beta": "β",
    "gamma": "γ",
    "delta": "δ",
    "epsilon": "ε",
    "zeta": "ζ",
    "kappa": "κ",
    "mu": "μ",
    "omega": "ω",
}
_LATIN: Final = {greek: name for name, greek in _GREEK.items()}
_PIECE: Final = re.compile(r"[^\W\d_]+|\d+")
_GAP: Final = r"[\s\-‐-―/]{0,2}"
_SHORT: Final = 3
"""Names of so few letters alone keep their capitals: AR is not "ar"."""

_LEAST: Final = 2
"""An abbreviation must be defined by so many records, unless only one of them defines any."""


class Names:
    """Finds mentions of an entity in texts, whatever its spelling.

    Spaces and hyphens may be there or not, also between letters and digits; Greek letters may be
    written out; capitals count only in names of up to three letters; a plural is taken.

    Parameters
    ----------
    names : sequence of str
        Names of one entity, each with a letter or digit.
    """

    def __init__(self, names: Sequence[str]) -> None:
        self.names = list(names)
        self._expressions = [_expression(name) for name in names]

    def find(self, text: str) -> list[Span]:
        """Give the places of all mentions, in order; of those that overlap, the longest."""
        spans = {match.span() for e in self._expressions for match in e.finditer(text)}
        found: list[Span] = []
        for span in sorted(spans, key=lambda s: (s[0], -s[1])):
            if not found or span[0] >= found[-1][1]:
                found.append(span)
        return found

    def is_name(self, text: str) -> bool:
        """Tell whether a text is one of the names."""
        return any(expression.fullmatch(text) for expression in self._expressions)


def with_abbreviations(name: str, records: Iterable[Record]) -> list[str]:
    """Give a name, the short forms that records define for it, and of a short form the long one.

    Parameters
    ----------
    name : str
    records : iterable of Record
        Records that may mention it.
    """
    known = Names([name])
    short: Counter[str] = Counter()
    long: Counter[str] = Counter()
    for record in records:
        pairs = find_abbreviations(record.title) + find_abbreviations(record.abstract)
        for abbreviation, expansion in dict.fromkeys(pairs):
            if known.is_name(expansion):
                short[abbreviation] += 1
            elif known.is_name(abbreviation) and is_name(abbreviation):
                long[expansion.lower()] += 1
    least = _LEAST if max([*short.values(), *long.values()], default=0) >= _LEAST else 1
    found = [form for form, count in short.most_common() if count >= least]
    found += [form for form, count in long.most_common(1) if count >= least]
    return [name, *(form for form in found if not known.is_name(form))]


def _expression(name: str) -> re.Pattern[str]:
    pieces = _PIECE.findall(name)
    parts = []
    for piece in pieces:
        lower = piece.lower()
        other = _GREEK.get(lower) or _LATIN.get(lower)
        parts.append(f"(?:{re.escape(piece)}|{other})" if other else re.escape(piece))
    short = sum(map(len, pieces)) <= _SHORT and all(map(str.isalpha, pieces))
    plural = "" if short or pieces[-1].isdigit() else "s?"
    flags = 0 if short else re.IGNORECASE
    return re.compile(rf"(?<![^\W_]){_GAP.join(parts)}{plural}(?![^\W_])", flags)
