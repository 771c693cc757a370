"""One collection prepared for Tbahriti et al. 2004: its benchmark, its articles as numbers."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Final

import numpy as np
from numpy.typing import NDArray

from relsent_ir.citation.benchmark import Benchmark, Plan, build_benchmark
from relsent_ir.citation.boost_table import BoostTable
from relsent_ir.citation.documents import record_segments
from relsent_ir.citation.features import (
    move_features,
    run_feature,
    sentence_feature,
    whole_features,
)
from relsent_ir.citation.graph import CitationGraph
from relsent_ir.citation.output import read_all
from relsent_ir.citation.parts import Parts
from relsent_ir.citation.sentence_matching import match_articles, spoken
from relsent_ir.citation.similar import find_similar
from relsent_ir.citation.thesaurus import Thesaurus, with_concepts
from relsent_ir.feedback import Smart, TermMatrix
from relsent_ir.hits import Hits, Run
from relsent_ir.lucene.analyzers import Analysis
from relsent_ir.lucene.read.collection import Indexes
from relsent_ir.lucene.read.index import Index
from relsent_ir.lucene.read.search import BM25
from relsent_ir.moves import MOVES
from relsent_ir.records import Record
from relsent_ir.related import Model
from relsent_ir.trec import evaluate
from relsent_ir.trec.qrels import Qrels
from relsent_ir.typing import Floats

if TYPE_CHECKING:
    from scipy.sparse import csr_array


MEASURES: Final = ("map", "P_5", "P_10")
HITS: Final = 1000
COMPARED: Final = 100
"""Hits of BM25 whose sentences are compared with the topic's."""
PEER: Final = BM25(1.2, 0.75)


@dataclass(frozen=True, eq=False)
class Collection:
    """A collection's articles, read once.

    Attributes
    ----------
    records : dict of str to Record
    graph : CitationGraph
    parts : Parts
    thesaurus : Thesaurus
    extended : TermMatrix
        The parts' matrix with concepts.
    has_all_moves : ndarray of bool, shape (n,)
        In the order of the graph.
    analysis : Analysis
    indexes : relsent_ir.lucene.read.collection.Collection
        Where the moves are known.
    """

    records: dict[str, Record]
    graph: CitationGraph
    parts: Parts
    thesaurus: Thesaurus
    extended: TermMatrix
    has_all_moves: NDArray[np.bool_]
    analysis: Analysis
    indexes: Indexes

    @classmethod
    def read(
        cls, abstracts: Index, sentences: Index, thesaurus: Thesaurus, cited: Iterable[Record]
    ) -> "Collection":
        """Read the indexes; references and citations come from the records of `cited`."""
        indexes = Indexes.of(abstracts, sentences)
        records = {record.id: record for record in read_all(abstracts)}
        graph = CitationGraph.build(cited)
        parts = Parts.read(indexes)
        concepts = [thesaurus.features(records[name]) for name in parts.matrix.ids]
        moves = [{s.move for s in indexes.moves([n])[0] if s.n} for n in graph.ids]
        return cls(
            records,
            graph,
            parts,
            thesaurus,
            with_concepts(parts.matrix, concepts),
            np.array([found == set(MOVES) for found in moves]),
            abstracts.facts.analysis,
            indexes,
        )


