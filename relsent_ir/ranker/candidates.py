"""The candidates of a topic: search, expansion of topics, and the counts for features."""

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Final, TypeAlias

import numpy as np

from relsent_ir.counts.store import CountStore
from relsent_ir.counts.weighting import Rows, TermQuery
from relsent_ir.dense.retrieval import Vectors
from relsent_ir.errors import MismatchError
from relsent_ir.feedback import Engine, FeedbackSearcher
from relsent_ir.hits import Hits, Run
from relsent_ir.lucene.read.collection import Indexes
from relsent_ir.lucene.read.filters import Filters
from relsent_ir.lucene.read.search import Searcher
from relsent_ir.methods import BM25, MEDLINE, RM3, Rocchio
from relsent_ir.ranker.store import open_store
from relsent_ir.text.vocabulary import ranges
from relsent_ir.typing import Floats, NDArray

if TYPE_CHECKING:
    from relsent_ir.related import Model
    from relsent_ir.related.store import Store as SentenceStore

DEPTH: Final = 1000
"""Number of candidates of a topic."""
NEAREST: Final = 200
"""Largest number of records that an encoder's vectors add to the candidates."""
BATCH: Final = 32
"""Number of topics expanded at once."""
CONTENTS: Final = "contents"
LEAD: Final = "medline"
"""The feedback whose order defines the first hits among the candidates."""
FEEDBACKS: Final[dict[str, tuple[BM25, RM3 | Rocchio]]] = {
    "medline": MEDLINE,
    "rocchio": (BM25(), Rocchio(20, 10, 1.0, 1.5)),
    "rm3": (BM25(), RM3()),
}
"""The first stage and the feedback, by the name of the feature; the first is `LEAD`."""

Expansions: TypeAlias = Mapping[str, Mapping[str, Mapping[str, float]]]
"""The weights of terms, by the name of the feedback and the topic."""


@dataclass(frozen=True)
class RelatedScorer:
    """A model of related sentences, and the store of sentences with the same terms.

    Attributes
    ----------
    model : Model
    store : relsent_ir.related.store.Store
    """

    model: "Model"
    store: "SentenceStore"


@dataclass(frozen=True, eq=False)
class TopicVectors:
    """The vectors of a topic and its candidates by an encoder.

    Attributes
    ----------
    topic : ndarray of float32, shape (dimension,)
    rows : ndarray of float32, shape (n, dimension)
        Vectors of length 1; 0 for a record without a vector.
    """

    topic: NDArray[np.float32]
    rows: NDArray[np.float32]


@dataclass(frozen=True, eq=False)
class TopicCandidates:
    """The candidates of a topic.

    Attributes
    ----------
    store : CountStore
    text : str
        The text of the topic.
    ids : list of str, length n
    rows : ndarray of int, shape (n,)
        The rows of the candidates in the store.
    query : TermQuery
        The terms of the topic with their counts.
    expanded : dict of str to TermQuery
        The topic after each kind of feedback, by the names in `FEEDBACKS`.
    runs : dict of str to Hits
        The hits of the topic in other systems' runs, by the names of the runs.
    related : RelatedScorer, optional
    vectors : TopicVectors, optional
    """

    store: CountStore
    text: str
    ids: list[str]
    rows: NDArray[np.intp]
    query: TermQuery
    expanded: Mapping[str, TermQuery]
    runs: Mapping[str, Hits] = field(default_factory=dict)
    related: RelatedScorer | None = None
    vectors: TopicVectors | None = None

    def __len__(self) -> int:
        return len(self.ids)

    @cached_property
    def contents(self) -> Rows:
        """The terms of the records."""
        return self.of("contents")

    def of(self, name: str) -> Rows:
        """Return counts of the candidates by their name in the store."""
        return Rows(self.store.counts[name], self.rows)

    def expansion(self, rows: Rows, name: str = LEAD) -> Floats:
        """Score rows for the topic after feedback."""
        ranker, _ = FEEDBACKS[name]
        return rows.bm25(self.expanded[name], ranker.k1, ranker.b)

    @cached_property
    def lead(self) -> Floats:
        """The scores that define the first hits; shape (n,)."""
        return self.expansion(self.contents)

    @cached_property
    def first(self) -> NDArray[np.intp]:
        """All candidates in descending order of `lead`; ties keep their order."""
        return np.argsort(-self.lead, kind="stable")

    @cached_property
    def sentences(self) -> "CandidateSentences":
        """The sentences of the candidates."""
        return CandidateSentences(self)


