"""From two entities to a ranking: sentences of an index that mention both, and runs of groups."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice, product
from typing import Any, Final

from relsent_ir.errors import UsageError
from relsent_ir.hits import Hits, Run
from relsent_ir.lucene.read.collection import Indexes
from relsent_ir.lucene.read.filters import Filters
from relsent_ir.lucene.read.search import Conjunctions
from relsent_ir.relations.candidates import Candidate
from relsent_ir.relations.names import Form, Synonyms, abbreviations
from relsent_ir.text.names import Names, normal_form, writings
from relsent_ir.text.tokens import Span

LOOKED_AT: Final = 300
"""BM25's first sentences that may have a name, in which its abbreviations are looked for."""

DEFINITIONS: Final = 40
"""Of them, at most so many in which the name stands beside a bracket."""

SENTENCES: Final = 50_000
"""At most so many sentences that may mention both entities are read, by BM25."""

_BRACKET: Final = re.compile(r"[(\[]")
_MENTIONS: Final = 12
"""Pairs of mentions of one sentence, at most."""


@dataclass(frozen=True)
class Mentions:
    """The sentences that mention two entities.

    Attributes
    ----------
    forms : list of list of Form
        The names under which each entity was looked for.
    candidates : list of Candidate
        One for each pair of mentions.
    """

    forms: list[list[Form]]
    candidates: list[Candidate]

    @property
    def names(self) -> list[list[str]]:
        """The names alone."""
        return [[form.name for form in forms] for forms in self.forms]


@dataclass(frozen=True)
class _Entity:
    """An entity as it is looked for: its query, and the names that stand for it anywhere."""

    forms: list[Form]
    query: Any
    all: Names
    open: Names
    records: dict[str, bool] = field(default_factory=dict)  # does it name the entity openly?


