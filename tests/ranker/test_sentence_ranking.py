"""Searching sentences in the order of all the evidence."""

import logging
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from relsent_ir.errors import InputError, MismatchError
from relsent_ir.feedback import Engine
from relsent_ir.hits import Run
from relsent_ir.lucene.read.collection import Indexes
from relsent_ir.lucene.read.filters import Filters
from relsent_ir.methods import Ranker
from relsent_ir.ranker import sentence_ranking
from relsent_ir.ranker.candidates import CandidateReader
from relsent_ir.ranker.likeness import standard
from relsent_ir.ranker.model import fingerprint, load_ranker
from relsent_ir.ranker.ranking import RankerReranker
from relsent_ir.ranker.sentence_ranking import WEIGHTS, SentenceRankerSearcher, sentence_scores
from relsent_ir.searching import Search
from tests.ranker.conftest import build, invent

TEXT = "ant nest queen"


@pytest.fixture(scope="module")
def searcher(collection: Indexes) -> SentenceRankerSearcher:
    """The packaged ranker, without Huber+."""
    return SentenceRankerSearcher(
        collection, RankerReranker(), engine=Engine(collection, "sentences")
    )


def test_hits(collection: Indexes, searcher: SentenceRankerSearcher) -> None:
    """Sentences of abstracts, each once; few are the first of many; only those that pass."""
    hits = searcher.search({"1": TEXT}, 1000)["1"]
    names = hits.ids.tolist()
    assert len(set(names)) == len(names) > 20
    assert not any(name.endswith(".0") for name in names)
    assert (np.diff(hits.scores) < 0).all()
    few = searcher.search({"1": TEXT}, 3)["1"]
    assert few.ids.tolist() == names[:3]
    engine = Engine(collection, "sentences")
    filters = Filters(moves=("RESULTS",))
    searcher = SentenceRankerSearcher(collection, RankerReranker(), engine=engine, filters=filters)
    names = searcher.search({"1": TEXT}, 50)["1"].ids.tolist()
    parts = collection.parts(names)
    assert names
    assert {parts[name][0].move for name in names} == {"RESULTS"}


def test_titles_where_nothing_else_is(tmp_path: Path) -> None:
    """A word that only titles have is found in them."""
    folder = build(tmp_path / "ix", [invent(n) for n in range(9)], tagged=False)
    with Indexes(folder) as collection:
        engine = Engine(collection, "sentences")
        run = SentenceRankerSearcher(collection, RankerReranker(), engine=engine).search(
            {"1": "region", "2": "zzz"}, 5
        )
    assert len(run["1"]) == 5
    assert all(name.endswith(".0") for name in run["1"].ids.tolist())
    assert not len(run["2"])


def test_learned_topics_are_told(collection: Indexes, caplog: pytest.LogCaptureFixture) -> None:
    """A topic that the ranker was learned from is told, as it is of records."""
    model = load_ranker()
    model = replace(model, facts={**model.facts, "seen": [fingerprint("What is an ant nest?")]})
    engine = Engine(collection, "sentences")
    searcher = SentenceRankerSearcher(collection, RankerReranker(model), engine=engine)
    with caplog.at_level(logging.WARNING):
        searcher.search({"a": "What is an ant nest?", "b": "bee hive"}, 5)
    assert "learned from 1 of these 2 topics" in caplog.text


def test_runs_of_other_topics(collection: Indexes) -> None:
    """A ranker that reads a run refuses one that has none of the topics, as it does of records."""
    model = load_ranker()
    model = replace(model, groups=(*model.groups, "run:mine"))
    reranker = RankerReranker(model, runs={"mine": Run()})
    searcher = SentenceRankerSearcher(collection, reranker, engine=Engine(collection, "sentences"))
    with pytest.raises(MismatchError, match="the run mine has none of the topics"):
        searcher.search({"a": TEXT}, 5)


