"""``relsent-ir search``: write the run of topics, or show the hits of a text."""

import logging
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, replace
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click

from relsent_ir.cli import options
from relsent_ir.cli.options import Topics
from relsent_ir.cli.output import HitGroup, Outcome, Output, describe_run, progress
from relsent_ir.cli.requests import (
    SETTINGS,
    Request,
    flag_of,
    flags_of,
    options_of,
    read_methods,
    run_verb,
)
from relsent_ir.errors import UsageError
from relsent_ir.method import Method, Pipeline
from relsent_ir.methods import (
    BM25,
    PRESETS,
    RM3,
    Dense,
    Fields,
    FromMoves,
    Hybrid,
    MaxPassage,
    QueryLikelihood,
    Ranker,
    RemoveQuery,
    Rerank,
    Rocchio,
    Smart,
    as_pipeline,
)

if TYPE_CHECKING:
    from relsent_ir.feedback import Engine, FeedbackSearcher
    from relsent_ir.feedback.wording import Alternative, Alternatives
    from relsent_ir.hits import Run
    from relsent_ir.lucene.read.filters import Filters
    from relsent_ir.rank import Query
    from relsent_ir.searching import Search

NEGATIVE: Final = 0.15  # gamma of Pyserini's --rocchio-use-negative
KINDS: Final = (
    *(BM25, QueryLikelihood, Ranker, Dense, Smart, Fields, RM3, Rocchio, FromMoves),
    *(Hybrid, Rerank, MaxPassage, RemoveQuery),
)

_log = logging.getLogger("relsent_ir")


