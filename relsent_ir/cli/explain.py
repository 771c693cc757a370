"""``relsent-ir explain``: why a document has its score."""

from pathlib import Path

import click

from relsent_ir.cli.console import print_json
from relsent_ir.cli.options import (
    bm25_options,
    heap_option,
    index_option,
    json_option,
    unit_option,
)


@click.command()
@index_option
@unit_option
@click.option("--id", "document", required=True, help="The record's or sentence's id.")
@click.option("--text", required=True, help="The query.")
@bm25_options
@heap_option
@json_option
def command(
    index: Path, unit: str, document: str, text: str, k1: float, b: float, as_json: bool
) -> None:
    """Account for a document's BM25 score, term by term, as Lucene does."""
    from relsent_ir.lucene.index import Index
    from relsent_ir.lucene.search import BM25, Searcher

    with Index(index, unit) as opened:
        searcher = Searcher(opened, BM25(k1, b))
        terms = searcher.analysis.terms(text)
        explanation = searcher.explain(text, document)
    if as_json:
        print_json({"id": document, "terms": terms, "explanation": explanation})
    else:
        click.echo(f"terms: {' '.join(terms)}")
        click.echo(explanation.rstrip())
