"""``relsent-ir explain``: why a document has its score."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from relsent_ir.cli import options
from relsent_ir.cli.methods import options_of, read_methods
from relsent_ir.cli.output import print_json, print_result
from relsent_ir.errors import UsageError
from relsent_ir.methods import BM25

if TYPE_CHECKING:
    from relsent_ir.rank import Evidence


@options.verb()
def command(
    index: Path = options.index,
    unit: str = options.unit,
    model: str | None = options.option(
        "Ask a reranker with evidence in the place of BM25.", metavar="MODEL|NAME"
    ),
    ranker: str | None = options.option(
        "Ask a learned ranker: what each feature adds.", metavar="MODEL|ranker"
    ),
    document: str = options.option("--id", "The record's or sentence's id.", required=True),
    text: str = options.option("The query.", required=True),
    flags: dict[str, float] = options_of([BM25], "--k1", "--b"),
    as_json: bool = options.as_json,
) -> None:
    """Account for a document's BM25 score, term by term, as Lucene does; or for a model's.

    With --model the sentence that decides is shown, what in it does, marked by [ ], and the
    weightiest features.
    """
    if model and ranker:
        raise UsageError("--model and --ranker exclude each other")
    model = model or ranker
    if model and flags:
        raise UsageError(f"{next(iter(flags))} is BM25's", fix="leave --model or --ranker out")
    if model:
        _evidence(index, unit, model, document, text, as_json)
        return
    from relsent_ir.lucene.read.index import Index
    from relsent_ir.lucene.read.search import Searcher

    (bm25,) = read_methods([BM25], flags, [BM25()])
    assert isinstance(bm25, BM25)
    with Index(index, unit) as opened:
        searcher = Searcher(opened, bm25)
        terms = searcher.analysis.terms(text)
        explanation = searcher.explain(text, document)
    values = {"id": document, "terms": terms, "explanation": explanation}
    print_result(values, as_json, f"terms: {' '.join(terms)}", explanation.rstrip())


def _evidence(index: Path, unit: str, model: str, document: str, text: str, as_json: bool) -> None:
    from dataclasses import asdict

    from relsent_ir.errors import MismatchError
    from relsent_ir.hits import Hits
    from relsent_ir.lucene.read.collection import Indexes
    from relsent_ir.rank import Explains, open_reranker

    reranker = open_reranker(model)
    if not isinstance(reranker, Explains):
        raise MismatchError(f"{model} does not account for its scores", fix="leave --model out")
    with Indexes(index) as collection:
        known = collection.among(unit)
        evidence = reranker.evidence(known, text, Hits.ranked([document], [0.0]))[0]
    if as_json:
        print_json({"id": document, "model": model, **asdict(evidence)})
        return
    click.echo(f"{evidence.sentence or document}: {_marked(evidence)}")
    for name, value in (evidence.values or {}).items():
        shown = ", ".join(value) if isinstance(value, list) else value
        click.echo(f"{name}: {shown:.4f}" if isinstance(shown, float) else f"{name}: {shown}")
    for name, weight in evidence.features:
        click.echo(f"{weight:10.4f}  {name}")


def _marked(evidence: "Evidence") -> str:
    """Return the text with its spans in brackets, {} where a word is only associated."""
    pieces, at = [], 0
    for span in evidence.spans:
        left, right = "{}" if span.label == "associated" else "[]"
        pieces += [
            evidence.text[at : span.start],
            left,
            evidence.text[span.start : span.end],
            right,
        ]
        at = span.end
    return "".join([*pieces, evidence.text[at:]])
