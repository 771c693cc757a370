"""Recall of names: of the sentences that name two entities, those that a search finds."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from importlib.resources import files

from relsent_ir.lucene.collection import Collection
from relsent_ir.relations.finding import Finder

_BATCH = 20_000


@dataclass(frozen=True)
class Entity:
    """How an entity is written: what finds it, and what is searched.

    Attributes
    ----------
    gold : re.Pattern
    writings : list of str
    """

    gold: re.Pattern[str]
    writings: list[str]


@dataclass(frozen=True)
class Found:
    """What a pair's search found, of one way to write it.

    Attributes
    ----------
    names : (str, str)
    gold, hit, found : int
        Sentences that the expressions find, those of them that the search found, and all that it
        found.
    """

    names: tuple[str, str]
    gold: int
    hit: int
    found: int

    @property
    def recall(self) -> float:
        """Share of the gold that was found."""
        return self.hit / self.gold


def read_gold() -> tuple[dict[str, Entity], list[tuple[str, str]]]:
    """Read names.tsv: the entities, and the pairs."""
    text = (files("relsent_ir.experiments.tudor_2012") / "names.tsv").read_text(encoding="utf-8")
    entities: dict[str, Entity] = {}
    pairs: list[tuple[str, str]] = []
    for line in text.splitlines():
        columns = line.split("\t")
        if len(columns) == 3:
            gold = re.compile(rf"(?<![^\W_])(?:{columns[1]})(?![^\W_])", re.IGNORECASE)
            entities[columns[0]] = Entity(gold, columns[2].split("|"))
        elif len(columns) == 2:
            pairs.append((columns[0], columns[1]))
    return entities, pairs


def gold_sentences(
    collection: Collection, entities: Mapping[str, Entity], pairs: list[tuple[str, str]]
) -> list[set[str]]:
    """Find the sentences of each pair by the expressions, in all sentences of a collection."""
    gold: list[set[str]] = [set() for _ in pairs]
    ids = collection.sentences.ids()
    for start in range(0, len(ids), _BATCH):
        batch = ids[start : start + _BATCH]
        for name, text in zip(batch, collection.texts(batch), strict=True):
            spans = {
                key: found
                for key, entity in entities.items()
                if (found := [match.span() for match in entity.gold.finditer(text)])
            }
            for n, (one, other) in enumerate(pairs):
                if one in spans and other in spans and _apart(spans[one], spans[other]):
                    gold[n].add(name)
    return gold


def _apart(one: list[tuple[int, int]], other: list[tuple[int, int]]) -> bool:
    return any(a[1] <= b[0] or b[1] <= a[0] for a in one for b in other)


def measure(collection: Collection, *, literal: bool = False) -> Iterator[tuple[int, Found]]:
    """Yield the number of each way to write a pair, and what its search found.

    The first writings of both entities are the first way, the second ones the second; of an entity
    with fewer, its last.
    """
    entities, pairs = read_gold()
    finder = Finder(collection, literal=literal)
    for pair, gold in zip(pairs, gold_sentences(collection, entities, pairs), strict=True):
        both = [entities[name].writings for name in pair]
        for n in range(max(map(len, both))):
            names = (both[0][min(n, len(both[0]) - 1)], both[1][min(n, len(both[1]) - 1)])
            found = {c.id for c in finder.find([names])[0].candidates}
            yield n, Found(names, len(gold), len(gold & found), len(found))
