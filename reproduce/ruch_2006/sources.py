"""Sources of feedback's terms that only experiments need."""

from collections.abc import Mapping, Sequence
from typing import Final

import numpy as np

from relsent_ir.feedback import Pool, Source
from relsent_ir.feedback.pool import Topic
from relsent_ir.feedback.sources import TITLE, Tags
from relsent_ir.hits import Run
from relsent_ir.lucene.read.index import Index

POOLS: Final = 16


class Remembering:
    """A source that gives the last pools again, as settings that differ in other things ask for."""

    def __init__(self, source: Source) -> None:
        self._source = source
        self._pools: dict[tuple[tuple[str, ...], ...], Pool] = {}

    def pool(self, topics: Mapping[str, Topic], tops: Run) -> Pool:
        """Read the texts of each topic's feedback documents, or remember them."""
        key = tuple((topic, *tops[topic].ids) for topic in topics)
        if key not in self._pools:
            if len(self._pools) == POOLS:
                del self._pools[next(iter(self._pools))]
            self._pools[key] = self._source.pool(topics, tops)
        return self._pools[key]


class Shuffled(Tags):
    """The same moves, dealt out at random among the sentences of each abstract: a control."""

    def __init__(self, index: Index, tags: Tags) -> None:
        super().__init__(index)
        self._real = tags

    def of(self, documents: Sequence[str]) -> list[list[tuple[str, str, float]]]:
        """Give each document's sentences, each with the move of another one."""
        found = []
        for name, tagged in zip(documents, self._real.of(documents), strict=True):
            titles = [sentence for sentence in tagged if sentence[1] == TITLE]
            rest = tagged[len(titles) :]
            order = np.random.default_rng([*name.encode()]).permutation(len(rest))
            moves = [rest[place][1:] for place in order]
            found.append(titles + [(s[0], *move) for s, move in zip(rest, moves, strict=True)])
        return found
