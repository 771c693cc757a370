"""Pairs of entities: sentences that mention both, ranked by how clearly they relate them."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from itertools import zip_longest
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypedDict

from relsent_ir.executor import Executor
from relsent_ir.hits import Hits, Run, owner
from relsent_ir.lucene.read.collection import Indexes
from relsent_ir.lucene.read.filters import Filters
from relsent_ir.methods import Relations
from relsent_ir.rank import Evidence, Span
from relsent_ir.relations.candidates import Candidate
from relsent_ir.relations.describing import Described, FeatureSettings, describe
from relsent_ir.relations.finding import Finder
from relsent_ir.relations.names import Form, count_sentences
from relsent_ir.relations.patterns import form_text
from relsent_ir.relations.ranker import RelationRanker, open_ranker
from relsent_ir.relations.statements import Statements, packaged_statements
from relsent_ir.text.cues import leaves_open

if TYPE_CHECKING:
    from relsent_ir.rank import Collection


def rank(candidates: Sequence[Candidate], scores: Iterable[float], k: int | None = None) -> Run:
    """Turn scored candidates into a run: groups become topics, sentences become documents.

    Parameters
    ----------
    candidates : sequence of Candidate
        Candidates with the same group and id are mentions in one sentence, whose best score counts.
    scores : iterable of float
        One for each candidate.
    k : int, optional
        Largest number of hits for each group.
    """
    best: dict[str, dict[str, float]] = {}
    for candidate, score in zip(candidates, scores, strict=True):
        group = best.setdefault(candidate.group, {})
        group[candidate.id] = max(float(score), group.get(candidate.id, float(score)))
    return Run((group, Hits.ranked(of.keys(), of.values(), k)) for group, of in best.items())


POOLED: Final = 200
"""Number of the clearest sentences of a pair whose polarities are counted."""

DIRECTED: Final = ("increases", "decreases")
_SAID: Final = {"binds": "binding"}

BATCH: Final = 64
"""Pairs that are searched and ranked at once."""


class PairFacts(TypedDict):
    """The facts of a pair of entities.

    Attributes
    ----------
    names : list of list of str
        The names under which each entity was searched.
    searched : list of list of dict
        The names, each with its origin (`Form`).
    sentences, records : int
        Numbers of sentences and of records that mention both.
    note : str
        The reason why sentences are missing, or "" if none are.
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
        The number of the pair, from 1: the topic of a run.
    names : (str, str)
    forms : list of list of Form
        The names under which each entity was searched.
    sentences, records : int
        Numbers of sentences and of records that mention both.
    hits : Hits
        Sentences in order of clearness.
    probabilities : dict of str to float
        The probability that each sentence states the relation.
    best : dict of str to Candidate
        The best pair of mentions in each sentence.
    note : str
        The reason why sentences are missing, or "" if none are.
    molecules : bool
        Whether both are genes or proteins (`Finder.is_molecule`).
    seen : dict of str to Described
        The models' input for the best mentions; empty unless the mentions ranked were limited.
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
    seen: Mapping[str, Described] = field(default_factory=dict)

    @property
    def facts(self) -> PairFacts:
        """The facts of the pair, without sentences."""
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
    most: int | None = None,
) -> Iterator[RelatedPair]:
    """Yield each pair with its sentences, ranked by how clearly they relate the two.

    Parameters
    ----------
    finder : Finder
    ranker : RelationRanker
    pairs : sequence of (str, str)
    k : int, optional
        Largest number of hits for each pair.
    by_record : bool
        Whether to return only the best sentence of each record.
    first : int
        The number that the first pair gets.
    most : int, optional
        Largest number of mentions of each pair that are ranked: those in the shortest sentences.
    """
    for start in range(0, len(pairs), BATCH):
        batch = pairs[start : start + BATCH]
        groups = [str(first + start + n) for n in range(len(batch))]
        mentioned = finder.find(batch, groups)
        ranked_of = [m.candidates for m in mentioned]
        if most is not None:
            ranked_of = [sorted(of, key=lambda c: len(c.text))[:most] for of in ranked_of]
        seen: list[Described] | None = None
        if most is not None and ranker.settings == FeatureSettings():  # as `PairEvidence` needs
            seen = []
        scores = ranker.score([c for few in ranked_of for c in few], seen=seen).tolist()
        scored = iter(zip_longest(scores, seen or ()))
        for group, names, mentions, few in zip(groups, batch, mentioned, ranked_of, strict=True):
            best: dict[str, tuple[float, Candidate, Described | None]] = {}
            for candidate in few:
                score, view = next(scored)
                if candidate.id not in best or score > best[candidate.id][0]:
                    best[candidate.id] = score, candidate, view
            ranked = Hits.ranked(best.keys(), [score for score, *_ in best.values()])
            sentences = {candidate.id for candidate in mentions.candidates}
            of_record = {owner(name): name for name in reversed(ranked.ids.tolist())}
            ids = list(of_record.values() if by_record else best)
            hits = Hits.ranked(ids, [best[name][0] for name in ids], k)
            probabilities = ranker.learned.probabilities(hits.scores).tolist()
            yield RelatedPair(
                group,
                names,
                mentions.forms,
                len(sentences),
                len(set(map(owner, sentences))),
                hits,
                dict(zip(hits.ids.tolist(), probabilities, strict=True)),
                {name: best[name][1] for name in hits.ids},
                mentions.note,
                all(map(finder.is_molecule, names)),
                {name: view for name in hits.ids if (view := best[name][2])},
            )


