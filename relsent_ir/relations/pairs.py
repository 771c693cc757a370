"""Many pairs of entities: of each, the sentences of a collection that relate them, ranked."""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from relsent_ir.executor import Executor
from relsent_ir.hits import Hits
from relsent_ir.lucene.read.collection import Indexes
from relsent_ir.lucene.read.filters import Filters
from relsent_ir.rank import Evidence, Span
from relsent_ir.relations.candidates import Candidate
from relsent_ir.relations.describing import Described, Settings, describe
from relsent_ir.relations.finding import Finder
from relsent_ir.relations.names import Form, read_synonyms
from relsent_ir.relations.ranker import Ranker, open_ranker
from relsent_ir.relations.statements import Statements, packaged_statements

BATCH: Final = 64
"""Pairs that are searched and ranked at once."""


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


def rank_pairs(
    finder: Finder,
    ranker: Ranker,
    pairs: Sequence[tuple[str, str]],
    k: int | None = None,
    *,
    by_record: bool = False,
) -> Iterator[RelatedPair]:
    """Yield each pair with its sentences, ranked by how clearly they relate the two.

    Parameters
    ----------
    finder : Finder
    ranker : Ranker
    pairs : sequence of (str, str)
    k : int, optional
        So many hits of each pair at most.
    by_record : bool
        Of each record only its best sentence.
    """
    for start in range(0, len(pairs), BATCH):
        batch = pairs[start : start + BATCH]
        groups = [str(start + n + 1) for n in range(len(batch))]
        found = finder.find(batch, groups)
        scores = iter(ranker.score([c for one in found for c in one.candidates]).tolist())
        for group, names, one in zip(groups, batch, found, strict=True):
            best: dict[str, tuple[float, Candidate]] = {}
            for candidate in one.candidates:
                score = next(scores)
                if candidate.id not in best or score > best[candidate.id][0]:
                    best[candidate.id] = score, candidate
            records = Counter(record_of(name) for name in best)
            hits = Hits.ranked(best.keys(), [score for score, _ in best.values()])
            kept: dict[str, float] = {}
            seen: set[str] = set()
            for name, score in zip(hits.ids, hits.scores, strict=True):
                if not (by_record and record_of(name) in seen) and (k is None or len(kept) < k):
                    kept[name] = float(score)
                seen.add(record_of(name))
            shown = Hits.ranked(kept.keys(), kept.values())
            stated = ranker.learned.probabilities(shown.scores).tolist()
            yield RelatedPair(
                group,
                names,
                one.forms,
                len(best),
                len(records),
                shown,
                dict(zip(shown.ids.tolist(), stated, strict=True)),
                {name: best[name][1] for name in kept},
            )


@dataclass(frozen=True)
class Asked:
    """What is asked of many pairs, and of what.

    Attributes
    ----------
    collection : Indexes or Path
        A path, to cross to other processes.
    ranker : Ranker, Path or None
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
    ranker: Ranker | Path | None
    k: int | None = None
    by_record: bool = False
    literal: bool = False
    synonyms: tuple[Path, ...] = ()
    filters: Filters | None = None
    directed: bool = False

    def by_path(self, index: Path, model: Path | None) -> "Asked":
        """Give the same, of what is named by path."""
        folder = model.absolute() if model and model.exists() else model
        words = tuple(path.absolute() for path in self.synonyms)
        return replace(self, collection=index.absolute(), ranker=folder, synonyms=words)

    def make(self) -> Callable[[Sequence[tuple[str, str]]], list[RelatedPair]]:
        """Open what is named by path; give what ranks pairs, numbered from 1."""
        known = read_synonyms(*self.synonyms)
        where = self.collection
        collection = Indexes(where) if isinstance(where, Path) else where
        ranker = self.ranker if isinstance(self.ranker, Ranker) else open_ranker(self.ranker)
        finder = Finder(
            collection,
            known,
            literal=self.literal,
            filters=self.filters,
            directed=self.directed,
        )
        return lambda pairs: list(
            rank_pairs(finder, ranker, pairs, self.k, by_record=self.by_record)
        )


def ranked_pairs(
    asked: Asked, pairs: Sequence[tuple[str, str]], executor: Executor
) -> Iterator[RelatedPair]:
    """Yield each pair with its sentences, as `rank_pairs` does, some found here and some there."""
    batches = (pairs[start : start + BATCH] for start in range(0, len(pairs), BATCH))
    done = 0
    for found in executor.map(asked.make, batches):
        for pair in found:
            yield replace(
                pair,
                group=str(done + int(pair.group)),
                best={
                    name: replace(one, group=str(done + int(one.group)))
                    for name, one in pair.best.items()
                },
            )
        done += len(found)


class PairEvidence:
    """What the sentences of a pair say: how they state the relation, both names, the pattern.

    Parameters
    ----------
    pair : RelatedPair
    ranker : Ranker
    statements : Statements, optional
        The package's by default; where it has none, only the probability is told.
    """

    def __init__(
        self, pair: RelatedPair, ranker: Ranker, statements: Statements | None = None
    ) -> None:
        self._pair = pair
        self._ranker = ranker
        self._statements = statements or packaged_statements()

    def evidence(self, collection: Indexes, topic: str, hits: Hits) -> list[Evidence]:  # noqa: ARG002 (of the protocol)
        """Return the statement of the relation in each sentence."""
        found = []
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
            found.append(Evidence(row.id, row.text, spans, values))
        return found

    def statements(self, ids: Sequence[str]) -> list[dict[str, str | float]]:
        """Give how sentences state the relation: probability, status, polarity, agent."""
        return [self._said(row, described) for row, described in self._described(ids)]

    def _described(self, ids: Sequence[str]) -> Iterator[tuple[Candidate, Described]]:
        rows = [self._pair.best[name] for name in ids]
        settings = Settings(simplify=self._ranker.settings.simplify)
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
        """Both mentions in the order of the text, each with the name that was asked for."""
        return sorted(((*row.e1, self._pair.names[0]), (*row.e2, self._pair.names[1])))


def record_of(sentence: str) -> str:
    """Give the record that a sentence is of."""
    return sentence.rpartition(".")[0]
