"""The same settings as Anserini's own feedback give its runs, document by document."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from relsent_ir.feedback import FeedbackSearcher
from relsent_ir.lucene.jvm import java
from relsent_ir.lucene.read.index import Index
from relsent_ir.lucene.read.search import Searcher
from relsent_ir.methods import BM25, RM3, Rocchio
from relsent_ir.records import Record
from relsent_ir.trec import read_topics
from tests.anserini import search_with_rm3

ROCCHIO = [
    Rocchio(),
    Rocchio(20, 5, 0.5, 1.5),
    Rocchio(7, 15, 1.0, 0.75, 0.15, 5, 20),
    Rocchio(1, 1, 0.0, 1.0),
    Rocchio(400, 3, 1.0, 0.1, 2.0, 300, 4),
]


def anserini(index: Path, rocchio: Rocchio) -> Any:
    """Anserini's searcher, on the folder of one Lucene index, with the same settings."""
    searcher = java("io.anserini.search.SimpleSearcher")(str(index))
    searcher.set_bm25(0.9, 0.4)
    searcher.set_rocchio(
        None,
        rocchio.fb_terms,
        rocchio.fb_docs,
        rocchio.bottom_fb_terms,
        rocchio.bottom_fb_docs,
        rocchio.alpha,
        rocchio.beta,
        rocchio.gamma,
        False,
        rocchio.gamma > 0,
    )
    return searcher


def assert_equal_runs(index: Index, topics: dict[str, str], rocchio: Rocchio, k: int) -> None:
    """The same ids in the same order, and the same scores up to Anserini's rounding."""
    ours = FeedbackSearcher(Searcher(index), index, rocchio).search(topics, k)
    theirs = anserini(index.folder / index.unit, rocchio)
    for qid, text in topics.items():
        hits = list(theirs.search(text, k))
        assert ours[qid].ids.tolist() == [str(hit.docid) for hit in hits]
        shown = [hit.score for hit in hits]  # rounded, and lowered where they tie
        np.testing.assert_allclose(ours[qid].scores, shown, rtol=0, atol=2e-3)


@pytest.mark.parametrize("rocchio", ROCCHIO, ids=str)
@pytest.mark.parametrize("unit", ["abstracts", "sentences"])
def test_rocchio(folder: Path, topics: dict[str, str], rocchio: Rocchio, unit: str) -> None:
    """On invented records, where many terms tie."""
    with Index(folder, unit) as index:
        assert_equal_runs(index, topics, rocchio, 200)


def test_rocchio_weights(folder: Path, topics: dict[str, str]) -> None:
    """The expanded query's weights are Anserini's to the last bit."""
    rocchio = Rocchio(20, 5, 0.5, 1.5)
    with Index(folder) as index:
        searcher = Searcher(index, BM25())
        found = FeedbackSearcher(searcher, index, rocchio).expand(topics)
        for qid, text in topics.items():
            assert found[qid].weights == theirs(searcher, text, rocchio)


def theirs(searcher: Searcher, text: str, rocchio: Rocchio) -> dict[str, float]:
    """Anserini's expanded query."""
    arguments = java("io.anserini.search.SearchCollection$Args")()
    arguments.hits = 1
    analyzer = searcher.analysis.analyzer
    query = searcher.query(text)
    context = java("io.anserini.rerank.RerankerContext")(
        searcher._searcher, "", query, "", text, None, None, arguments
    )
    reranker = java("io.anserini.rerank.lib.RocchioReranker")(
        analyzer, None, "contents", rocchio.fb_terms, rocchio.fb_docs, 10, 10,
        rocchio.alpha, rocchio.beta, 0.0, False, False,
    )  # fmt: skip
    sort = java("io.anserini.search.SearchCollection").BREAK_SCORE_TIES_BY_DOCID
    top = searcher._searcher.search(query, rocchio.fb_docs, sort, True)
    docs = java("io.anserini.search.ScoredDocs").fromTopDocs(top, searcher._searcher)
    reranker.rerank(docs, context)
    entries = context.feedbackTerms.entrySet().toArray()
    return {str(entry.getKey()): float(entry.getValue()) for entry in entries}


SETTINGS = [RM3(), RM3(20, 5, 0.3), RM3(3, 30, 1.0)]


@pytest.mark.parametrize("rm3", SETTINGS, ids=str)
@pytest.mark.parametrize("unit", ["abstracts", "sentences"])
def test_rm3(folder: Path, topics: dict[str, str], rm3: RM3, unit: str) -> None:
    """RM3 over whole documents is Anserini's."""
    with Index(folder, unit) as index:
        expected = search_with_rm3(index, topics, 200, rm3)
        found = FeedbackSearcher(Searcher(index), index, rm3).search(topics, 200)
    for qid in topics:
        assert found[qid].ids.tolist() == expected[qid].ids.tolist()
        np.testing.assert_allclose(found[qid].scores, expected[qid].scores, rtol=1e-5)


DEPTHS = [(3, 100), (10, 1000), pytest.param(1, 1000, marks=pytest.mark.slow)]


@pytest.mark.parametrize(("step", "k"), DEPTHS)
def test_cystic_fibrosis(data: Path, cystic_fibrosis: Path, step: int, k: int) -> None:
    """Its 100 topics, each with one of three settings, or all with all: theirs takes its time."""
    topics = list(read_topics(data / "cystic-fibrosis" / "cfquery").items())
    with Index(cystic_fibrosis) as index:
        for n, rocchio in enumerate(ROCCHIO[:3]):
            assert_equal_runs(index, dict(topics[n % step :: step]), rocchio, k)


def test_accents_and_long_terms(build: Callable[..., Path]) -> None:
    """Terms with other letters are taken, and lengths count as in Java."""
    words = ["naïve", "日本語学", "😀😀", "x" * 21, "y" * 20, "𝒳" * 10, "𝒴" * 11]
    records = [Record(str(i), f"calcium {' '.join(words)}") for i in range(2)]
    others = [Record(f"other{i}", "sodium chloride") for i in range(40)]
    with Index(build([*records, *others])) as index:
        assert_equal_runs(index, {"1": "calcium", "2": "nothing"}, Rocchio(50), 50)