class CandidateSentences:
    """The sentences of candidates.

    Attributes
    ----------
    rows : Rows
        The terms of the sentences.
    numbers : ndarray of int, shape (s,)
        The rows of the sentences in the store.
    owners : ndarray of int, shape (s,)
        The candidate of each sentence.
    title : ndarray of bool, shape (s,)
    moves : ndarray of int8, shape (s,)
    """

    def __init__(self, candidates: TopicCandidates) -> None:
        store = candidates.store
        starts, ends = (store.starts[candidates.rows + more].astype(np.intp) for more in (0, 1))
        sizes = ends - starts
        self.owners = np.repeat(np.arange(len(candidates)), sizes)
        self.numbers = ranges(starts, sizes)
        self.rows = Rows(store.counts["sentences"], self.numbers)
        self.title = store.titles[self.numbers]
        self.moves = store.moves[self.numbers]
        self._candidates = candidates

    @cached_property
    def own(self) -> Floats:
        """BM25 scores for the topic's own terms; shape (s,)."""
        return self.rows.bm25(self._candidates.query, 0.9, 0.4)

    @cached_property
    def expanded(self) -> Floats:
        """BM25 scores for the topic after feedback; shape (s,)."""
        return self._candidates.expansion(self.rows)

    @cached_property
    def covered(self) -> Floats:
        """The share of the topic's idf that each sentence has; shape (s,)."""
        return self.rows.covered(self._candidates.query)

    def best(self, scores: Floats, chosen: NDArray[np.bool_]) -> Floats:
        """Return the highest score of each candidate's chosen sentences, or 0; shape (n,)."""
        highest = np.zeros(len(self._candidates))
        np.maximum.at(highest, self.owners[chosen], scores[chosen])
        return highest

    def mean_best(self, scores: Floats, chosen: NDArray[np.bool_], count: int = 3) -> Floats:
        """Return the mean of each candidate's `count` highest scores; missing scores count as 0."""
        places = self.leading(scores, chosen & (scores > 0), count)
        owners = self.owners[places]
        return np.bincount(owners, scores[places], len(self._candidates)) / count

    def leading(self, scores: Floats, chosen: NDArray[np.bool_], count: int) -> NDArray[np.intp]:
        """Find the places of each candidate's `count` best sentences, candidate by candidate."""
        places = np.flatnonzero(chosen)
        places = places[np.lexsort((-scores[places], self.owners[places]))]
        sizes = np.bincount(self.owners[places], minlength=len(self._candidates))
        nth = ranges(np.zeros_like(sizes), sizes)
        return places[nth < count]


@dataclass(frozen=True)
class FeatureGroup:
    """Features that are present or absent together.

    Attributes
    ----------
    name : str
    source : str
        The literature that describes the features.
    features : dict of str to str
        Descriptions of the features by name.
    compute : callable
        Computes the features of candidates: arrays of float64, shape (n,), by name.
    needs : tuple of str
        The counts in the store that the features need; without them, the group is missing.
    """

    name: str
    source: str
    features: Mapping[str, str]
    compute: Callable[[TopicCandidates], dict[str, Floats]]
    needs: tuple[str, ...] = ()


