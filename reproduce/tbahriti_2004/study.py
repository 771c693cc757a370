"""One collection for Tbahriti et al. 2004: its benchmark, and its articles as matrices."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import product
from typing import TYPE_CHECKING, Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from relsent_ir.citation.graph import CitationGraph
from relsent_ir.citation.similar import find_similar
from relsent_ir.counts.weighting import weigh_rows
from relsent_ir.feedback import TermMatrix
from relsent_ir.hits import Hits, Run
from relsent_ir.lucene.analyzers import Analysis
from relsent_ir.lucene.read.collection import Indexes, read_all
from relsent_ir.lucene.read.index import Index
from relsent_ir.methods import BM25, Similar, Smart
from relsent_ir.moves import MOVES
from relsent_ir.records import Record
from relsent_ir.related import Model
from relsent_ir.trec import evaluate
from relsent_ir.trec.qrels import Qrels
from relsent_ir.typing import Floats
from reproduce.coupling import Benchmark, Plan, build_benchmark
from reproduce.page import Steps
from reproduce.tbahriti_2004.articles import MESH, PARTS, TITLE, Parts, Segment, record_segments
from reproduce.tbahriti_2004.boost import FORMS, BoostTable
from reproduce.tbahriti_2004.features import (
    average_precision,
    fit,
    match_articles,
    move_features,
    run_feature,
    sentence_feature,
    spoken,
    whole_features,
)
from reproduce.tbahriti_2004.thesaurus import ConceptAnalysis, Thesaurus, with_concepts

if TYPE_CHECKING:
    from scipy.sparse import csr_array

MEASURES: Final = ("map", "P_5", "P_10")
HITS: Final = 1000
COMPARED: Final = 100
"""Hits of BM25 whose sentences are compared with those of the topic."""
PEER: Final = BM25(1.2, 0.75)
BY_PEER: Final = Similar("bm25", PEER.k1, PEER.b)


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
    indexes : Indexes
        They hold the moves.
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
        """Read the indexes; the records of `cited` supply references and citations."""
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
            np.array([of == set(MOVES) for of in moves]),
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
        """The targets of each topic, as a mask of shape (topics, n)."""
        targets = np.zeros((len(self.topics), len(self.collection.extended)), dtype=bool)
        for i, name in enumerate(self.topics):
            targets[i, self.collection.extended.rows(self.qrels[name])] = True
        return targets

    @cached_property
    def segments(self) -> list[list[Segment]]:
        """The segments of each topic, with the thesaurus's concepts."""
        c = self.collection
        plain = c.analysis
        analysis = ConceptAnalysis(plain.stemmer, plain.stopwords, c.thesaurus)
        return [
            record_segments(c.records[name], tagged, analysis)
            for name, tagged in zip(self.topics, c.indexes.moves(self.topics), strict=True)
        ]

    def smart(self, scheme: str, thesaurus: bool) -> "tuple[csr_array, csr_array]":
        """Return the weighted topics, and the transposed weights of documents."""
        matrix = self.collection.extended if thesaurus else self.collection.parts.matrix
        weighting = Smart(scheme)
        queries = weigh_rows(weighting, weighting.query, matrix.counts[self.rows], matrix)
        return queries, weigh_rows(weighting, weighting.document, matrix.counts, matrix).T.tocsr()

    def boosts(self) -> "tuple[BoostTable, csr_array]":
        """Prepare the topics by ltc.atn with the thesaurus for boosting."""
        queries, documents = self.smart("ltc.atn", thesaurus=True)
        return BoostTable.build(self.collection.extended, queries, self.segments), documents

    def features(self, model: Model) -> dict[str, Floats]:
        """Compute the features of the linear combinations."""
        c = self.collection
        matrix = c.parts.matrix
        whole = find_similar(c.indexes, self.topics, BY_PEER, len(matrix))
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
        """Rank the other articles for topics; `scores` has a row for each of these."""
        matrix = self.collection.parts.matrix
        run = Run()
        for row, place in zip(scores, places, strict=True):
            order = np.lexsort((matrix.order, -row))[: HITS + 1]
            hits = Hits(matrix.names[order], row[order])
            run[self.topics[place]] = hits.without(self.topics[place]).head(HITS)
        return run

    def measure(self, run: Run) -> dict[str, Floats]:
        """Measure a run of all topics by trec_eval; each of shape (topics,)."""
        values = evaluate(self.qrels, run, MEASURES).topics
        return {m: np.array([values[name][m] for name in self.topics]) for m in MEASURES}

    def rotated(self, scored: Sequence[Floats]) -> dict[str, Floats]:
        """Measure a system that was tuned on each set in turn, on the other sets.

        Parameters
        ----------
        scored : sequence of ndarray, shape (topics, n)
            The scores of all topics, by tuning set.

        Returns
        -------
        dict of str to ndarray, shape (topics,)
            Each topic's mean over the tunings on other sets.
        """
        sums = {m: np.zeros(len(self.topics)) for m in MEASURES}
        for tuned, scores in enumerate(scored):
            values = self.measure(self.run(scores, range(len(self.topics))))
            for measure, by_topic in values.items():
                by_topic[self.sets[tuned]] = 0.0
                sums[measure] += by_topic
        return {m: total / (len(self.sets) - 1) for m, total in sums.items()}


