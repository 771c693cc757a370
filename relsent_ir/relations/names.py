"""The names of an entity: the given name, synonyms from files, and forms in the collection.

The collection contributes abbreviations that it defines, a genus by its first letters (P.
aeruginosa), and the same words in another order (secretion of mucin).
"""

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from relsent_ir.records.abbreviations import find_abbreviations
from relsent_ir.relations.structure import is_name
from relsent_ir.text.names import Names, normal_form

_LEAST: Final = 2
"""Number of records that must define a form; one is enough for a form that looks like a name, if no
form has more."""

Synonyms = Mapping[str, Sequence[str]]
"""Lists of names, keyed by the normal form of one of them."""


@dataclass(frozen=True)
class Form:
    """A name by which an entity is searched.

    Attributes
    ----------
    name : str
    origin : str
        ``given``, ``synonym``, ``short form``, ``long form``, ``genus`` or ``turned round``.
    records : int
        Number of the records read that define it; 0 for a given name.
    """

    name: str
    origin: str = "given"
    records: int = 0


def abbreviations(name: str, texts: Iterable[tuple[str, str]]) -> list[Form]:
    """Return the short forms that texts define for a name, and the long form of a short form.

    A short form has two letters or digits; a long form has the digits of its short form. Two
    records must define it, or one if no form is defined by more.

    Parameters
    ----------
    name : str
    texts : iterable of (str, str)
        Record ids, each with a text of the record.
    """
    names = Names([name])
    short: Counter[str] = Counter()
    long: Counter[str] = Counter()
    written: dict[str, str] = {}
    definitions = (
        (record, *pair)
        for record, text in texts
        for pair in find_abbreviations(text, names.find(text))
    )
    for _, abbreviation, expansion in dict.fromkeys(definitions):
        if names.is_name(expansion):
            counts, form = short, abbreviation
        elif names.is_name(abbreviation) and is_name(abbreviation):
            counts, form = long, expansion.lower()
        else:
            continue
        digits = set(filter(str.isdigit, abbreviation))
        if sum(map(str.isalnum, abbreviation)) > 1 and digits <= set(expansion):
            key = normal_form(form)
            counts[key] += 1
            written.setdefault(key, form)
    least = _LEAST if max([*short.values(), *long.values()], default=0) >= _LEAST else 1
    forms = [
        Form(written[key], "short form", count)
        for key, count in short.most_common()
        if count >= _LEAST or (count >= least and is_name(written[key]))
    ]
    forms += [
        Form(written[key], "long form", count)
        for key, count in long.most_common(1)
        if count >= least
    ]
    return [form for form in forms if not names.is_name(form.name)]


_LATIN: Final = re.compile(r"[a-z]+(?:a|ae|ax|ans|ens|i|is|um|us|ster|ile)")
_ENGLISH: Final = re.compile(
    r"[a-z]*(?:omata|oma|emia|virus|itis|(?<!tubercul)osis)|status|sinus|plasma|terminus"
)
"""Words that end like an epithet."""
_EPITHET: Final = 4
_SHARE: Final = 0.9
"""An initial stands for the genus in any record if the genus has this share of the epithet's."""


@dataclass(frozen=True)
class Species:
    """A name that may start with a genus: P. aeruginosa infection.

    Attributes
    ----------
    genus : str
        The genus, in full or abbreviated, as the name gives it.
    epithet : str
    rest : str
        The remaining text, with the blank before it.
    """

    genus: str
    epithet: str
    rest: str

    @classmethod
    def of(cls, name: str) -> "Species | None":
        """Return the parts of a name that looks like a species; None for other names."""
        match = re.fullmatch(r"([^\W\d_]++)(\. ?| )([^\W\d_]++)((?: .*)?)", name.strip())
        if not match or len(match[3]) < _EPITHET or match[3] != match[3].lower():
            return None
        genus, mark, epithet, rest = match.groups()
        dotted = "." in mark
        latin = _LATIN.fullmatch(epithet) and not _ENGLISH.fullmatch(epithet)
        if not (dotted or latin) or (1 < len(genus) < _EPITHET and not dotted):
            return None
        return cls(genus, epithet, rest)

    def forms(self, texts: Iterable[str]) -> list[Form]:
        """Return the names that texts with the epithet use: the genus, and its initials.

        A word that also precedes the epithet in lower case is not a genus.
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
    """Return a name with the words in the other order: secretion of mucin for mucin secretion."""
    if match := _OF.fullmatch(name):
        return [f"{match[2]} {match[1]}"]
    if match := _TURNED.fullmatch(name):
        return [f"{match[2]} of {match[1]}", f"{match[2]} of the {match[1]}"]
    return []


_ENDS: Final = re.compile(
    r"(?:(?<!dise)(?<!cre)(?<!rele)(?<!\bph)(?<!\bb)(?<!\bc)ase|kine|leukin|globulin|receptor"
    r"|factor|protein|integrin|collagen|albumin|insulin|leptin|trypsin|elastase|mucin|interferon"
    r"|kinase|enzyme|gene|mrna)s?(?:[\W\d]|$)",
    re.IGNORECASE,
)
"""Endings of names of proteins and genes."""


def is_molecule(name: str) -> bool:
    """Return whether a name looks like that of a gene or protein, by its form."""
    return any(map(is_name, name.split())) or bool(_ENDS.search(name))


def count_sentences(count: int) -> str:
    """Write a number of sentences in words."""
    return f"{count:,} sentence{'s' if count != 1 else ''}"
