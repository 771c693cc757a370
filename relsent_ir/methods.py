"""The methods that a search is made of, and what runs them.

::

    pipeline = BM25(k1=0.9) >> RM3(fb_terms=10) >> Rerank("I1.5", depth=100, interpolate=0.3)
    search(engine, pipeline, {"1": "calcium and mucus"})

A pipeline ranks first (`BM25`, `QueryLikelihood`, `Smart` or `Ranker`), may expand or weigh the
topics (`RM3`, `Rocchio`, `FromMoves`, `FromRelated`, `FromAssociations`, `Fields`, `Boost`), order
the hits again (`Rerank`, `Ranker`), and cut them at the end (`MaxPassage`, `RemoveQuery`).
"""

from collections.abc import Mapping, Sequence
from dataclasses import MISSING, dataclass
from typing import TYPE_CHECKING, ClassVar, Final, TypeVar

from relsent_ir.aggregate import Aggregate
from relsent_ir.citation.documents import FORMS
from relsent_ir.citation.similar import boosted_texts
from relsent_ir.errors import UsageError
from relsent_ir.feedback import (
    RM3,
    Engine,
    FromAssociations,
    FromMoves,
    FromRelated,
    Rocchio,
    Smart,
    SmartSearcher,
)
from relsent_ir.hits import Run
from relsent_ir.lucene.read.filters import Filters
from relsent_ir.lucene.read.search import BM25, QueryLikelihood
from relsent_ir.method import Method, Pipeline, parameter, parse
from relsent_ir.rank import Query, Reranker, Searcher, open_reranker, reorder, texts_of
from relsent_ir.ranker.ranking import DEFAULT, RankerReranker, RankerSearcher
from relsent_ir.related.opening import load_related
from relsent_ir.typing import Progress

if TYPE_CHECKING:
    pass

__all__ = [
    "BM25",
    "METHODS",
    "RM3",
    "Boost",
    "Fields",
    "FromAssociations",
    "FromMoves",
    "FromRelated",
    "MaxPassage",
    "QueryLikelihood",
    "Ranker",
    "RemoveQuery",
    "Rerank",
    "Rocchio",
    "Search",
    "Smart",
    "as_pipeline",
]

M = TypeVar("M", bound=Method)


@dataclass(frozen=True)
class Fields(Method):
    """Search several fields, each with its weight."""

    role: ClassVar[str] = "expand"

    weights: Mapping[str, float] = parameter(
        MISSING, "Search these fields, with their weights.", "--fields", metavar="F=W..."
    )


@dataclass(frozen=True)
class Boost(Method):
    """Boost terms by the moves of the sentences that they are in (Tbahriti et al. 2004, 3.5)."""

    role: ClassVar[str] = "expand"

    factors: Mapping[str, float] = parameter(
        MISSING,
        "Boost terms by the moves of the sentences that they are in.",
        "--boost",
        metavar="MOVE=K,...",
    )
    form: str = parameter(
        "sum",
        "Weights times 1 + K times the move's score, or times K times the score.",
        "--boost-form",
        choices=tuple(sorted(FORMS, reverse=True)),
    )


@dataclass(frozen=True)
class Ranker(Method):
    """Order records by a learned ranker: the candidates of its own first stage, or a run's hits."""

    role: ClassVar[str] = "rank"

    model: str = parameter(
        DEFAULT,
        "Two stages: candidates by feedback, in the order of a learned ranker.",
        "--ranker",
        metavar="MODEL|ranker",
    )
    related: str | None = parameter(
        None,
        "A trained model of related sentences whose scores are features.  [default: none]",
        "--related",
        metavar="MODEL",
    )


