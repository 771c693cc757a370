"""Searching by a pipeline of methods (`relsent_ir.methods`)."""

from collections.abc import Mapping, Sequence
from typing import TypeVar

from relsent_ir.aggregate import Aggregate
from relsent_ir.citation.similar import boosted_texts
from relsent_ir.errors import UsageError
from relsent_ir.feedback import Engine, SmartSearcher
from relsent_ir.hits import Run
from relsent_ir.lucene.read.filters import Filters
from relsent_ir.method import Method, Pipeline
from relsent_ir.methods import (
    BM25,
    RM3,
    Boost,
    Fields,
    FromAssociations,
    FromMoves,
    FromRelated,
    MaxPassage,
    QueryLikelihood,
    Ranker,
    RemoveQuery,
    Rerank,
    Rocchio,
    Smart,
    as_pipeline,
    role_of,
)
from relsent_ir.rank import Query, Reranker, TopicSearcher, open_reranker, reorder, texts_of
from relsent_ir.ranker.ranking import RankerReranker, RankerSearcher
from relsent_ir.related.opening import load_related
from relsent_ir.typing import Progress

M = TypeVar("M", bound=Method)


class Search:
    """A pipeline that is open on one index: a `relsent_ir.rank.TopicSearcher`.

    Parameters
    ----------
    engine : Engine
        The index; what several searches need is computed once in it.
    method : Method, Pipeline or str
    stopwords, filters
        As `relsent_ir.lucene.read.search.Searcher` takes them.
    runs : mapping of str to Run, optional
        From elsewhere, by the names that a ranker was learned with.
    rerankers : dict, optional
        Open rerankers by their models; it is added to, so that several pipelines share them.

    Attributes
    ----------
    pipeline : Pipeline
    searcher : TopicSearcher
        What finds, before hits are ordered again and cut.
    """

    def __init__(
        self,
        engine: Engine,
        method: "Method | Pipeline | str" = BM25(),
        *,
        stopwords: Sequence[str] = (),
        filters: Filters | None = None,
        runs: Mapping[str, Run] | None = None,
        rerankers: dict[tuple[str, ...], Reranker] | None = None,
    ) -> None:
        self.pipeline = as_pipeline(method)
        self._engine = engine
        self._runs = runs or {}
        self._rerankers = {} if rerankers is None else rerankers
        first = self.pipeline.stages[0]
        source = self._stage(FromMoves) or self._stage(FromRelated)
        if source and engine.index.unit != "abstracts":
            raise UsageError(f"{type(source).__name__} needs the unit abstracts")
        if isinstance(first, Ranker):
            reranker = self.reranker(first)
            assert isinstance(reranker, RankerReranker)
            self.searcher: TopicSearcher = RankerSearcher(
                engine.collection, reranker, filters=filters, engine=engine.engine
            )
            return
        fields = self._stage(Fields)
        self.searcher = engine.searcher(
            first if isinstance(first, BM25 | QueryLikelihood) else BM25(),
            smart=self._stage(Smart),
            feedback=self._stage(RM3) or self._stage(Rocchio),
            source=source,
            associations=self._stage(FromAssociations),
            fields=fields.weights if fields else None,
            stopwords=stopwords,
            filters=filters,
        )

    def search(
        self,
        topics: Mapping[str, Query],
        k: int = 1000,
        *,
        threads: int = 1,
        batch_size: int = 64,
        progress: Progress | None = None,
    ) -> Run:
        """Find the first `k` hits of each topic; see `relsent_ir.rank.TopicSearcher`."""
        boost, whole, drop = self._stage(Boost), self._stage(MaxPassage), self._stage(RemoveQuery)
        queries = self._boosted(topics, boost) if boost else topics
        run = self.searcher.search(
            queries,
            k + (drop is not None and whole is None),
            threads=threads,
            batch_size=batch_size,
            progress=progress,
        )
        for topic, hits in self._reordered(run, topics).items():
            kept = hits.max_passage(whole.delimiter) if whole else hits
            kept = kept.without(topic) if drop else kept
            run[topic] = kept.head(whole.hits if whole else k)
        return run

    def reranker(self, stage: Method) -> Reranker:
        """Return what orders the hits of a stage, opened when it is first asked for."""
        if isinstance(stage, Ranker):
            runs = (f"{name} {id(run)}" for name, run in self._runs.items())
            key: tuple[str, ...] = ("ranker", stage.model, stage.related or "", *runs)
            if key not in self._rerankers:
                related = load_related(stage.related) if stage.related else None
                made = RankerReranker(stage.model, runs=self._runs, related=related)
                self._rerankers[key] = made
            return self._rerankers[key]
        assert isinstance(stage, Rerank)
        if (stage.model,) not in self._rerankers:
            self._rerankers[stage.model,] = open_reranker(stage.model)
        return self._rerankers[stage.model,]

    def _stage(self, kind: type[M]) -> M | None:
        """Return the stage of a kind, or None."""
        return next((stage for stage in self.pipeline if isinstance(stage, kind)), None)

    def _boosted(self, topics: Mapping[str, Query], boost: Boost) -> Mapping[str, Query]:
        smart = self.searcher if isinstance(self.searcher, SmartSearcher) else None
        return boosted_texts(
            self._engine.collection,
            self.searcher.analysis,
            texts_of(topics),
            boost.factors,
            boost.form,
            smart=smart,
        )

    def _reordered(self, run: Run, topics: Mapping[str, Query]) -> Run:
        for place, stage in enumerate(self.pipeline):
            if role_of(stage, place) == "rerank":
                mixed = stage if isinstance(stage, Rerank) else Rerank("")
                run = reorder(
                    self.reranker(stage),
                    self._engine.collection,
                    run,
                    texts_of(topics),
                    depth=mixed.depth,
                    interpolate=mixed.interpolate,
                    aggregate=Aggregate.parse(mixed.aggregate) if mixed.aggregate else None,
                )
        return run
