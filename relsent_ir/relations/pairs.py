"""Pairs of entities: sentences of an index that mention both, ranked by how they relate them."""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, field, replace
from itertools import islice, product
from pathlib import Path
from typing import Any, Final, TypedDict

from relsent_ir.errors import UsageError
from relsent_ir.executor import Executor
from relsent_ir.hits import Hits, Run, owner
from relsent_ir.lucene.read.collection import Indexes
from relsent_ir.lucene.read.conjunctions import Conjunctions
from relsent_ir.lucene.read.filters import Filters
from relsent_ir.methods import Relations
from relsent_ir.rank import Evidence, Span
from relsent_ir.relations.candidates import Candidate
from relsent_ir.relations.clinical import (
    ASSOCIATED,
    NO_DIFFERENCE,
    direction,
    is_aim,
    is_hedged,
    is_molecule,
)
from relsent_ir.relations.describing import Described, FeatureSettings, describe
from relsent_ir.relations.names import Form, Species, Synonyms, abbreviations, turned
from relsent_ir.relations.ranker import RelationRanker, open_ranker
from relsent_ir.relations.statements import packaged_statements
from relsent_ir.text.names import Names, is_common, normal_form, spellings
from relsent_ir.text.synonyms import read_synonyms, synonyms_beside, trees_beside
from relsent_ir.text.tokens import Span as TextSpan

LOOKED_AT: Final = 300
"""BM25's first sentences that may have a name, in which its abbreviations are looked for."""

DEFINITIONS: Final = 40
"""Of them, at most so many in which the name stands beside a bracket."""

FEW: Final = 20
"""As many for names whose words are turned round."""

SENTENCES: Final = 2_000
"""Sentences with both entities that are read: the first by BM25."""

_SCANNED: Final = 5_000
"""Sentences of the other entity, at most, that are scanned for a stop word (NO)."""

_KEPT: Final = 500
"""Entities whose names are kept, the last that were asked for."""

_MOLECULES: Final = re.compile(r"D08|D12\.(?:644|776)|D23\.(?:050|101|529)|G05\.360\.340")
"""Places of enzymes, peptides, proteins, antigens, mediators and genes in MeSH's trees."""

