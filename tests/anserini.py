"""Anserini's own RM3, what ours is held against."""

from collections.abc import Mapping
from typing import Any

from relsent_ir.feedback import RM3
from relsent_ir.hits import Run
from relsent_ir.lucene.index import Index
from relsent_ir.lucene.jvm import java
from relsent_ir.lucene.search import Searcher, _hits


def search_with_rm3(index: Index, topics: Mapping[str, str], k: int, settings: RM3) -> Run:
    """Search topics that Anserini has expanded, by the settings of ours."""
    searcher = Searcher(index)
    queries = [_expanded(searcher, text, settings) for text in topics.values()]
    found = java("relsent.Bulk").search(searcher._searcher, queries, min(k, len(index)), 1)
    return dict(zip(topics, _hits(found.tostring(), len(queries)), strict=True))


def _expanded(searcher: Searcher, text: str, settings: RM3) -> Any:
    """Let Anserini estimate the relevance model, and build the query from its terms."""
    query, analyzer = searcher.query(text), searcher.analysis.analyzer
    arguments = java("io.anserini.search.SearchCollection$Args")()
    arguments.hits = 1  # its own second search is thrown away
    tokens = java("io.anserini.analysis.AnalyzerUtils").analyze(analyzer, text)
    context = java("io.anserini.rerank.RerankerContext")(
        searcher._searcher, "", query, "", text, tokens, None, arguments
    )
    reranker = java("io.anserini.rerank.lib.Rm3Reranker")(
        analyzer,
        None,
        "contents",
        settings.fb_terms,
        settings.fb_docs,
        settings.original_query_weight,
        False,
        True,
    )
    sort = java("io.anserini.search.SearchCollection").BREAK_SCORE_TIES_BY_DOCID
    top = searcher._searcher.search(query, settings.fb_docs, sort, True)
    if not len(top.scoreDocs or ()):
        return query
    documents = java("io.anserini.search.ScoredDocs").fromTopDocs(top, searcher._searcher)
    reranker.rerank(documents, context)
    generator = java("io.anserini.search.query.BagOfWordsQueryGenerator")()
    return generator.buildQuery("contents", context.feedbackTerms)
