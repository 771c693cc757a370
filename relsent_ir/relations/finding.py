"""Entities in a collection: their names there, and the sentences that mention them."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import chain, islice, product
from typing import Any, Final

from relsent_ir.errors import UsageError
from relsent_ir.hits import owner
from relsent_ir.lucene.read.collection import Indexes
from relsent_ir.lucene.read.conjunctions import Conjunctions
from relsent_ir.lucene.read.filters import Filters
from relsent_ir.methods import Relations
from relsent_ir.relations.candidates import Candidate
from relsent_ir.relations.names import (
    Form,
    Species,
    Synonyms,
    abbreviations,
    count_sentences,
    is_molecule,
    turned,
)
from relsent_ir.text.names import (
    Names,
    is_common,
    normal_form,
    read_synonyms,
    spellings,
    synonyms_beside,
    trees_beside,
)
from relsent_ir.text.tokens import Span as TextSpan

SENTENCES: Final = 2_000
"""Number of sentences with both entities that are read: the first by BM25."""

_SCANNED: Final = 5_000
"""Largest number of sentences of an entity that are scanned for a stop word as its name (NO)."""

_MENTIONS: Final = 12
"""Largest number of pairs of mentions in a sentence."""


@dataclass(frozen=True)
class Mentions:
    """The sentences that mention two entities.

    Attributes
    ----------
    forms : list of list of Form
        The names by which each entity was searched.
    candidates : list of Candidate
        A candidate for each pair of mentions.
    note : str
        The reason why sentences are missing, or "" if none are.
    """

    forms: list[list[Form]]
    candidates: list[Candidate]
    note: str = ""


LOOKED_AT: Final = 300
"""Number of first sentences by BM25 in which abbreviations of a name are looked for."""

DEFINITIONS: Final = 40
"""Largest number of these that are read because the name is next to a bracket."""

FEW: Final = 20
"""Number of first sentences by BM25 that are read for a name in another word order."""

_CACHED: Final = 500
"""Number of entities whose names are cached: the last that were looked up."""

MOLECULES: Final = r"D08|D12\.(?:644|776)|D23\.(?:050|101|529)|G05\.360\.340"
"""Places in MeSH's trees of enzymes, peptides, proteins, antigens, mediators and genes."""

_WORD: Final = re.compile(r"[^\W_]+")


@dataclass(frozen=True)
class Entity:
    """An entity in a collection: its names, its query, and its unambiguous names.

    Attributes
    ----------
    forms : list of Form
    query : object
        A query of `Conjunctions`; None if no sentence can have a name.
    all, open : Names
        All its names, and those that mean it in any record.
    hint : str
        The reason why it is not searched; "" if it is.
    anything : bool
        Whether the index leaves out its words.
    records : dict of str to bool
        A cache by record id: whether a record has an open name.
    """

    forms: list[Form]
    query: Any
    all: Names
    open: Names
    hint: str = ""
    anything: bool = False
    records: dict[str, bool] = field(default_factory=dict)


