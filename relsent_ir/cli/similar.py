"""``relsent-ir similar``: articles similar to an article of the index."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from relsent_ir.cli.boosting import boost_options, read_boost
from relsent_ir.cli.console import SeveralValues, print_json, progress
from relsent_ir.cli.options import (
    bm25_options,
    heap_option,
    index_option,
    json_option,
)
from relsent_ir.errors import UsageError

if TYPE_CHECKING:
    from relsent_ir.hits import Run
    from relsent_ir.lucene.collection import Collection

READABLE = 10  # hits that are shown


@click.command(cls=SeveralValues)
@index_option
@click.option("--pmid", "ids", multiple=True, metavar="ID...", help="Articles of the index.")
@click.option(
    "--topics",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Topics whose ids are articles; their texts are not read.",
)
@click.option("--output", type=click.Path(path_type=Path), metavar="RUN", help="The run to write.")
@click.option(
    "--method",
    default="pmra",
    show_default=True,
    metavar="METHOD",
    help="pmra, bm25, more-like-this, or a SMART scheme as ltc.atn.",
)
@bm25_options
@boost_options
@click.option("--hits", type=click.IntRange(1), help="Per article.  [default: 10; 1000 in a run]")
@click.option("--runtag", default="relsent-ir", show_default=True)
@heap_option
@json_option
def command(
    index: Path,
    ids: tuple[str, ...],
    topics: Path | None,
    output: Path | None,
    method: str,
    k1: float,
    b: float,
    boost: str | None,
    boost_form: str,
    hits: int | None,
    runtag: str,
    as_json: bool,
) -> None:
    """Show the articles most similar to an article, or write them as a run.

    An article is never among its own hits.
    """
    from relsent_ir.citation.similar import check_method, find_similar
    from relsent_ir.lucene.collection import Collection
    from relsent_ir.lucene.search import BM25
    from relsent_ir.trec import read_topics, write_run

    if bool(ids) == (topics is not None):
        raise UsageError("give either --pmid or --topics")
    if topics is not None and output is None:
        raise UsageError("--topics needs --output, the run to write")
    check_method(method)
    factors = read_boost(boost)
    names = list(dict.fromkeys(ids)) or list(read_topics(topics) if topics else ())
    k = hits or (READABLE if output is None else 1000)
    with Collection(index) as opened, progress("Searching", "articles"):
        run = find_similar(
            opened, names, method, k, bm25=BM25(k1, b), factors=factors, form=boost_form
        )
        if output is not None:
            write_run(output, run, tag=runtag)
            if as_json:
                count = sum(map(len, run.values()))
                print_json({"output": str(output), "topics": len(run), "hits": count})
        else:
            _show(run, opened, as_json)


def _show(run: "Run", collection: "Collection", as_json: bool) -> None:
    """Print the hits of each article: rank, id, score and title."""
    from relsent_ir.cli.search import WIDTH

    shown = {}
    for name, found in run.items():
        records = collection.records(list(found.ids))
        shown[name] = [
            {
                "rank": rank,
                "id": record.id,
                "score": round(float(score), 4),
                "text": record.title or record.vernacular_title or record.abstract,
            }
            for rank, (record, score) in enumerate(zip(records, found.scores, strict=True), 1)
        ]
    if as_json:
        print_json({"articles": shown})
        return
    for name, rows in shown.items():
        if len(shown) > 1:
            click.echo(name)
        for row in rows:
            line = str(row["text"])
            text = line if len(line) <= WIDTH else line[: WIDTH - 1] + "…"
            click.echo(f"{row['rank']:>4}  {row['id']:<14}{row['score']:>9.4f}  {text}")
