"""Pairs of entities: sentences of an index that mention both, ranked by how they relate them."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, field, replace
from itertools import islice, product
from pathlib import Path
from typing import Any, Final, TypedDict

from relsent_ir.errors import UsageError
from relsent_ir.executor import Executor
from relsent_ir.hits import Hits, Run
from relsent_ir.lucene.read.collection import Indexes
from relsent_ir.lucene.read.filters import Filters
from relsent_ir.lucene.read.search import Conjunctions
from relsent_ir.methods import Relations
from relsent_ir.rank import Evidence, Span
from relsent_ir.relations.candidates import Candidate
from relsent_ir.relations.describing import Described, FeatureSettings, describe
from relsent_ir.relations.names import Form, Synonyms, abbreviations, read_synonyms
from relsent_ir.relations.ranker import RelationRanker, open_ranker
from relsent_ir.relations.statements import packaged_statements
from relsent_ir.text.names import Names, normal_form, writings
from relsent_ir.text.tokens import Span as TextSpan

LOOKED_AT: Final = 300
"""BM25's first sentences that may have a name, in which its abbreviations are looked for."""

DEFINITIONS: Final = 40
"""Of them, at most so many in which the name stands beside a bracket."""

SENTENCES: Final = 50_000
"""At most so many sentences that may mention both entities are read, by BM25."""

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
        """Return the names under which an entity is looked for.

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
        searched = [n for n, (a, b) in enumerate(entities) if a.query and b.query]
        rows = [[entity.query for entity in entities[n]] for n in searched]
        hits = self._conjunctions.search(rows, SENTENCES, filters=self._filters) if rows else []
        ids_of = {n: sorted(map(str, some.ids)) for n, some in zip(searched, hits, strict=True)}
        ids = list(dict.fromkeys(name for some in ids_of.values() for name in some))
        texts = dict(zip(ids, self.collection.texts(ids), strict=True))
        return [
            Mentions(
                [both[0].forms, both[1].forms],
                self._candidates(names[n], {i: texts[i] for i in ids_of.get(n, ())}, both),
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
        places: dict[str, list[list[TextSpan]]],
        texts: dict[str, str],
    ) -> None:
        """Drop the mentions by a short form in records that never name the entity otherwise."""
        if entity.open.names == entity.all.names:
            return
        only: dict[str, list[TextSpan]] = {}
        for name, both in places.items():
            places_of = entity.open.find(texts[name])
            if not places_of:
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
                normal = {normal_form(form.name) for form in forms}
                defined = abbreviations(name, islice(self._definitions(name), DEFINITIONS))
                forms += [form for form in defined if normal_form(form.name) not in normal]
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
        names = Names([name])
        for sentence, text in zip(ids, self.collection.texts(ids), strict=True):
            if any(
                text[start - 1 : start] in ("(", "[")
                or text[end : end + 2].lstrip()[:1] in ("(", "[")
                for start, end in names.find(text)
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


BATCH: Final = 64
"""Pairs that are searched and ranked at once."""


class PairFacts(TypedDict):
    """What is said of a pair of entities.

    Attributes
    ----------
    names : list of list of str
        Under which names each was looked for.
    searched : list of list of dict
        The same, with where each name is from (`Form`).
    sentences, records : int
        How many mention both.
    """

    names: list[list[str]]
    searched: list[list[dict[str, object]]]
    sentences: int
    records: int


@dataclass(frozen=True)
class RelatedPair:
    """Two entities and the sentences that mention both.

    Attributes
    ----------
    group : str
        The pair's number, from 1: the topic of a run.
    names : (str, str)
    forms : list of list of Form
        The names under which each entity was looked for.
    sentences, records : int
        How many mention both.
    hits : Hits
        Sentences, the clearest first.
    probabilities : dict of str to float
        Of each of them, that it states the relation.
    best : dict of str to Candidate
        Of each of them, its best mentions.
    """

    group: str
    names: tuple[str, str]
    forms: list[list[Form]]
    sentences: int
    records: int
    hits: Hits
    probabilities: dict[str, float]
    best: dict[str, Candidate]

    @property
    def facts(self) -> PairFacts:
        """What is said of the pair."""
        return {
            "names": [[form.name for form in forms] for forms in self.forms],
            "searched": [[asdict(form) for form in forms] for forms in self.forms],
            "sentences": self.sentences,
            "records": self.records,
        }


def rank_pairs(
    finder: Finder,
    ranker: RelationRanker,
    pairs: Sequence[tuple[str, str]],
    k: int | None = None,
    *,
    by_record: bool = False,
    first: int = 1,
) -> Iterator[RelatedPair]:
    """Yield each pair with its sentences, ranked by how clearly they relate the two.

    Parameters
    ----------
    finder : Finder
    ranker : RelationRanker
    pairs : sequence of (str, str)
    k : int, optional
        So many hits of each pair at most.
    by_record : bool
        Of each record only its best sentence.
    first : int
        The first pair's number.
    """
    for start in range(0, len(pairs), BATCH):
        batch = pairs[start : start + BATCH]
        groups = [str(first + start + n) for n in range(len(batch))]
        mentioned = finder.find(batch, groups)
        scores = iter(ranker.score([c for m in mentioned for c in m.candidates]).tolist())
        for group, names, mentions in zip(groups, batch, mentioned, strict=True):
            best: dict[str, tuple[float, Candidate]] = {}
            for candidate in mentions.candidates:
                score = next(scores)
                if candidate.id not in best or score > best[candidate.id][0]:
                    best[candidate.id] = score, candidate
            ranked = Hits.ranked(best.keys(), [score for score, _ in best.values()])
            of_record = {record_of(name): name for name in reversed(ranked.ids.tolist())}
            ids = list(of_record.values() if by_record else best)
            hits = Hits.ranked(ids, [best[name][0] for name in ids], k)
            probabilities = ranker.learned.probabilities(hits.scores).tolist()
            yield RelatedPair(
                group,
                names,
                mentions.forms,
                len(best),
                len(of_record),
                hits,
                dict(zip(hits.ids.tolist(), probabilities, strict=True)),
                {name: best[name][1] for name in hits.ids},
            )


@dataclass(frozen=True)
class PairQuery:
    """A query for many pairs: the collection, the ranker and how names are looked for.

    Attributes
    ----------
    collection : Indexes or Path
        A path, to cross to other processes.
    ranker : RelationRanker, Path or None
        Likewise, a model's folder; None is the one that comes with the package.
    k : int or None
        So many hits of each pair at most.
    by_record : bool
        Of each record only its best sentence.
    literal : bool
    synonyms : tuple of Path
        Files of `read_synonyms`.
    filters : Filters or None
    directed : bool
        As `Finder` has it.
    """

    collection: Indexes | Path
    ranker: RelationRanker | Path | None
    k: int | None = None
    by_record: bool = False
    literal: bool = False
    synonyms: tuple[Path, ...] = ()
    filters: Filters | None = None
    directed: bool = False

    @classmethod
    def of(
        cls,
        collection: Indexes,
        ranker: RelationRanker,
        method: Relations,
        k: int,
        filters: Filters | None,
    ) -> "PairQuery":
        """Return the query that a method asks for."""
        words = tuple(map(Path, method.synonyms.split(","))) if method.synonyms else ()
        by_record = method.group == "record"
        literal, directed = method.literal, method.directed
        return cls(collection, ranker, k, by_record, literal, words, filters, directed)

    def by_path(self, index: Path, model: Path | None) -> "PairQuery":
        """Return the same query with paths for the collection and the ranker."""
        folder = model.absolute() if model and model.exists() else model
        words = tuple(path.absolute() for path in self.synonyms)
        return replace(self, collection=index.absolute(), ranker=folder, synonyms=words)

    def make(self) -> Callable[[tuple[int, Sequence[tuple[str, str]]]], list[RelatedPair]]:
        """Open the collection and the ranker; return a function that ranks pairs from a number."""
        where, ranker = self.collection, self.ranker
        opened = ranker if isinstance(ranker, RelationRanker) else open_ranker(ranker)
        finder = Finder(
            Indexes(where) if isinstance(where, Path) else where,
            read_synonyms(*self.synonyms),
            literal=self.literal,
            filters=self.filters,
            directed=self.directed,
        )
        return lambda batch: list(
            rank_pairs(finder, opened, batch[1], self.k, by_record=self.by_record, first=batch[0])
        )


def ranked_pairs(
    query: PairQuery, pairs: Sequence[tuple[str, str]], executor: Executor
) -> Iterator[RelatedPair]:
    """Yield each pair with its sentences, as `rank_pairs` does, by the workers of an executor."""
    starts = range(0, len(pairs), BATCH)
    batches = ((start + 1, pairs[start : start + BATCH]) for start in starts)
    for ranked in executor.map(query.make, batches):
        yield from ranked


class PairEvidence:
    """Evidence for the sentences of a pair: the statement, both names, the pattern.

    Parameters
    ----------
    pair : RelatedPair
    ranker : RelationRanker
    """

    def __init__(self, pair: RelatedPair, ranker: RelationRanker) -> None:
        self._pair = pair
        self._ranker = ranker
        self._statements = packaged_statements()

    def evidence(self, collection: Indexes, topic: str, hits: Hits) -> list[Evidence]:  # noqa: ARG002 (of the protocol)
        """Return the statement of the relation in each sentence."""
        evidence = []
        for row, described in self._described(hits.ids.tolist()):
            values: dict[str, str | float | list[str]] = {**self._said(row, described)}
            if described.found:
                first = described.found[0]
                pattern = first.match.pattern
                values |= {"group": pattern.group, "pattern": pattern.text, "level": first.level}
                values["rules"] = list(first.form.rules)
                if first.form.rules:
                    values["simplified"] = first.text(described.structure)
            spans = tuple(Span(start, end, name) for start, end, name in self._named(row))
            evidence.append(Evidence(row.id, row.text, spans, values))
        return evidence

    def statements(self, ids: Sequence[str]) -> list[dict[str, str | float]]:
        """Return how sentences state the relation: probability, status, polarity, agent."""
        return [self._said(row, described) for row, described in self._described(ids)]

    def to_row(self) -> dict[str, Any]:
        """Return the pair's row of a table: its best sentence, both names marked."""
        pair = self._pair
        row: dict[str, Any] = {"pair": " + ".join(pair.names)}
        row |= {"sentences": pair.sentences, "records": pair.records}
        empty = ("score", "probability", "status", "polarity", "agent", "id", "text")
        if not len(pair.hits):
            return row | dict.fromkeys(empty, "")
        name = str(pair.hits.ids[0])
        (said,) = self.statements([name])
        text, best = pair.best[name].text, pair.best[name]
        for start, end in sorted((best.e1, best.e2), reverse=True):
            text = f"{text[:start]}[{text[start:end]}]{text[end:]}"
        row |= dict.fromkeys(empty, "") | {"score": round(float(pair.hits.scores[0]), 3)}
        return row | said | {"id": name, "text": text}

    def _described(self, ids: Sequence[str]) -> Iterator[tuple[Candidate, Described]]:
        rows = [self._pair.best[name] for name in ids]
        settings = FeatureSettings(simplify=self._ranker.settings.simplify)
        return zip(rows, describe(rows, self._ranker.parser, settings), strict=True)

    def _said(self, row: Candidate, described: Described) -> dict[str, str | float]:
        probability = round(self._pair.probabilities[row.id], 2)
        if self._statements is None:
            return {"probability": probability}
        statement = self._statements.read(described)
        return {
            "probability": probability,
            "status": statement.flag or "asserted",
            "polarity": statement.polarity,
            "agent": self._named(row)[statement.agent][2],
        }

    def _named(self, row: Candidate) -> list[tuple[int, int, str]]:
        """Return both mentions in the order of the text, each with the name of the query."""
        return sorted(((*row.e1, self._pair.names[0]), (*row.e2, self._pair.names[1])))


def record_of(sentence: str) -> str:
    """Return the record that a sentence is of."""
    return sentence.rpartition(".")[0]
