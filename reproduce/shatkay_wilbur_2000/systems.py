"""Runs from kernels: published themes, our themes, and their peers."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np

from recipes.data import data_path
from relsent_ir import themes
from relsent_ir.citation.similar import document_terms, find_similar
from relsent_ir.feedback.search import FeedbackSearcher
from relsent_ir.hits import Hits, Run
from relsent_ir.lucene.read.collection import Indexes
from relsent_ir.lucene.read.index import Index
from relsent_ir.lucene.read.search import Searcher
from relsent_ir.methods import Rocchio
from relsent_ir.records import read_records
from relsent_ir.trec import Evaluation, Qrels, read_cystic_fibrosis_qrels
from relsent_ir.typing import Floats

SETS: Final = ("cystic fibrosis", "drug reviews", "OHSUMED classes")
DEPTH: Final = 1000
CONDENSED_DEPTH: Final = 10_000  # hits of which those with a class are kept

Groups = dict[str, set[str]]
"""Ids of records by subject."""


@dataclass(frozen=True)
class Kernels:
    """Records for which systems search similar ones.

    Attributes
    ----------
    collection : str
    qrels : Qrels
        The other records of the group, by topic; a topic is a group and a kernel of it.
    kernel : dict of str to str
        The kernel of each topic.
    judged : set of str
        The only records that count; all count if it is empty.
    """

    collection: str
    qrels: Qrels
    kernel: dict[str, str]
    judged: frozenset[str] = frozenset()

    @property
    def depth(self) -> int:
        """The number of hits that each kernel needs."""
        return CONDENSED_DEPTH if self.judged else DEPTH

    @property
    def ids(self) -> list[str]:
        """The kernels, each once."""
        return list(dict.fromkeys(self.kernel.values()))

    def run(self, by_kernel: Mapping[str, Hits]) -> Run:
        """Turn hits by kernel into a run by topic, without unjudged records."""
        run = Run()
        for topic, kernel in self.kernel.items():
            hits = by_kernel.get(kernel)
            if hits is None:
                continue
            if self.judged:
                judged = np.array([name in self.judged for name in hits.ids], dtype=bool)
                hits = Hits(hits.ids[judged], hits.scores[judged])
            run[topic] = hits.head(DEPTH)
        return run


def cystic_fibrosis_groups() -> Groups:
    """Return the records that any judge found relevant, by query."""
    qrels = read_cystic_fibrosis_qrels(data_path("cystic-fibrosis", "cfquery"))
    return {query: {name for name, g in of.items() if g} for query, of in qrels.items()}


def labelled_groups() -> tuple[Groups, Groups]:
    """Return drug reviews with records that passed abstract screening, and OHSUMED's classes."""
    drugs: Groups = {}
    classes: Groups = {}
    for record in read_records(data_path("abstracts", "abstracts.jsonl.gz")):
        for label in record.labels:
            if match := re.fullmatch(r"Cohen:(\w+):abstract=1", label):
                drugs.setdefault(match[1], set()).add(record.id)
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
        The groups to draw from; those of one record are skipped.
    count : int
        Kernels of each group.
    condensed : bool
        Only records of groups count.
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


Known = dict[themes.ThemeTopic, Floats]
"""Similarities of records to topics that a `ThemeFinder` reuses."""

PLOT: Final = "shatkay-wilbur-2000"
"""Prefix of the names of the page's plots."""

MEASURES: Final = ("map", "P_10")

ALONE: Final = 1.5  # records on theme: fewer, and the kernel is alone
EXPLODED: Final = 0.1  # of all records


@dataclass(frozen=True)
class Variant:
    """A way to find themes."""

    settings: themes.ThemeSettings
    terms: themes.Terms

    @contextmanager
    def open(self, index: Path, known: Known | None = None) -> Iterator[themes.ThemeFinder]:
        """Open a finder of such themes in an index."""
        with Indexes(index) as collection:
            yield themes.ThemeFinder(collection, self.settings, self.terms, known=known)


PUBLISHED: Final = Variant(themes.ThemeSettings(), themes.Terms())
OURS: Final = Variant(themes.IMPROVED, themes.Terms(themes.IMPROVED_FIELDS))


@dataclass(frozen=True)
class Found:
    """A variant's run, and facts of its themes.

    Attributes
    ----------
    run : Run
        By topic.
    sizes : list of float
        Numbers of records on theme, by kernel.
    iterations : list of int
    records : int
        Number of the collection's records.
    """

    run: Run
    sizes: list[float]
    iterations: list[int]
    records: int

    @property
    def alone(self) -> float:
        """The share of kernels that are alone in their theme."""
        return sum(size < ALONE for size in self.sizes) / len(self.sizes)

    @property
    def exploded(self) -> float:
        """The share of themes that hold more than a tenth of the records."""
        return sum(size > EXPLODED * self.records for size in self.sizes) / len(self.sizes)


def find(finder: themes.ThemeFinder, kernels: Kernels) -> Found:
    """Find the themes of kernels."""

    def read(_topic: themes.ThemeTopic, theme: themes.Theme) -> tuple[Hits, float, int]:
        hits = themes.records_on_theme(finder.matrix, theme, kernels.depth)
        return hits, theme.sizes[-1], len(theme.sizes)

    topics = {name: themes.ThemeTopic((name,)) for name in kernels.ids}
    themes_of = finder.find(topics, read)
    hits, sizes, iterations = zip(*themes_of.values(), strict=True)
    run = kernels.run(dict(zip(themes_of, hits, strict=True)))
    return Found(run, list(sizes), list(iterations), len(finder.index))


def peers(index: Index, kernels: Kernels) -> dict[str, Run]:
    """Rank by the peers: BM25, Lucene's more like this, Rocchio from the kernel, pmra."""
    ids, k = kernels.ids, kernels.depth
    collection = Indexes.of(index)
    runs = {
        "BM25, all terms": find_similar(collection, ids, "bm25", k),
        "BM25, more like this": find_similar(collection, ids, "more-like-this", k),
        "Rocchio": _rocchio(index, ids, k),
        "pmra": find_similar(collection, ids, "pmra", k),
    }
    return {name: kernels.run(run) for name, run in runs.items()}


def _rocchio(index: Index, ids: Sequence[str], k: int) -> Run:
    searcher = FeedbackSearcher(Searcher(index), index, Rocchio())
    terms = {
        name: {term: float(count) for term, count in counts.items()}
        for name, counts in document_terms(index, ids).items()
    }
    run = searcher.search(terms, k + 1)
    return Run((name, hits.without(name).head(k)) for name, hits in run.items())


def scores(evaluation: Evaluation) -> list[str]:
    """Write the means of `MEASURES`."""
    return [f"{evaluation.summary[measure]:.4f}" for measure in MEASURES]
