"""Training and calibration, and first hits against scoring all pairs."""

import json
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
import pytest

from relsent_ir import models
from relsent_ir.errors import InputError, MismatchError, UsageError
from relsent_ir.lucene.read.index import Index
from relsent_ir.records import Record, Section
from relsent_ir.related import open_model, score_pairs
from relsent_ir.related.features import Sentences
from relsent_ir.related.huber_plus import HuberPlusModel
from relsent_ir.related.model import TrainedModel
from relsent_ir.related.pairs import held_out, read_corpus, surviving
from relsent_ir.related.tokens import words
from relsent_ir.related.training import train as best_match
from relsent_ir.related.training.train import TRAINERS, first_hits, records_about, train
from relsent_ir.related.weights import WeightModel
from tests.related.brute import features
from tests.related.conftest import STOPWORDS


@pytest.fixture(scope="module", params=TRAINERS)
def model(request: pytest.FixtureRequest, collection: Path) -> TrainedModel:
    """Each kind of model, trained on the invented collection."""
    with Index(collection) as index:
        return train(
            index, request.param, content_share=1.0, stopwords=STOPWORDS, command="relsent-ir …"
        )


@pytest.fixture
def saved(model: TrainedModel, tmp_path: Path) -> Path:
    """The model on disk."""
    models.save(tmp_path / "model", model)
    return tmp_path / "model"


PAIRS = [
    ("Insulin and glucose in the pancreas", "Glucose was high in diabetic islets"),
    ("Insulin and glucose in the pancreas", "Mosquito larvae were treated"),
    ("", "Mosquito"),
    ("unheardof zygotes", "unheardof zygotes"),
]


def test_scores(model: TrainedModel):
    """Of one topic higher, in either order; one against many gives what its pairs give."""
    scores = score_pairs(model, PAIRS)
    assert scores.shape == (4,)
    assert scores[0] > scores[1]
    np.testing.assert_allclose(score_pairs(model, [(b, a) for a, b in PAIRS]), scores)
    texts = [text for pair in PAIRS for text in pair]
    sentences = Sentences.from_texts(texts, STOPWORDS)
    rows = np.arange(len(texts))
    expected = model.scores(sentences, np.zeros(len(texts), dtype=int), rows)
    np.testing.assert_allclose(model.query_scores(sentences, 0, rows), expected)


@pytest.mark.parametrize("model", ["huber", "bayes"], indirect=True)
def test_score_is_the_sum_of_weights(model: TrainedModel):
    """Feature by feature, as the paper defines it."""
    assert isinstance(model, WeightModel)
    both, one = (
        {model.lexicon.name(i): float(w) for i, w in enumerate(weights)}
        for weights in (model.both, model.one)
    )
    for (a, b), score in zip(PAIRS, score_pairs(model, PAIRS), strict=True):
        x, y = (features(text, STOPWORDS).keys() for text in (a, b))
        expected = model.threshold + sum(both.get(t, 0.0) for t in x & y)
        expected += sum(one.get(t, 0.0) for t in x ^ y)
        assert score == pytest.approx(expected, abs=1e-9)


def test_held_out_words_are_unknown(model: TrainedModel, index: Index):
    """Nothing of a record of the other third is in the model."""
    assert isinstance(model, WeightModel | HuberPlusModel)
    corpus = read_corpus(index, STOPWORDS)
    out = held_out(corpus.records, 0)
    seen = set()
    for record in index.records([r for r, o in zip(corpus.records, out, strict=True) if not o]):
        for section in record.sections:
            seen.update(words(section.text, STOPWORDS))
    sparse = model.sparse if isinstance(model, HuberPlusModel) else model
    assert set(sparse.lexicon.words) <= seen


def test_saved_and_loaded(model: TrainedModel, saved: Path, index: Index):
    """A loaded model scores alike, and knows what made it."""
    again = models.load(saved, "related")
    np.testing.assert_allclose(
        score_pairs(again, PAIRS), score_pairs(model, PAIRS), rtol=1e-5, atol=1e-5
    )
    assert (again.name, again.stopwords) == (model.name, STOPWORDS)
    assert again.facts["command"] == "relsent-ir …"
    assert again.facts["data"]["sources"] == [source.sha256 for source in index.facts.sources]
    assert again.facts["training"]["positive_pairs"] > 50
    assert type(open_model(str(saved), Path("not read"))) is type(again)


def test_huber_notes_its_convergence(collection: Path):
    """λ0 is tuned by powers of ten unless given; the gradient is noted."""
    with Index(collection) as index:
        tuned = train(index, "huber", content_share=1.0, stopwords=STOPWORDS).facts
        given = train(index, "huber", content_share=1.0, stopwords=STOPWORDS, lambda0=1e-3).facts
    assert tuned["training"]["converged"]
    assert tuned["training"]["gap"] < 1e-5 * tuned["training"]["cost"]
    tried = tuned["scores"]["tuning_be"]
    assert tried[f"{tuned['training']['lambda0']:.0e}"] == max(tried.values())
    assert given["training"]["lambda0"] == 1e-3
    assert given["scores"]["tuning_be"] == {}