_WORD: Final = re.compile(r"[^\W_]+")

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
    note : str
        Why there are none, or not all; else "".
    """

    forms: list[list[Form]]
    candidates: list[Candidate]
    note: str = ""

    @property
    def names(self) -> list[list[str]]:
        """The names alone."""
        return [[form.name for form in forms] for forms in self.forms]


@dataclass(frozen=True)
class _Entity:
    """An entity as it is looked for: its query, and the names that stand for it anywhere.

    Attributes
    ----------
    hint : str
        Why it is not looked for.
    anything : bool
        The index leaves its words out.
    """

    forms: list[Form]
    query: Any
    all: Names
    open: Names
    hint: str = ""
    anything: bool = False
    records: dict[str, bool] = field(default_factory=dict)  # does it name the entity openly?


def remembered(
    collection: Indexes, paths: Iterable[str | Path], literal: bool = False
) -> dict[str, list[str]]:
    """Return the synonyms of files, and those of MeSH that lie beside an index, but not literally.

    Names of a file stand for themselves: what MeSH has of them is left out.
    """
    return ({} if literal else synonyms_beside(collection.folder)) | read_synonyms(*paths)


def _same(both: tuple[_Entity, _Entity]) -> bool:
    """Tell whether the name that was asked for of one entity is a name of the other."""
    names = [[normal_form(form.name) for form in entity.forms] for entity in both]
    return names[0][0] in names[1] or names[1][0] in names[0]


class Finder:
    """Finds the sentences of a collection that mention entities; what it learns of them is kept.

    Parameters
    ----------
    collection : Indexes
    synonyms : mapping, optional
        Of `read_synonyms`.
    literal : bool
        Only the writings of what is given, and synonyms: no abbreviations, nothing turned round.
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
        self._trees = trees_beside(collection.folder)

    @classmethod
    def of(cls, collection: Indexes, method: Relations, **more: Any) -> "Finder":
        """Return the finder of a method's names, with more of its own parameters."""
        paths = method.synonyms.split(",") if method.synonyms else ()
        synonyms = remembered(collection, paths, method.literal)
        return cls(collection, synonyms, literal=method.literal, **more)

    def is_molecule(self, name: str) -> bool:
        """Tell whether a name is a gene's or a protein's: by MeSH's trees, else by its form."""
        names = [name, *self._synonyms.get(normal_form(name), ())]
        places = [place for one in names for place in self._trees.places(one)]
        return any(map(_MOLECULES.match, places)) if places else is_molecule(name)

    def forms(self, name: str) -> list[Form]:
        """Return the names under which an entity is looked for.

        Raises
        ------
        UsageError
            If the name has neither letter nor digit.
        """
        return self._entity(name).forms

    def hint(self, name: str) -> str:
        """Return why a name is not looked for: it is a single character, or a common word."""
        return self._entity(name).hint

    def count(self, name: str) -> int:
        """Count the sentences that have a name, by the index alone: capitals do not matter."""
        return self._conjunctions.count(self._entity(name).query)

    def count_literally(self, name: str) -> int:
        """Count the sentences that have a name in its own writings, by the index alone."""
        return self._conjunctions.count(self._conjunctions.name(spellings(name)))

    def mentions(self, name: str, most: int = SENTENCES) -> dict[str, list[TextSpan]]:
        """Find the places where sentences mention an entity.

        Parameters
        ----------
        name : str
        most : int
            Of the sentences that may mention it, at most so many are read, by BM25.

        Returns
        -------
        dict of str to list of (int, int)
            By the sentence's id.
        """
        entity = self._entity(name)
        query = entity.query
        if entity.anything:  # by a form that is a stop word (NO): then by what is given
            query = self._conjunctions.name(spellings(name))
        if query is None or self._conjunctions.is_anything(query):
            return {}
        (hits,) = self._conjunctions.search([[query]], most, filters=self._filters)
        ids = sorted(map(str, hits.ids))
        texts = dict(zip(ids, self.collection.texts(ids), strict=True))
        return {one: places[0] for one, places in self._places(texts, [entity]).items()}

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
        searched = [n for n, both in enumerate(entities) if self._searchable(both)]
        rows = [[entity.query for entity in entities[n]] for n in searched]
        hits = self._conjunctions.search(rows, SENTENCES, filters=self._filters) if rows else []
        ids_of = {n: sorted(map(str, some.ids)) for n, some in zip(searched, hits, strict=True)}
        ids = list(dict.fromkeys(name for some in ids_of.values() for name in some))
        texts = dict(zip(ids, self.collection.texts(ids), strict=True))
        found = []
        for n, both in enumerate(entities):
            own = {name: texts[name] for name in ids_of.get(n, ())}
            candidates = self._candidates(names[n], own, both)
            note = (
                self._note(pairs[n], both, len(own))
                if not candidates or len(own) == SENTENCES
                else ""
            )
            found.append(Mentions([both[0].forms, both[1].forms], candidates, note))
        return found

    def _searchable(self, both: tuple[_Entity, _Entity]) -> bool:
        """Tell whether a pair can be looked for without a scan."""
        if any(entity.hint or entity.query is None for entity in both) or _same(both):
            return False
        others = [entity for entity in both if not entity.anything]
        return len(others) == len(both) or (
            bool(others) and self._conjunctions.count(others[0].query) <= _SCANNED
        )

    def _note(self, names: tuple[str, str], both: tuple[_Entity, _Entity], read: int) -> str:
        """Return why a pair has no sentences, or not all of its own: one line."""
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
            else f"{name} in {_sentences(self._conjunctions.count(entity.query))}"
            for name, entity in zip(names, both, strict=True)
        ]
        near = [
            f"{name} is written like {', '.join(like)}"
            for name, entity in zip(names, both, strict=True)
            if entity.query is None and (like := self._near(name))
        ]
        return "; ".join([f"no sentence has both: {', '.join(alone)}", *near])

    def _near(self, name: str) -> list[str]:
        """Return the nearest spellings of a name that is nowhere, with their counts."""
        words = name.split()
        others = [
            [*words[:n], one, *words[n + 1 :]]
            for n, word in enumerate(words)
            if self._conjunctions.name(spellings(word)) is None
            for one in self._spelled(word)
        ] or [words[1:], words[:-1]]
        counted = {
            other: self._conjunctions.count(self._conjunctions.name(spellings(other)))
            for other in map(" ".join, filter(None, others))
            if not is_common(other)
        }
        ranked = sorted(counted.items(), key=lambda one: -one[1])[:3]
        return [f"{other} ({count:,})" for other, count in ranked if count]

    def _spelled(self, word: str) -> Iterator[str]:
        """Yield words of the collection that are written like one that it has not."""
        terms = self.collection.sentences.facts.analysis.terms
        for term in self._conjunctions.near(word):
            (hits,) = self._conjunctions.search([[self._conjunctions.words(term)]], 1)
            for text in self.collection.texts(list(hits.ids)):
                yield from islice((w for w in _WORD.findall(text) if terms(w) == [term]), 1)

    def _candidates(
        self, group: str, texts: dict[str, str], entities: tuple[_Entity, _Entity]
    ) -> list[Candidate]:
        made: list[Candidate] = []
        for name, (one, other) in self._places(texts, entities).items():
            apart = ((a, b) for a, b in product(one, other) if a[1] <= b[0] or b[1] <= a[0])
            made += [
                Candidate(group, name, texts[name], a, b, directed=self._directed)
                for a, b in islice(apart, _MENTIONS)
            ]
        return made

    def _places(
        self, texts: dict[str, str], entities: Sequence[_Entity]
    ) -> dict[str, list[list[TextSpan]]]:
        """Return the places of each entity in the sentences that have all of them."""
        places = {name: [e.all.find(text) for e in entities] for name, text in texts.items()}
        places = {name: found for name, found in places.items() if all(found)}
        for n, entity in enumerate(entities):
            self._guard(entity, n, places, texts)
        return {name: found for name, found in places.items() if all(found)}

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
        only = [name for name in places if not entity.open.find(texts[name])]
        records = {name: owner(name) for name in only}
        new = [r for r in dict.fromkeys(records.values()) if r not in entity.records]
        for found in self.collection.abstracts.records(new) if new else ():
            text = f"{found.title} {found.abstract}"
            entity.records[found.id] = bool(entity.open.find(text))
        for name, record in records.items():
            if not entity.records[record]:
                places[name][n] = []

    def _entity(self, name: str) -> _Entity:
        entity = self._entities.pop(name, None) or self._look_up(name)
        self._entities[name] = entity
        if len(self._entities) > _KEPT:
            del self._entities[next(iter(self._entities))]
        return entity

    def _look_up(self, name: str) -> _Entity:
        key = normal_form(name)
        if not key:
            raise UsageError(f"{name!r} has neither letter nor digit")
        query = self._conjunctions.name(spellings(name))
        if is_common(name):
            return _Entity(
                [Form(name)], None, Names([name]), Names([name]), self._hint(name, query)
            )
        forms = [Form(name)]
        forms += [
            Form(other, "synonym")
            for other in self._synonyms.get(key, ())
            if normal_form(other) != key
        ]
        if not self._literal:
            seen = {normal_form(form.name) for form in forms}
            for form in self._of_the_collection(name, query):
                if normal_form(form.name) not in seen:
                    seen.add(normal_form(form.name))
                    forms.append(form)
        names = [form.name for form in forms]
        others = (self._conjunctions.name(spellings(other)) for other in names[1:])
        query = self._conjunctions.either([query, *others])
        return _Entity(
            forms,
            query,
            Names(names),
            Names([form.name for form in forms if form.open]),
            anything=self._conjunctions.is_anything(query),
        )

    def _hint(self, name: str, query: Any) -> str:
        what = "a single character" if len(normal_form(name)) == 1 else "a common word"
        where = "which the index leaves out"
        if not self._conjunctions.is_anything(query):
            where = f"in {_sentences(self._conjunctions.count(query))}"
        return f"{name!r} is {what}, {where}: give a longer name, or capitals if it is a symbol"

    def _of_the_collection(self, name: str, query: Any) -> Iterator[Form]:
        """Yield what a collection calls an entity besides: of the name itself, and its synonyms."""
        if species := Species.of(name):
            epithet = self._conjunctions.name([[species.epithet]])
            yield from species.forms(text for _, text in self._first(epithet))
        for other in () if species else turned(name):
            texts = self._first(self._conjunctions.name(spellings(other)), FEW)
            if any(Names([other]).find(text) for _, text in texts):
                yield Form(other, "turned round")
        yield from abbreviations(name, islice(self._definitions(name, query), DEFINITIONS))

    def _first(self, query: Any, most: int = LOOKED_AT) -> Iterator[tuple[str, str]]:
        """Yield the first sentences for a query, with their records' ids."""
        if query is not None and not self._conjunctions.is_anything(query):
            ids = list(map(str, self._conjunctions.search([[query]], most)[0].ids))
            yield from zip(map(owner, ids), self.collection.texts(ids), strict=True)

    def _definitions(self, name: str, query: Any) -> Iterator[tuple[str, str]]:
        """Yield the sentences that have a name beside a bracket, with their records' ids."""
        names = Names([name])
        for record, text in self._first(query):
            if ("(" in text or "[" in text) and any(
                text[start - 1 : start] in ("(", "[")
                or text[end : end + 2].lstrip()[:1] in ("(", "[")
                for start, end in names.find(text)
            ):
                yield record, text


