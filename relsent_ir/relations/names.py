"""The names of an entity: the given one, synonyms from files, and forms found in the collection.

The collection contributes abbreviations that it defines, a genus by its first letters
(P. aeruginosa), and the same words in another order (secretion of mucin).
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import chain, islice
from typing import Any, Final

from relsent_ir.errors import UsageError
from relsent_ir.hits import owner
from relsent_ir.lucene.read.collection import Indexes
from relsent_ir.lucene.read.conjunctions import Conjunctions
from relsent_ir.lucene.read.filters import Filters
from relsent_ir.records.abbreviations import find_abbreviations
from relsent_ir.relations.structure import is_name
from relsent_ir.text.names import Names, is_common, normal_form, spellings
from relsent_ir.text.synonyms import trees_beside

_LEAST: Final = 2
"""Records that must define a form; one is enough for a form that looks like a name, if no form has
more."""

Synonyms = Mapping[str, Sequence[str]]
"""Names by the normal form of one of them."""


@dataclass(frozen=True)
class Form:
    """A name by which an entity is searched.

    Attributes
    ----------
    name : str
    origin : str
        ``given``, ``synonym``, ``short form``, ``long form``, ``genus`` or ``turned round``.
    records : int
        Number of the inspected records that define it; 0 for a given name.
    """

    name: str
    origin: str = "given"
    records: int = 0

    @property
    def open(self) -> bool:
        """Whether it means the entity in any record; a short form needs another name beside it."""
        return self.origin != "short form"


def abbreviations(name: str, texts: Iterable[tuple[str, str]]) -> list[Form]:
    """Return the short forms that texts define for a name, and of a short form the long one.

    A short form has two letters or digits; a long form has the digits of its short form. Two
    records must define it, or one where no form is defined by more.

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
"""Words that end as an epithet does."""
_EPITHET: Final = 4
_SHARE: Final = 0.9
"""An initial means the genus in any record if the genus has this share of the epithet's genera."""


@dataclass(frozen=True)
class Species:
    """A name that may begin with a genus: P. aeruginosa infection.

    Attributes
    ----------
    genus : str
        Its letters as given.
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

        A word that also precedes the epithet in small letters is no genus.
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
    """Return a name with its words in the other order: secretion of mucin for mucin secretion."""
    if match := _OF.fullmatch(name):
        return [f"{match[2]} {match[1]}"]
    if match := _TURNED.fullmatch(name):
        return [f"{match[2]} of {match[1]}", f"{match[2]} of the {match[1]}"]
    return []


LOOKED_AT: Final = 300
"""First sentences by BM25 that may have a name, among which abbreviations of it are searched."""

DEFINITIONS: Final = 40
"""Of these, the most sentences that are read because the name stands beside a bracket."""

FEW: Final = 20
"""First sentences by BM25 that are read for a name in another order of words."""

_CACHED: Final = 500
"""Entities whose names are cached: the last that were looked up."""

MOLECULES: Final = r"D08|D12\.(?:644|776)|D23\.(?:050|101|529)|G05\.360\.340"
"""Places of enzymes, peptides, proteins, antigens, mediators and genes in MeSH's trees."""

_ENDS: Final = re.compile(
    r"(?:(?<!dise)(?<!cre)(?<!rele)(?<!\bph)(?<!\bb)(?<!\bc)ase|kine|leukin|globulin|receptor"
    r"|factor|protein|integrin|collagen|albumin|insulin|leptin|trypsin|elastase|mucin|interferon|kinase|enzyme|gene|mrna)s?(?:[\W\d]|$)",
    re.IGNORECASE,
)
"""Ends of names of proteins and genes."""

_WORD: Final = re.compile(r"[^\W_]+")


def is_molecule(name: str) -> bool:
    """Tell whether a name looks like a gene's or a protein's, by its form."""
    return any(map(is_name, name.split())) or bool(_ENDS.search(name))


@dataclass(frozen=True)
class Entity:
    """An entity in a collection: its names, its query, and the names that mean it anywhere.

    Attributes
    ----------
    forms : list of Form
    query : object
        Of `Conjunctions`; None where no sentence can have a name.
    all, open : Names
        All its names, and those of open forms.
    hint : str
        The reason why it is not searched; "" if it is.
    anything : bool
        Whether the index leaves its words out.
    records : dict of str to bool
        Whether a record, by id, has an open name: a cache.
    """

    forms: list[Form]
    query: Any
    all: Names
    open: Names
    hint: str = ""
    anything: bool = False
    records: dict[str, bool] = field(default_factory=dict)


