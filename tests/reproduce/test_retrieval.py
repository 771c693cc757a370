"""Retrieval among sentences of whole records, against each sentence's ranking written out."""

from pathlib import Path

import numpy as np
import pytest

from relsent_ir import models
from relsent_ir.errors import MismatchError
from relsent_ir.lucene.read.index import Index
from relsent_ir.related.pairs import Corpus, held_out, read_corpus, surviving
from relsent_ir.related.training.train import TRAINERS, train
from reproduce.retrieval import (
    Haystack,
    draw_haystack,
    evaluate_model,
    formula_model,
    measure_retrieval,
    model_scorer,
    unseen_records,
)
from tests.related.conftest import STOPWORDS, invent
from tests.related.conftest import build as build


@pytest.fixture(scope="module")
def folder(build) -> Path:
    """Sixty records."""
    return build(invent(60))


@pytest.fixture(scope="module")
def corpus(folder: Path) -> Corpus:
    """Their sentences."""
    with Index(folder) as index:
        return read_corpus(index, STOPWORDS)


def test_whole_records(corpus: Corpus):
    """Records are drawn until there are enough sentences, and each is there with all of them."""
    kept = surviving(corpus)
    wanted = np.arange(len(corpus.records)) % 2 == 0
    drawn = draw_haystack(corpus, kept, wanted, 30, 7)
    assert len(drawn.queries) == 7
    assert 30 <= len(drawn.rows) < 30 + 8
    for record in np.unique(drawn.record):
        assert wanted[record]
        own = np.flatnonzero(kept & (corpus.record == record))
        assert drawn.rows[drawn.record == record].tolist() == own.tolist()
        assert len(own) > 1
    again = draw_haystack(corpus, kept, wanted, 30, 7)
    assert drawn.rows.tolist() == again.rows.tolist()
    assert draw_haystack(corpus, kept, wanted, 30, 7, seed=1).rows.tolist() != drawn.rows.tolist()


def test_no_company(corpus: Corpus):
    """Records of one kept sentence each have nothing to find."""
    first = np.append(True, corpus.record[1:] != corpus.record[:-1])
    with pytest.raises(MismatchError, match="could find each other"):
        draw_haystack(corpus, first, np.ones(len(corpus.records), dtype=bool))


def test_measures():
    """Precision at the ranks of the record's others; the query itself is no hit."""
    haystack = Haystack(
        np.arange(6, dtype=np.int32), np.array([0, 0, 0, 1, 1, 1]), np.array([0, 4])
    )
    table = {0: [9.0, 1, 5, 3, 2, 4], 4: [1.0, 2, 3, 8, 0, 7]}
    seen: list[tuple[int, int | None]] = []
    precision, first = measure_retrieval(
        haystack, lambda query: np.array(table[query]), 0, lambda *done: seen.append(done)
    )
    np.testing.assert_allclose(precision, [(1 / 1 + 2 / 5) / 2, 1.0])
    assert first.tolist() == [1.0, 1.0]
    assert seen == [(1, 2), (2, 2)]


def test_ties_are_broken_at_random():
    """Equal scores give what the seed's lots give, no better place to the own record."""
    haystack = Haystack(np.arange(40, dtype=np.int32), np.repeat([0, 1], 20), np.arange(40))
    means = [
        measure_retrieval(haystack, lambda _query: np.zeros(40), seed)[0].mean()
        for seed in range(20)
    ]
    assert np.mean(means) == pytest.approx(0.5, abs=0.06)
    assert len(set(means)) > 1


@pytest.mark.parametrize("name", ["I1.5", "O3", "D"])
def test_formula_scores(corpus: Corpus, name: str):
    """The same by one product with all sentences as pair by pair."""
    kept = surviving(corpus)
    drawn = draw_haystack(corpus, kept, np.ones(len(corpus.records), dtype=bool), 60, 5)
    model = formula_model(name, corpus, np.flatnonzero(kept), STOPWORDS)
    score = model_scorer(model, corpus, drawn)
    for query in drawn.queries.tolist():
        a = np.full(len(drawn.rows), drawn.rows[query])
        expected = model.scores(corpus.sentences, a, drawn.rows)
        np.testing.assert_allclose(score(query), expected, atol=1e-9)


@pytest.mark.parametrize("kind", ["huber", "huber-plus"])
def test_trained_scores(folder: Path, corpus: Corpus, kind: str, monkeypatch: pytest.MonkeyPatch):
    """A model's scores; Huber+ orders its first sentences, and the cosine the others."""
    monkeypatch.setattr("reproduce.retrieval.DEPTH", 10)
    with Index(folder) as index:
        model = train(index, kind, content_share=1.0, stopwords=STOPWORDS, lambda0=1e-3)
    everything = np.ones(len(corpus.records), dtype=bool)
    drawn = draw_haystack(corpus, surviving(corpus), everything, 60, 5)
    score = model_scorer(model, corpus, drawn)
    for query in drawn.queries.tolist():
        found = score(query)
        a = np.full(len(drawn.rows), drawn.rows[query])
        expected = model.scores(corpus.sentences, a, drawn.rows)
        if kind == "huber":
            np.testing.assert_allclose(found, expected, atol=1e-6)
        else:
            first = np.argsort(-found)[:10]
            np.testing.assert_array_equal(first, first[np.argsort(-expected[first])])
            assert found[first].min() > np.delete(found, first).max()


@pytest.mark.parametrize("kind", TRAINERS)
def test_evaluate(folder: Path, build, tmp_path: Path, kind: str):
    """On its own index a model is tested on the other third, elsewhere on all records."""
    saved = tmp_path / "model"
    with Index(folder) as index:
        models.save(saved, train(index, kind, content_share=1.0, stopwords=STOPWORDS))
        measured = evaluate_model(index, str(saved), pairs=40)
        corpus = read_corpus(index, STOPWORDS)
    assert measured["pairs"] == 40
    assert measured["be"] > 60  # a quarter of the negatives are on one topic
    facts = models.load(saved, "related").facts
    assert (unseen_records(corpus, facts) == held_out(corpus.records, 0)).all()
    with Index(build(invent(20, seed=9, prefix="other"))) as elsewhere:
        assert unseen_records(read_corpus(elsewhere, STOPWORDS), facts).all()
        assert evaluate_model(elsewhere, str(saved), pairs=10)["pairs"] == 10


def test_evaluate_formula(folder: Path):
    """A formula needs no model; fewer pairs than asked for are all that there are."""
    with Index(folder) as index:
        measured = evaluate_model(index, "I1.5", pairs=10**6, content_share=1.0)
    assert 20 < measured["pairs"] < 200
    assert measured["be"] > 60  # a quarter of the negatives are on one topic


def test_nothing_left(folder: Path, tmp_path: Path):
    """A model of all records has none to be tested on."""
    with Index(folder) as index:
        models.save(tmp_path / "model", train(index, "bayes", all_records=True))
        with pytest.raises(MismatchError, match="the model was trained on them"):
            evaluate_model(index, str(tmp_path / "model"), pairs=10)
