"""The engine: every way of searching by settings, threads and batches, what is computed once."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from relsent_ir.errors import UsageError
from relsent_ir.feedback import Engine, FeedbackSearcher, TermMatrix
from relsent_ir.feedback.sources import MoveSentences, Tags
from relsent_ir.hits import Run
from relsent_ir.lucene.read.collection import Indexes
from relsent_ir.lucene.read.search import Searcher
from relsent_ir.methods import BM25, RM3, FromMoves, Rocchio, Smart
from relsent_ir.rank import TopicSearcher as Protocol
from relsent_ir.records import Record

WAYS: Mapping[str, dict[str, Any]] = {
    "bm25": {"model": BM25(1.2, 0.75)},
    "rm3": {"feedback": RM3(5, 3)},
    "rocchio": {"feedback": Rocchio(5, 3, gamma=0.2, bottom_fb_docs=2)},
    "moves": {"feedback": Rocchio(5, 3), "source": FromMoves({"CONCLUSION": 1.0, "TITLE": 2.0})},
    "smart": {"smart": Smart("ltc.atn")},
    "candidates": {"smart": Smart("ltc.atn", candidates=5)},
    "smart and rocchio": {"smart": Smart("dtu.dtn"), "feedback": Rocchio(5, 3)},
}


@pytest.fixture(scope="module")
def asked(records: list[Record]) -> dict[str, str]:
    """Two titles, and a text without hits."""
    return {"1": records[3].title, "2": records[5].title, "3": "zyzzyva"}


@pytest.fixture
def engine(folder: Path) -> Iterator[Engine]:
    """An engine over the records."""
    with Indexes(folder) as collection:
        yield Engine(collection)


def as_lists(run: Run) -> dict[str, tuple[list[str], list[float]]]:
    """What can be compared."""
    return {topic: (hits.ids.tolist(), hits.scores.tolist()) for topic, hits in run.items()}


@pytest.mark.parametrize("way", WAYS)
def test_threads_and_batches_change_nothing(engine, asked, way):
    """Every way is a searcher, whose run is the same however it is cut; all topics are in it."""
    searcher: Protocol = engine.searcher(**WAYS[way])
    done: list[tuple[int, int | None]] = []
    one = searcher.search(asked, 4)
    assert list(one) == list(asked)
    assert len(one["1"]) == 4
    again = engine.searcher(**WAYS[way]).search(
        asked, 4, threads=2, batch_size=1, progress=lambda *at: done.append(at)
    )
    assert as_lists(again) == as_lists(one)
    assert done[-1] == (3, 3)


def test_settings_reach_their_parts(engine: Engine, asked: dict[str, str]) -> None:
    """The run is that of a searcher put together by hand."""
    ours = engine.searcher(
        BM25(1.2, 0.75), feedback=Rocchio(5, 3), source=FromMoves({"CONCLUSION": 2.0})
    )
    source = MoveSentences(Tags(engine.index), {"CONCLUSION": 2.0})
    ranker = Searcher(engine.index, BM25(1.2, 0.75))
    by_hand = FeedbackSearcher(ranker, engine.index, Rocchio(5, 3), source)
    assert as_lists(ours.search(asked)) == as_lists(by_hand.search(asked))


def test_lucene_gets_threads_in_both_searches(engine, asked, monkeypatch):
    """The texts and the expanded topics are searched on as many threads as are asked for."""
    given = []
    original = Searcher.search

    def search(self: Searcher, topics: Any, *rest: Any, **named: Any) -> Run:
        given.append((named["threads"], named["batch_size"]))
        return original(self, topics, *rest, **named)

    monkeypatch.setattr(Searcher, "search", search)
    engine.searcher(feedback=RM3()).search(asked, threads=2, batch_size=7)
    assert given == [(2, 7), (2, 7)]


def test_what_settings_share_is_made_once(engine, asked, monkeypatch):
    """The matrix is read once, and a text is searched again only for more hits than are known."""
    read = []
    searched = []
    original = Searcher.search

    def search(self: Searcher, topics: Any, k: int, **named: Any) -> Run:
        if any(isinstance(topic, str) for topic in topics.values()):
            searched.append((self, k, list(topics)))
        return original(self, topics, k, **named)

    monkeypatch.setattr(Searcher, "search", search)
    monkeypatch.setattr(
        TermMatrix, "read", lambda index, read_=TermMatrix.read: read.append(1) or read_(index)
    )
    for docs in (3, 2, 3):
        engine.searcher(feedback=RM3(5, docs)).search(asked)
    engine.searcher(feedback=RM3(5, 4)).search({"9": asked["1"], "2": asked["2"]})
    engine.searcher(BM25(2, 0.1), feedback=RM3(5, 2)).search({"1": asked["1"]})
    assert [(k, names) for _, k, names in searched] == [
        (3, ["1", "2", "3"]),
        (4, ["9", "2"]),
        (2, ["1"]),
    ]
    for triple in ("ltc.atn", "dtu.dtn"):
        engine.searcher(smart=Smart(triple))
    assert read == [1]


def test_what_is_remembered_is_bounded(folder, asked, monkeypatch):
    """Of two texts one is forgotten where one has room, many first hits are, old settings are."""
    engine = Engine(Indexes(folder))
    for module in ("search", "engine"):
        monkeypatch.setattr(f"relsent_ir.feedback.{module}._KEPT", 1)
    for number, remembered in ((5, [asked["3"]]), (2000, [])):
        searcher = engine.searcher(feedback=RM3(5, number))
        searcher.search(asked, 3)
        assert [list(texts) for texts in engine._known.values()] == [remembered]
    engine.searcher(BM25(2, 0.1), feedback=RM3(5, 2))
    assert list(engine._known.values()) == [{}]


def test_mistakes(folder: Path, engine: Engine, asked: dict[str, str]) -> None:
    """Settings that make no sense are refused, by the one that knows."""
    with pytest.raises(UsageError, match="no unit 'records'"):
        Engine(Indexes(folder), "records")
    with pytest.raises(UsageError, match="no move 'END'"):
        engine.searcher(feedback=RM3(), source=FromMoves({"END": 1.0}))
    with pytest.raises(UsageError, match="RM3 with fb_terms 0"):
        RM3(0)
    for way in ("rm3", "smart"):
        with pytest.raises(UsageError, match="must be at least 1"):
            engine.searcher(**WAYS[way]).search(asked, threads=0)
