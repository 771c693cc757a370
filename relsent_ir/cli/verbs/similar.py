"""``relsent-ir similar``: articles similar to an article of the index."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from relsent_ir.cli import options
from relsent_ir.cli.output import Group, Output, progress
from relsent_ir.errors import UsageError

if TYPE_CHECKING:
    from relsent_ir.hits import Run


@click.command(cls=options.Command)
@options.index
@click.option("--pmid", "ids", multiple=True, metavar="ID...", help="Articles of the index.")
@options.file("--topics", help="Topics whose ids are articles; their texts are not read.")
@options.run_output
@click.option(
    "--method",
    default="neighbours",
    show_default=True,
    metavar="METHOD",
    help="neighbours, pmra, bm25, more-like-this, or a SMART scheme as ltc.atn.",
)
@options.bm25
@click.option("--lambda", "lambda_", type=options.KINDS[float], help="pmra's λ.  [default: 0.022]")
@click.option("--mu", type=options.KINDS[float], help="pmra's μ.  [default: 0.013]")
@options.boost
@click.option(
    "--parts",
    metavar="PART,...",
    help="Make topics of these parts only: moves, TITLE, MESH.",
)
@click.option(
    "--thesaurus",
    metavar="FILE|headings",
    help="MeSH descriptors, or the index's own headings, as terms of a SMART scheme.",
)
@options.count("--hits", help="Per article.  [default: 10; 1000 in a run]")
@options.run
def command(
    index: Path,
    ids: tuple[str, ...],
    topics: Path | None,
    output: Output,
    method: str,
    k1: float | None,
    b: float | None,
    lambda_: float | None,
    mu: float | None,
    factors: dict[str, float],
    boost_form: str,
    parts: str | None,
    thesaurus: str | None,
    hits: int | None,
) -> "Run":
    """Show the articles most similar to an article, or write them as a run.

    An article is never among its own hits.
    """
    from relsent_ir.citation.similar import BY_BM25, check_method, similar_by
    from relsent_ir.hit import WordEvidence, read_hits
    from relsent_ir.lucene.read.collection import Indexes
    from relsent_ir.methods import Similar
    from relsent_ir.trec import read_topics

    if bool(ids) == (topics is not None):
        raise UsageError("give either --pmid or --topics")
    output.check()
    check_method(method)
    needed = "" if method in BY_BM25 else f"--method {' or '.join(BY_BM25)}"
    ranking = options.given_bm25(k1, b, needed)
    both = ranking.k1, ranking.b
    wanted = Similar(method, *both, lambda_, mu, factors, boost_form, parts, thesaurus)
    names = list(dict.fromkeys(ids)) or list(read_topics(topics) if topics else ())
    with Indexes(index) as opened, progress("Searching", "articles"):
        run = similar_by(opened, names, wanted, output.depth(hits))
        if output.wanted:
            return output.finish(run)
        words = WordEvidence(opened.facts.analysis)
        groups = [
            Group(kernel.id, kernel.title, read_hits(opened, hits_of_it, "", words))
            for kernel, hits_of_it in zip(opened.records(list(run)), run.values(), strict=True)
        ]
    output.view.show(groups)
    return run
