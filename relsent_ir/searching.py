"""Search by a pipeline of methods (`relsent_ir.methods`)."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from secrets import token_hex
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, Final, TypeVar

from relsent_ir import methods
from relsent_ir.engines import engine_of
from relsent_ir.errors import UsageError
from relsent_ir.executor import Executor, Processes, spread
from relsent_ir.feedback.engine import Engine, Opening
from relsent_ir.feedback.search import BATCH
from relsent_ir.hits import Hits, Run, batches
from relsent_ir.lucene.jvm import expect_queries
from relsent_ir.lucene.read.collection import Indexes
from relsent_ir.lucene.read.filters import Filters
from relsent_ir.method import Method, Pipeline
from relsent_ir.rank import Query, Reranker, TopicSearcher, check_topics, reorder, texts_of
from relsent_ir.trec.runs import run_lines
from relsent_ir.typing import Progress

if TYPE_CHECKING:
    from relsent_ir.dense.retrieval import Vectors

M = TypeVar("M", bound=Method)

TOGETHER: Final = 8
"""Topics in a process's batch if a ranker ranks or reorders them."""
SEARCHED: Final = 64
"""Topics in a process's batch otherwise."""
RANKED_APART_MIN: Final = 32_000
"""Candidates of a ranker that make another process worthwhile: a thousand for each of 32 topics."""
HITS_APART_MIN: Final = 8_000_000
"""Hits of other methods that make another process worthwhile."""


class Search:
    """Open a pipeline on one index, as a `relsent_ir.rank.TopicSearcher`.

    Parameters
    ----------
    engine : Engine
        The index; what several searches need is computed once in the engine.
    method : Method, Pipeline or str
    stopwords, filters
        As in `relsent_ir.lucene.read.search.Searcher`.
    runs : mapping of str to Run, optional
        Other systems' runs, by the names under which a ranker was trained with them.
    rerankers : dict, optional
        Open rerankers by their models; new ones are added, so that pipelines can share them.
    vectors : dict, optional
        Open vectors by their models; new ones are added too.
    called : callable, optional
        Returns the name of a method for error messages; by default the name of its class.

    Attributes
    ----------
    pipeline : Pipeline
    searcher : TopicSearcher
        Retrieves the hits before they are reordered and cut.
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
        for stage in self.pipeline:
            if stage.unit and stage.unit != engine.index.unit:
                raise UsageError(f"{called(type(stage))} needs the unit {stage.unit}")
        self._engine, self._stopwords, self._filters = engine, stopwords, filters
        self._runs = runs or {}
        self._rerankers = {} if rerankers is None else rerankers
        self._opening = Opening(
            engine,
            self.pipeline,
            stopwords,
            filters,
            self._runs,
            self._rerankers,
            {} if vectors is None else vectors,
            called,
        )
        self.searcher: TopicSearcher = self.pipeline.stages[0].open("rank", self._opening)

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
            run = hybrid.open("join", self._opening).join(run, texts_of(topics), wanted)
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
        """Find the first `k` hits of each topic, and yield the lines of their run file in parts.

        The lines equal those that `relsent_ir.trec.write_run` writes for the hits of `search`, but
        need not all be in memory. If it is worthwhile, several processes create them.
        """
        processes = self._processes(len(topics), k, threads)
        if processes > 1:
            yield from self._apart(topics, k, processes, (tag, output_format), progress)
            return
        for batch in batches(topics, max(batch_size, BATCH), progress):
            run = self.search(batch, k, threads=threads, batch_size=batch_size)
            yield from run_lines(run, tag, output_format=output_format)

    def _processes(self, topics: int, k: int, most: int) -> int:
        """Return the number of processes that are worthwhile for so many topics and hits."""
        if self._runs or engine_of(self._engine.index.folder):  # other processes lack them
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
        """Yield lines that this process and several others create.

        Lines are passed in files: processes would otherwise wait for this one to read from a pipe.
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
        """Return the reranker of a stage, which is opened at its first use."""
        reranker: Reranker = stage.open("rerank", self._rerankers, self._runs)
        return reranker

    def _stage(self, kind: type[M]) -> M | None:
        """Return the stage of a class, or None."""
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
    """Return the abstracts for questions; None if `answers.search` has to search itself.

    The first few hits of BM25, without question words, stay in front. Parameters are as in
    `Search`.
    """
    from relsent_ir.answers.stage import join
    from relsent_ir.feedback.wording import without_question_words

    if method.first_stage not in methods.FIRST_STAGES:
        return None
    analysis = engine.index.facts.analysis
    asked = {name: without_question_words(text, analysis) for name, text in topics.items()}
    bm25 = methods.BM25(method.k1, method.b)
    first, other = (
        Search(engine, pipeline, filters=filters, rerankers=rerankers).search(texts, k)
        for pipeline, texts in (
            (bm25, asked),
            (Pipeline(methods.FIRST_STAGES[method.first_stage]), topics),
        )
    )
    return Run((topic, join(first[topic], other[topic], k)) for topic in topics)


def _batch_writer(
    search: Search, k: int, folder: Path, form: tuple[str, str]
) -> Callable[[dict[str, str]], tuple[Path, int]]:
    """Return a function that searches topics, writes the lines to a file and counts the topics."""
    from relsent_ir.ranker.ranking import StagedSearcher

    if isinstance(search.searcher, StagedSearcher):  # the warning has been given for all topics
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
    """Open a pipeline in another process and return its batch writer."""
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
    """Reorder a run in the processes of an executor, as `reorder` does in this process.

    Parameters
    ----------
    executor : Executor
        Each process opens the indexes and the model itself.
    folder : Path
        The folder of the collection.
    stage : Rerank or Ranker
        The reranker.
    run : Run
    topics : mapping of topic id to text
    runs : mapping of str to Run, optional
        Other systems' runs, by the names under which a ranker was trained with them.
    progress : callable, optional
        Called with the number of topics done and the total.
    **settings
        Options of `reorder`, which also lists the errors.
    """
    check_topics(run, topics)
    if Path(stage.model).is_dir():
        stage = replace(stage, model=str(Path(stage.model).absolute()))
    queries = {topic: topics[topic] for topic in run}
    place = folder if engine_of(folder) else folder.absolute()
    make = partial(_reordering, place, stage, run, queries, runs, settings)
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
    reranker = stage.open("rerank", {}, runs)
    return lambda some: reorder(reranker, collection, Run(some), topics, **settings)
