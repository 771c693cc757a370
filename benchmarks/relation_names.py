"""Recall of names: of the sentences that name two entities, those that a search finds.

The entities, regular expressions of their spellings, and 60 pairs are in relation_names.tsv. Gold
are all sentences of an index in which both expressions match, at places that do not overlap. Times
are of names of up to 5,000 sentences each, in a process that was asked for 200 other pairs before.

Run ``python -m benchmarks.relation_names INDEX``, with the index of the abstracts collection.
"""

import random
import re
import sys
import time
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path

from benchmarks.common import print_table
from relsent_ir.lucene.read.collection import Indexes
from relsent_ir.relations import open_ranker
from relsent_ir.relations.finding import Finder
from relsent_ir.relations.pairs import rank_pairs
from relsent_ir.relations.ranker import RelationRanker

BATCH = 20_000
OTHERS = 200
LARGEST = 5_000
LEAST = 0.95


@dataclass(frozen=True)
class Entity:
    """Spellings of an entity: the expression that finds it, and the names to search.

    Attributes
    ----------
    gold : re.Pattern
    spellings : list of str
    """

    gold: re.Pattern[str]
    spellings: list[str]


def read_gold() -> tuple[dict[str, Entity], list[tuple[str, str]]]:
    """Read the entities, and the pairs."""
    text = Path(__file__).with_suffix(".tsv").read_text(encoding="utf-8")
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
    collection: Indexes, entities: Mapping[str, Entity], pairs: list[tuple[str, str]]
) -> list[set[str]]:
    """Find the sentences of each pair by the expressions, in all sentences of a collection."""
    gold: list[set[str]] = [set() for _ in pairs]
    ids = collection.sentences.ids()
    for start in range(0, len(ids), BATCH):
        batch = ids[start : start + BATCH]
        for name, text in zip(batch, collection.texts(batch), strict=True):
            spans = {
                key: [match.span() for match in entity.gold.finditer(text)]
                for key, entity in entities.items()
                if entity.gold.search(text)
            }
            for n, (one, other) in enumerate(pairs):
                if one in spans and other in spans and apart(spans[one], spans[other]):
                    gold[n].add(name)
    return gold


def apart(one: list[tuple[int, int]], other: list[tuple[int, int]]) -> bool:
    """Return whether a span of one does not overlap some span of the other."""
    return any(a[1] <= b[0] or b[1] <= a[0] for a in one for b in other)


def way(entity: Entity, n: int) -> str:
    """Return the entity's n-th spelling; its last one if it has fewer."""
    return entity.spellings[min(n, len(entity.spellings) - 1)]


def warm_up(collection: Indexes, ranker: RelationRanker) -> None:
    """Ask for pairs of other names, as a process that runs has done."""
    text = Path(__file__).with_name("single_names.tsv").read_text(encoding="utf-8")
    rows = [line.split("\t") for line in text.splitlines() if not line.startswith("#")]
    names = [row[2].split("|")[0] for row in rows]
    others = random.Random(0).sample(list(combinations(names, 2)), OTHERS)
    finder = Finder(collection)
    for names_of_pair in others:
        list(rank_pairs(finder, ranker, [names_of_pair], 10))


def main() -> None:
    """Print the tables."""
    entities, pairs = read_gold()
    ranker = open_ranker()
    rows, below, times = [], [], []
    with Indexes(Path(sys.argv[1])) as collection:
        gold = gold_sentences(collection, entities, pairs)
        for literal in (True, False):
            finder = Finder(collection, literal=literal)
            for n in range(max(len(entity.spellings) for entity in entities.values())):
                asked = [(way(entities[a], n), way(entities[b], n)) for a, b in pairs]
                recall = []
                hits = sentences = 0
                for names, right in zip(asked, gold, strict=True):
                    found = {candidate.id for candidate in finder.find([names])[0].candidates}
                    hits += len(found & right)
                    sentences += len(found)
                    recall.append(len(found & right) / len(right))
                    if literal and recall[-1] < LEAST:
                        below.append([" + ".join(names), str(len(right)), f"{recall[-1]:.3f}"])
                total = sum(map(len, gold))
                kind = "as given" if literal else "and abbreviations"
                row = [f"spelling {n + 1}, {kind}", str(total), str(sentences)]
                mean = sum(recall) / len(recall)
                rows.append([*row, f"{hits / total:.4f}", f"{mean:.4f}", f"{min(recall):.3f}"])
        warm_up(collection, ranker)
        finder = Finder(collection)
        asked = [(way(entities[a], 0), way(entities[b], 0)) for a, b in pairs]
        spent: dict[str, list[float]] = {"new names": [], "names asked before": []}
        for known in spent.values():
            for names in asked:
                start = time.process_time()
                list(rank_pairs(finder, ranker, [names], 10))
                known.append(1000 * (time.process_time() - start))
        few = [max(map(finder.count_literally, names)) <= LARGEST for names in asked]
        for kind, values in spent.items():
            ordered = sorted(value for value, is_few in zip(values, few, strict=True) if is_few)
            figures = (ordered[len(ordered) // 2], sum(ordered) / len(ordered), ordered[-1])
            times.append([kind, *(f"{value:.0f}" for value in figures)])
    print_table(["", "gold", "found", "recall", "mean of pairs", "least"], rows)
    print_table([f"below {LEAST}, as given", "gold", "recall"], below)
    name = f"one of {sum(few)} pairs, ms of the processor"
    print_table([name, "median", "mean", "most"], times)


if __name__ == "__main__":
    main()
