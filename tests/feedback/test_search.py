"""Searching with feedback: rankers, batches, origins, and an index that lacks term vectors."""

from collections.abc import Callable
from pathlib import Path

import pytest

from relsent_ir.errors import InputError, MismatchError, UsageError
from relsent_ir.feedback import FeedbackSearcher, SmartSearcher, TermMatrix
from relsent_ir.feedback.search import NOTHING, WHOLE, selected
from relsent_ir.feedback.sources import MoveSentences, Tags
from relsent_ir.hits import Hits, Run
from relsent_ir.lucene.documents import ABSTRACT_FIELDS
from relsent_ir.lucene.read.index import Index
from relsent_ir.lucene.read.search import Searcher
from relsent_ir.methods import Rocchio, Smart
from relsent_ir.records import Record


def test_batches(folder: Path, topics: dict[str, str]) -> None:
    """Small batches find the same, and progress counts them; a given first run is read."""
    with Index(folder) as index:
        engine = FeedbackSearcher(Searcher(index), index, Rocchio())
        whole = engine.search(topics, 50)
        done: list[tuple[int, int | None]] = []
        first = Searcher(index).search(topics, 10)
        again = engine.search(
            topics, 50, first=first, batch_size=4, progress=lambda *step: done.append(step)
        )
    assert list(again) == list(topics)
    assert done[0] == (4, len(topics))
    assert done[-1] == (len(topics), len(topics))
    for qid in topics:
        assert again[qid].ids.tolist() == whole[qid].ids.tolist()
    with pytest.raises(UsageError, match="at least 1"):
        engine.search(topics, 0)


def test_smart_ranker(folder: Path, topics: dict[str, str]) -> None:
    """The SMART engine's own weights are the topic's, and it ranks the expanded topic."""
    with Index(folder) as index:
        engine = SmartSearcher(TermMatrix.read(index), Smart("dtu.dtn"), index.facts.analysis)
        rocchio = Rocchio(5, 3, 2.0, 0.75, weighting="dtu", scaled=False)
        feedback = FeedbackSearcher(engine, index, rocchio)
        found = feedback.expand(topics)
        run = feedback.search(topics, 20)
    for bag, expansion in zip(engine.bags(topics), found.values(), strict=True):
        assert expansion.original == pytest.approx({t: 2 * w for t, w in bag.items()})
    expected = engine.search({qid: e.weights for qid, e in found.items()}, 20)
    for qid in topics:
        assert run[qid].ids.tolist() == expected[qid].ids.tolist()


def test_weighted_topics(folder: Path) -> None:
    """A topic of weighted terms is expanded as it is."""
    with Index(folder) as index:
        term = index.vectors(["r0"]).terms[0]
        engine = FeedbackSearcher(Searcher(index), index, Rocchio(scaled=False))
        assert engine.expand({"1": {term: 3.0}})["1"].original == {term: 3.0}


def test_given_hits(folder: Path, topics: dict[str, str]) -> None:
    """A topic that a given run lacks is searched as it is; a hit that is not there is named."""
    with Index(folder) as index:
        engine = FeedbackSearcher(Searcher(index), index, Rocchio())
        found = engine.expand(topics, first={})
        assert {expansion.fallback for expansion in found.values()} == {NOTHING}
        first = {"1": Hits.ranked(["nobody"], [1.0])}
        with pytest.raises(InputError, match="no document 'nobody'"):
            engine.search({"1": "mucus"}, first=first)


def test_origins(folder: Path, records: list[Record], topics: dict[str, str]) -> None:
    """Each new term names the sentences that hold it, from the best document on."""
    texts = {s.id: s.text for r in records for s in r.sentences()}
    with Index(folder) as index:
        searcher = Searcher(index)
        source = MoveSentences(Tags(index), {"PURPOSE": 1.0, "CONCLUSION": 1.0})
        engine = FeedbackSearcher(searcher, index, Rocchio(10, 5), source)
        first = searcher.search(topics, 5)
        explained = engine.explain(topics)
        terms_of = {name: set(index.facts.analysis.terms(text)) for name, text in texts.items()}
    for qid, (expansion, origins) in explained.items():
        assert set(origins) == set(expansion.feedback)
        for term, names in origins.items():
            documents = [name.rpartition(".")[0] for name in names]
            if expansion.fallback == WHOLE:
                assert set(names) <= set(first[qid].ids)
                continue
            assert all(term in terms_of[name] for name in names)
            ranks = [first[qid].ids.tolist().index(name) for name in documents]
            assert ranks == sorted(ranks)


def test_no_term_vectors(build: Callable[..., Path], monkeypatch: pytest.MonkeyPatch) -> None:
    """Documents without term vectors are refused, with the way to some; postings need none."""
    monkeypatch.setitem(ABSTRACT_FIELDS, "contents", "text")
    with Index(build([Record("1", "Mucus and sodium")])) as index:
        assert len(Searcher(index).search({"1": "mucus"})["1"]) == 1
        with pytest.raises(MismatchError, match="no term vectors"):
            FeedbackSearcher(Searcher(index), index, Rocchio()).search({"1": "mucus"})
        with pytest.raises(MismatchError, match="no term vectors"):
            TermMatrix.read(index, ["1"])
        assert sorted(TermMatrix.read(index).terms) == ["mucu", "sodium"]


def test_hits_of_before() -> None:
    """At twice the next score a hit stays first; equal scores leave the order to feedback."""
    before = Run({"1": Hits.ranked(["a", "b"], [8.0, 4.0])})
    after = Run({"1": Hits.ranked(["b", "c", "a"], [10.0, 9.0, 2.0])})
    found = selected(before, after)["1"]
    share = 1 / (1 + 0.5**20)
    assert found.ids.tolist() == ["a", "b", "c"]
    assert found.scores.tolist() == pytest.approx([0.2 + share, 1.0 + 1 - share, 0.9])
    before = Run({"1": Hits.ranked(["a", "b", "c"], [3.0, 3.0, 3.0])})
    after = Run({"1": Hits.ranked(["c", "b", "a"], [4.0, 3.0, 2.0])})
    found = selected(before, after)["1"]
    assert found.ids.tolist() == ["c", "b", "a"]
    assert found.scores.tolist() == pytest.approx([1 + 1 / 3, 0.75 + 1 / 3, 0.5 + 1 / 3])


def test_hit_that_is_not_found_any_more() -> None:
    """It has its share alone; topics without first hits, or without any, are as they were."""
    none = Hits.ranked([], [])
    before = Run({"1": Hits.ranked(["a"], [5.0]), "3": Hits.ranked(["a"], [1.0])})
    after = Run(
        {"1": Hits.ranked(["b", "c"], [2.0, 1.0]), "2": Hits.ranked(["b"], [2.0]), "3": none}
    )
    found = selected(before, after)
    assert found["1"].ids.tolist() == ["a", "b", "c"]
    assert found["1"].scores.tolist() == pytest.approx([1.0, 1.0, 0.5])
    assert found["2"].scores.tolist() == [2.0]
    assert not len(found["3"])
