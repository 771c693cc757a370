"""``relsent-ir search``: topics in, a TREC run out; or one text in, a readable list out."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from relsent_ir.cli.boosting import boost_options, read_boost
from relsent_ir.cli.console import SeveralValues, print_json, progress
from relsent_ir.cli.feedback import Engine, show_expansion
from relsent_ir.cli.feedback_options import FeedbackFlags, feedback_options
from relsent_ir.cli.filters import filter_options, read_filters
from relsent_ir.cli.options import (
    bm25_options,
    heap_option,
    index_option,
    json_option,
    unit_option,
)
from relsent_ir.errors import UsageError
from relsent_ir.stages import shared_open

if TYPE_CHECKING:
    from relsent_ir.citation.weights import Weights
    from relsent_ir.hits import Hits, Run
    from relsent_ir.lucene.index import Index
    from relsent_ir.lucene.search import Searcher

READABLE = 10  # hits of a --text search
WIDTH = 100  # characters of a hit's text that are shown


@click.command(cls=SeveralValues)
@index_option
@click.option("--topics", type=click.Path(path_type=Path), metavar="FILE", help="The topics.")
@click.option("--topics-format", metavar="FORMAT", help="Their format.  [default: by content]")
@click.option(
    "--topics-field", metavar="FIELD", default="title", help="Of TREC topics: title, desc, narr."
)
@click.option("--text", help="Search one text, and show the hits.")
@click.option("--output", type=click.Path(path_type=Path), metavar="RUN", help="The run to write.")
@click.option(
    "--output-format", type=click.Choice(["trec", "msmarco"]), default="trec", show_default=True
)
@unit_option
@click.option("--hits", type=click.IntRange(1), help="Hits per topic.  [default: 1000]")
@click.option("--threads", type=click.IntRange(1), help="Topics searched at once.  [default: all]")
@click.option("--batch-size", type=click.IntRange(1), default=64, show_default=True)
@click.option("--bm25", is_flag=True, help="Rank by BM25 (the default).")
@bm25_options
@click.option("--qld", is_flag=True, help="Rank by query likelihood with Dirichlet smoothing.")
@feedback_options
@click.option(
    "--fields", multiple=True, metavar="F=W...", help="Search these fields, with their weights."
)
@click.option(
    "--stopwords",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="More words to leave out of topics.",
)
@filter_options
@boost_options
@click.option("--remove-query", is_flag=True, help="Drop the hit whose id is the topic's.")
@click.option("--max-passage", is_flag=True, help="Turn sentences into their records, by the best.")
@click.option(
    "--max-passage-hits", type=click.IntRange(1), default=100, show_default=True, metavar="N"
)
@click.option("--runtag", default="relsent-ir", show_default=True)
@heap_option
@json_option
def command(
    index: Path,
    topics: Path | None,
    topics_format: str | None,
    topics_field: str,
    text: str | None,
    output: Path | None,
    output_format: str,
    unit: str,
    hits: int | None,
    threads: int | None,
    batch_size: int,
    bm25: bool,
    k1: float,
    b: float,
    qld: bool,
    fields: tuple[str, ...],
    stopwords: Path | None,
    year: str | None,
    journals: tuple[str, ...],
    publication_types: tuple[str, ...],
    moves: str | None,
    boost: str | None,
    boost_form: str,
    remove_query: bool,
    max_passage: bool,
    max_passage_hits: int,
    runtag: str,
    as_json: bool,
    **feedback: Any,
) -> None:
    """Search the topics of a file and write a run, or search one text and show the hits."""
    from relsent_ir.lucene.index import Index
    from relsent_ir.lucene.search import BM25, QueryLikelihood, Searcher, default_threads
    from relsent_ir.text.stopwords import read_stopwords
    from relsent_ir.trec import read_topics, write_run

    if (topics is None) == (text is None):
        raise UsageError("give either --topics or --text")
    if topics is not None and output is None:
        raise UsageError("--topics needs --output, the run to write")
    if text is not None and output is not None:
        raise UsageError("--output needs --topics; --text shows its hits")
    if bm25 and qld:
        raise UsageError("--bm25 and --qld exclude each other")
    if max_passage and unit != "sentences":
        raise UsageError("--max-passage needs --unit sentences")
    if moves and unit != "sentences":
        raise UsageError("--moves needs --unit sentences")
    flags = FeedbackFlags.take(feedback)
    if boost and (flags.expands or flags.smart or fields):
        raise UsageError(
            "--boost weighs the terms of `contents` for BM25",
            fix="leave out --rm3, --rocchio, --smart, --fields",
        )
    flags.check(fields=bool(fields), unit=unit)
    filters = read_filters(year, journals, publication_types, moves)
    if filters and flags.smart:
        which = "--moves" if filters.moves else "--year, --journal, --publication-type"
        raise UsageError(f"{which} and --smart exclude each other")
    asked = {"": text} if text is not None else {}
    if topics is not None:
        asked = read_topics(topics, topics_format, field=topics_field)
    factors = read_boost(boost)
    k = hits or (READABLE if text is not None else 1000)
    opening = shared_open((index, unit), lambda: Index(index, unit))
    with opening as opened, progress("Searching", "topics") as tick:
        searcher = Searcher(
            opened,
            QueryLikelihood() if qld else BM25(k1, b),
            fields=_weights(fields),
            stopwords=read_stopwords(stopwords) if stopwords else (),
            filters=filters,
        )
        engine = Engine(searcher, flags, (opened, qld, k1, b, stopwords, filters))
        explained = engine.explain(asked) if flags.explain else {}
        run = engine.search(
            _boosted(asked, searcher, factors, boost_form) if factors else asked,
            k + (remove_query and not max_passage),
            threads or default_threads(),
            batch_size,
            tick,
        )
        for qid, found in run.items():
            kept = found.max_passage() if max_passage else found
            kept = kept.without(qid) if remove_query else kept
            run[qid] = kept.head(max_passage_hits if max_passage else k)
        if output is not None:
            write_run(output, run, tag=runtag, output_format=output_format)
        if explained and not as_json:
            show_expansion(explained)
        if text is not None:
            _show(run[""], opened, max_passage, as_json, explained)
        elif as_json:
            print_json({**_counts(run, output), **({"expanded": explained} if explained else {})})


def _boosted(
    topics: dict[str, str], searcher: "Searcher", factors: dict[str, float], form: str
) -> "Weights":
    from relsent_ir.citation.similar import boosted_texts
    from relsent_ir.lucene.collection import Collection

    collection = Collection.of(searcher.index)
    return boosted_texts(collection, searcher.analysis, topics, factors, form)


def _weights(fields: tuple[str, ...]) -> dict[str, float]:
    weights = {}
    for field in fields:
        name, _, weight = field.partition("=")
        try:
            weights[name] = float(weight)
        except ValueError:
            raise UsageError(f"cannot read --fields {field}", fix="write title=2.0") from None
    return weights


def _counts(run: "Run", output: Path | None) -> dict[str, object]:
    return {"output": str(output), "topics": len(run), "hits": sum(len(h) for h in run.values())}


def _show(
    found: "Hits",
    index: "Index",
    max_passage: bool,
    as_json: bool,
    explained: dict[str, dict[str, Any]],
) -> None:
    """Print the hits of one text: rank, id, score, and the title or sentence."""
    import json

    from relsent_ir.lucene.index import Index

    ids = list(found.ids)
    if index.unit == "sentences" and not max_passage:
        texts = [json.loads(line)["contents"] for line in index.raw(ids)]
    else:
        with Index(index.folder) as records:
            texts = [record.title or record.abstract for record in records.records(ids)]
    rows = [
        {"rank": rank, "id": name, "score": round(float(score), 4), "text": text}
        for rank, (name, score, text) in enumerate(
            zip(ids, found.scores, texts, strict=True), start=1
        )
    ]
    if as_json:
        print_json({"hits": rows, **({"expanded": explained[""]} if explained else {})})
        return
    for row in rows:
        line = str(row["text"])
        shown = line if len(line) <= WIDTH else line[: WIDTH - 1] + "…"
        click.echo(f"{row['rank']:>4}  {row['id']:<14}{row['score']:>9.4f}  {shown}")