class Finder:
    """Finds the sentences of a collection that mention entities; what it learns of them is kept.

    Parameters
    ----------
    collection : Indexes
    synonyms : mapping, optional
        Of `read_synonyms`.
    literal : bool
        No abbreviations: only the writings of what is given, and synonyms.
    filters : Filters, optional
        What the sentences must have.
    directed : bool
        The first entity of a pair is to act (`Candidate.directed`).
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
        self._directed = directed
        self._synonyms = synonyms or {}
        self._literal = literal
        self._conjunctions = Conjunctions(collection.sentences)
        self._filters = filters
        self._entities: dict[str, _Entity] = {}

    def forms(self, name: str) -> list[Form]:
        """Give the names under which an entity is looked for.

        Raises
        ------
        UsageError
            If the name has neither letter nor digit.
        """
        return self._entity(name).forms

    def find(self, pairs: Sequence[tuple[str, str]], groups: Sequence[str] = ()) -> list[Mentions]:
        """Find the sentences that mention both entities of each pair.

        A short form that the collection defines is a mention only in records that have another
        name of the entity.

        Parameters
        ----------
        pairs : sequence of (str, str)
        groups : sequence of str
            The candidates' groups; from "1" if they are not given.
        """
        names = groups or [str(n) for n in range(1, len(pairs) + 1)]
        entities = [(self._entity(a), self._entity(b)) for a, b in pairs]
        asked = [n for n, (a, b) in enumerate(entities) if a.query and b.query]
        rows = [[entity.query for entity in entities[n]] for n in asked]
        hits = self._conjunctions.search(rows, SENTENCES, filters=self._filters) if rows else []
        found = {n: sorted(map(str, some.ids)) for n, some in zip(asked, hits, strict=True)}
        ids = list(dict.fromkeys(name for some in found.values() for name in some))
        texts = dict(zip(ids, self.collection.texts(ids), strict=True))
        return [
            Mentions(
                [both[0].forms, both[1].forms],
                self._candidates(names[n], {i: texts[i] for i in found.get(n, ())}, both),
            )
            for n, both in enumerate(entities)
        ]

    def _candidates(
        self, group: str, texts: dict[str, str], entities: tuple[_Entity, _Entity]
    ) -> list[Candidate]:
        places = {name: [e.all.find(text) for e in entities] for name, text in texts.items()}
        places = {name: both for name, both in places.items() if all(both)}
        for n, entity in enumerate(entities):
            self._guard(entity, n, places, texts)
        made: list[Candidate] = []
        for name, (one, other) in places.items():
            apart = ((a, b) for a, b in product(one, other) if a[1] <= b[0] or b[1] <= a[0])
            made += [
                Candidate(group, name, texts[name], a, b, directed=self._directed)
                for a, b in islice(apart, _MENTIONS)
            ]
        return made

    def _guard(
        self,
        entity: _Entity,
        n: int,
        places: dict[str, list[list[Span]]],
        texts: dict[str, str],
    ) -> None:
        """Drop the mentions by a short form in records that never name the entity otherwise."""
        if entity.open.names == entity.all.names:
            return
        only: dict[str, list[Span]] = {}
        for name, both in places.items():
            known = entity.open.find(texts[name])
            if not known:
                only[name] = both[n]
        records = {name: name.rpartition(".")[0] for name in only}
        new = [r for r in dict.fromkeys(records.values()) if r not in entity.records]
        for found in self.collection.records(new) if new else ():
            text = f"{found.title} {found.abstract}"
            entity.records[found.id] = bool(entity.open.find(text))
        for name, record in records.items():
            if not entity.records[record]:
                places[name][n] = []

    def _entity(self, name: str) -> _Entity:
        if name not in self._entities:
            key = normal_form(name)
            if not key:
                raise UsageError(f"{name!r} has neither letter nor digit")
            forms = [Form(name)]
            others = [other for other in self._synonyms.get(key, ()) if normal_form(other) != key]
            forms += [Form(other, "synonym") for other in others]
            if not self._literal:
                known = {normal_form(form.name) for form in forms}
                defined = abbreviations(name, islice(self._definitions(name), DEFINITIONS))
                forms += [form for form in defined if normal_form(form.name) not in known]
            self._entities[name] = _Entity(
                forms,
                self._conjunctions.query([way for form in forms for way in writings(form.name)]),
                Names([form.name for form in forms]),
                Names([form.name for form in forms if form.open]),
            )
        return self._entities[name]

    def _definitions(self, name: str) -> Iterator[tuple[str, str]]:
        """Yield the sentences that have a name beside a bracket, with their records' ids."""
        query = self._conjunctions.query(writings(name))
        if query is None:
            return
        ids = list(self._conjunctions.search([[query]], LOOKED_AT)[0].ids)
        known = Names([name])
        for sentence, text in zip(ids, self.collection.texts(ids), strict=True):
            if any(
                text[start - 1 : start] in ("(", "[")
                or text[end : end + 2].lstrip()[:1] in ("(", "[")
                for start, end in known.find(text)
            ):
                yield sentence.rpartition(".")[0], text


def find_mentions(
    collection: Indexes, entities: tuple[str, str], *, literal: bool = False
) -> Mentions:
    """Find the sentences of a collection that mention both of two entities (`Finder.find`)."""
    return Finder(collection, literal=literal).find([entities])[0]


def rank(candidates: Sequence[Candidate], scores: Iterable[float], k: int | None = None) -> Run:
    """Make a run of scored candidates: its topics are the groups, its documents the sentences.

    Parameters
    ----------
    candidates : sequence of Candidate
        Those of one group and id are mentions of one sentence, which counts by its best.
    scores : iterable of float
        One for each candidate.
    k : int, optional
        So many of each group at most.
    """
    best: dict[str, dict[str, float]] = {}
    for candidate, score in zip(candidates, scores, strict=True):
        group = best.setdefault(candidate.group, {})
        group[candidate.id] = max(float(score), group.get(candidate.id, float(score)))
    return Run((group, Hits.ranked(of.keys(), of.values(), k)) for group, of in best.items())