class Finder:
    """Find the names of entities in a collection, and the sentences that mention them.

    The names of the last entities are cached.

    Parameters
    ----------
    collection : Indexes
    synonyms : mapping, optional
        The result of `read_synonyms`.
    literal : bool
        Use only spellings of the given name and synonyms: no abbreviations, no other order.
    filters : Filters, optional
        Conditions on the sentences that mention entities.
    directed : bool
        Whether the first entity of a pair must act (`Candidate.directed`).
    """

    def __init__(
        self,
        collection: Indexes,
        synonyms: Synonyms | None = None,
        *,
        literal: bool = False,
        filters: Filters | None = None,
        directed: bool = False,
    ) -> None:
        self.collection = collection
        self.conjunctions = Conjunctions(collection.sentences)
        self.filters = filters
        self.entity = lru_cache(_CACHED)(self._look_up)  # UsageError for a name without a letter
        self.literal_query = lru_cache(_CACHED)(self._in_its_spellings)
        self._synonyms = synonyms or {}
        self._literal = literal
        self._directed = directed
        self.partners: Finder = self  # for the second name of a pair
        self.trees = trees_beside(collection.folder)

    @classmethod
    def of(cls, collection: Indexes, method: Relations, **more: Any) -> "Finder":
        """Return the finder for a method's parameters, with further parameters of its own.

        Unless it is literal, synonyms of MeSH beside the index are used too.
        """
        paths = method.synonyms.split(",") if method.synonyms else ()
        synonyms = {} if method.literal else synonyms_beside(collection.folder)
        synonyms = synonyms | read_synonyms(*paths)  # a file's synonyms replace those of MeSH
        return cls(collection, synonyms, literal=method.literal, **more)

    def is_molecule(self, name: str) -> bool:
        """Return whether a name is a gene's or protein's: by MeSH's trees, or else by its form."""
        names = [name, *self._synonyms.get(normal_form(name), ())]
        places = [place for synonym in names for place in self.trees.places(synonym)]
        return any(re.match(MOLECULES, place) for place in places) if places else is_molecule(name)

    def count(self, name: str) -> int:
        """Count the sentences that have a name, by the index alone, ignoring case."""
        return self.conjunctions.count(self.entity(name).query)

    def _in_its_spellings(self, name: str) -> Any:
        """Return the query for a name in its own spellings; None if the index has none of them."""
        return self.conjunctions.name(spellings(name))

    def near(self, name: str) -> list[str]:
        """Return the nearest spellings, with counts, of a name that is not in the index."""
        words = name.split()
        others = [
            [*words[:n], other, *words[n + 1 :]]
            for n, word in enumerate(words)
            if self.literal_query(word) is None
            for other in self._spelled(word)
        ] or [words[1:], words[:-1]]
        counts = {
            other: self.conjunctions.count(self.literal_query(other))
            for other in map(" ".join, filter(None, others))
            if not is_common(other)
        }
        ranked = sorted(counts.items(), key=lambda item: -item[1])[:3]
        return [f"{other} ({count:,})" for other, count in ranked if count]

    def _spelled(self, word: str) -> Iterator[str]:
        """Yield words of the collection that are spelled like a word that is not in it."""
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
        forms, others = {key: Form(name)}, []
        for form in chain(synonyms, () if self._literal else self._of_collection(name, query)):
            other = self.literal_query(form.name)
            # the index has arsenic's As in every "as", and aOR in every "a" or "or"
            common = is_common(form.name.lower()) or self.conjunctions.is_anything(other)
            if not common and normal_form(form.name) not in forms:
                forms[normal_form(form.name)] = form
                others.append(other)
        query = self.conjunctions.either([query, *others])
        return Entity(
            list(forms.values()),
            query,
            Names([form.name for form in forms.values()]),
            # a short form counts only if its record has another name
            Names([form.name for form in forms.values() if form.origin != "short form"]),
            anything=self.conjunctions.is_anything(query),
        )

    def _of_collection(self, name: str, query: Any) -> Iterator[Form]:
        """Yield other forms of a name that the collection uses."""
        if species := Species.of(name):
            epithet = self.conjunctions.name([[species.epithet]])
            yield from species.forms(text for _, text in self._first(epithet))
        for other in () if species else turned(name):
            texts = self._first(self.literal_query(other), FEW)
            if any(Names([other]).find(text) for _, text in texts):
                yield Form(other, "turned round")
        yield from abbreviations(name, islice(self._definitions(name, query), DEFINITIONS))

    def _first(self, query: Any, most: int = LOOKED_AT) -> Iterator[tuple[str, str]]:
        """Yield the first sentences for a query, with their records' ids."""
        if query is not None and not self.conjunctions.is_anything(query):
            ids = list(map(str, self.conjunctions.search([[query]], most)[0].ids))
            yield from zip(map(owner, ids), self.collection.texts(ids), strict=True)

    def _definitions(self, name: str, query: Any) -> Iterator[tuple[str, str]]:
        """Yield the sentences that have a name next to a bracket, with their records' ids."""
        names = Names([name])
        for record, text in self._first(query):
            if ("(" in text or "[" in text) and any(
                text[start - 1 : start] in ("(", "[")
                or text[end : end + 2].lstrip()[:1] in ("(", "[")
                for start, end in names.find(text)
            ):
                yield record, text

    def mentions(self, name: str, most: int = SENTENCES) -> dict[str, tuple[str, list[TextSpan]]]:
        """Find the places where sentences mention an entity.

        Parameters
        ----------
        name : str
        most : int
            Largest number of sentences that are read, the first by BM25.

        Returns
        -------
        dict of str to (str, list of (int, int))
            The text of each sentence, by its id, and the places in it.
        """
        entity = self.entity(name)
        # A form may be a stop word (NO), which matches everything: search only the given name.
        query = self.literal_query(name) if entity.anything else entity.query
        if query is None or self.conjunctions.is_anything(query):
            return {}
        (hits,) = self.conjunctions.search([[query]], most, filters=self.filters)
        ids = sorted(map(str, hits.ids))
        texts = dict(zip(ids, self.collection.texts(ids), strict=True))
        places = self._places(texts, [entity])
        return {sentence: (texts[sentence], spans) for sentence, (spans,) in places.items()}

    def find(self, pairs: Sequence[tuple[str, str]], groups: Sequence[str] = ()) -> list[Mentions]:
        """Find the sentences that mention both entities of each pair.

        A short form that the collection defines only counts as a mention in records that have
        another name of the entity.

        Parameters
        ----------
        pairs : sequence of (str, str)
        groups : sequence of str
            The groups of the candidates; by default numbers from "1".
        """
        groups = groups or [str(n) for n in range(1, len(pairs) + 1)]
        entities = [(self.entity(a), self.partners.entity(b)) for a, b in pairs]
        searched = []
        for n, both in enumerate(entities):  # a word that matches everything needs a long scan
            scanned = [entity for entity in both if not entity.anything]
            if any(entity.hint or entity.query is None for entity in both) or _same(both):
                continue
            if len(scanned) == len(both) or (
                scanned and self.conjunctions.count(scanned[0].query) <= _SCANNED
            ):
                searched.append(n)
        rows = [[entity.query for entity in entities[n]] for n in searched]
        hits = self.conjunctions.search(rows, SENTENCES, filters=self.filters) if rows else []
        ids_of = {n: sorted(map(str, of.ids)) for n, of in zip(searched, hits, strict=True)}
        ids = sorted({name for of in ids_of.values() for name in of})  # as they are stored
        texts = dict(zip(ids, self.collection.texts(ids), strict=True))
        mentions = []
        for n, both in enumerate(entities):
            read = {name: texts[name] for name in ids_of.get(n, ())}
            candidates = self._candidates(groups[n], read, both)
            complete = candidates and len(read) < SENTENCES
            note = "" if complete else self._note(pairs[n], both, len(read))
            mentions.append(Mentions([both[0].forms, both[1].forms], candidates, note))
        return mentions

    def _note(self, names: tuple[str, str], both: tuple[Entity, Entity], read: int) -> str:
        """Return in one line why a pair has no sentences, or not all of them."""
        hints = dict.fromkeys(entity.hint for entity in both if entity.hint)
        if hints:
            return "; ".join(hints)
        if _same(both):
            return f"{' and '.join(map(repr, names))} are names of one entity"
        if read == SENTENCES:
            return f"the first {SENTENCES:,} sentences by BM25"
        alone = [
            f"{name} is left out of the index"
            if entity.anything
            else f"{name} in {count_sentences(self.conjunctions.count(entity.query))}"
            for name, entity in zip(names, both, strict=True)
        ]
        near = [
            f"{name} is written like {', '.join(like)}"
            for name, entity in zip(names, both, strict=True)
            if entity.query is None and (like := self.near(name))
        ]
        return "; ".join([f"no sentence has both: {', '.join(alone)}", *near])

    def _candidates(
        self, group: str, texts: dict[str, str], entities: tuple[Entity, Entity]
    ) -> list[Candidate]:
        candidates: list[Candidate] = []
        for name, (first, second) in self._places(texts, entities).items():
            apart = ((a, b) for a, b in product(first, second) if a[1] <= b[0] or b[1] <= a[0])
            candidates += [
                Candidate(group, name, texts[name], a, b, directed=self._directed)
                for a, b in islice(apart, _MENTIONS)
            ]
        return candidates

    def _places(
        self, texts: dict[str, str], entities: Sequence[Entity]
    ) -> dict[str, list[list[TextSpan]]]:
        """Return the places of each entity in the sentences that mention all entities."""
        places = {name: [e.all.find(text) for e in entities] for name, text in texts.items()}
        places = {name: spans for name, spans in places.items() if all(spans)}
        for n, entity in enumerate(entities):
            self._guard(entity, n, places, texts)
        return {name: spans for name, spans in places.items() if all(spans)}

    def _guard(
        self, entity: Entity, n: int, places: dict[str, list[list[TextSpan]]], texts: dict[str, str]
    ) -> None:
        """Drop mentions by a short form in records that have no other name of the entity."""
        if entity.open.names == entity.all.names:
            return
        records = {name: owner(name) for name in places if not entity.open.find(texts[name])}
        new = [r for r in dict.fromkeys(records.values()) if r not in entity.records]
        for record in self.collection.abstracts.records(new) if new else ():
            text = f"{record.title} {record.abstract}"
            entity.records[record.id] = bool(entity.open.find(text))
        for name, record_id in records.items():
            if not entity.records[record_id]:
                places[name][n] = []


def _same(both: tuple[Entity, Entity]) -> bool:
    """Return whether the given name of one entity is a name of the other."""
    names = [[normal_form(form.name) for form in entity.forms] for entity in both]
    return names[0][0] in names[1] or names[1][0] in names[0]
