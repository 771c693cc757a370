"""Searching, reranking and reading a collection from Python, for people and notebooks.

``import relsent_ir`` loads this module when one of its names is first used.
"""

import logging
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property
from numbers import Integral
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypeAlias, TypedDict, Unpack, overload

import numpy as np

from relsent_ir.aggregate import Aggregate
from relsent_ir.errors import Advising, UnknownIdError, UsageError, checked, refused
from relsent_ir.feedback import Engine
from relsent_ir.files import Closing
from relsent_ir.hit import Hit, WordEvidence, read_hits
from relsent_ir.hits import Hits, Run, text_id
from relsent_ir.lucene.read.collection import Indexes, read_all
from relsent_ir.lucene.read.filters import Filters
from relsent_ir.lucene.read.search import default_threads
from relsent_ir.method import Method, Pipeline
from relsent_ir.methods import (
    BM25,
    Answers,
    Cite,
    Ranker,
    Related,
    Relations,
    Rerank,
    Similar,
    Themes,
)
from relsent_ir.rank import (
    Evidence,
    Explains,
    Reranker,
    Scores,
    as_reranker,
    open_reranker,
    reorder,
)
from relsent_ir.records import Record, Sentence
from relsent_ir.results import Results
from relsent_ir.searching import Search
from relsent_ir.text.strategy import looks_like_strategy
from relsent_ir.trec import fusion
from relsent_ir.trec.accepted import AnyRun, AnyRuns, one_text, run_of, runs_of, whole
from relsent_ir.trec.topics import AnyTopics, topics_of
from relsent_ir.typing import Progress

if TYPE_CHECKING:
    from relsent_ir.answers.pooling import AnswerFacts
    from relsent_ir.citation.suggestions import CitationFinder
    from relsent_ir.related.matching.matcher import Matcher
    from relsent_ir.relations.entity import EntityTerm
    from relsent_ir.relations.pairs import PairFacts
    from relsent_ir.themes.finding import ThemeFacts

_log = logging.getLogger("relsent_ir")

AnyMethod = Method | Pipeline | str
"""A method, a pipeline of methods, or the text form of either."""
AnyReranker: TypeAlias = Reranker | Rerank | Ranker | Scores | str | Path
"""A method, a model or its name, or a function (query, texts) -> scores."""
TEXTS: Final = ("text", "title", "abstract", "journal", "year")
"""The columns that `Collection.text_loader` can add."""


class Options(TypedDict, total=False):
    """Options of a search besides its method.

    Attributes
    ----------
    unit : {"abstracts", "sentences"}
        The texts to search.
    stopwords : sequence of str
        Words to drop from topics, besides the stop words of the index.
    filters : Filters or dict of its conditions
        Conditions that hits must meet; they do not change scores.
    runs : mapping of str to Run
        Other systems' runs, by the names under which a ranker was trained with them.
    threads : int
        Number of topics searched at the same time; by default one for each processor.
    progress : callable
        Called with the number of topics done and the total.
    """

    unit: str
    stopwords: Sequence[str]
    filters: Filters | Mapping[str, Any] | None
    runs: Mapping[str, Run]
    threads: int | None
    progress: Progress | None


class RerankOptions(TypedDict, total=False):
    """Options of reranking, those of `relsent_ir.rank.reorder`.

    Attributes
    ----------
    depth : int
        Number of first hits to rerank; the remaining hits follow them.
    interpolate : float
        The weight of the reranker's scores, from 0 to 1; the run's own scores get the rest.
    aggregate : Aggregate or str
        How to compute a record's score from those of its sentences: ``mean:2`` or
        ``Aggregate("mean", 2)``.
    progress : callable
        Called with the number of topics done and the total.
    """

    depth: int | None
    interpolate: float | None
    aggregate: Aggregate | str | None
    progress: Progress | None


class AnswerResults(Results):
    """Abstracts with the sentences that answer a question, and a summary of the answers."""

    facts: "AnswerFacts"


class ThemeResults(Results):
    """The records on a theme, and the theme's facts and terms."""

    facts: "ThemeFacts"


class PairResults(Results):
    """The sentences that relate two entities, and the facts of the pair."""

    facts: "PairFacts"


