"""Searching by a pipeline of methods (`relsent_ir.methods`)."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from secrets import token_hex
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, Final, TypeVar

from relsent_ir import methods
from relsent_ir.errors import UsageError
from relsent_ir.executor import Executor, Processes, batches, spread
from relsent_ir.feedback import Engine
from relsent_ir.feedback.search import BATCH
from relsent_ir.hits import Hits, Run
from relsent_ir.lucene.jvm import expect_queries
from relsent_ir.lucene.read.collection import Indexes
from relsent_ir.lucene.read.filters import Filters
from relsent_ir.method import Method, Pipeline
from relsent_ir.rank import (
    Query,
    Reranker,
    TopicSearcher,
    check_topics,
    open_reranker,
    reorder,
    texts_of,
)
from relsent_ir.trec.runs import run_lines
from relsent_ir.typing import Progress

if TYPE_CHECKING:
    from relsent_ir.dense.retrieval import DenseSearcher, Vectors

M = TypeVar("M", bound=Method)

TOGETHER: Final = 8
"""Topics that one process orders, or searches by a ranker, at a time."""
SEARCHED: Final = 64
"""Topics that one process searches at a time without one."""
RANKED_APART_MIN: Final = 32_000
"""Candidates of a ranker that are worth a process: a thousand each of 32 topics."""
HITS_APART_MIN: Final = 8_000_000
"""Hits of other methods that are."""


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
    vectors : dict, optional
        Open vectors by their models, likewise.
    called : callable, optional
        Gives the name of a method in errors; that of its class if None.

    Attributes
    ----------
    pipeline : Pipeline
    searcher : TopicSearcher
        What finds, before hits are ordered again and cut.
    """

    def __init__(
        self,
        engine: Engine,
        method: Method | Pipeline | str = methods.BM25(),
        *,
        stopwords: Sequence[str] = (),
        filters: Filters | None = None,
        runs: Mapping[str, Run] | None = None,
        rerankers: dict[tuple[str, ...], Reranker] | None = None,
        vectors: "dict[str, Vectors] | None" = None,
        called: Callable[[type[Method]], str] | None = None,
    ) -> None:
        self.pipeline = methods.as_pipeline(method, called)
        called = called or (lambda kind: kind.__name__)
        self._engine, self._stopwords = engine, stopwords
        self._runs = runs or {}
        self._rerankers = {} if rerankers is None else rerankers
        first, self._vectors = self.pipeline.stages[0], {} if vectors is None else vectors
        self._filters = filters
        source = self._stage(methods.FromMoves) or self._stage(methods.FromRelated)
        smart, whole, unit = (
            self._stage(methods.Smart),
            self._stage(methods.MaxPassage),
            engine.index.unit,
        )
        if source and unit != "abstracts":
            raise UsageError(f"{called(type(source))} needs the unit abstracts")
        if whole and unit != "sentences" and whole.delimiter == ".":
            raise UsageError(
                f"{called(methods.MaxPassage)} needs the unit sentences, or a delimiter"
            )
        if smart and not smart.candidates and filters:
            raise UsageError(f"filters and {called(methods.Smart)} exclude each other")
        if isinstance(first, methods.Ranker):
            from relsent_ir.ranker.ranking import RankerReranker, RankerSearcher

            if stopwords:
                raise UsageError(f"{called(methods.Ranker)} takes no stop words")
            # of sentences it is their vectors that count, not those of their records
            reranker = self.reranker(first if unit == "abstracts" else first.changed(dense=None))
            assert isinstance(reranker, RankerReranker)
            self.searcher: TopicSearcher
            if unit == "abstracts":
                if first.asking:
                    raise UsageError("question words lose their weight in the unit sentences alone")
                self.searcher = RankerSearcher(
                    engine.collection, reranker, filters=filters, engine=engine
                )
                return
            from relsent_ir.ranker.sentence_ranking import SentenceRankerSearcher
            from relsent_ir.related.huber_plus import HuberPlusModel
            from relsent_ir.related.opening import PACKAGED
            from relsent_ir.related.reranker import RelatedReranker

            opened = self.reranker(methods.Rerank(PACKAGED))
            assert isinstance(opened, RelatedReranker)
            related = opened.model(engine.collection)
            assert isinstance(related, HuberPlusModel)
            self.searcher = SentenceRankerSearcher(
                engine.collection,
                reranker,
                engine=engine,
                related=related,
                vectors=self._opened(first.dense) if first.dense else None,
                filters=filters,
                asking=first.asking,
            )
            return
        if isinstance(first, methods.Dense):
            if stopwords:
                raise UsageError(f"{called(methods.Dense)} takes no stop words")
            self.searcher = self._dense(first)
            return
        fields = self._stage(methods.Fields)
        self.searcher = engine.searcher(
            first if isinstance(first, methods.BM25 | methods.QueryLikelihood) else methods.BM25(),
            smart=smart,
            feedback=self._stage(methods.RM3) or self._stage(methods.Rocchio),
            source=source,
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
        batch_size: int = 256,
        progress: Progress | None = None,
    ) -> Run:
        """Find the first `k` hits of each topic; see `relsent_ir.rank.TopicSearcher`."""
        whole, drop, hybrid = (
            self._stage(methods.MaxPassage),
            self._stage(methods.RemoveQuery),
            self._stage(methods.Hybrid),
        )
        wanted = k + (drop is not None and whole is None)
        run = self.searcher.search(
            topics,
            hybrid.depth if hybrid else wanted,
            threads=threads,
            batch_size=batch_size,
            progress=progress,
        )
        if hybrid:
            run = self._dense(hybrid).join(run, texts_of(topics), wanted)
        for topic, hits in self._reordered(run, topics).items():
            kept = hits.max_passage(whole.delimiter) if whole else hits
            kept = kept.without(topic) if drop else kept
            run[topic] = kept.head(whole.hits if whole else k)
        return run

    def lines(
        self,
        topics: Mapping[str, str],
        k: int = 1000,
        tag: str = "relsent-ir",
        *,
        output_format: str = "trec",
        threads: int = 1,
        batch_size: int = 256,
        progress: Progress | None = None,
    ) -> Iterator[bytes]:
        """Find the first `k` hits of each topic, and yield the lines of their run, some at a time.

        They are the lines that `relsent_ir.trec.write_run` writes of what `search` finds, but need
        not be in memory together. Where that repays, several processes make them.
        """
        processes = self._processes(len(topics), k, threads)
        if processes > 1:
            yield from self._apart(topics, k, processes, (tag, output_format), progress)
            return
        for batch in batches(topics, max(batch_size, BATCH), progress):
            run = self.search(batch, k, threads=threads, batch_size=batch_size)
            yield from run_lines(run, tag, output_format=output_format)

    def _processes(self, topics: int, k: int, most: int) -> int:
        """Return how many processes so many topics, and hits of each, repay."""
        if self._runs:  # which others would not have
            return 1
        documents = len(self._engine.index)
        if self._stage(methods.Ranker):
            from relsent_ir.ranker.candidates import DEPTH

            return min(most, topics * min(DEPTH, documents) // RANKED_APART_MIN)
        return min(most, topics * min(k, documents) // HITS_APART_MIN)

    def _apart(
        self,
        topics: Mapping[str, str],
        k: int,
        processes: int,
        form: tuple[str, str],
        progress: Progress | None,
    ) -> Iterator[bytes]:
        """Yield lines that several processes make, this one among them.

        They come by files, or each process would wait for this one to take its lines.
        """
        from relsent_ir.ranker.ranking import StagedSearcher

        index, size, done = self._engine.index, SEARCHED, 0
        if isinstance(self.searcher, StagedSearcher):
            self.searcher.reranker.warn_learned(topics)
            size = TOGETHER
        with TemporaryDirectory(prefix="relsent-ir-") as folder:
            writing = k, Path(folder), form
            opened = index.folder.absolute(), index.unit, self._engine.engine
            asked = self.pipeline, self._stopwords, self._filters
            make = partial(_opened_writer, *opened, *asked, len(topics), writing)
            with Processes(processes - 1, _batch_writer(self, *writing)) as executor:
                for part, count in executor.map(make, batches(topics, size)):
                    yield part.read_bytes()
                    part.unlink()
                    done += count
                    if progress:
                        progress(done, len(topics))

    def reranker(self, stage: Method) -> Reranker:
        """Return what orders the hits of a stage, opened when it is first asked for."""
        return open_stage(stage, self._rerankers, self._runs)

    def _dense(self, stage: methods.Dense | methods.Hybrid) -> "DenseSearcher":
        """Open the search by vectors of a stage."""
        from relsent_ir.dense.retrieval import DenseSearcher

        return DenseSearcher(self._engine.index, self._opened(stage.model), stage, self._filters)

    def _opened(self, model: str) -> "Vectors":
        """Open the vectors of the index by an encoder, once."""
        from relsent_ir.dense.retrieval import Vectors

        if model not in self._vectors:
            self._vectors[model] = Vectors.open(self._engine.index, model)
        return self._vectors[model]

    def _stage(self, kind: type[M]) -> M | None:
        """Return the stage of a kind, or None."""
        return next((stage for stage in self.pipeline if isinstance(stage, kind)), None)

    def _reordered(self, run: Run, topics: Mapping[str, Query]) -> Run:
        for place, stage in enumerate(self.pipeline):
            if methods.role_of(stage, place) == "rerank":
                mixed = stage if isinstance(stage, methods.Rerank) else methods.Rerank("")
                run = reorder(
                    self.reranker(stage),
                    self._engine.collection,
                    run,
                    texts_of(topics),
                    depth=mixed.depth,
                    interpolate=mixed.interpolate,
                    aggregate=mixed.aggregate,
                )
        return run


def first_stage(
    engine: Engine,
    topics: Mapping[str, str],
    method: methods.Answers,
    k: int,
    filters: Filters | None = None,
    rerankers: dict[tuple[str, ...], Reranker] | None = None,
) -> Run | None:
    """Return the abstracts for questions; None where `answers.search` asks BM25 itself.

    The first few hits of BM25 stay in front. Parameters are those of `Search`.
    """
    from relsent_ir.answers.searching import join

    if method.first_stage == "bm25":
        return None
    pipeline: Method | Pipeline = methods.Ranker()
    if method.first_stage != "ranker":
        pipeline = Pipeline(methods.PRESETS[method.first_stage])
    bm25 = methods.BM25(method.k1, method.b)
    first, other = (
        Search(engine, stages, filters=filters, rerankers=rerankers).search(topics, k)
        for stages in (bm25, pipeline)
    )
    return Run((topic, join(first[topic], other[topic], k)) for topic in topics)


def open_stage(
    stage: Method, rerankers: dict[tuple[str, ...], Reranker], runs: Mapping[str, Run] | None = None
) -> Reranker:
    """Return what orders the hits of a stage.

    Parameters
    ----------
    stage : Rerank or Ranker
    rerankers : dict
        Those that are open, by their models; it is added to.
    runs : mapping of str to Run, optional
        From elsewhere, by the names that a ranker was learned with.
    """
    if isinstance(stage, methods.Ranker):
        names = (f"{name} {id(run)}" for name, run in (runs or {}).items())
        given = stage.model, stage.related or "", stage.dense or "", f"{stage.dense_trust}"
        key: tuple[str, ...] = ("ranker", *given, *names)
        if key not in rerankers:
            from relsent_ir.ranker.ranking import RankerReranker
            from relsent_ir.related.opening import load_related

            related = load_related(stage.related) if stage.related else None
            rerankers[key] = RankerReranker(
                stage.model,
                runs=runs,
                related=related,
                dense=stage.dense,
                trusted=stage.dense_trust,
            )
        return rerankers[key]
    assert isinstance(stage, methods.Rerank)
    if (stage.model,) not in rerankers:
        rerankers[stage.model,] = open_reranker(stage.model)
    return rerankers[stage.model,]


def _batch_writer(
    search: Search, k: int, folder: Path, form: tuple[str, str]
) -> Callable[[dict[str, str]], tuple[Path, int]]:
    """Return what searches some topics, and gives the file with their lines, and their number."""
    from relsent_ir.ranker.ranking import StagedSearcher

    if isinstance(search.searcher, StagedSearcher):  # of all topics it has been warned
        search.searcher.reranker.model.facts.pop("seen", None)
    tag, output_format = form

    def write(topics: dict[str, str]) -> tuple[Path, int]:
        run, part = search.search(topics, k), folder / token_hex(8)
        part.write_bytes(b"".join(run_lines(run, tag, output_format=output_format)))
        return part, len(topics)

    return write


def _opened_writer(
    folder: Path,
    unit: str,
    engine: str,
    method: Pipeline,
    stopwords: Sequence[str],
    filters: Filters | None,
    count: int,
    writing: tuple[int, Path, tuple[str, str]],
) -> Callable[[dict[str, str]], tuple[Path, int]]:
    """Open a pipeline in another process."""
    expect_queries(count, folder / unit)
    opened = Engine(Indexes(folder), unit, engine)
    search = Search(opened, method, stopwords=stopwords, filters=filters)
    return _batch_writer(search, *writing)


def reorder_apart(
    executor: Executor,
    folder: Path,
    stage: methods.Rerank | methods.Ranker,
    run: Run,
    topics: Mapping[str, str],
    *,
    runs: Mapping[str, Run] | None = None,
    progress: Progress | None = None,
    **settings: Any,
) -> Run:
    """Put a run into another order in the processes of an executor, as `reorder` does in this one.

    Parameters
    ----------
    executor : Executor
        Each process opens the indexes and the model for itself.
    folder : Path
        The collection's.
    stage : Rerank or Ranker
        What orders it.
    run : Run
    topics : mapping of topic id to text
    runs : mapping of str to Run, optional
        From elsewhere, by the names that a ranker was learned with.
    progress : callable, optional
        Gets the number of topics done, and of all.
    **settings
        Of `reorder`, which see for errors.
    """
    check_topics(run, topics)
    if Path(stage.model).is_dir():
        stage = replace(stage, model=str(Path(stage.model).absolute()))
    queries = {topic: topics[topic] for topic in run}
    make = partial(_reordering, folder.absolute(), stage, run, queries, runs, settings)
    return Run(spread(executor, make, run, TOGETHER, progress))


def _reordering(
    folder: Path,
    stage: methods.Rerank | methods.Ranker,
    run: Run,
    topics: Mapping[str, str],
    runs: Mapping[str, Run] | None,
    settings: Mapping[str, Any],
) -> Callable[[dict[str, Hits]], Run]:
    expect_queries(len(run), folder / "abstracts")
    collection = Indexes(folder).resolving(run)
    reranker = open_stage(stage, {}, runs)
    return lambda some: reorder(reranker, collection, Run(some), topics, **settings)