def _sentences(count: int) -> str:
    return f"{count:,} sentence{'s' if count != 1 else ''}"


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


POOLED: Final = 200
"""Sentences of a pair, the clearest, whose polarities are counted."""

DIRECTED: Final = ("increases", "decreases", "raises", "lowers")
_SAID: Final = {NO_DIFFERENCE: "no difference", ASSOCIATED: "association", "binds": "binding"}

BATCH: Final = 64
"""Pairs that are searched and ranked at once."""


class PairFacts(TypedDict):
    """The facts of a pair of entities.

    Attributes
    ----------
    names : list of list of str
        Under which names each was looked for.
    searched : list of list of dict
        The same, with where each name is from (`Form`).
    sentences, records : int
        How many mention both.
    note : str
        Why there are none, or not all; else "".
    """

    names: list[list[str]]
    searched: list[list[dict[str, object]]]
    sentences: int
    records: int
    note: str


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
    note : str
        Why there are none, or not all; else "".
    molecules : bool
        Both are genes or proteins (`Finder.is_molecule`).
    """

    group: str
    names: tuple[str, str]
    forms: list[list[Form]]
    sentences: int
    records: int
    hits: Hits
    probabilities: dict[str, float]
    best: dict[str, Candidate]
    note: str = ""
    molecules: bool = True

    @property
    def facts(self) -> PairFacts:
        """What is said of the pair."""
        return {
            "names": [[form.name for form in forms] for forms in self.forms],
            "searched": [[asdict(form) for form in forms] for forms in self.forms],
            "sentences": self.sentences,
            "records": self.records,
            "note": self.note,
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
            of_record = {owner(name): name for name in reversed(ranked.ids.tolist())}
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
                mentions.note,
                all(map(finder.is_molecule, names)),
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
    method : Relations
        But for its model.
    k : int or None
        So many hits of each pair at most.
    filters : Filters or None
    """

    collection: Indexes | Path
    ranker: RelationRanker | Path | None
    method: Relations = Relations()
    k: int | None = None
    filters: Filters | None = None

    def by_path(self, index: Path, model: Path | None) -> "PairQuery":
        """Return the same query with paths for the collection and the ranker."""
        folder = model.absolute() if model and model.exists() else model
        method = self.method
        if method.synonyms:
            words = (str(Path(one).absolute()) for one in method.synonyms.split(","))
            method = replace(method, synonyms=",".join(words))
        return replace(self, collection=index.absolute(), ranker=folder, method=method)

    def make(self) -> Callable[[tuple[int, Sequence[tuple[str, str]]]], list[RelatedPair]]:
        """Open the collection and the ranker; return a function that ranks pairs from a number."""
        where, ranker = self.collection, self.ranker
        opened = ranker if isinstance(ranker, RelationRanker) else open_ranker(ranker)
        collection = Indexes(where) if isinstance(where, Path) else where
        method, by_record = self.method, self.method.group == "record"
        finder = Finder.of(collection, method, filters=self.filters, directed=method.directed)
        return lambda batch: list(
            rank_pairs(finder, opened, batch[1], self.k, by_record=by_record, first=batch[0])
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
        for row, described in self.described(hits.ids.tolist()):
            values: dict[str, str | float | list[str]] = {**self.said(row, described)}
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
        return [self.said(row, described) for row, described in self.described(ids)]

    def to_row(self, place: int = 0) -> dict[str, Any]:
        """Return the pair's row of a table: one of its sentences, the best, both names marked."""
        pair = self._pair
        row: dict[str, Any] = {"pair": " + ".join(pair.names)}
        row |= {"sentences": pair.sentences, "records": pair.records, "note": pair.note}
        row |= dict.fromkeys(("score", "probability", "status", "polarity", "agent"), "")
        if not len(pair.hits):
            return row | {"id": "", "text": ""}
        name = str(pair.hits.ids[place])
        (said,) = self.statements([name])
        row["score"] = round(float(pair.hits.scores[place]), 3)
        return row | said | {"id": name, "text": pair.best[name].marked}

    def described(self, ids: Sequence[str]) -> Iterator[tuple[Candidate, Described]]:
        """Yield the best mentions of sentences, and how the models see them."""
        rows = [self._pair.best[name] for name in ids]
        settings = FeatureSettings(simplify=self._ranker.settings.simplify)
        return zip(rows, describe(rows, self._ranker.parser, settings), strict=True)

    def said(self, row: Candidate, described: Described) -> dict[str, str | float]:
        """Return how a described sentence states the relation."""
        probability = round(self._pair.probabilities[row.id], 2)
        if self._statements is None:
            return {"probability": probability}
        statement = self._statements.read(described)
        aim = is_aim(row.text)
        said: dict[str, str | float] = {"status": "aim" if aim else statement.flag or "asserted"}
        if self._pair.molecules:
            says, agent = "" if aim else statement.direction, statement.agent
        else:
            first, second = sorted((row.e1, row.e2))
            says, agent = direction(row.text, first, second)
            if says:
                hedged = is_hedged(row.text, first, second)
                said["status"] = "speculated" if hedged else "asserted"
        if says:
            said["polarity"] = says
        if says in DIRECTED:
            said["agent"] = self._named(row)[agent][2]
        return {"probability": probability} | said

    def pooled(self) -> str:
        """Return the counts of the polarities of the pair's sentences, in a line."""
        said = self.statements(self._pair.hits.ids.tolist())
        counts = Counter(str(one.get("polarity", "")) for one in said)
        records = len(set(map(owner, self._pair.hits.ids.tolist())))
        told = [
            f"{n} {_SAID.get(says, says if n == 1 else says.removesuffix('s'))}"
            for says, n in counts.most_common()
            if says
        ]
        if counts[""]:
            told.append(f"{counts['']} of no direction")
        return f"in {_sentences(len(said))} of {records} records: {', '.join(told)}"

    def _named(self, row: Candidate) -> list[tuple[int, int, str]]:
        """Return both mentions in the order of the text, each with the name of the query."""
        return sorted(((*row.e1, self._pair.names[0]), (*row.e2, self._pair.names[1])))