class Collection(Advising, Closing):
    """Hold an open collection; create one with `open_collection`.

    Parameters
    ----------
    folder : Path, str or Indexes
        A folder written by ``relsent-ir index``, or its open indexes.

    Attributes
    ----------
    indexes : Indexes
        The collection's indexes.
    rerankers : dict
        Open rerankers, keyed by their models (`relsent_ir.method.Method.open`).
    """

    instead = "cf.search(topics, METHOD, k)"
    __call__ = refused

    def __init__(self, folder: Path | str | Indexes) -> None:
        if isinstance(folder, Path | str):
            folder = Indexes(folder)
            folder.facts  # noqa: B018 (refuses a folder without an index at once)
        self.indexes = folder
        self._engines: dict[str, Engine] = {}
        self.rerankers: dict[tuple[str, ...], Reranker] = {}
        self._matchers: dict[str, Matcher] = {}

    def __len__(self) -> int:
        return len(self.indexes.abstracts)

    def __iter__(self) -> Iterator[Record]:
        return read_all(self.indexes.abstracts)

    def __contains__(self, hit_id: object) -> bool:
        """Return whether a record or a sentence has this id."""
        indexes = (self.indexes.abstracts, self.indexes.sentences)
        known = isinstance(hit_id, str | Integral)
        return known and any(i.documents([str(hit_id)])[0] >= 0 for i in indexes)

    def __repr__(self) -> str:
        return f"Collection({str(self.indexes.folder)!r}: {len(self):,} records)"

    @overload
    def search(
        self, topics: str, method: AnyMethod | int = ..., k: int = ..., **options: Unpack[Options]
    ) -> Results: ...
    @overload
    def search(
        self,
        topics: AnyTopics,
        method: AnyMethod | int = ...,
        k: int = ...,
        **options: Unpack[Options],
    ) -> Run: ...
    @checked
    def search(
        self,
        topics: str | AnyTopics,
        method: AnyMethod | int = BM25(),
        k: int = 1000,
        **options: Unpack[Options],
    ) -> Run | Results:
        """Find the first `k` records or sentences.

        Parameters
        ----------
        topics : str, mapping of topic id to text, DataFrame, Path or list of str
            One text, or topics; a topic may also be terms of the index with their weights. A frame
            has the columns ``qid`` and ``query``; the texts of a list are numbered from 1.
        method : Method, Pipeline, str or int
            For example ``BM25(k1=1.2) >> RM3()``, or its text form (`relsent_ir.methods`); a number
            is taken as `k`, and BM25 ranks.
        k : int
            Number of hits for each topic.
        **options
            See `Options`.

        Returns
        -------
        Run, or Results for one text

        Raises
        ------
        UsageError
            If an option is unknown.

        Examples
        --------
        >>> cf.search("calcium in mucus", BM25(k1=1.2) >> RM3(), 10)
        >>> cf.search(read_topics("topics.tsv"), Ranker())
        """
        if isinstance(method, int):
            return self.search(topics, BM25(), method, **options)
        if not isinstance(method, Method | Pipeline | str):
            fix = "rir.BM25() >> FUNCTION, which orders its hits" if callable(method) else "a value"
            if isinstance(method, type) and issubclass(method, Method):
                fix = f"{method.__name__}(), with brackets"
            raise UsageError(
                f"no method: {getattr(method, '__name__', method)!r:.60}",
                fix=f"{fix}, as rir.Ranker(), or its text",
            )
        if isinstance(topics, str) and looks_like_strategy(topics):
            _log.warning(
                "the text looks like a strategy, of which only the words are searched; "
                "filters={'strategy': TEXT} heeds it"
            )
        unit = options.get("unit", "abstracts")
        search = Search(
            self.engine(unit),
            method,
            stopwords=options.get("stopwords", ()),
            filters=_filters(options.get("filters")),
            runs=options.get("runs"),
            rerankers=self.rerankers,
        )
        threads = whole("threads", options.get("threads") or default_threads())
        run = search.search(
            topics_of(topics), whole("k", k), threads=threads, progress=options.get("progress")
        )
        return self.results(run[""], topics) if isinstance(topics, str) else run

    @overload
    def rerank(
        self,
        run: Results | Hits | Sequence[Hit | str],
        topics: str,
        reranker: AnyReranker,
        **options: Unpack[RerankOptions],
    ) -> Results: ...
    @overload
    def rerank(
        self,
        run: AnyRun,
        topics: AnyTopics,
        reranker: AnyReranker,
        **options: Unpack[RerankOptions],
    ) -> Run: ...
    @checked
    def rerank(
        self,
        run: Any,
        topics: str | AnyTopics,
        reranker: AnyReranker,
        **options: Unpack[RerankOptions],
    ) -> Run | Results:
        """Put a run, or the hits of one text, into the order of a reranker.

        Parameters
        ----------
        run, topics
            Hits of this collection with what they were retrieved for: a run and its topics, or the
            hits of one text and that text.
        reranker : Rerank, Ranker, Reranker, callable, str or Path
            A method with its own options; a model or its name, as in `load_model`; or a function of
            a query and a list of texts that returns the scores of the texts.
        **options
            See `RerankOptions`.

        Returns
        -------
        Run, or Results for one text

        Raises
        ------
        UsageError
            If an option is unknown, or hits and topics do not go together.
        """
        if options.get("depth") is not None:
            options["depth"] = whole("depth", options["depth"])
        if isinstance(reranker, str | Path):
            reranker = Rerank(str(reranker))
        if isinstance(reranker, Rerank):
            defaults: RerankOptions = {
                "depth": reranker.depth,
                "interpolate": reranker.interpolate,
                "aggregate": reranker.aggregate,
            }
            options = {**defaults, **options}
        if isinstance(run, Run if isinstance(topics, str) else Results | Hits):
            raise UsageError(
                "hits and topics do not go together", fix="a run and its topics, or hits and a text"
            )
        hits = Run({"": run}) if isinstance(topics, str) else run_of(run)
        opened: Reranker = (
            reranker.open("rerank", self.rerankers)
            if isinstance(reranker, Rerank | Ranker)
            else as_reranker(reranker)
        )
        resolving = self.indexes.resolving(hits)
        reranked = reorder(opened, resolving, hits, topics_of(topics), **options)
        return self.results(reranked[""], topics) if isinstance(topics, str) else reranked

    @overload
    def related(
        self,
        topics: str,
        method: Related | str | Path | int = ...,
        k: int = ...,
        *,
        filters: Filters | Mapping[str, Any] | None = ...,
        progress: Progress | None = ...,
    ) -> Results: ...
    @overload
    def related(
        self,
        topics: AnyTopics,
        method: Related | str | Path | int = ...,
        k: int = ...,
        *,
        filters: Filters | Mapping[str, Any] | None = ...,
        progress: Progress | None = ...,
    ) -> Run: ...
    @checked
    def related(
        self,
        topics: str | AnyTopics,
        method: Related | str | Path | int = Related(),
        k: int = 10,
        *,
        filters: Filters | Mapping[str, Any] | None = None,
        progress: Progress | None = None,
    ) -> Run | Results:
        """Find the `k` sentences most related to a text, or to each topic.

        Parameters
        ----------
        topics : str, mapping of topic id to text, or DataFrame
            The id of a sentence or a record stands for its text; hits then come from other records.
        method : Related, str, Path or int
            The name of a formula or the folder of a trained model stands for `Related` with this
            model; a number is taken as `k`.
        k : int
        filters : Filters, optional
        progress : callable, optional

        Returns
        -------
        Run, or Results for one text
        """
        if isinstance(method, int):
            return self.related(topics, Related(), method, filters=filters, progress=progress)
        related = method if isinstance(method, Related) else Related(str(method))
        if related.model not in self._matchers:
            from relsent_ir.related.matching.matcher import Matcher

            self._matchers[related.model] = Matcher(self.indexes, related.model)
        texts, own = topics_of(topics), isinstance(topics, str) and topics in self
        if own:
            text = " ".join(sentence.text for sentence in self.sentences([str(topics)])[0])
            texts, topics = {str(topics): text}, text
        run = self._matchers[related.model].related(
            texts,
            whole("k", k),
            candidates=related.candidates,
            depth=related.depth,
            without_own=related.without_own or own,
            filters=_filters(filters),
            progress=progress,
        )
        return self.results(run[next(iter(texts))], topics) if isinstance(topics, str) else run

    def engine(self, unit: str) -> Engine:
        """Return the engine for records or sentences; all searches of the same unit share it."""
        if unit not in self._engines:
            self._engines[unit] = Engine(self.indexes, unit)
        return self._engines[unit]

    @checked
    def answer(
        self,
        question: str,
        method: Answers | int = Answers(),
        k: int = 10,
        *,
        filters: Filters | Mapping[str, Any] | None = None,
        records: Sequence[str] | None = None,
    ) -> "AnswerResults":
        """Find the sentences that answer a question: one in each abstract of a first stage.

        Parameters
        ----------
        question : str
        method : Answers or int
            A number is taken as `k`.
        k : int
            Depth of the first stage: so many abstracts are judged and returned. A small depth may
            miss the answer; ``head(1)`` is the abstract that most likely answers.
        filters : Filters, optional
        records : sequence of str, optional
            Ids of the records to judge in place of a first stage's hits.

        Returns
        -------
        AnswerResults
            Abstracts by the probability that they answer, each with its answer sentence;
            `Hit.sentences` has a sentence for each slot. A star marks an answer. The facts are the
            question's slot (``slot``) and the pooled answers of the starred abstracts (``pooled``,
            see `relsent_ir.answers.pooling.Pooled.to_dict`).

        Raises
        ------
        UsageError
            If the question has no letter or digit, or is longer than 1,000 characters.
        """
        from relsent_ir import models
        from relsent_ir.answers.language import parse
        from relsent_ir.answers.pooling import describe_answers
        from relsent_ir.answers.questions import check_question
        from relsent_ir.answers.searching import of_records, search
        from relsent_ir.searching import first_stage

        method, k = (Answers(), method) if isinstance(method, int) else (method, k)
        filters, k = _filters(filters), whole("k", k)
        check_question(one_text("a question", question))
        model = models.load(method.model, "answers")
        topics = {"": question}
        records = (records,) if isinstance(records, str) else records
        if records is None:
            engine = self.engine("abstracts")
            run = first_stage(engine, topics, method, k, filters, self.rerankers)
        else:
            run, _ = of_records(self.indexes, topics, records)
        abstracts = search(
            self.indexes,
            topics,
            model,
            method=method,
            run=run,
            depth=k if records is None else len(records),
            filters=filters,
        )[""]
        described, facts = describe_answers(model, parse(question), abstracts, method)
        by_id = {hit.id: hit for hit in described}
        hits = Hits.ranked(by_id, [hit.score for hit in described])
        return AnswerResults(hits, lambda part: [by_id[name] for name in part.ids], facts)

    @checked
    def similar(
        self, record_id: str, method: Similar | str | int = Similar(), k: int = 10
    ) -> Results:
        """Find the records most similar to a record.

        Parameters
        ----------
        record_id : str
        method : Similar, str or int
            ``pmra`` stands for ``Similar("pmra")``; a number is taken as `k`.
        k : int
            Number of records.
        """
        from relsent_ir.citation.similar import find_similar

        method, k = (Similar(), method) if isinstance(method, int) else (method, k)
        method = Similar(method) if isinstance(method, str) else method
        record_id = text_id(record_id)
        hits = find_similar(self.indexes, [record_id], method, whole("k", k))[record_id]
        return self.results(hits, self[record_id].title)

    @checked
    def cite(self, text: str, method: Cite = Cite(), k: int = 10) -> Results:
        """Find the records that a text may cite.

        Parameters
        ----------
        text : str
            A manuscript's title and abstract.
        method : Cite
        k : int
        """
        from relsent_ir.citation.suggestions import citing

        hits = self._citations.find({"": one_text("a text", text)}, method, whole("k", k))[""]
        return self.results(hits, text, values=citing(hits))

    @checked
    def themes(
        self,
        record_id: str | Sequence[str],
        method: Themes = Themes(),
        k: int = 10,
        *,
        terms: int = 10,
    ) -> "ThemeResults":
        """Find the theme of a record, or the common theme of several records.

        Returns
        -------
        ThemeResults
            The records on the theme, with a star for those of `record_id`; the facts are ``label``,
            ``phrases``, ``terms``, ``size``, ``range`` and ``coherence`` of the theme.
        """
        from relsent_ir.themes import ThemeFinder, ThemeTopic, describe_theme, read_method

        kernels = (record_id,) if isinstance(record_id, str) else tuple(record_id)
        finder = ThemeFinder(self.indexes, *read_method(method))
        themes = finder.find(
            {"": ThemeTopic(kernels)},
            lambda topic, theme: describe_theme(finder, topic, theme, k, terms),
        )
        hits, values, facts = themes[""]
        titles = " ".join(self[name].title for name in kernels)
        return ThemeResults(hits, self._reading(titles, values=values), facts)

    @checked
    def relate(
        self,
        first: str,
        second: str,
        method: Relations = Relations(),
        k: int = 10,
        *,
        filters: Filters | Mapping[str, Any] | None = None,
    ) -> "PairResults":
        """Find the sentences that relate two entities most clearly.

        Returns
        -------
        PairResults
            Sentences, each with its statement among its values; the facts are the names under which
            the entities were searched, and the numbers of sentences and records that mention both.
        """
        from relsent_ir.executor import SERIAL
        from relsent_ir.relations import open_ranker
        from relsent_ir.relations.pairs import PairEvidence, PairQuery, ranked_pairs

        ranker = open_ranker(method.model)
        query = PairQuery(self.indexes, ranker, method, whole("k", k), _filters(filters))
        (pair,) = ranked_pairs(query, [(first, second)], SERIAL)
        read = self._reading(f"{first} {second}", PairEvidence(pair, ranker))
        return PairResults(pair.hits, read, pair.facts)

    @checked
    def entity(
        self, name: str, k: int = 20, method: Relations = Relations(), *, terms: Sequence[str] = ()
    ) -> "list[EntityTerm]":
        """Find the terms of an entity, each with the sentence that best relates it to the entity.

        Parameters
        ----------
        name : str
        k : int
            The largest number of terms.
        method : Relations
            Only the fields model, synonyms and literal have an effect.
        terms : sequence of str
            Names to use instead of finding terms.
        """
        from relsent_ir.relations import open_ranker
        from relsent_ir.relations.entity import entity_terms
        from relsent_ir.relations.finding import Finder

        if not any(map(str.isalnum, one_text("a name", name))):
            raise UsageError("a name without a letter or digit")
        finder = Finder.of(self.indexes, method)
        return entity_terms(finder, open_ranker(method.model), name, k, terms)

    @checked
    def moves(self, record_id: str) -> Results:
        """Return the sentences of a record in reading order, with their moves and scores."""
        (sentences,) = self.sentences([record_id])
        ids, scores = [s.id for s in sentences], [s.score for s in sentences]
        hits = Hits(np.array(ids, dtype=object), np.array(scores, dtype=np.float64))
        return self.results(hits)

    @checked
    def results(
        self,
        hits: Hits,
        topic: str = "",
        *,
        explains: Explains | None = None,
        values: Mapping[str, Mapping[str, object]] | None = None,
        facts: Mapping[str, object] | None = None,
    ) -> Results:
        """Return hits with their records, sentences and moves.

        Parameters
        ----------
        hits : Hits
            For example the hits of one topic of a run.
        topic : str
            The topic's text; the sentence of a record that shares most with it is shown.
        explains, values
            See `relsent_ir.hit.read_hits`.
        facts : mapping of str to object, optional
            Values that describe all hits together.
        """
        return Results(hits, self._reading(topic, explains, values), facts)

    def _reading(
        self,
        topic: str,
        explains: Explains | None = None,
        values: Mapping[str, Mapping[str, object]] | None = None,
    ) -> Callable[[Hits], list[Hit]]:
        return lambda hits: read_hits(self.indexes, hits, topic, self._words, explains, values)

    @cached_property
    def _citations(self) -> "CitationFinder":
        from relsent_ir.citation.suggestions import CitationFinder

        return CitationFinder(self.indexes)

    @cached_property
    def _words(self) -> WordEvidence:
        return WordEvidence(self.indexes.facts.analysis)

    @checked
    def explain(self, hits: Hits | Results, topic: str, reranker: Reranker | str) -> list[Evidence]:
        """Return the evidence on which a reranker bases its scores of hits for a topic's text.

        Raises
        ------
        UsageError
            If the reranker gives no evidence.
        """
        model = open_reranker(reranker) if isinstance(reranker, str) else reranker
        if not isinstance(model, Explains):
            raise UsageError("this model does not account for its scores")
        return model.evidence(self, topic, Hits.of(hits))

    @checked
    def hits(self, hits: Hits | Results) -> list[Hit]:
        """Return hits with their records, their sentences and the moves of these."""
        return read_hits(self.indexes, Hits.of(hits))

    @checked
    def sentences(self, ids: Sequence[str]) -> list[tuple[Sentence, ...]]:
        """Return each record's sentences, its title first, and for a sentence's id that sentence.

        Moves come from the index if it stores them, else from the packaged model.
        """
        return [passage.sentences for passage in self.indexes.read(ids)]

    def stats(self) -> dict[str, Any]:
        """Count documents, terms and bytes of both indexes; keyed by unit."""
        opened = (self.indexes.abstracts, self.indexes.sentences)
        return {index.unit: index.statistics() for index in opened}

    def text_loader(
        self,
        fields: str | Sequence[str] = "*",
        *,
        verbose: bool = False,  # noqa: ARG002  # PyTerrier passes it
    ) -> Any:
        """Return a transformer that adds texts to hits, for PyTerrier's ``pt.text.get_text``.

        Parameters
        ----------
        fields : str or sequence of str
            Columns: ``text``, a sentence or a record's title and abstract; ``title``, ``abstract``,
            ``journal`` and ``year`` of the record; ``*`` for all of them.
        verbose : bool
            Has no effect: all hits are read at once.
        """
        import pyterrier as pt

        names = TEXTS if fields == "*" else (fields,) if isinstance(fields, str) else tuple(fields)
        for name in names:
            if name not in TEXTS:
                raise UsageError(f"hits have no {name!r}", fix=f"one of {', '.join(TEXTS)}")

        def add(frame: Any) -> Any:
            passages = self.indexes.read(list(frame["docno"]), moves=False)
            texts = [" ".join(s.text for s in passage.sentences) for passage in passages]
            return frame.assign(
                **{
                    name: texts if name == "text" else [getattr(p.record, name) for p in passages]
                    for name in names
                }
            )

        return pt.apply.generic(add)

    @checked
    def record(self, record_id: str) -> Record:
        """Return the record with an id."""
        return self.indexes.records([text_id(record_id)])[0]

    def __getitem__(self, record_id: str) -> Record:
        record_id = text_id(record_id)
        if record_id not in self:
            raise UnknownIdError(f"no record {record_id!r:.40}", where=self.indexes.folder)
        return self.record(record_id)

    @checked
    def get(self, record_id: str, default: Any = None) -> Any:
        """Return the record with an id, or `default` where there is none."""
        try:
            return self[record_id]
        except UnknownIdError:
            return default

    def close(self) -> None:
        """Close the indexes."""
        self._matchers.clear()
        self._engines.clear()
        self.indexes.close()


