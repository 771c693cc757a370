"""Reranking runs of sentences and of records."""

import json
from pathlib import Path

import numpy as np
import pytest

from relsent_ir import rank
from relsent_ir.aggregate import Aggregate
from relsent_ir.api import Collection
from relsent_ir.errors import InputError, MismatchError
from relsent_ir.hits import Hits
from relsent_ir.lucene.read.collection import Indexes
from relsent_ir.lucene.read.index import Index
from relsent_ir.rank import Explains, Span
from relsent_ir.related import open_model, score_pairs
from relsent_ir.related.model import Model
from relsent_ir.related.reranker import RelatedReranker, in_words
from relsent_ir.related.tokens import words

TOPICS = {"1": "insulin and glucose", "2": "larvae of mosquitoes", "3": "a retina", "4": "2 3"}


@pytest.fixture(scope="module")
def model(collection: Path) -> Model:
    """A formula with the collection's statistics."""
    return open_model("T1", collection)


def _run(names: list[str]) -> dict[str, Hits]:
    return {topic: Hits.ranked(names, np.arange(len(names))) for topic in ("1", "2", "3")}


def rerank(run, topics, folder, model, **more):
    """Rerank with a collection of its own."""
    with Indexes(folder) as opened:
        return RelatedReranker(model).rerank(Collection(opened), run, topics, **more)


def test_sentences(collection: Path, model: Model, monkeypatch: pytest.MonkeyPatch):
    """Each hit has the score of its sentence against the topic, in batches as in one."""
    monkeypatch.setattr(rank, "BATCH", 30)
    with Index(collection, "sentences") as index:
        names = index.ids()[:20]
        texts = [json.loads(line)["contents"] for line in index.raw(names)]
    told: list[tuple[int, int | None]] = []
    found = rerank(_run(names), TOPICS, collection, model, progress=lambda *step: told.append(step))
    assert list(found) == ["1", "2", "3"]
    assert told == [(1, 3), (2, 3), (3, 3)]
    for topic, hits in found.items():
        expected = score_pairs(model, [(TOPICS[topic], text) for text in texts])
        ranked = Hits.ranked(names, expected)
        assert hits.ids.tolist() == ranked.ids.tolist()
        np.testing.assert_allclose(hits.scores, ranked.scores)


def test_records(collection: Path, model: Model):
    """A record has the score of its best sentence, which may be its title."""
    with Index(collection) as index:
        names = index.ids()[:15]
        parts = {r.id: [s.text for s in r.sentences()] for r in index.records(names)}
    found = rerank(_run(names), TOPICS, collection, model)
    for topic, hits in found.items():
        best = {
            name: score_pairs(model, [(TOPICS[topic], text) for text in texts]).max()
            for name, texts in parts.items()
        }
        assert hits.scores.tolist() == pytest.approx(
            [best[name] for name in hits.ids.tolist()], abs=1e-12
        )
        assert sorted(hits.ids) == sorted(names)


def test_bad_input(collection: Path, model: Model):
    """A topic without hits stays so; what cannot be reranked is one line."""
    found = rerank({"1": Hits.ranked([], [])}, TOPICS, collection, model)
    assert len(found["1"]) == 0
    hits = Hits.ranked(["r1.1"], [1.0])
    with pytest.raises(MismatchError, match="topic 9 of the run is not among the topics"):
        rerank({"9": hits}, TOPICS, collection, model)
    with pytest.raises(InputError, match="topic 4 has no word"):
        rerank({"4": hits}, TOPICS, collection, model)
    with pytest.raises(MismatchError, match=r"x\.1 is neither"):
        rerank({"1": Hits.ranked(["r1.1", "x.1"], [2.0, 1.0])}, TOPICS, collection, model)


def test_formula_by_name(collection: Path, model: Model):
    """It takes the statistics of the collection that it reranks; records by several sentences."""
    with Index(collection) as index:
        names = index.ids()[:9]
        parts = {r.id: [s.text for s in r.sentences()] for r in index.records(names)}
    by_name = rerank(_run(names), TOPICS, collection, "T1")
    given = rerank(_run(names), TOPICS, collection, model)
    assert [h.ids.tolist() for h in by_name.values()] == [h.ids.tolist() for h in given.values()]
    found = rerank(_run(names), TOPICS, collection, "T1", aggregate=Aggregate("mean", 2))["1"]
    for name, score in zip(found.ids, found.scores, strict=True):
        scores = sorted(score_pairs(model, [(TOPICS["1"], text) for text in parts[name]]))
        assert score == pytest.approx(sum(scores[-2:]) / 2)


def test_evidence(collection: Path):
    """The best sentence, its words of the topic, and features that sum up to the score."""
    with Index(collection, "sentences") as index:
        text = json.loads(index.raw(["r1.1"])[0])["contents"]
    with Indexes(collection) as opened:
        reranker = RelatedReranker("I1.5")
        found, record = reranker.evidence(
            Collection(opened), text, Hits.ranked(["r1.1", "r1"], [2, 1])
        )
        score = reranker.model(opened)
        own = score_pairs(score, [(text, text)])[0]
    assert (found.sentence, found.text) == ("r1.1", text)
    assert found.values == {"why": in_words(text, text, found.spans), "score": pytest.approx(own)}
    assert record.sentence == "r1.1"
    marked = {text[s.start : s.end].lower() for s in found.spans}
    assert marked == set(words(text, score.stopwords))
    assert {span.label for span in found.spans} == {"shared"}
    weights = [weight for _, weight in found.features]
    assert weights == sorted(weights, reverse=True)
    assert len(weights) == 10
    assert 0 < sum(weights) < own + 1e-9
    assert isinstance(reranker, Explains)


def test_cached_scores(collection: Path, monkeypatch: pytest.MonkeyPatch):
    """A tuned reranker scores its sentences once; another aggregate needs no more."""
    with Index(collection) as index:
        run = _run(index.ids()[:9])
    with Indexes(collection) as opened:
        plain, reranker = RelatedReranker("T1"), RelatedReranker("T1")
        first = reranker.rerank(Collection(opened), run, TOPICS)
        monkeypatch.setattr(reranker, "score", None)
        for way in (Aggregate(), Aggregate("mean", 2)):
            expected = plain.rerank(Collection(opened), run, TOPICS, aggregate=way)
            again = reranker.rerank(Collection(opened), run, TOPICS, aggregate=way)
            for topic, hits in expected.items():
                assert again[topic].ids.tolist() == hits.ids.tolist()
                assert again[topic].scores.tolist() == hits.scores.tolist()
        assert first.keys() == expected.keys()


def test_why_in_words():
    """What both say, phrases as such and each once; what is near, where no word is the same."""
    topic = "Diabetic nephropathy of mice slows with ACE."
    text = "ACE inhibition slows diabetic nephropathy, and nephropathy of diabetic rats."
    spans = [
        Span(text.index(word), text.index(word) + len(word), "shared")
        for word in ("ACE", "slows", "diabetic", "nephropathy")
    ]
    rats = Span(text.index("rats"), text.index("rats") + 4, "associated")
    said = in_words(topic, text, [*spans, rats])
    assert said == "Both say *ACE*, *slows*, *diabetic nephropathy*"
    assert in_words("mice", text, [rats]) == "No word is the same; near are *rats*"
    assert in_words("mice", text, []) == "No word is the same"
