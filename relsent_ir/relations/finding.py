"""From two entities to a ranking: sentences of an index that mention both, and runs of groups."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice, product
from typing import Final

from relsent_ir.hits import Hits, Run
from relsent_ir.lucene.collection import Collection
from relsent_ir.lucene.search import Searcher
from relsent_ir.records import Record
from relsent_ir.relations.candidates import Candidate
from relsent_ir.relations.names import Names, with_abbreviations

RECORDS: Final = 200
"""BM25's first records for a name, in which its abbreviations are looked for."""

SENTENCES: Final = 200_000
"""BM25's first sentences for the names of an entity; those found for both are read."""

_MENTIONS: Final = 12
"""Pairs of mentions of one sentence, at most."""


@dataclass(frozen=True)
class Mentions:
    """The sentences that mention two entities.

    Attributes
    ----------
    names : list of list of str
        The names under which each entity was looked for.
    candidates : list of Candidate
        One for each pair of mentions; their group is "1".
    """

    names: list[list[str]]
    candidates: list[Candidate]


def find_mentions(
    collection: Collection, entities: Sequence[str], *, literal: bool = False
) -> Mentions:
    """Find the sentences of a collection that mention both of two entities.

    Parameters
    ----------
    collection : Collection
    entities : sequence of two str
    literal : bool
        No abbreviations: only the spellings of `Names`.
    """
    names = [
        [entity] if literal else with_abbreviations(entity, _records(collection, entity))
        for entity in entities
    ]
    searcher = Searcher(collection.sentences)
    topics = {str(n): " ".join(_spellings(known)) for n, known in enumerate(names)}
    first, second = (set(hits.ids) for hits in searcher.search(topics, SENTENCES).values())
    ids = sorted(first & second)
    one, other = (Names(known) for known in names)
    found: list[Candidate] = []
    for name, text in zip(ids, collection.texts(ids), strict=True):
        pairs = (
            (a, b)
            for a, b in product(one.find(text), other.find(text))
            if a[1] <= b[0] or b[1] <= a[0]
        )
        found += [Candidate("1", name, text, a, b) for a, b in islice(pairs, _MENTIONS)]
    return Mentions(names, found)


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


def _records(collection: Collection, name: str) -> Iterator[Record]:
    hits = Searcher(collection.abstracts).search({"": name}, RECORDS)[""]
    yield from collection.records(list(hits.ids))


def _spellings(names: Sequence[str]) -> Iterator[str]:
    """Give names with and without hyphens, as an analyzer splits at them: IL-2, IL2."""
    for name in names:
        yield name
        if "-" in name:
            yield name.replace("-", "")
