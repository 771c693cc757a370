"""Searching, reranking and reading a collection from Python, for people and notebooks.

``import relsent_ir`` loads this module when one of its names is first used.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, TypedDict, Unpack, overload

from relsent_ir.aggregate import Aggregate
from relsent_ir.errors import UsageError
from relsent_ir.feedback import Engine
from relsent_ir.hit import Hit, read_hits
from relsent_ir.hits import Hits, Run
from relsent_ir.lucene.read.collection import Indexes
from relsent_ir.lucene.read.filters import Filters
from relsent_ir.lucene.read.search import default_threads
from relsent_ir.method import Method, Pipeline
from relsent_ir.methods import BM25
from relsent_ir.rank import Evidence, Explains, Query, Reranker, open_reranker, reorder
from relsent_ir.records import Record, Sentence
from relsent_ir.related.matching.matcher import Matcher
from relsent_ir.searching import Search
from relsent_ir.trec.fusion import METHODS
from relsent_ir.typing import Progress

AnyMethod = Method | Pipeline | str
"""A method, several after one another, or their text form."""


class Options(TypedDict, total=False):
    """What a search takes beside its method.

    Attributes
    ----------
    unit : {"abstracts", "sentences"}
        What is searched.
    stopwords : sequence of str
        Words that are dropped from topics, besides those that were dropped from the index.
    filters : Filters
        Only what passes is found, with the score that it has without them.
    runs : mapping of str to Run
        From elsewhere, by the names that a ranker was learned with.
    threads : int
        Topics searched at once; one for each processor if it is not given.
    progress : callable
        Gets the number of topics done, and of all.
    """

    unit: str
    stopwords: Sequence[str]
    filters: Filters | None
    runs: Mapping[str, Run]
    threads: int | None
    progress: Progress | None


class MatchOptions(TypedDict, total=False):
    """Options of a match of related sentences, as of `relsent_ir.related.matching.Matcher.related`.

    Attributes
    ----------
    candidates : {"exact", "bm25"}
    depth : int
    without_own : bool
    filters : Filters
    progress : callable
    """

    candidates: str | None
    depth: int | None
    without_own: bool
    filters: Filters | None
    progress: Progress | None


class Collection:
    """A collection that is open for searching; `open_collection` makes one.

    Parameters
    ----------
    folder : Path or str
        As ``relsent-ir index`` made it.
    """

    def __init__(self, folder: Path | str) -> None:
        self.indexes = Indexes(folder)
        self.indexes.facts  # noqa: B018 (a folder without an index is refused here and now)
        self._engines: dict[str, Engine] = {}
        self._rerankers: dict[tuple[str, ...], Reranker] = {}
        self._matchers: dict[str, Matcher] = {}

    def __len__(self) -> int:
        return len(self.indexes.abstracts)

    def __repr__(self) -> str:
        return f"Collection({str(self.indexes.folder)!r}: {len(self):,} records)"

    @overload
    def search(
        self, topics: str, method: AnyMethod | int = ..., k: int = ..., **options: Unpack[Options]
    ) -> Hits: ...
    @overload
    def search(
        self,
        topics: Mapping[str, Query],
        method: AnyMethod | int = ...,
        k: int = ...,
        **options: Unpack[Options],
    ) -> Run: ...
    def search(
        self,
        topics: str | Mapping[str, Query],
        method: AnyMethod | int = BM25(),
        k: int = 1000,
        **options: Unpack[Options],
    ) -> Run | Hits:
        """Find the first `k` records or sentences.

        Parameters
        ----------
        topics : str or mapping of topic id to text
            One text, or topics; a topic may also be terms of the index with their weights.
        method : Method, Pipeline, str or int
            What ranks, such as ``BM25(k1=1.2) >> RM3()``, or its text form (`relsent_ir.methods`);
            a number is `k`, of BM25.
        k : int
        **options
            Those of `Options`.

        Returns
        -------
        Run, or Hits for one text

        Raises
        ------
        UsageError
            If an option is unknown.
        """
        if unknown := sorted(options.keys() - Options.__annotations__.keys()):
            raise UsageError(
                f"search has no option {unknown[0]}",
                fix="a method, as BM25() >> RM3(), has its own",
            )
        if isinstance(method, int):
            return self.search(topics, BM25(), method, **options)
        unit = options.get("unit", "abstracts")
        if unit not in self._engines:
            self._engines[unit] = Engine(self.indexes, unit)
        search = Search(
            self._engines[unit],
            method,
            stopwords=options.get("stopwords", ()),
            filters=options.get("filters"),
            runs=options.get("runs"),
            rerankers=self._rerankers,
        )
        texts = {"": topics} if isinstance(topics, str) else topics
        threads = options.get("threads") or default_threads()
        run = search.search(texts, k, threads=threads, progress=options.get("progress"))
        return run[""] if isinstance(topics, str) else run

    def rerank(
        self,
        run: Run,
        topics: Mapping[str, str],
        reranker: Reranker | str,
        *,
        depth: int | None = None,
        interpolate: float | None = None,
        aggregate: Aggregate | str | None = None,
        progress: Progress | None = None,
    ) -> Run:
        """Put a run into the order of a reranker.

        Parameters
        ----------
        run, topics
            Hits of this collection, and the texts that they were found for.
        reranker : Reranker or str
            As `load_model` gives it, or what `load_model` takes.
        depth, interpolate, progress
            As `relsent_ir.rank.reorder`.
        aggregate : Aggregate or str, optional
            As `reorder`; ``mean:2`` for ``Aggregate("mean", 2)``.
        """
        way = Aggregate.parse(aggregate) if isinstance(aggregate, str) else aggregate
        model = open_reranker(reranker) if isinstance(reranker, str) else reranker
        return reorder(
            model,
            self.indexes.resolving(run),
            run,
            topics,
            depth=depth,
            interpolate=interpolate,
            aggregate=way,
            progress=progress,
        )

    @overload
    def related(
        self, topics: str, k: int = ..., *, model: str | Path = ..., **options: Unpack[MatchOptions]
    ) -> Hits: ...
    @overload
    def related(
        self,
        topics: Mapping[str, str],
        k: int = ...,
        *,
        model: str | Path = ...,
        **options: Unpack[MatchOptions],
    ) -> Run: ...
    def related(
        self,
        topics: str | Mapping[str, str],
        k: int = 10,
        *,
        model: str | Path = "I1.5",
        **options: Unpack[MatchOptions],
    ) -> Run | Hits:
        """Find the `k` sentences that are most related to a text, or to each of some topics.

        Parameters
        ----------
        topics : str or mapping of topic id to text
        model : str or Path
            A formula's name, or the folder of a trained model of related sentences.
        **options
            Those of `MatchOptions`.

        Returns
        -------
        Run, or Hits for one text
        """
        texts = {"": topics} if isinstance(topics, str) else topics
        name = str(model)
        if name not in self._matchers:
            self._matchers[name] = Matcher(self.indexes, name)
        run = self._matchers[name].related(texts, k, **options)
        return run[""] if isinstance(topics, str) else run

    def explain(self, hits: Hits, topic: str, reranker: Reranker | str) -> list[Evidence]:
        """Say why a reranker scores hits as it does for the text of a topic.

        Raises
        ------
        UsageError
            If the reranker does not account for its scores.
        """
        model = open_reranker(reranker) if isinstance(reranker, str) else reranker
        if not isinstance(model, Explains):
            raise UsageError("this model does not account for its scores")
        return model.evidence(self.indexes, topic, hits)

    def hits(self, hits: Hits) -> list[Hit]:
        """Return hits with their records, and sentences with their moves, to be read."""
        return read_hits(self.indexes, hits)

    def sentences(self, ids: Sequence[str]) -> list[tuple[Sentence, ...]]:
        """Return each record's sentences, its title first, and each sentence by itself.

        They have their moves: those that are stored in the index, or else the packaged model's.
        """
        return [passage.sentences for passage in self.indexes.read(ids)]

    def record(self, record_id: str) -> Record:
        """Return the record with an id."""
        return self.indexes.records([record_id])[0]

    def __getitem__(self, record_id: str) -> Record:
        return self.record(record_id)

    def close(self) -> None:
        """Let go of the files."""
        self._matchers.clear()
        self._engines.clear()
        self.indexes.close()

    def __enter__(self) -> "Collection":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def open_collection(folder: Path | str) -> Collection:
    """Open the indexes that ``relsent-ir index`` made.

    Raises
    ------
    InputError
        If there is no index.
    """
    return Collection(folder)


def fuse(runs: Sequence[Run], method: str = "rrf", **options: Any) -> Run:
    """Fuse runs into one.

    Parameters
    ----------
    runs : sequence of Run
        Two or more.
    method : str
        One of `relsent_ir.trec.fusion.METHODS`, as ``fuse --method``.
    **options
        Those of the method: ``rrf_k``, ``alpha``, ``weights``, ``depth``, ``k``.
    """
    if method not in METHODS:
        raise UsageError(f"no method {method!r}", fix=f"one of {', '.join(METHODS)}")
    return METHODS[method](list(runs), **options)