Measured: TypeAlias = dict[str, Floats]
"""Each topic's value by measure."""

STEPS: Final = (0.164, 0.25, 0.4, 0.625, 1.0, 1.6, 2.5, 4.0, 8.0)
"""The tested values of k_c."""
BOTH: Final = ("PURPOSE", "CONCLUSION")
KEPT: Final = (MOVES, ("PURPOSE", "RESULTS", "CONCLUSION"), BOTH, *((move,) for move in MOVES), ())
"""Moves whose sentences are indexed besides titles and MeSH."""
BASE: Final = ("ltc.atn",)
MOVED: Final = tuple(f"{part} of the {side}" for side in ("topic", "other") for part in PARTS)
WHOLE: Final = ("BM25", "pmra", "latent 50", "latent 100", "neighbours")
LEARNED: Final = {
    "Learned: moves": (*BASE, *MOVED),
    "Learned: Huber sentences": (*BASE, "sentences"),
    "Learned: whole articles": (*BASE, *WHOLE),
    "Learned: all": (*BASE, *MOVED, *WHOLE, "sentences"),
}
"""The features of each linear combination."""


def scores_of(queries: "csr_array", documents: "csr_array") -> Floats:
    """Score all articles; shape (topics, n)."""
    scores: Floats = (queries @ documents).toarray()
    return scores


def weighting(study: Study, scheme: str, thesaurus: bool) -> Measured:
    """Measure a SMART scheme."""
    scores = scores_of(*study.smart(scheme, thesaurus))
    return study.measure(study.run(scores, range(len(study.topics))))


def moves_alone(study: Study) -> dict[str, Measured]:
    """Query with the sentences of one move, by ltc.atn with the thesaurus."""
    c = study.collection
    smart = Smart("ltc.atn")
    documents = weigh_rows(smart, smart.document, c.extended.counts, c.extended).T.tocsr()
    measured = {}
    for move in MOVES:
        bags = [
            sum((segment.terms for segment in of if segment.part == move), Counter[str]())
            for of in study.segments
        ]
        queries = weigh_rows(smart, smart.query, c.extended.bags(bags), c.extended)
        run = study.run(scores_of(queries, documents), range(len(study.topics)))
        measured[move] = study.measure(run)
    return measured