@checked
def open_collection(folder: Path | str) -> Collection:
    """Open the indexes that ``relsent-ir index`` wrote.

    Raises
    ------
    InputError
        If the folder holds no index.
    """
    if not isinstance(folder, str | Path):
        raise UsageError(f"no folder: {folder!r:.60}", fix="the folder of `relsent-ir index`")
    return Collection(folder)


class FuseOptions(TypedDict, total=False):
    """Options of fusion.

    Attributes
    ----------
    rrf_k : int
        The constant of ``rrf``.
    alpha : float
        The weight of the first run under ``interpolation``.
    weights : sequence of float
        The runs' weights under ``normalize``.
    depth, k : int
        Numbers of hits to read from each run and to return, for each topic.
    """

    rrf_k: int
    alpha: float
    weights: Sequence[float] | None
    depth: int | None
    k: int | None


@checked
def fuse(runs: AnyRuns, method: str = "rrf", **options: Unpack[FuseOptions]) -> Run:
    """Fuse runs into one.

    Parameters
    ----------
    runs : sequence or mapping of runs
        Two or more, in any form of `relsent_ir.trec.accepted`.
    method : str
        One of `relsent_ir.trec.fusion.METHODS`, as in ``fuse --method``.
    **options
        The options of the method, from `FuseOptions`.
    """
    if not isinstance(method, str) or method not in fusion.METHODS:
        fix = f"one of {', '.join(fusion.METHODS)}; the runs are one list, or a dict by their names"
        raise UsageError(f"no method {method!r:.60}", fix=fix)
    for name in ("depth", "k"):
        if options.get(name) is not None:
            options[name] = whole(name, options[name])
    return fusion.METHODS[method](list(runs_of(runs).values()), **options)


def _filters(given: Filters | Mapping[str, Any] | None) -> Filters | None:
    """Return filters, which may be given as a dict of their conditions.

    Raises
    ------
    UsageError
        If it is neither filters nor a dict, or a condition is unknown.
    """
    if given is None or isinstance(given, Filters):
        return given
    if isinstance(given, Mapping):
        return Filters(**given)
    raise UsageError(f"no filters: {given!r:.60}", fix='as {"years": (1990, 2000)}')
