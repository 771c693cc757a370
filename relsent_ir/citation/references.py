"""References as keys: a PMID is its own; strings of one work get one key, however printed.

A string is author, source, volume, page and year without separators, as the RF and CT lines of the
cystic fibrosis collection (``MEIER M ANT LETT 56 38 975``). Its key is made of the first letters,
the volume, the page and the year; `unify` then joins keys that differ by a misprint.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from difflib import SequenceMatcher
from itertools import combinations
from typing import Final

from relsent_ir.records import Record

_NUMBER: Final = r"[A-Z]?[0-9]+[A-Z]?"
_STRING: Final = re.compile(
    rf"(?P<name>.*?)(?:\s+(?P<volume>{_NUMBER}))?(?:\s+(?P<page>{_NUMBER}))?"
    r"\s+(?P<year>[0-9]{3,4})\.?"
)
_PRINTED: Final = re.compile(
    r"[.,]\s+(?P<year>[0-9]{4})\b[^.]*\.\s+(?P<volume>[A-Z]?[0-9]+)\b[^.]*\.\s+P\s+"
    rf"(?P<page>{_NUMBER})"
)
_QUOTED: Final = re.compile(r'"([^"]*)"')
_LETTERS: Final = re.compile(r"[^A-Z]+")
_SIGNS: Final = re.compile(r"[^A-Z0-9]+")

FIRST: Final = 4
"""Letters of the author that a key holds: enough to tell apart what begins on one page."""
ALIKE: Final = 0.75
"""Two authors' names are misprints of one when so much of them agrees (Ratcliff & Obershelp)."""


@dataclass(frozen=True, slots=True)
class Reference:
    """A reference in its parts.

    Attributes
    ----------
    name : str
        Author and source, in capitals.
    volume, page : str
        "" where the string has none; a single number is the page.
    year : str
        Four digits.
    """

    name: str
    volume: str
    page: str
    year: str

    @classmethod
    def parse(cls, text: str) -> "Reference | None":
        """Read a reference as printed; None if it does not end with a year."""
        found = _STRING.fullmatch(" ".join(text.upper().split()))
        if not found:
            return None
        volume, page = found["volume"] or "", found["page"] or ""
        if not page:
            volume, page = "", volume
        year = found["year"]
        return cls(found["name"], volume, page, f"1{year}" if len(year) == 3 else year)

    @property
    def key(self) -> str:
        """What strings of the same work share."""
        if not self.volume:
            return " ".join((_SIGNS.sub("", self.name), self.page, self.year)).strip()
        first = _LETTERS.sub("", self.name)[:FIRST]
        # Several abstracts of one author on one page are told apart by words of the title.
        quoted = "".join(_SIGNS.sub("", words) for words in _QUOTED.findall(self.name))
        return " ".join(filter(None, (first, quoted, self.volume, self.page, self.year)))


def reference_key(text: str) -> str:
    """Give the key of one reference: a PMID as it is, of a string what `Reference.key` says."""
    if text.isascii() and text.isdigit():
        return text
    parsed = Reference.parse(text)
    return parsed.key if parsed else _SIGNS.sub(" ", text.upper()).strip()


def own_reference(record: Record) -> str:
    """Write a record as others refer to it; "" without a first author, a volume and a page.

    Only for records that say where they are printed, as those of the cystic fibrosis collection do
    (``J-Ants. 1974 Nov. 63(6). P 843-8.``).
    """
    printed = _PRINTED.search(record.printed_in.upper())
    if not printed or not record.authors:
        return ""
    names = record.authors[0].upper().split("-")
    initials = "".join(name for name in names if len(name) == 1)
    surname = " ".join(name for name in names if len(name) > 1)
    source = record.journal.upper().replace("-", " ")
    parts = (surname, initials, source, printed["volume"], printed["page"], printed["year"])
    return " ".join(filter(None, parts))


def unify(texts: Iterable[str]) -> dict[str, str]:
    """Give each reference its key, the same to those that differ by a misprint only.

    Joined are strings with volume and page that agree in

    - all numbers and the source, when the authors' names are alike (`ALIKE`);
    - author, source and page, and in volume or year, when the other differs: by one year.

    Parameters
    ----------
    texts : iterable of str
        All references of a collection.

    Returns
    -------
    dict of str to str
        The key of each text; of joined ones the least.
    """
    keys = {text: reference_key(text) for text in texts}
    parsed = {
        key: reference
        for text, key in sorted(keys.items())
        if not text.isdigit() and (reference := Reference.parse(text)) and reference.volume
    }
    least = {key: key for key in parsed}

    def root(key: str) -> str:
        while least[key] != key:
            key = least[key]
        return key

    for a, b in _misprints(parsed):
        first, second = sorted((root(a), root(b)))
        least[second] = first
    return {text: root(key) if key in least else key for text, key in keys.items()}


def _misprints(parsed: dict[str, Reference]) -> Iterator[tuple[str, str]]:
    """Give the pairs of keys that mean one work."""
    groups: dict[tuple[str, ...], list[str]] = defaultdict(list)
    for key, r in parsed.items():
        groups["numbers", r.volume, r.page, r.year].append(key)
        groups["volume", r.name, r.page, r.year].append(key)
        groups["year", r.name, r.volume, r.page].append(key)
    for (kind, *_), members in groups.items():
        for a, b in combinations(members, 2):
            one, other = parsed[a], parsed[b]
            if (
                kind == "volume"
                or (kind == "numbers" and _same_author(one.name, other.name))
                or (kind == "year" and abs(int(one.year) - int(other.year)) == 1)
            ):
                yield a, b


def _same_author(a: str, b: str) -> bool:
    """Tell whether two names differ in the author's surname alone, and little."""
    first, _, rest = a.partition(" ")
    second, _, other = b.partition(" ")
    return rest == other and SequenceMatcher(None, first, second).ratio() >= ALIKE