def pruned(study: Study, moves: Sequence[str]) -> tuple[float, Measured]:
    """Index only titles, MeSH and the sentences of some moves, and query with whole articles.

    Returns
    -------
    (float, Measured)
        The remaining share of the index's postings, and the measures of ltc.atn on it.
    """
    parts = study.collection.parts
    whole = parts.matrix.counts
    kept = csr_sum([parts.counts[part] for part in (TITLE, *moves, MESH)])
    columns = np.flatnonzero(np.bincount(kept.indices, minlength=kept.shape[1]))
    terms = [parts.matrix.terms[column] for column in columns.tolist()]
    matrix = TermMatrix(parts.matrix.ids, terms, kept[:, columns].tocsr())
    smart = Smart("ltc.atn")
    queries = weigh_rows(smart, smart.query, whole[study.rows][:, columns].tocsr(), matrix)
    scores = scores_of(queries, weigh_rows(smart, smart.document, matrix.counts, matrix).T.tocsr())
    return kept.nnz / whole.nnz, study.measure(study.run(scores, range(len(study.topics))))


def csr_sum(parts: Sequence["csr_array"]) -> "csr_array":
    """Add up counts of the same documents and terms."""
    total = sum(parts[1:], start=parts[0]).tocsr()
    total.sort_indices()
    return total


def with_synonyms(study: Study, thesaurus: Thesaurus) -> Measured:
    """Measure ltc.atn with the concepts of another thesaurus."""
    c = study.collection
    concepts = [thesaurus.features(c.records[name]) for name in c.parts.matrix.ids]
    extended = with_concepts(c.parts.matrix, concepts)
    changed = replace(study, collection=replace(c, thesaurus=thesaurus, extended=extended))
    return weighting(changed, "ltc.atn", thesaurus=True)


def peers(study: Study) -> dict[str, Measured]:
    """Measure well-known methods without tuning."""
    methods = {
        "BM25 (1.2, 0.75)": BY_PEER,
        "BM25, more like this": replace(BY_PEER, method="more-like-this"),
        "pmra": Similar("pmra"),
    }
    indexes = study.collection.indexes
    return {
        label: study.measure(find_similar(indexes, study.topics, method, HITS))
        for label, method in methods.items()
    }


class Boosts:
    """All factors of a grid, in both forms.

    Attributes
    ----------
    settings : list of (str, dict of str to float)
        Form, and factors by move.
    precision : ndarray of float64, shape (settings, topics)
        Average precision.
    """

    def __init__(self, study: Study, progress: Steps) -> None:
        self._study = study
        self._table, self._documents = study.boosts()
        singles = [{move: k} for move in MOVES for k in STEPS]
        pairs = [dict(zip(BOTH, both, strict=True)) for both in product(STEPS, STEPS)]
        self.settings = [(form, factors) for form in FORMS for factors in (*singles, *pairs)]
        rows = []
        for form, factors in self.settings:
            scores = self._scores(form, factors)
            rows.append(average_precision(scores, study.targets, study.rows))
            progress()
        self.precision = np.array(rows)

    def _scores(self, form: str, factors: Mapping[str, float]) -> Floats:
        return scores_of(self._table.boosted(factors, form), self._documents)

    def _rows(self, form: str, moves: Sequence[str]) -> list[int]:
        chosen = (form, set(moves))
        return [n for n, (name, of) in enumerate(self.settings) if (name, set(of)) == chosen]

    def tuned(self, form: str, moves: Sequence[str]) -> Measured:
        """Choose for each set the factors that are best on it; measure them on the others."""
        rows = self._rows(form, moves)
        chosen = []
        for places in self._study.sets:
            means = self.precision[rows][:, places].mean(axis=1)
            chosen.append(self.settings[rows[int(means.argmax())]][1])
        scored = [self._scores(form, factors) for factors in chosen]
        return self._study.rotated(scored)

    def curve(self, form: str, move: str) -> list[float]:
        """Return the mean over all topics for each step of one move, for a plot, not for tuning."""
        settings = [(form, {move: k}) for k in STEPS]
        return [float(self.precision[self.settings.index(each)].mean()) for each in settings]


def learned(study: Study, features: Mapping[str, Floats], names: Sequence[str]) -> Measured:
    """Learn weights of features on each set; measure them on the others."""
    stacked = np.stack([features[name] for name in names], axis=-1)
    fitted = [
        fit(stacked[places], study.targets[places], study.rows[places], features["ltc.atn"][places])
        for places in study.sets
    ]
    return study.rotated([stacked @ weights for weights, _ in fitted])
