"""Ranking and reranking by SMART weights, against a loop over all documents."""

from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from scipy.sparse import csr_array

from relsent_ir.api import Collection
from relsent_ir.counts.weighting import weigh_rows
from relsent_ir.errors import MismatchError, UsageError
from relsent_ir.feedback import SmartSearcher, TermMatrix
from relsent_ir.feedback.smart import SmartReranker
from relsent_ir.hits import Hits
from relsent_ir.lucene.analyzers import Analysis
from relsent_ir.lucene.read.collection import Indexes
from relsent_ir.lucene.read.index import Index
from relsent_ir.lucene.read.search import Searcher
from relsent_ir.methods import Smart


@pytest.fixture(scope="module")
def opened(folder: Path) -> tuple[TermMatrix, Analysis]:
    """The matrix of the invented records, and how they are analysed."""
    with Index(folder) as index:
        return TermMatrix.read(index), index.facts.analysis


@pytest.mark.parametrize("scheme", ["ltc.atn", "atc.atn", "dtu.dtn", "lnc.ltc"])
@pytest.mark.parametrize("k", [7, 1000])
def test_search(opened, topics, scheme, k):
    """Every document that shares a weighted term is ranked, by the dot product, ties by id."""
    matrix, analysis = opened
    smart = Smart(scheme)
    weights = weigh_rows(smart, smart.document, matrix.counts, matrix).toarray()
    done: list[tuple[int, int | None]] = []
    run = SmartSearcher(matrix, smart, analysis).search(
        topics, k, progress=lambda *step: done.append(step)
    )
    assert list(run) == list(topics)
    assert done[-1] == (len(topics), len(topics))
    for qid, text in topics.items():
        bag = Counter(analysis.terms(text))
        query = weigh_rows(smart, smart.query, matrix.bags([bag]), matrix).toarray()[0]
        scores = weights @ query
        kept = np.flatnonzero(scores > 0)
        expected = Hits.ranked([matrix.ids[i] for i in kept], scores[kept], k)
        np.testing.assert_allclose(run[qid].scores, expected.scores, rtol=1e-12)
        assert run[qid].ids.tolist() == expected.ids.tolist()


def test_rerank(folder: Path, opened: tuple[TermMatrix, Analysis], topics: dict[str, str]) -> None:
    """The hits of BM25 get the scores that an exact search gives them."""
    matrix, analysis = opened
    engine = SmartSearcher(matrix, Smart("ltc.atn"), analysis)
    with Index(folder) as index:
        candidates = Searcher(index).search(topics, 20)
    whole = engine.search(topics, 1000)
    found = engine.rerank(candidates, topics)
    for qid, hits in found.items():
        scores = dict(zip(whole[qid].ids, whole[qid].scores, strict=True))
        assert sorted(hits.ids) == sorted(candidates[qid].ids)
        expected = Hits.ranked(hits.ids, [scores.get(name, 0.0) for name in hits.ids])
        assert hits.ids.tolist() == expected.ids.tolist()
        np.testing.assert_allclose(hits.scores, expected.scores, rtol=1e-12)


def test_weighted_topics() -> None:
    """Terms of a topic count as it weighs them; weights that a caller has changed rank."""
    matrix = TermMatrix(
        ["b", "c", "a", "d"], ["x", "y"], csr_array(np.array([[1, 0], [1, 0], [1, 0], [0, 1]]))
    )
    engine = SmartSearcher(matrix, Smart("nnn.ltc"), Analysis("none", ()))
    run = engine.search({"1": {"x": 2.5, "unknown": 9.0}, "2": {"y": -1.0}, "3": {}}, 2)
    assert run["1"].ids.tolist() == ["a", "b"]
    assert run["1"].scores.tolist() == [2.5, 2.5]
    assert len(run["2"]) == len(run["3"]) == 0
    matrix = TermMatrix(["1", "2"], ["x"], csr_array(np.array([[5], [1]])))
    weights = csr_array(np.array([[0.5], [0.75]]))
    engine = SmartSearcher(matrix, Smart("nnn.nnn"), Analysis("none", ()), weights=weights)
    assert engine.search({"q": "x"})["q"].ids.tolist() == ["2", "1"]


def test_mismatches(opened: tuple[TermMatrix, Analysis]) -> None:
    """A topic without text, a hit that is no document and no hits at all are refused."""
    matrix, analysis = opened
    engine = SmartSearcher(matrix, Smart("ltc.atn"), analysis)
    run = {"1": Hits.ranked(["nowhere"], [1.0])}
    with pytest.raises(MismatchError, match="topic 1 of the run"):
        engine.rerank(run, {"2": "x"})
    with pytest.raises(MismatchError, match="nowhere is not among"):
        engine.rerank(run, {"1": "x"})
    with pytest.raises(UsageError, match="at least 1"):
        engine.search({"1": "x"}, 0)


def test_as_the_searcher(folder: Path, topics: dict[str, str]) -> None:
    """What a search by the scheme finds, in its order; sentences too; a mixture is refused."""
    with Indexes(folder) as collection:
        for index in (collection.abstracts, collection.sentences):
            matrix = TermMatrix.read(index)
            scheme = Smart("ltc.atn")
            found = SmartSearcher(matrix, scheme, index.facts.analysis).search(topics, 9)
            shuffled = {topic: Hits.ranked(h.ids, [0.0] * len(h)) for topic, h in found.items()}
            again = SmartReranker("ltc.atn").rerank(Collection(collection), shuffled, topics)
            for topic, hits in found.items():
                assert again[topic].ids.tolist() == hits.ids.tolist()
                assert again[topic].scores == pytest.approx(hits.scores)
        mixed = {"1": Hits.ranked(["r0", "r0.1"], [2.0, 1.0])}
        with pytest.raises(MismatchError, match=r"r0\.1 is neither a record nor"):
            SmartReranker("ltc.atn").rerank(Collection(collection), mixed, {"1": "mucus"})
        with pytest.raises(MismatchError, match="topic 9"):
            SmartReranker("ltc.atn").rerank(Collection(collection), {"9": mixed["1"]}, {})
