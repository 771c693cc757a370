"""Kernels of themes, with the records that are relevant to the same topic as qrels."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final

import numpy as np

from relsent_ir.datasets.catalogue import data_path
from relsent_ir.hits import Hits, Run
from relsent_ir.records import read_records
from relsent_ir.trec import Qrels, read_cystic_fibrosis_qrels

SETS: Final = ("cystic fibrosis", "drug reviews", "OHSUMED classes")
DEPTH: Final = 1000
CONDENSED_DEPTH: Final = 10_000  # hits of which those with a class are kept

Groups = dict[str, set[str]]
"""Ids of records by what they are about."""


@dataclass(frozen=True)
class Kernels:
    """Records that a system is to find more of.

    Attributes
    ----------
    collection : str
    qrels : Qrels
        By topic, which is a group and a kernel of it: the other records of the group.
    kernel : dict of str to str
        The kernel of each topic.
    judged : set of str
        The only records that count; all if empty.
    """

    collection: str
    qrels: Qrels
    kernel: dict[str, str]
    judged: frozenset[str] = frozenset()

    @property
    def depth(self) -> int:
        """How many hits are needed of each kernel."""
        return CONDENSED_DEPTH if self.judged else DEPTH

    @property
    def ids(self) -> list[str]:
        """The kernels, each once."""
        return list(dict.fromkeys(self.kernel.values()))

    def run(self, found: Mapping[str, Hits]) -> Run:
        """Turn hits by kernel into a run by topic, without what was not judged."""
        run = Run()
        for topic, kernel in self.kernel.items():
            hits = found.get(kernel)
            if hits is None:
                continue
            if self.judged:
                kept = np.array([name in self.judged for name in hits.ids], dtype=bool)
                hits = Hits(hits.ids[kept], hits.scores[kept])
            run[topic] = hits.head(DEPTH)
        return run


def cystic_fibrosis_groups() -> Groups:
    """The records that any judge found relevant, by query."""
    qrels = read_cystic_fibrosis_qrels(data_path("cystic-fibrosis", "cfquery"))
    return {query: {name for name, g in of.items() if g} for query, of in qrels.items()}


def labelled_groups() -> tuple[Groups, Groups]:
    """Drug reviews with the records that passed abstract screening; OHSUMED's classes."""
    drugs: Groups = {}
    classes: Groups = {}
    for record in read_records(data_path("abstracts", "abstracts.jsonl.gz")):
        for label in record.labels:
            if found := re.fullmatch(r"Cohen:(\w+):abstract=1", label):
                drugs.setdefault(found[1], set()).add(record.id)
            elif re.fullmatch(r"C\d\d", label):
                classes.setdefault(label, set()).add(record.id)
    return drugs, classes


def halves(groups: Iterable[str]) -> tuple[list[str], list[str]]:
    """Split groups into those for development and those for the test: every other one."""
    names = sorted(groups, key=lambda name: (len(name), name))
    return names[::2], names[1::2]


def draw(
    collection: str,
    groups: Mapping[str, set[str]],
    names: Iterable[str],
    count: int,
    *,
    condensed: bool = False,
    seed: int = 0,
) -> Kernels:
    """Draw kernels at random.

    Parameters
    ----------
    collection : str
    groups : mapping of str to set of str
    names : iterable of str
        The groups to draw from; those of one record are passed over.
    count : int
        Kernels a group.
    condensed : bool
        Only records that are in some group count.
    seed : int
    """
    chance = np.random.default_rng(seed)
    qrels: Qrels = {}
    kernel = {}
    for name in names:
        ids = sorted(groups[name])
        if len(ids) < 2:
            continue
        for place in chance.choice(len(ids), min(count, len(ids)), replace=False).tolist():
            topic = f"{name}/{ids[place]}"
            kernel[topic] = ids[place]
            qrels[topic] = dict.fromkeys(sorted(groups[name] - {ids[place]}), 1)
    judged = frozenset().union(*groups.values()) if condensed else frozenset()
    return Kernels(collection, qrels, kernel, judged)
