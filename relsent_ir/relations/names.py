"""An entity's names: what is given, synonyms of a file, and what the collection makes of it.

That is abbreviations that it defines, a genus by its first letters (P. aeruginosa), and the same
words turned round (secretion of mucin).
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from relsent_ir.records.abbreviations import find_abbreviations
from relsent_ir.relations.structure import is_name
from relsent_ir.text.names import Names, normal_form

_LEAST: Final = 2
"""A form must be defined by so many records; by one if no form is defined by more, and a short form
looks like a name."""

Synonyms = Mapping[str, Sequence[str]]
"""Names by the normal form of one of them."""


@dataclass(frozen=True)
class Form:
    """A name under which an entity is looked for.

    Attributes
    ----------
    name : str
    origin : str
        ``given``, ``synonym``, ``short form``, ``long form``, ``genus`` or ``turned round``.
    records : int
        How many of the records that were looked at define it; 0 of what is given.
    """

    name: str
    origin: str = "given"
    records: int = 0

    @property
    def open(self) -> bool:
        """Whether it stands for the entity in any record; a short form only where another does."""
        return self.origin != "short form"


def abbreviations(name: str, texts: Iterable[tuple[str, str]]) -> list[Form]:
    """Return the short forms that texts define for a name, and of a short form the long one.

    A short form has two letters or digits; a long form has the digits of its short form. Two
    records must define it, or one where none is defined by more.

    Parameters
    ----------
    name : str
    texts : iterable of (str, str)
        Records' ids and texts of theirs.
    """
    known = Names([name])
    short: Counter[str] = Counter()
    long: Counter[str] = Counter()
    written: dict[str, str] = {}
    for _, abbreviation, expansion in dict.fromkeys(_defined(known, texts)):
        if known.is_name(expansion):
            counted, form = short, abbreviation
        elif known.is_name(abbreviation) and is_name(abbreviation):
            counted, form = long, expansion.lower()
        else:
            continue
        if _fits(abbreviation, expansion):
            key = normal_form(form)
            counted[key] += 1
            written.setdefault(key, form)
    least = _LEAST if max([*short.values(), *long.values()], default=0) >= _LEAST else 1
    found = [
        ("short form", key, count)
        for key, count in short.most_common()
        if count >= _LEAST or (count >= least and is_name(written[key]))
    ]
    found += [("long form", *row) for row in long.most_common(1) if row[1] >= least]
    return [
        Form(written[key], origin, count)
        for origin, key, count in found
        if not known.is_name(written[key])
    ]


_LATIN: Final = re.compile(r"[a-z]+(?:a|ae|ax|ans|ens|i|is|um|us|ster|ile)")
_ENGLISH: Final = re.compile(
    r"[a-z]*(?:omata|oma|emia|virus|itis|(?<!tubercul)osis)|status|sinus|plasma|terminus"
)
"""Words that end as an epithet does."""
_EPITHET: Final = 4
_SHARE: Final = 0.9
"""An initial stands for a genus in any record if the collection has no other for the epithet, or so
rarely."""


@dataclass(frozen=True)
class Species:
    """A name that may begin with a genus: P. aeruginosa infection.

    Attributes
    ----------
    genus : str
        As given: its letters.
    epithet : str
    rest : str
        What follows, with the blank before it.
    """

    genus: str
    epithet: str
    rest: str

    @classmethod
    def of(cls, name: str) -> "Species | None":
        """Return the parts of a name that looks like a species'; None of others."""
        match = re.fullmatch(r"([^\W\d_]+)(\.? ?)([^\W\d_]+)((?: .*)?)", name.strip())
        if not match or not match[2] or len(match[3]) < _EPITHET or match[3] != match[3].lower():
            return None
        genus, mark, epithet, rest = match.groups()
        dotted = "." in mark
        latin = _LATIN.fullmatch(epithet) and not _ENGLISH.fullmatch(epithet)
        if not (dotted or latin) or (1 < len(genus) < _EPITHET and not dotted):
            return None
        return cls(genus, epithet, rest)

    def forms(self, texts: Iterable[str]) -> list[Form]:
        """Return the names that texts with the epithet have for it: the genus, and its initials.

        A word that stands before the epithet in small letters too is no genus.
        """
        before = re.compile(rf"(?<![^\W_])([^\W\d_]+)(\.?) ?{self.epithet}(?![^\W_])")
        counts = Counter((m[1], bool(m[2])) for text in texts for m in before.finditer(text))
        small = {
            word for (word, _), n in counts.items() if counts[word.capitalize(), False] < 9 * n
        }
        initial = self.genus[0].upper()
        genera = Counter(
            {
                word: count
                for (word, dotted), count in counts.items()
                if len(word) >= _EPITHET
                and not dotted
                and word[0] == initial
                and word[1:] == word[1:].lower()
                and word.lower() not in small
            }
        )
        given = self.genus.capitalize()
        likely = [g for g, _ in genera.most_common() if g.startswith(given)]
        if not likely:
            return []
        genus = likely[0]
        sure = genera[genus] >= _SHARE * sum(genera.values())
        initials = {
            f"{word}{'.' if dotted else ''}"
            for word, dotted in counts
            if len(word) < len(genus) and genus.startswith(word) and (dotted or len(word) == 1)
        }
        origins = {genus: "genus"} | dict.fromkeys(
            sorted(initials), "genus" if sure else "short form"
        )
        return [Form(f"{word} {self.epithet}{self.rest}", how) for word, how in origins.items()]


_TURNED: Final = re.compile(r"((?:[^\W_]+[ -])?[^\W_]{3,}) ([a-z]{4,})")
_OF: Final = re.compile(r"([a-z]{4,}) of (?:the )?((?:[^\W_]+[ -])?[^\W_]{3,})")


def turned(name: str) -> list[str]:
    """Return a name with its words turned round: secretion of mucin for mucin secretion."""
    if match := _OF.fullmatch(name):
        return [f"{match[2]} {match[1]}"]
    if match := _TURNED.fullmatch(name):
        return [f"{match[2]} of {match[1]}", f"{match[2]} of the {match[1]}"]
    return []


def _defined(known: Names, texts: Iterable[tuple[str, str]]) -> Iterator[tuple[str, str, str]]:
    for record, text in texts:
        for abbreviation, expansion in find_abbreviations(text, known.find(text)):
            yield record, abbreviation, expansion


def _fits(short: str, long: str) -> bool:
    digits = set(filter(str.isdigit, short))
    return sum(map(str.isalnum, short)) > 1 and digits <= set(long)