@dataclass(frozen=True)
class PairQuery:
    """The settings of a query for many pairs: collection, ranker, and how names are searched.

    Attributes
    ----------
    collection : Indexes or Path
        A path can be passed to other processes.
    ranker : RelationRanker, Path or None
        A ranker, or the folder of a model, which can be passed too; None for the packaged one.
    method : Relations
        The method; its model has no effect.
    k : int or None
        Largest number of hits for each pair.
    filters : Filters or None
    """

    collection: Indexes | Path
    ranker: RelationRanker | Path | None
    method: Relations = Relations()
    k: int | None = None
    filters: Filters | None = None

    def by_path(self, index: Path, model: Path | None) -> "PairQuery":
        """Return the query with paths in place of the collection and the ranker."""
        folder = model.absolute() if model and model.exists() else model
        method = self.method
        if method.synonyms:
            paths = (str(Path(path).absolute()) for path in method.synonyms.split(","))
            method = replace(method, synonyms=",".join(paths))
        return replace(self, collection=index.absolute(), ranker=folder, method=method)

    def make(self) -> Callable[[tuple[int, Sequence[tuple[str, str]]]], list[RelatedPair]]:
        """Open collection and ranker; return a function that ranks pairs from a number on."""
        place, model, method = self.collection, self.ranker, self.method
        ranker = model if isinstance(model, RelationRanker) else open_ranker(model)
        collection = Indexes(place) if isinstance(place, Path) else place
        finder = Finder.of(collection, method, filters=self.filters, directed=method.directed)
        by_record = method.group == "record"
        return lambda batch: list(
            rank_pairs(finder, ranker, batch[1], self.k, by_record=by_record, first=batch[0])
        )


def ranked_pairs(
    query: PairQuery, pairs: Sequence[tuple[str, str]], executor: Executor
) -> Iterator[RelatedPair]:
    """Yield each pair with its sentences, like `rank_pairs`, from the workers of an executor."""
    starts = range(0, len(pairs), BATCH)
    batches = ((start + 1, pairs[start : start + BATCH]) for start in starts)
    for ranked in executor.map(query.make, batches):
        yield from ranked


@dataclass(frozen=True)
class PairEvidence:
    """Give evidence for the sentences of a pair: the statement, both names, the pattern.

    Parameters
    ----------
    pair : RelatedPair
    ranker : RelationRanker
    """

    _pair: RelatedPair
    _ranker: RelationRanker
    _statements: Statements | None = field(default_factory=packaged_statements)

    def evidence(self, collection: "Collection", topic: str, hits: Hits) -> list[Evidence]:  # noqa: ARG002 (of the protocol)
        """Return the statement of the relation in each sentence."""
        evidence = []
        for row, described in self.described(hits.ids.tolist()):
            values: dict[str, str | float | list[str]] = {**self.said(row, described)}
            if described.evidence:
                first = described.evidence[0]
                pattern = first.match.pattern
                values |= {"group": pattern.group, "pattern": pattern.text, "level": first.level}
                values["rules"] = list(first.form.rules)
                if first.form.rules:
                    values["simplified"] = form_text(first.form, described.structure)
            spans = tuple(Span(start, end, name) for start, end, name in self._named(row))
            evidence.append(Evidence(row.id, row.text, spans, values))
        return evidence

    def statements(self, ids: Sequence[str]) -> list[dict[str, str | float]]:
        """Return how each sentence states the relation: probability, status, polarity, agent."""
        return [self.said(row, described) for row, described in self.described(ids)]

    def to_row(self, place: int = 0) -> dict[str, Any]:
        """Return the pair's row for a table, with the sentence at `place` and both names marked."""
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
        """Yield the best mentions in each sentence, with the models' input for them."""
        rows = [self._pair.best[name] for name in ids]
        if self._pair.seen:
            return zip(rows, map(self._pair.seen.__getitem__, ids), strict=True)
        settings = FeatureSettings(simplify=self._ranker.settings.simplify)
        return zip(rows, describe(rows, self._ranker.parser, settings), strict=True)

    def said(self, row: Candidate, described: Described) -> dict[str, str | float]:
        """Return how a described sentence states the relation."""
        probability = round(self._pair.probabilities[row.id], 2)
        if self._statements is None:
            return {"probability": probability}
        statement = self._statements.read(described)
        aim = leaves_open(row.text)
        said: dict[str, str | float] = {"status": "aim" if aim else statement.flag or "asserted"}
        says = statement.direction if self._pair.molecules and not aim else ""
        if says:
            said["polarity"] = says
        if says in DIRECTED:
            said["agent"] = self._named(row)[statement.agent][2]
        return {"probability": probability} | said

    def pooled(self) -> str:
        """Return the counts of the polarities of the pair's sentences in one line."""
        ids = self._pair.hits.ids.tolist()
        counts = Counter(str(said.get("polarity", "")) for said in self.statements(ids))
        parts = [
            f"{n} {_SAID.get(says, says if n == 1 else says.removesuffix('s'))}"
            for says, n in counts.most_common()
            if says
        ]
        if counts[""]:
            parts.append(f"{counts['']} of no direction")
        records = len(set(map(owner, ids)))
        return f"in {count_sentences(len(ids))} of {records} records: {', '.join(parts)}"

    def _named(self, row: Candidate) -> list[tuple[int, int, str]]:
        """Return both mentions in text order, each with the name in the query."""
        return sorted(((*row.e1, self._pair.names[0]), (*row.e2, self._pair.names[1])))
