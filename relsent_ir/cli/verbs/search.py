"""``relsent-ir search``: topics in, a run out; or one text in, its hits shown."""

import logging
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click

from relsent_ir.cli import options
from relsent_ir.cli.inputs import Topics, open_engine, read_runs
from relsent_ir.cli.methods import flag_of, flags_of, options_of, read_methods
from relsent_ir.cli.output import Output, describe_run, print_table, print_written, progress
from relsent_ir.errors import UsageError
from relsent_ir.method import Method, Pipeline
from relsent_ir.methods import (
    BM25,
    PRESETS,
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
    Rocchio,
    Smart,
    as_pipeline,
)

if TYPE_CHECKING:
    from relsent_ir.feedback import Engine, FeedbackSearcher
    from relsent_ir.hits import Run
    from relsent_ir.lucene.read.filters import Filters
    from relsent_ir.searching import Search

NEGATIVE: Final = 0.15  # Pyserini's gamma with --rocchio-use-negative
ORIGINS: Final = 4  # documents or sentences that are named for a term
KINDS: Final = (
    *(BM25, QueryLikelihood, Ranker, Smart, Fields, Boost, RM3, Rocchio, FromMoves, FromRelated),
    *(FromAssociations, MaxPassage, RemoveQuery),
)
ALONE: Final = (Ranker, MaxPassage, RemoveQuery)
"""The methods that go with a ranker, whose first stage is its own."""

_log = logging.getLogger("relsent_ir")


@click.command(cls=options.Command)
@options.index
@options.topics()
@click.option("--text", help="Search one text, and show the hits.")
@options.run_output
@options.choice("--output-format", choices=["trec", "msmarco"], default="trec")
@options.unit
@options.count("--hits", help="Hits per topic.  [default: 1000]")
@options.count("--threads", help="Topics searched at once.  [default: all]")
@options.count("--batch-size", default=64)
@options.engine
@options_of(KINDS)
@options.choice(
    "--fb-preset",
    choices=PRESETS,
    help="Rocchio with good settings, BM25's among them; flags that are given win.",
)
@click.option(
    "--rocchio-use-negative", is_flag=True, help=f"Rocchio: gamma is {NEGATIVE}, if not given."
)
@click.option("--explain", is_flag=True, help="Show the expanded topics.")
@options.evidence
@options.file("--stopwords", help="More words to leave out of topics.")
@options.filters
@click.option(
    "--remove-duplicates", is_flag=True, expose_value=False, help="Accepted: no hit comes twice."
)
@options.run
def command(
    index: Path,
    topics: Topics | None,
    text: str | None,
    output: Output,
    output_format: str,
    unit: str,
    hits: int | None,
    threads: int | None,
    batch_size: int,
    engine: str,
    flags: dict[str, Any],
    fb_preset: str | None,
    rocchio_use_negative: bool,
    explain: bool,
    runs: tuple[str, ...],
    stopwords: Path | None,
    filters: "Filters",
) -> "Run":
    """Search the topics of a file and write a run, or search one text and show the hits."""
    from relsent_ir.lucene.read.search import default_threads
    from relsent_ir.rank import Explains
    from relsent_ir.searching import Search
    from relsent_ir.text.words import read_stopwords

    if (topics is None) == (text is None):
        raise UsageError("give either --topics or --text")
    output.check(text, shown="--text shows its hits")
    method = read_pipeline(flags, fb_preset, negative=rocchio_use_negative)
    kinds = {type(stage) for stage in method}
    if explain and not kinds & {RM3, Rocchio, FromAssociations}:
        raise UsageError("--explain needs --rocchio or --rm3 or --associations")
    if runs and Ranker not in kinds:
        raise UsageError("--run needs --ranker")
    queries = topics.read() if topics else {"": text or ""}
    k = output.depth(hits)
    with open_engine(index, unit, engine) as searching, progress("Searching", "topics") as tick:
        for stage in method:
            if isinstance(stage, FromAssociations):
                with progress("Learning associations") as learning:
                    searching.associations(stage.path, learning)
        search = Search(
            searching,
            method,
            stopwords=read_stopwords(stopwords) if stopwords else (),
            filters=filters,
            runs=read_runs(runs),
            called=flag_of,
        )
        explained = _explain(search, queries) if explain else {}
        run = search.search(
            queries,
            k,
            threads=threads or default_threads(),
            batch_size=batch_size,
            progress=tick,
        )
        counts = output.write(run, output_format=output_format)
        if not output.wanted:
            for topic, ranking in run.items():
                if not len(ranking):
                    _tell_why(searching, search, queries[topic])
            more = {topic: {"expanded": of} for topic, of in explained.items()}
            opened = search.reranker(method.stages[0]) if Ranker in kinds else None
            why = opened if isinstance(opened, Explains) else None
            found_in = searching.collection.among("abstracts" if MaxPassage in kinds else unit)
            groups = describe_run(found_in, run, queries, why, more=more)
    if explained and output.view.form == "text":
        _show_expansion(explained)
    if not output.wanted:
        output.view.show(groups)
    elif output.as_json and output.path is not None:
        more_counts = {**counts, **({"expanded": explained} if explained else {})}
        print_written(output.path, "", more_counts, as_json=True)
    return run