class Searching(Request[Pipeline]):
    """Search the topics of a file and write a run, or search one text and show the hits."""

    kinds = KINDS
    index: Path = options.index
    topics: Topics | None = options.topics()
    text: str | None = options.option("Search one text, and show the hits.", excludes="--output")
    query: str | None = options.option(
        'As a strategy, or @FILE of one, says: AND OR NOT "phrases" cut* NEAR/5 [tiab] [mh] ...',
        metavar="STRATEGY",
        excludes="--output",
    )
    as_written: bool = options.flag(
        "With --text: no other spellings, abbreviations, entry terms of MeSH.", needs="--text"
    )
    count: bool = options.flag("With --query: print how many there are.", needs="--query")
    output_format: str = options.choice(choices=["trec", "msmarco"], default="trec")
    unit: str = options.unit
    hits: int | None = options.count("Hits per topic.  [default: 1000]")
    threads: int | None = options.count("Topics searched at once.  [default: all]")
    batch_size: int = options.count(default=256)
    engine: str = options.engine
    flags: Mapping[str, Any] = options_of(KINDS)
    fb_preset: str | None = options.choice(
        "Rocchio with good settings, BM25's among them; flags that are given win. medline-plain: "
        "without --fb-selective.",
        choices=PRESETS,
        excludes="--settings --ranker --rm3",
    )
    rocchio_use_negative: bool = options.flag(
        f"Rocchio: gamma is {NEGATIVE}, if not given.", excludes="--settings"
    )
    explain: bool = options.flag("Show the expanded topics.")
    runs: tuple[str, ...] = options.evidence
    stopwords: Path | None = options.file("More words to leave out of topics.")
    filters: "Filters" = options.filters
    remove_duplicates: bool = options.flag("Accepted: no hit comes twice.")
    output: Output = options.run

    def __post_init__(self) -> None:
        if [self.topics, self.text, self.query].count(None) != 2:
            raise UsageError("give either --topics or --text or --query")
        if self.filters.moves and self.unit == "abstracts":
            raise UsageError("--moves needs --unit sentences")

    def method(self, flags: Mapping[str, Any]) -> Pipeline:
        """Return the pipeline that the flags describe.

        Without flags, a question or a statement is answered by the sentences that a ranker orders.
        """
        plain = not (flags or self.fb_preset or self.explain) and self.engine == "auto"
        if plain and self.text is not None and self.unit == "sentences":
            from relsent_ir.answers.language import parse

            if parse(self.text).kind != "topic":
                return Pipeline((Ranker(),))
        method = read_pipeline(flags, self.fb_preset, negative=self.rocchio_use_negative)
        kinds = {type(stage) for stage in method}
        if self.explain and not kinds & {RM3, Rocchio}:
            raise UsageError("--explain needs --rocchio or --rm3")
        if self.runs and Ranker not in kinds:
            raise UsageError("--run needs --ranker")
        return method

    @cached_property
    def queries(self) -> dict[str, str]:
        """The texts of the topics; for a strategy, the words that rank its hits."""
        from relsent_ir.text.strategy import looks_like_strategy, parse, positive_text

        if self._strategy is not None:
            return {"": positive_text(parse(self._strategy))}
        queries = super().queries
        for topic, text in queries.items():
            if looks_like_strategy(text, quoted=not topic):
                named = f"topic {topic}" if topic else "the text"
                _log.warning(
                    "%s looks like a query; its words are searched, and its syntax is not "
                    "heeded (--query heeds it)",
                    named,
                )
                break
        return queries

    @cached_property
    def _strategy(self) -> str | None:
        """The strategy; for a text that is only a PMID or a DOI, that of its record."""
        if self.query is not None:
            from relsent_ir.text.strategy import read_strategy, translated

            strategy = read_strategy(self.query)
            if became := translated(strategy):
                _log.warning("the query is searched as: %s", became)
            return strategy
        if self.text is None or self.as_written:
            return None
        from relsent_ir.feedback.wording import record_of

        record = record_of(self.text, self.collection)
        return f'"{record}"[pmid]' if record else None

    @cached_property
    def _alternatives(self) -> "Alternatives | None":
        """Other wordings of the text; warns of words that may be misspelt."""
        if self.text is None or self.as_written or self._strategy is not None:
            return None
        from relsent_ir.feedback.wording import meant, read_alternatives

        for word, other in meant(self.text, self._engine.index).items():
            _log.warning("did you mean %s? Few %s have %s", other, self.unit, word)
        return read_alternatives(self.text, self._engine.index, self._stopwords)

    @property
    def _within(self) -> "Filters":
        """The filters, including the set of a strategy if there is one."""
        return replace(self.filters, strategy=self._strategy or "")

    @cached_property
    def _engine(self) -> "Engine":
        from relsent_ir.feedback.engine import Engine

        return Engine(self.collection, self.unit, self.engine)

    @cached_property
    def open(self) -> "Callable[[Pipeline], Search]":
        """A function that opens pipelines on the index; they share the engine and the rerankers."""
        from relsent_ir.searching import Search
        from relsent_ir.trec.runs import read_named_runs

        return partial(
            Search,
            self._engine,
            stopwords=self._stopwords,
            filters=self._within,
            runs=read_named_runs(self.runs) if self.runs else {},
            rerankers={},
            vectors={},
            called=flag_of,
        )

    @cached_property
    def _stopwords(self) -> "Sequence[str]":
        if not self.stopwords:
            return ()
        from relsent_ir.text.words import read_stopwords  # this module imports a stemmer

        return read_stopwords(self.stopwords)

    def run(self, method: Pipeline, hits: int | None) -> "Run":
        """Search the topics."""
        return self._run(self.open(method), hits)

    def _run(self, search: "Search", hits: int | None) -> "Run":
        depth = self.output.depth(hits)
        with progress("Searching", "topics") as tick:
            run = search.search(
                self._topics(search)[0],
                depth,
                threads=self._threads,
                batch_size=self.batch_size,
                progress=tick,
            )
        if self._strategy is None:
            return run
        # The set of a strategy may have documents without any of its words.
        from relsent_ir.hits import Run
        from relsent_ir.lucene.read.search import complete

        index = self.collection.index(self.unit)
        return Run(
            {topic: complete(index, hits, self._within, depth) for topic, hits in run.items()}
        )

    def _write(self, search: "Search") -> dict[str, Any]:
        """Write the run; return its counts."""
        output, form = self.output, self.output_format
        with progress("Searching", "topics") as tick:
            lines = search.lines(
                self.queries,
                output.depth(self.hits),
                output.tag,
                output_format=form,
                threads=self._threads,
                batch_size=self.batch_size,
                progress=tick,
            )
            return output.write_lines(self.queries, lines, output_format=form)

    @property
    def _threads(self) -> int:
        from relsent_ir.lucene.read.search import default_threads

        return self.threads or default_threads()

    def _topics(self, search: "Search") -> "tuple[Mapping[str, Query], list[Alternative]]":
        """Return the queries, with those alternatives that the pipeline can use."""
        kinds = {type(stage) for stage in search.pipeline}
        weighted = all(of.part in ("model", "feedback") or of.role == "cut" for of in kinds)
        found = self._alternatives if weighted or Ranker in kinds else None
        if found is None or not found.found:
            return self.queries, []
        if Ranker not in kinds:
            return {"": found.terms}, list(found.found)
        spellings = [wording for wording in found.found if wording.kind == "spelling"]
        return {"": found.widened}, spellings

    def execute(self) -> None:
        """Search, and write the run or show its hits; or count the documents of a strategy."""
        from relsent_ir.lucene.jvm import expect_queries

        assert self.index
        expect_queries(len(self.queries) if self.topics else 1, self.index / self.unit)
        if self.count:
            index = self.collection.index(self.unit)
            count = index.count(self._within.query(index))
            outcome = Outcome({"query": self._strategy, "count": count}, f"{count}")
            outcome.show(as_json=self.output.as_json)
            return
        method, output = self.method(self.flags), self.output
        search = self.open(method)
        explained: dict[str, Any] = {}
        if self.explain:
            searcher: FeedbackSearcher = search.searcher  # type: ignore[assignment]
            for topic, (terms, origins) in searcher.explain(self._topics(search)[0]).items():
                explained[topic] = terms.to_dict(origins)
        if output.wanted:
            counts = self._write(search)
        else:
            groups = self._groups(search, self._run(search, self.hits), explained)
        if explained and output.view.form == "text":
            from relsent_ir.feedback.expansion import table_of_terms

            for topic, of in explained.items():
                title = f"topic {topic}" if topic else "expanded topic"
                click.echo(f"{title} ({of['fallback']})" if of["fallback"] else title)
                click.echo(f"{table_of_terms(of['terms'])}\n")
        if not output.wanted:
            output.view.show(groups)
        elif output.as_json:
            more = {"expanded": explained} if explained else {}
            Outcome({**counts, **more}, written=output.path).show(as_json=True)

    def _groups(self, search: "Search", run: "Run", explained: dict[str, Any]) -> list[HitGroup]:
        """Read hits, with the evidence of a ranker."""
        from relsent_ir.rank import Explains

        for topic, ranking in run.items():
            if not len(ranking) and self._strategy is None:
                _tell_why(self._engine, search, self.queries[topic])
        first, kinds = search.pipeline.stages[0], {type(stage) for stage in search.pipeline}
        whole = isinstance(first, Ranker) and self.unit == "abstracts"
        opened = search.reranker(first) if whole else None
        why = opened if isinstance(opened, Explains) else None
        found_in = self._engine.collection.among("abstracts" if MaxPassage in kinds else self.unit)
        more = {topic: {"expanded": of} for topic, of in explained.items()}
        _, others = self._topics(search)
        if others:
            more[""] = more.get("", {}) | {"alternatives": [asdict(wording) for wording in others]}
        groups = describe_run(found_in, run, self.queries, why, more=more)
        text = ", ".join(f"{w.other} ({w.kind} of {w.written})" for w in others)
        note = f"also searched: {text}; --as-written leaves this out" if others else ""
        return [replace(group, note=note) for group in groups]