class NameFinder:
    """Finds the names of entities in a collection; those of the last entities are cached.

    Parameters
    ----------
    collection : Indexes
    synonyms : mapping, optional
        Of `read_synonyms`.
    literal : bool
        Use only spellings of the given name, and synonyms: no abbreviations, no other order.
    filters : Filters, optional
        Conditions on the sentences that mention entities.
    """

    def __init__(
        self,
        collection: Indexes,
        synonyms: Synonyms | None = None,
        *,
        literal: bool = False,
        filters: Filters | None = None,
    ) -> None:
        self.collection = collection
        self.conjunctions = Conjunctions(collection.sentences)
        self.filters = filters
        self.entity = lru_cache(_CACHED)(self._look_up)
        self._synonyms = synonyms or {}
        self._literal = literal
        self.trees = trees_beside(collection.folder)

    def is_molecule(self, name: str) -> bool:
        """Tell whether a name is a gene's or a protein's: by MeSH's trees, else by its form."""
        names = [name, *self._synonyms.get(normal_form(name), ())]
        places = [place for synonym in names for place in self.trees.places(synonym)]
        return any(re.match(MOLECULES, place) for place in places) if places else is_molecule(name)

    def forms(self, name: str) -> list[Form]:
        """Return the names by which an entity is searched.

        Raises
        ------
        UsageError
            If the name has neither letter nor digit.
        """
        return self.entity(name).forms

    def hint(self, name: str) -> str:
        """Return why a name is not searched: it is a single character, or a common word."""
        return self.entity(name).hint

    def count(self, name: str) -> int:
        """Count the sentences that have a name, by the index alone: capitals do not matter."""
        return self.conjunctions.count(self.entity(name).query)

    def count_literally(self, name: str) -> int:
        """Count the sentences that have a name in its own spellings, by the index alone."""
        return self.conjunctions.count(self.literal_query(name))

    def literal_query(self, name: str) -> Any:
        """Return the query for a name in its own spellings; None if the index has none."""
        return self.conjunctions.name(spellings(name))

    def near(self, name: str) -> list[str]:
        """Return the nearest spellings of a name that the index does not have, with counts."""
        words = name.split()
        others = [
            [*words[:n], other, *words[n + 1 :]]
            for n, word in enumerate(words)
            if self.literal_query(word) is None
            for other in self._spelled(word)
        ] or [words[1:], words[:-1]]
        counts = {
            other: self.count_literally(other)
            for other in map(" ".join, filter(None, others))
            if not is_common(other)
        }
        ranked = sorted(counts.items(), key=lambda item: -item[1])[:3]
        return [f"{other} ({count:,})" for other, count in ranked if count]

    def _spelled(self, word: str) -> Iterator[str]:
        """Yield words of the collection that are spelled like a word that it does not have."""
        terms = self.collection.sentences.facts.analysis.terms
        for term in self.conjunctions.near(word):
            (hits,) = self.conjunctions.search([[self.conjunctions.words(term)]], 1)
            for text in self.collection.texts(list(hits.ids)):
                yield from islice((w for w in _WORD.findall(text) if terms(w) == [term]), 1)

    def _look_up(self, name: str) -> Entity:
        key = normal_form(name)
        if not key:
            raise UsageError(f"{name!r} has neither letter nor digit")
        query = self.literal_query(name)
        if is_common(name):
            names = Names([name])
            what = "a single character" if len(key) == 1 else "a common word"
            where = "which the index leaves out"
            if not self.conjunctions.is_anything(query):
                where = f"in {count_sentences(self.conjunctions.count(query))}"
            fix = "give a longer name, or capitals if it is a symbol"
            return Entity([Form(name)], None, names, names, f"{name!r} is {what}, {where}: {fix}")
        synonyms = (Form(synonym, "synonym") for synonym in self._synonyms.get(key, ()))
        forms = {key: Form(name)}
        for form in chain(synonyms, () if self._literal else self._of_collection(name, query)):
            if not is_common(form.name.lower()):  # the index has arsenic's As in every "as"
                forms.setdefault(normal_form(form.name), form)
        others = (self.literal_query(form.name) for form in list(forms.values())[1:])
        query = self.conjunctions.either([query, *others])
        return Entity(
            list(forms.values()),
            query,
            Names([form.name for form in forms.values()]),
            Names([form.name for form in forms.values() if form.open]),
            anything=self.conjunctions.is_anything(query),
        )

    def _of_collection(self, name: str, query: Any) -> Iterator[Form]:
        """Yield the other forms of a name that the collection uses."""
        if species := Species.of(name):
            epithet = self.conjunctions.name([[species.epithet]])
            yield from species.forms(text for _, text in self._first(epithet))
        for other in () if species else turned(name):
            texts = self._first(self.literal_query(other), FEW)
            if any(Names([other]).find(text) for _, text in texts):
                yield Form(other, "turned round")
        yield from abbreviations(name, islice(self._definitions(name, query), DEFINITIONS))

    def _first(self, query: Any, most: int = LOOKED_AT) -> Iterator[tuple[str, str]]:
        """Yield the first sentences for a query, with the ids of their records."""
        if query is not None and not self.conjunctions.is_anything(query):
            ids = list(map(str, self.conjunctions.search([[query]], most)[0].ids))
            yield from zip(map(owner, ids), self.collection.texts(ids), strict=True)

    def _definitions(self, name: str, query: Any) -> Iterator[tuple[str, str]]:
        """Yield the sentences that have a name beside a bracket, with the ids of their records."""
        names = Names([name])
        for record, text in self._first(query):
            if ("(" in text or "[" in text) and any(
                text[start - 1 : start] in ("(", "[")
                or text[end : end + 2].lstrip()[:1] in ("(", "[")
                for start, end in names.find(text)
            ):
                yield record, text


def count_sentences(count: int) -> str:
    """Write a number of sentences."""
    return f"{count:,} sentence{'s' if count != 1 else ''}"
