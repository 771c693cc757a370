"""Runs from kernels: themes as published and as we find them, and their peers."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from relsent_ir.citation.similar import document_terms, find_similar
from relsent_ir.feedback.rocchio import Rocchio
from relsent_ir.feedback.search import FeedbackSearcher
from relsent_ir.hits import Hits, Run
from relsent_ir.lucene.read.collection import Indexes
from relsent_ir.lucene.read.index import Index
from relsent_ir.lucene.read.search import Searcher
from relsent_ir.themes import (
    IMPROVED,
    IMPROVED_FIELDS,
    Settings,
    Terms,
    Theme,
    ThemeFinder,
    ThemeTopic,
    records_on_theme,
)
from relsent_ir.trec import Evaluation
from relsent_ir.typing import Floats
from reproduce.shatkay_wilbur_2000.kernels import Kernels

Known = dict[tuple[str, ThemeTopic], Floats]
"""What `ThemeFinder` knows of the records that are similar to topics."""

PLOT: Final = "shatkay-wilbur-2000"
"""How the names of the page's plots begin."""

MEASURES: Final = ("map", "P_10")

ALONE: Final = 1.5  # records on theme: fewer, and the kernel is alone
EXPLODED: Final = 0.1  # of all records


@dataclass(frozen=True)
class Variant:
    """A way to find themes."""

    settings: Settings
    terms: Terms

    def open(self, index: Path, known: Known | None = None) -> ThemeFinder:
        """Open the finder that finds them in an index."""
        return ThemeFinder(index, self.settings, self.terms, known=known)


PUBLISHED: Final = Variant(Settings(), Terms())
OURS: Final = Variant(IMPROVED, Terms(IMPROVED_FIELDS))

PAPER_OPTIONS: Final = {
    "published": PUBLISHED,
    "published, γ as printed": Variant(Settings(literal=True), Terms()),
    "published, without EM": Variant(Settings(max_iterations=1), Terms()),
    "published + MeSH": Variant(Settings(), OURS.terms),
    "published + kernel weight": Variant(Settings(kernel_weight=10), Terms()),
    "published + size": Variant(Settings(size=10, max_iterations=15), Terms()),
    "published + sharpness": Variant(Settings(sharpness=0.3), Terms()),
    "published + length": Variant(Settings(length=0.5), Terms()),
    "published + similarity": Variant(Settings(similarity=100), Terms()),
}
"""Options beside the paper's settings, which the ablation compares."""

OPTIONS: Final = {
    "ours": OURS,
    "ours − MeSH": Variant(IMPROVED, Terms()),
    "ours − kernel weight": Variant(replace(IMPROVED, kernel_weight=0), OURS.terms),
    "ours, size 3": Variant(replace(IMPROVED, size=3), OURS.terms),
    "ours, size 30": Variant(replace(IMPROVED, size=30), OURS.terms),
    "ours, size 100": Variant(replace(IMPROVED, size=100), OURS.terms),
    "ours − size": Variant(replace(IMPROVED, size=0), OURS.terms),
    "ours − sharpness": Variant(replace(IMPROVED, sharpness=1), OURS.terms),
    "ours + length": Variant(replace(IMPROVED, length=0.5), OURS.terms),
    "ours − similarity": Variant(replace(IMPROVED, similarity=0), OURS.terms),
    "ours, BM25 in the prior": Variant(replace(IMPROVED, similarity_by="bm25"), OURS.terms),
    "ours, similarity 50": Variant(replace(IMPROVED, similarity=50), OURS.terms),
    "ours, similarity 200": Variant(replace(IMPROVED, similarity=200), OURS.terms),
    "ours, without EM": Variant(replace(IMPROVED, max_iterations=1), OURS.terms),
}
"""Options beside ours."""


@dataclass(frozen=True)
class Found:
    """A variant's run, and what became of its themes.

    Attributes
    ----------
    run : Run
        By topic.
    sizes : list of float
        Records on theme, by kernel.
    iterations : list of int
    records : int
        Of the collection.
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


def find(finder: ThemeFinder, kernels: Kernels) -> Found:
    """Find the themes of kernels."""

    def read(_topic: ThemeTopic, theme: Theme) -> tuple[Hits, float, int]:
        hits = records_on_theme(finder.matrix, theme, kernels.depth)
        return hits, theme.size, len(theme.sizes)

    topics = {name: ThemeTopic((name,)) for name in kernels.ids}
    found = finder.find(topics, read)
    hits, sizes, iterations = zip(*found.values(), strict=True)
    run = kernels.run(dict(zip(found, hits, strict=True)))
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
    found = searcher.search(terms, k + 1)
    return Run((name, hits.without(name).head(k)) for name, hits in found.items())


def scores(evaluation: Evaluation) -> list[str]:
    """Write the means of `MEASURES`."""
    return [f"{evaluation.summary[measure]:.4f}" for measure in MEASURES]
