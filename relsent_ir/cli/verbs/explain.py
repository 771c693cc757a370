"""``relsent-ir explain``: why a document has its score."""

from dataclasses import asdict
from pathlib import Path

from relsent_ir.cli import options
from relsent_ir.cli.output import Outcome
from relsent_ir.cli.requests import options_of, read_methods
from relsent_ir.errors import MismatchError, UsageError
from relsent_ir.methods import BM25


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
    document: str | None = options.option("--id", "The record's or sentence's id."),
    text: str | None = options.option("The query."),
    query: str | None = options.option(
        "In place of both: how this strategy, or @FILE of one, is read.", metavar="STRATEGY"
    ),
    flags: dict[str, float] = options_of([BM25], "--k1", "--b"),
) -> Outcome:
    """Account for a document's BM25 score, term by term, as Lucene does; or for a model's.

    With --model the sentence that decides is shown, what in it does, marked by [ ], and the
    weightiest features.
    """
    if query is not None:
        if (document, text, model, ranker) != (None, None, None, None) or flags:
            raise UsageError("--query is explained by itself", fix="leave the others out")
        return _parse(index, unit, query)
    if document is None or text is None:
        raise UsageError("explain needs --id and --text, or --query")
    if model and ranker:
        raise UsageError("--model and --ranker exclude each other")
    model = model or ranker
    if model and flags:
        raise UsageError(f"{next(iter(flags))} is BM25's", fix="leave --model or --ranker out")
    if model:
        return _evidence(index, unit, model, document, text)
    from relsent_ir.lucene.read.index import Index
    from relsent_ir.lucene.read.search import Searcher

    (bm25,) = read_methods([BM25], flags, [BM25()])
    assert isinstance(bm25, BM25)
    with Index(index, unit) as opened:
        searcher = Searcher(opened, bm25)
        terms = searcher.analysis.terms(text)
        explanation = searcher.explain(text, document)
    values = {"id": document, "terms": terms, "explanation": explanation}
    return Outcome(values, f"terms: {' '.join(terms)}", explanation.rstrip())


def _parse(index: Path, unit: str, query: str) -> Outcome:
    """Describe how a strategy is read: each part with its number of documents."""
    from relsent_ir.lucene.read.index import open_index
    from relsent_ir.lucene.read.strategy import Strategy
    from relsent_ir.text.strategy import positive_text, read_strategy

    with open_index(index, unit) as opened:
        strategy = Strategy(read_strategy(query), opened)
        lines, words = strategy.described(), positive_text(strategy.tree)
    read_as = str(strategy.tree)
    shown = *lines, f"read as: {read_as}", f"ranked by: {words}"
    return Outcome({"parts": lines, "read_as": read_as, "ranked_by": words}, *shown)


def _evidence(index: Path, unit: str, model: str, document: str, text: str) -> Outcome:
    from relsent_ir.hits import Hits
    from relsent_ir.lucene.read.collection import Indexes
    from relsent_ir.rank import Explains, open_reranker, opened

    reranker = open_reranker(model)
    if not isinstance(reranker, Explains):
        raise MismatchError(f"{model} does not account for its scores", fix="leave --model out")
    with Indexes(index) as collection:
        resolving = collection.among(unit)
        evidence = reranker.evidence(opened(resolving), text, Hits.ranked([document], [0.0]))[0]
    values = {"id": document, "model": model, **asdict(evidence)}
    return Outcome(values, f"{evidence.sentence or document}: {evidence}")
