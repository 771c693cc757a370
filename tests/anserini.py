"""Anserini's own searcher and RM3, what ours are held against."""

import math
from collections.abc import Mapping
from typing import Any

import numpy as np

from relsent_ir.feedback import FeedbackSearcher
from relsent_ir.hits import Run
from relsent_ir.lucene.jvm import java
from relsent_ir.lucene.read.index import Index
from relsent_ir.lucene.read.search import Searcher, _hits
from relsent_ir.methods import BM25, RM3


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


def search_with_anserini(
    folder: str, topics: Mapping[str, str], k: int, *, rm3: bool = False
) -> dict[str, tuple[list[str], list[float]]]:
    """Search topics with the searcher in the jar that Pyserini's Python calls."""
    searcher = java("io.anserini.search.SimpleSearcher")(folder)
    searcher.set_bm25(0.9, 0.4)
    if rm3:
        searcher.set_rm3(10, 10, 0.5)
    found = {topic: searcher.search(text, k) for topic, text in topics.items()}
    searcher.close()
    return {
        topic: ([hit.docid for hit in hits], [hit.score for hit in hits])
        for topic, hits in found.items()
    }


def adjusted(scores: list[float]) -> list[float]:
    """Scores as Anserini shows them: rounded to four decimals, near ties lowered by millionths."""
    shown: list[float] = []
    ties = 0
    for score in scores:
        rounded = float(np.float32(math.floor(score * 1e4 + 0.5) / 1e4))
        ties = ties + 1 if shown and np.float32(shown[-1] - rounded) <= np.float32(1e-4) else 0
        shown.append(float(np.float32(rounded - ties * 1e-6)))
    return shown


def assert_same_run(ours: Run, theirs: dict[str, tuple[list[str], list[float]]]) -> None:
    """The same ids in the same order for every topic, and the same scores."""
    assert list(ours) == list(theirs)
    for qid, (ids, scores) in theirs.items():
        assert ours[qid].ids.tolist() == ids
        np.testing.assert_allclose(adjusted(ours[qid].scores.tolist()), scores, rtol=0, atol=2e-5)


def searched(index: Index, topics: dict[str, str], k: int, *, rm3: bool) -> Run:
    """Our run."""
    searcher = Searcher(index, BM25())
    if rm3:
        return FeedbackSearcher(searcher, index, RM3()).search(topics, k)
    return searcher.search(topics, k)