@dataclass(frozen=True, eq=False)
class Study:
    """A benchmark on a collection.

    Attributes
    ----------
    collection : Collection
    benchmark : Benchmark
    """

    collection: Collection
    benchmark: Benchmark

    @classmethod
    def build(cls, collection: Collection, plan: Plan, *, all_moves: bool) -> "Study":
        """Draw the topics, with a sentence of every move or from all candidates."""
        eligible = collection.has_all_moves if all_moves else None
        return cls(collection, build_benchmark(collection.graph, plan, eligible))

    @cached_property
    def topics(self) -> list[str]:
        """All topics, set by set."""
        return [name for qrels in self.benchmark.sets for name in qrels]

    @cached_property
    def qrels(self) -> Qrels:
        """The targets of all topics."""
        return {name: grades for qrels in self.benchmark.sets for name, grades in qrels.items()}

    @cached_property
    def sets(self) -> list[NDArray[np.intp]]:
        """The places of each set's topics."""
        sizes = [len(qrels) for qrels in self.benchmark.sets]
        return np.split(np.arange(sum(sizes)), np.cumsum(sizes)[:-1])

    @cached_property
    def rows(self) -> NDArray[np.int64]:
        """The row of each topic's article."""
        return self.collection.parts.matrix.rows(self.topics)

    @cached_property
    def targets(self) -> NDArray[np.bool_]:
        """Whether an article is a topic's target; shape (topics, n)."""
        found = np.zeros((len(self.topics), len(self.collection.extended)), dtype=bool)
        for i, name in enumerate(self.topics):
            found[i, self.collection.extended.rows(self.qrels[name])] = True
        return found

    def smart(self, scheme: str, thesaurus: bool) -> "tuple[csr_array, csr_array]":
        """Give the weighted topics, and the documents' weights turned round."""
        matrix = self.collection.extended if thesaurus else self.collection.parts.matrix
        weighting = Smart.parse(scheme)
        queries = weighting.weigh_queries(matrix, matrix.counts[self.rows])
        return queries, weighting.weigh_documents(matrix).T.tocsr()

    def boosts(self) -> "tuple[BoostTable, csr_array]":
        """Prepare the topics by ltc.atn with the thesaurus for boosting."""
        c = self.collection
        queries, documents = self.smart("ltc.atn", thesaurus=True)
        segments = [
            record_segments(c.records[name], tagged, c.analysis, c.thesaurus)
            for name, tagged in zip(self.topics, c.indexes.moves(self.topics), strict=True)
        ]
        return BoostTable.build(c.extended, queries, segments), documents

    def features(self, model: Model) -> dict[str, Floats]:
        """Compute what the linear combinations are made of."""
        c = self.collection
        matrix = c.parts.matrix
        whole = find_similar(c.indexes, self.topics, "bm25", len(matrix), bm25=PEER)
        first = whole.head(COMPARED)
        names = list({name for topic, hits in first.items() for name in (topic, *hits.ids)})
        articles = dict(zip(names, map(spoken, c.indexes.moves(names)), strict=True))
        matched = match_articles(first, articles, model)
        return {
            **move_features(c.parts, self.rows),
            **whole_features(matrix, self.rows),
            "BM25": run_feature(matrix, self.rows, whole),
            "sentences": sentence_feature(matrix, self.rows, first, matched),
        }

    def run(self, scores: Floats, places: Sequence[int] | NDArray[np.intp]) -> Run:
        """Rank the other articles for some topics; `scores` has a row for each of these."""
        matrix = self.collection.parts.matrix
        found = Run()
        for row, place in zip(scores, places, strict=True):
            order = np.lexsort((matrix.order, -row))[: HITS + 1]
            hits = Hits(matrix.names[order], row[order])
            found[self.topics[place]] = hits.without(self.topics[place]).head(HITS)
        return found

    def measure(self, run: Run) -> dict[str, Floats]:
        """Measure a run of all topics by trec_eval; each of shape (topics,)."""
        found = evaluate(self.qrels, run, MEASURES).topics
        return {m: np.array([found[name][m] for name in self.topics]) for m in MEASURES}

    def rotated(self, scored: Sequence[Floats]) -> dict[str, Floats]:
        """Measure a system that was tuned on each set in turn, on the other sets.

        Parameters
        ----------
        scored : sequence of ndarray, shape (topics, n)
            By tuning set, the scores of all topics.

        Returns
        -------
        dict of str to ndarray, shape (topics,)
            Each topic's mean over the tunings that it was no part of.
        """
        sums = {m: np.zeros(len(self.topics)) for m in MEASURES}
        for tuned, scores in enumerate(scored):
            values = self.measure(self.run(scores, range(len(self.topics))))
            for measure, some in values.items():
                kept = some.copy()
                kept[self.sets[tuned]] = 0.0
                sums[measure] += kept
        return {m: total / (len(self.sets) - 1) for m, total in sums.items()}


def set_means(study: Study, values: Mapping[str, Floats]) -> list[float]:
    """Give the mean average precision of each set."""
    return [float(values["map"][places].mean()) for places in study.sets]