command = run_verb("search", Searching)


def read_pipeline(flags: Mapping[str, Any], preset: str | None, *, negative: bool) -> Pipeline:
    """Return the pipeline that flags describe.

    Parameters
    ----------
    flags : mapping of str to Any
        The dict of flags, from `options_of`.
    preset : str or None
        The name of settings in `PRESETS`, which flags change.
    negative : bool
        Whether Rocchio uses the last hits as not relevant, unless its gamma is given.

    Raises
    ------
    UsageError
        If flags cannot be combined, or have no effect.
    """
    if flags.get("--argumentative") == "learn":
        raise UsageError(
            "--argumentative learn needs judgements",
            fix="relsent-ir tune --qrels QRELS -- search ..., then give the weights that it chose",
        )
    if "--ranker" in flags:
        others = [
            kind for kind in KINDS if kind is Ranker or kind.role in ("join", "rerank", "cut")
        ]
        theirs = {one for kind in others for one in flags_of(kind)}
        for flag in flags:
            if flag not in theirs:
                problem = f"--ranker and {flag} exclude each other"
                raise UsageError(f"{problem}: the ranker finds its own candidates")
    if SETTINGS in flags:
        return as_pipeline(Pipeline(tuple(read_methods(KINDS, flags))), flag_of)
    ranks = {kind for kind in KINDS if kind.role == "rank" and kind.flag in flags}
    if "--candidates" in flags:  # of BM25, unless another method ranks first
        ranks.discard(Smart)
    base: dict[type[Method], Method] = {} if ranks - {BM25} else {BM25: BM25()}
    base |= {type(method): method for method in PRESETS.get(preset or "", ())}
    if Smart in ranks:
        base.pop(BM25, None)
    if negative:
        if Rocchio not in base and "--rocchio" not in flags:
            raise UsageError("--rocchio-use-negative needs --rocchio")
        rocchio = base.get(Rocchio) or Rocchio()
        base[Rocchio] = rocchio.changed(gamma=NEGATIVE)
    return as_pipeline(Pipeline(tuple(read_methods(KINDS, flags, base.values()))), flag_of)


def _tell_why(engine: "Engine", search: "Search", text: str) -> None:
    """Warn of a text that has no words to search for, or only unknown words."""
    terms = list(dict.fromkeys(search.searcher.analysis.terms(text)))
    if not terms:
        _log.warning("there is no word to search for in %r, stop words apart", text)
        return
    counts = engine.index.frequencies(terms)
    if not counts.any():
        _log.warning("none of the words of %r is in the index", text)