def test_scores(collection: Indexes) -> None:
    """The weighted sum of standard scores, each worked out by itself."""
    reader = CandidateReader(collection)
    expanded = reader.expand({"1": TEXT})
    ids = reader.search(expanded, 12)["1"].ids.tolist()
    candidates = reader.read("1", TEXT, ids, expanded)
    records = np.linspace(1, 2, len(ids))
    sentences = candidates.sentences
    own, owners = sentences.own.tolist(), sentences.owners.tolist()
    around = [
        max(
            (own[j] for j in (i - 1, i + 1) if 0 <= j < len(own) and owners[j] == owners[i]),
            default=0.0,
        )
        for i in range(len(own))
    ]
    whole = candidates.contents.covered(candidates.query)
    columns = {
        "own": own,
        "covered": sentences.covered,
        "record": [records[o] for o in owners],
        "whole": [whole[o] for o in owners],
        "around": around,
        "METHODS": sentences.moves == 1,
        "RESULTS": sentences.moves == 2,
        "CONCLUSION": sentences.moves == 3,
    }
    expected = sum(
        WEIGHTS[name] * standard(np.array(values, dtype=float)) for name, values in columns.items()
    )
    assert sentence_scores(candidates, records) == pytest.approx(expected)


class Alphabet:
    """Vectors that know of each sentence how early in the alphabet its second word stands."""

    def __init__(self, collection: Indexes, lacking: str = "") -> None:
        self.collection = collection
        self.lacking = lacking

    def encode(self, text: str) -> str:
        """Return what is encoded: the topic as it is written."""
        assert text == "What does the ant queen do?"
        return text

    def cosines(self, _vector: str, ids: list[str]) -> np.ndarray:
        """Return a cosine each; NaN for the one that lacks a vector."""
        texts = self.collection.texts(ids)
        values = [-float(ord(text.split()[1][0])) for text in texts]
        return np.array(
            [np.nan if self.lacking in ("*", n) else v for n, v in zip(ids, values, strict=True)]
        )


def test_the_first_are_read(collection: Indexes, monkeypatch: pytest.MonkeyPatch) -> None:
    """The first sentences are ordered again, those behind follow as they were; so is no vector."""
    topics = {"1": "What does the ant queen do?"}
    engine = Engine(collection, "sentences")

    def search(lacking: str | None = None) -> list[str]:
        vectors = Alphabet(collection, lacking) if lacking is not None else None
        searcher = SentenceRankerSearcher(
            collection, RankerReranker(), engine=engine, vectors=vectors
        )
        return searcher.search(topics, 1000)["1"].ids.tolist()

    monkeypatch.setattr(sentence_ranking, "HEAD", 6)
    monkeypatch.setattr(sentence_ranking, "HEAD_WEIGHTS", {"first": 1.0, "dense": 0.0})
    plain = search()
    assert search("") == plain  # what weighs nothing changes nothing
    weights = {"first": 1e-9, "dense": 1.0}
    monkeypatch.setattr(sentence_ranking, "HEAD_WEIGHTS", weights)
    names = search("")
    assert names[6:] == plain[6:]
    words = [text.split()[1][0] for text in collection.texts(names[:6])]
    assert words == sorted(words)
    assert len(set(words)) > 1
    assert search(names[0])[:6] != names[:6]  # without a vector it counts as the least
    assert search("*") == plain
    monkeypatch.setattr(sentence_ranking, "HEAD", 1)
    assert search("") == plain


def test_pipeline(collection: Indexes) -> None:
    """A ranker over sentences is this search, Huber+ included."""
    search = Search(Engine(collection, "sentences"), Ranker())
    assert isinstance(search.searcher, SentenceRankerSearcher)
    run = search.search({"1": "What does the ant queen do?"}, 10)
    assert len(run["1"]) == 10
    assert search.searcher.related is not None
    nowhere = Ranker(dense=str(collection.folder / "none"))
    with pytest.raises(InputError, match="no such folder"):
        Search(Engine(collection), nowhere).search({"1": "ant queen"})
    with pytest.raises(InputError, match="no such folder"):
        Search(Engine(collection, "sentences"), nowhere)