class CandidateReader:
    """Find the candidates in a collection, and read their data.

    Parameters
    ----------
    collection : Indexes
    related : Model or Path, optional
        A trained model of related sentences for the group ``related``.
    runs : mapping of str to Run
        Other systems' runs, by the names that the model has for them.
    field : str
        The field in which first hits are searched, with the counts that represent the whole record;
        if it is not `CONTENTS`, titles have no features.
    without_own : bool
        Whether a topic's id is that of a record, to be left out of its hits and of feedback.
    threads : int
        Number of threads of the searches.
    engine : Engine or {"auto", "lucene", "matrix"}
        An engine of the same collection, or the way in which a new engine searches.
    store : CountStore, optional
        The store from which features are computed, instead of the collection's own.
    vectors : Vectors, optional
        Vectors of the records by an encoder.
    """

    def __init__(
        self,
        collection: Indexes,
        *,
        related: "Model | None" = None,
        runs: Mapping[str, Run] | None = None,
        field: str = CONTENTS,
        without_own: bool = False,
        threads: int = 1,
        engine: Engine | str = "auto",
        store: CountStore | None = None,
        vectors: Vectors | None = None,
    ) -> None:
        self.vectors = vectors
        self.collection = collection
        self._store = store
        self.runs = dict(runs or {})
        self.field = field
        self.without_own = without_own
        self.threads = threads
        self._engine = engine if isinstance(engine, Engine) else Engine(collection, engine=engine)
        self._related_model = related

    @cached_property
    def store(self) -> CountStore:
        """The counts and facts from which features are computed."""
        return self._store or open_store(self.collection)

    @cached_property
    def _related(self) -> RelatedScorer | None:
        if self._related_model is None:
            return None
        from relsent_ir.related.store import open_store as open_sentences

        model = self._related_model
        return RelatedScorer(model, open_sentences(self.collection.sentences, model.stopwords))

    def expand(self, topics: Mapping[str, str]) -> Expansions:
        """Expand topics with each kind of feedback."""
        if self._store is None:
            self._engine.documents.counts = self.store
        firsts: dict[BM25, Run] = {}
        expansions = {}
        depth = max(method.fb_docs for _, method in FEEDBACKS.values())
        for name, (ranker, first, searcher) in self._searchers.items():
            if ranker not in firsts:
                firsts[ranker] = self._others(
                    first.search(topics, depth + self.without_own, threads=self.threads)
                )
            expanded = searcher.expand(topics, first=firsts[ranker])
            expansions[name] = {topic: expansion.weights for topic, expansion in expanded.items()}
        return expansions

    @cached_property
    def _searchers(self) -> "dict[str, tuple[BM25, Searcher, FeedbackSearcher]]":
        """The searchers of first hits and of feedback, by the name of the feedback."""
        engine = self._engine
        fields = None if self.field == CONTENTS else {self.field: 1.0}
        searchers = {}
        for name, (ranker, feedback) in FEEDBACKS.items():
            searcher = engine.searcher(ranker, feedback=feedback)
            assert isinstance(searcher, FeedbackSearcher)
            first = Searcher(engine.index, ranker, fields=fields, engine=engine.engine)
            searchers[name] = ranker, first, searcher
        return searchers

    def search(self, expanded: Expansions, k: int = DEPTH, filters: Filters | None = None) -> Run:
        """Find the first `k` records for topics that were expanded by `expand`."""
        ranker, _ = FEEDBACKS[LEAD]
        searcher = Searcher(self._engine.index, ranker, filters=filters, engine=self._engine.engine)
        run = searcher.search(expanded[LEAD], k + self.without_own, threads=self.threads)
        return self._others(run).head(k)

    def nearest(
        self, topics: Mapping[str, str], k: int = NEAREST, filters: Filters | None = None
    ) -> dict[str, list[str]]:
        """Find the first `k` records of each topic by vectors; none without an encoder."""
        if self.vectors is None or not topics:
            return {topic: [] for topic in topics}
        index = self._engine.index
        passing = filters.passing(index)[index.live()] if filters else None
        encoded = np.stack([self.vectors.encode(text) for text in topics.values()])
        hits = self.vectors.nearest(encoded, k, passing)
        return {topic: of.ids.tolist() for topic, of in zip(topics, hits, strict=True)}

    def read(self, topic: str, text: str, ids: list[str], expanded: Expansions) -> TopicCandidates:
        """Read the candidates of a topic.

        Raises
        ------
        MismatchError
            If a candidate is not a record of the index.
        """
        store, read = self.store, self.vectors
        if self.field != CONTENTS:
            counts = {**store.counts, CONTENTS: store.counts[self.field]}
            counts.pop("title", None)
            store = replace(store, counts=counts)
        encoded = None
        if read:
            encoded = TopicVectors(read.encode(text), read.rows.vectors(read.rows.locate(ids)))
        terms = Counter(self._engine.index.facts.analysis.terms(text))
        bags = {name: weights[topic] for name, weights in expanded.items()}
        names = list(dict.fromkeys(term for bag in (terms, *bags.values()) for term in bag))
        known = dict(zip(names, self.store.terms.locate(names).tolist(), strict=True))
        return TopicCandidates(
            store,
            text,
            ids,
            self.store.rows(ids),
            _query(terms, known),
            {name: _query(bag, known) for name, bag in bags.items()},
            {name: run.get(topic, Hits.ranked([], [])) for name, run in self.runs.items()},
            self._related,
            encoded,
        )

    def _others(self, run: Run) -> Run:
        """Remove the record of each topic if `without_own` is set."""
        if not self.without_own:
            return run
        return Run((topic, hits.without(topic)) for topic, hits in run.items())


def _query(bag: Mapping[str, float], places: Mapping[str, int]) -> TermQuery:
    """Write a bag of terms as columns, without terms whose place is -1."""
    columns = np.array([places[term] for term in bag], dtype=np.intp)
    weights = np.array(list(bag.values()), dtype=np.float64)
    known = columns >= 0
    return TermQuery(columns[known], weights[known])


def check_runs(runs: Mapping[str, Run], topics: Mapping[str, str]) -> None:
    """Check that other systems' runs have these topics, and that their scores are numbers.

    Raises
    ------
    MismatchError
    """
    for name, run in runs.items():
        common = [topic for topic in topics if topic in run]
        if not common:
            raise MismatchError(f"the run {name} has none of the topics")
        for topic in common:
            if not np.isfinite(run[topic].scores).all():
                raise MismatchError(f"the run {name} has a score that is no number, topic {topic}")