def read_pipeline(flags: Mapping[str, Any], preset: str | None, *, negative: bool) -> Pipeline:
    """Return the pipeline that flags ask for.

    Parameters
    ----------
    flags : mapping of str to Any
        As `options_of` gives them.
    preset : str or None
        The name of settings that flags change, out of `PRESETS`.
    negative : bool
        Whether Rocchio moves away from the last hits, if its gamma is not given.

    Raises
    ------
    UsageError
        If flags do not go together, or are not heeded.
    """
    if flags.get("--argumentative") == "learn":
        raise UsageError(
            "--argumentative learn needs judgements",
            fix="relsent-ir tune --qrels QRELS -- search ..., then give the weights that it chose",
        )
    if "--ranker" in flags:
        others = {**dict.fromkeys(flags), **({"--fb-preset": None} if preset else {})}
        theirs = {one for kind in ALONE for one in flags_of(kind)}
        for flag in others:
            if flag not in theirs:
                problem = f"--ranker and {flag} exclude each other"
                raise UsageError(f"{problem}: its first stage is its own")
    if preset and "--rm3" in flags:
        raise UsageError("--fb-preset is Rocchio's, and excludes --rm3")
    base: dict[type[Method], Method] = {}
    ranks = any(flag in flags for flag in ("--qld", "--smart", "--ranker"))
    if not ranks or ("--candidates" in flags and "--qld" not in flags):
        base[BM25] = BM25()
    base |= {type(method): method for method in PRESETS.get(preset or "", ())}
    if "--smart" in flags and "--candidates" not in flags:
        base.pop(BM25, None)
    if negative:
        if Rocchio not in base and "--rocchio" not in flags:
            raise UsageError("--rocchio-use-negative needs --rocchio")
        rocchio = base.get(Rocchio) or Rocchio()
        base[Rocchio] = rocchio.changed(gamma=NEGATIVE)
    return as_pipeline(Pipeline(tuple(read_methods(KINDS, flags, base.values()))), flag_of)


def _explain(search: "Search", topics: Mapping[str, str]) -> dict[str, Any]:
    """Account for the expanded topics: each term's weight, and where it is from."""
    searcher: FeedbackSearcher = search.searcher  # type: ignore[assignment]
    return {
        topic: {
            "fallback": expansion.fallback,
            "terms": [
                {
                    "term": term,
                    "weight": weight,
                    "topic": expansion.original.get(term, 0.0),
                    "feedback": expansion.feedback.get(term, 0.0),
                    "associated": expansion.associated.get(term, 0.0),
                    "from": origins.get(term, []),
                }
                for term, weight in expansion.weights.items()
            ],
        }
        for topic, (expansion, origins) in searcher.explain(topics).items()
    }


def _show_expansion(explained: Mapping[str, Mapping[str, Any]]) -> None:
    """Print expanded topics as tables."""
    for topic, of in explained.items():
        title = f"topic {topic}" if topic else "expanded topic"
        click.echo(f"{title} ({of['fallback']})" if of["fallback"] else title)
        rows = []
        names = ["weight", "topic", "feedback"]
        names += ["associated"] if any(term["associated"] for term in of["terms"]) else []
        for term in of["terms"]:
            origins = term["from"]
            more = f" and {len(origins) - ORIGINS} more" if len(origins) > ORIGINS else ""
            weights = [f"{term[name]:.4f}" for name in names]
            rows.append([term["term"], *weights, ", ".join(origins[:ORIGINS]) + more])
        width = max((len(row[-1]) for row in rows), default=0)  # names start on the left
        table = [[*row[:-1], row[-1].ljust(width)] for row in rows]
        print_table(["term", *names, "from".ljust(width)], table)
        click.echo()


def _tell_why(engine: "Engine", search: "Search", text: str) -> None:
    """Warn of a text that has no word to search for, or only unknown ones."""
    terms = list(dict.fromkeys(search.searcher.analysis.terms(text)))
    if not terms:
        _log.warning("there is no word to search for in %r, stop words apart", text)
        return
    counts = engine.index.frequencies(terms)
    if not counts.any():
        _log.warning("none of the words of %r is in the index", text)