@dataclass(frozen=True)
class Rerank(Method):
    """Order hits by another model, or by its mixture with the scores that they have."""

    role: ClassVar[str] = "rerank"

    model: str = parameter(
        MISSING,
        "A trained model's folder, or a name: a formula, answers, pmra, themes, ltc.atn …",
        "--model",
        metavar="MODEL|NAME",
    )
    depth: int | None = parameter(
        None,
        "Hits per topic that get another order; the rest follows.  [default: all]",
        "--depth",
        low=1,
        metavar="N",
    )
    interpolate: float | None = parameter(
        None,
        "Order by W times the model plus 1 - W times the run, each scaled from 0 to 1.",
        "--interpolate",
        low=0,
        high=1,
        metavar="W",
    )
    aggregate: str | None = parameter(
        None,
        "How its sentences make a record's score.  [default: best]",
        "--aggregate",
        metavar="best|mean:K|sum:CUT|decay:D",
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.aggregate is not None:
            Aggregate.parse(self.aggregate)


@dataclass(frozen=True)
class MaxPassage(Method):
    """Turn sentences into their records, each by its best one."""

    flag: ClassVar[str] = "--max-passage"
    role: ClassVar[str] = "cut"

    hits: int = parameter(100, "Records per topic.", "--max-passage-hits", low=1, metavar="N")
    delimiter: str = parameter(
        ".",
        "What parts a document's id from a passage's.  [default: . of our sentences]",
        "--max-passage-delimiter",
        metavar="TEXT",
    )


@dataclass(frozen=True)
class RemoveQuery(Method):
    """Drop the hit whose id is the topic's."""

    flag: ClassVar[str] = "--remove-query"
    role: ClassVar[str] = "cut"


METHODS: Final[Mapping[str, type[Method]]] = {
    method.__name__: method
    for method in (
        *(BM25, QueryLikelihood, Smart, Ranker, RM3, Rocchio, FromMoves, FromRelated),
        *(FromAssociations, Fields, Boost, Rerank, MaxPassage, RemoveQuery),
    )
}
"""All methods, by the names of the text form."""

_ORDER: Final = ("rank", "expand", "rerank", "cut")
_FEEDBACK: Final = (RM3, Rocchio)
_EXPANDING: Final = (*_FEEDBACK, FromAssociations)
_EXCLUDES: Final[tuple[tuple[tuple[type[Method], ...], tuple[type[Method], ...], str], ...]] = (
    ((RM3,), (Rocchio,), "both are feedback"),
    ((FromMoves,), (FromRelated,), "feedback's terms have one source"),
    ((Fields,), (*_EXPANDING, Smart, Boost), "they work in `contents` only"),
    ((Boost,), _EXPANDING, "boosts weigh the topic's own terms"),
    ((Ranker,), (*_EXPANDING, FromMoves, FromRelated, Fields, Boost), "its first stage is its own"),
)
_NEEDS: Final[tuple[tuple[tuple[type[Method], ...], tuple[type[Method], ...]], ...]] = (
    ((FromMoves, FromRelated), _FEEDBACK),
)


def as_pipeline(method: "Method | Pipeline | str") -> Pipeline:
    """Return a pipeline that makes sense, with `BM25` in front where nothing ranks first.

    Raises
    ------
    UsageError
        If it cannot be read, or its methods do not go together.
    """
    if isinstance(method, str):
        method = parse(method, METHODS)
    stages = list(method.stages) if isinstance(method, Pipeline) else [method]
    if stages[0].role != "rank":
        stages.insert(0, BM25())
    roles = [_ORDER.index(_role(stage, n)) for n, stage in enumerate(stages)]
    if sorted(roles) != roles:
        raise UsageError("methods in another order", fix="rank, expand, rerank, cut")
    kinds = [type(stage) for stage in stages if not isinstance(stage, Rerank)]
    if len(set(kinds)) < len(kinds) or roles.count(0) > 1:
        raise UsageError(f"a method twice: {Pipeline(tuple(stages))}")
    for some, others, why in _EXCLUDES:
        for one in (kind for kind in kinds if kind in some):
            for other in (kind for kind in kinds if kind in others):
                problem = f"{one.__name__} and {other.__name__} exclude each other: {why}"
                raise UsageError(problem)
    for some, others in _NEEDS:
        for one in (kind for kind in kinds if kind in some):
            if not any(kind in others for kind in kinds):
                fix = " or ".join(kind.__name__ for kind in others)
                raise UsageError(f"{one.__name__} needs {fix}")
    return Pipeline(tuple(stages))


def _role(stage: Method, place: int) -> str:
    """Return the role of a stage; one that ranks has another where it is not the first."""
    if place and isinstance(stage, Ranker):
        return "rerank"
    return "expand" if place and isinstance(stage, Smart) and stage.candidates else stage.role


class Search:
    """A pipeline that is open on one index: a `relsent_ir.rank.Searcher`.

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
    searcher : Searcher
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
            self.searcher: Searcher = RankerSearcher(
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
        """Find the first `k` hits of each topic; see `relsent_ir.rank.Searcher`."""
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
            if _role(stage, place) == "rerank":
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