@pytest.mark.parametrize("kind", ["huber", "huber-plus"])
def test_tuned_on_a_subject(collection: Path, kind: str):
    """λ0 is tuned on the records with all words of a query, and the model tells which."""
    with Index(collection) as index:
        corpus = read_corpus(index, STOPWORDS)
        about = records_about(index, corpus, "the glucose")
        told = ["glucose" in words(line, ()) for line in index.raw(corpus.records)]
        model = train(index, kind, content_share=1.0, stopwords=STOPWORDS, tune_on="the glucose")
        with pytest.raises(InputError, match="no record holds all words of 'glucose zygote'"):
            train(index, kind, tune_on="glucose zygote")
    assert 5 < sum(told) < 30
    assert about.tolist() == told  # a stop word is not asked for
    learned = ~held_out(corpus.records, 0)
    assert model.facts["tuned_on"] == {
        "query": "the glucose",
        "records": int((about & learned).sum()),
    }
    assert model.facts["scores"]["tuning_be"]


def test_same_seed_same_model(collection: Path):
    """Training is repeatable, and the number of pairs is kept."""
    with Index(collection) as index:
        made = [train(index, "bayes", pairs=30, seed=s, content_share=1.0) for s in (1, 1, 2)]
    assert made[0].facts["training"] == {"positive_pairs": 30}
    first, second, third = (score_pairs(m, PAIRS) for m in made)
    assert (first == second).all()
    assert (first != third).any()


def test_one_record(build: Callable[[Sequence[Record]], Path]):
    """One record cannot give pairs of different records."""
    record = Record("a", sections=(Section("One two three. " * 3 + "Four five six."),))
    with Index(build([record])) as index:
        for settings in ({"all_records": True}, {"all_records": True, "lambda0": 1e-5}):
            with pytest.raises(MismatchError, match="index more"):
                train(index, "huber", content_share=1.0, **settings)


def test_bad_models(tmp_path: Path, saved: Path):
    """A wrong name, another kind, other features, a missing array: a line each."""
    for name, error, message in (
        ("I4", UsageError, "no formula 'I4'"),
        ("no/such", InputError, "no such model"),
        (str(tmp_path / "none"), InputError, "no such model"),
    ):
        with pytest.raises(error, match=message):
            open_model(name, tmp_path)
    models.save_folder(tmp_path / "crf", "crf", {}, {})
    with pytest.raises(MismatchError, match="kind crf, not of related sentences"):
        models.load(tmp_path / "crf", "related")
    facts = json.loads((saved / "model.json").read_text(encoding="utf-8"))
    for change, error, message in (
        ({**facts["features"], "longest": 7}, MismatchError, "not trained on substrings of 2 to 6"),
        (None, InputError, "do not fit together"),
    ):
        (saved / "model.json").write_text(json.dumps(facts | {"features": change}))
        with pytest.raises(error, match=message):
            models.load(saved, "related")
    arrays = {name: shape for name, shape in facts["arrays"].items() if name != "one"}
    (saved / "model.json").write_text(json.dumps(facts | {"arrays": arrays}))
    with pytest.raises(InputError, match="do not fit together"):
        models.load(saved, "related")


@pytest.mark.parametrize("kind", ["huber", "huber-plus"])
def test_best_match(kind: str, collection: Path, monkeypatch: pytest.MonkeyPatch):
    """The best of all sentences of other records, though only five are scored at first."""
    monkeypatch.setattr(best_match, "_FIRST", 5)
    with Index(collection) as index:
        model = train(index, kind, content_share=1.0, stopwords=STOPWORDS, lambda0=1e-4)
        corpus = read_corpus(index, STOPWORDS)
    kept = surviving(corpus)
    sample = np.flatnonzero(kept)[:25]
    expected = []
    for query in sample:
        others = np.flatnonzero(kept & (corpus.record != corpus.record[query]))
        queries = np.full(len(others), query)
        expected.append(model.scores(corpus.sentences, queries, others).max())
    told: list[int] = []
    found = first_hits(model, corpus, kept, sample, lambda done, _: told.append(done))
    np.testing.assert_allclose(found.best, expected)
    scores, own = [], []
    for query in sample:
        others = np.flatnonzero(kept & (np.arange(len(kept)) != query))
        values = model.scores(corpus.sentences, np.full(len(others), query), others)
        same = corpus.record[others] == corpus.record[query]
        first = np.lexsort((same, -np.round(values, 9)))[:10]
        scores.append(values[first])
        own.append(same[first])
    np.testing.assert_allclose(found.scores, np.concatenate(scores))
    assert found.own.sum() == np.concatenate(own).sum()
    assert told == list(range(1, 26))


def test_no_other_record(collection: Path):
    """Where there is no other record there is no match."""
    with Index(collection) as index:
        model = train(index, "bayes", content_share=1.0, stopwords=STOPWORDS)
        corpus = read_corpus(index, STOPWORDS)
    found = first_hits(model, corpus, corpus.record == 0, np.array([0]))
    assert found.best.tolist() == [-np.inf]
    assert found.own.all()
