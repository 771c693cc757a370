"""Huber+: its scores, the scaling of its dense features, and their values."""

import json
import math
from dataclasses import replace
from functools import partial
from pathlib import Path

import numpy as np
import pytest

from relsent_ir import models
from relsent_ir.errors import InputError, MismatchError
from relsent_ir.lucene.read.index import Index
from relsent_ir.related import formulas, score_pairs
from relsent_ir.related.calibration import Calibration, reached
from relsent_ir.related.features import Sentences
from relsent_ir.related.formulas import InverseFrequency
from relsent_ir.related.huber_plus import HuberPlusModel, Scaling, columns
from relsent_ir.related.model import method_scores, query_method_scores
from relsent_ir.related.store.corpus import held_out, read_corpus
from relsent_ir.related.training import huber_plus as training
from relsent_ir.related.training.design import PairDesign
from relsent_ir.related.training.huber_plus import JointDesign
from relsent_ir.related.training.train import train
from relsent_ir.related.words import measures
from relsent_ir.related.words import vectors as word_knowledge
from relsent_ir.related.words.measures import Measures
from relsent_ir.related.words.vectors import sentence_vectors
from tests.related.conftest import STOPWORDS, invent

TEXTS = [section.text for record in invent(30, seed=8) for section in record.sections] + [""]
SENTENCES = Sentences.from_texts(TEXTS, STOPWORDS)
CHANCE = np.random.default_rng(1)
A, B = CHANCE.integers(0, len(TEXTS), (2, 40))


@pytest.fixture(scope="module")
def model(collection: Path) -> HuberPlusModel:
    """Trained on the invented collection."""
    with Index(collection) as index:
        trained = train(index, "huber-plus", content_share=1.0, stopwords=STOPWORDS)
    assert isinstance(trained, HuberPlusModel)
    return trained


def test_score(model: HuberPlusModel):
    """The sparse weights' sum, and the weighted measures."""
    measures = Measures(model.knowledge, SENTENCES.lexicon)
    formulas = method_scores(measures.formulas, SENTENCES, A, B)
    dense = model.scaling.apply(measures.of_pairs(formulas, SENTENCES, A, B)) @ model.dense
    expected = model.sparse.scores(SENTENCES, A, B) + dense
    np.testing.assert_allclose(model.scores(SENTENCES, A, B), expected)


def test_query_scores_of_a_few(model: HuberPlusModel):
    """Taken out of a large lexicon, and then on a lexicon that is known already."""
    rows = np.array([5, 2, 5, 60])
    model.scores(SENTENCES, A, B)
    known = model.query_scores(SENTENCES, 7, rows)
    again = Sentences.from_texts(TEXTS, STOPWORDS)
    np.testing.assert_allclose(model.query_scores(again, 7, rows), known)
    np.testing.assert_allclose(known, model.scores(SENTENCES, np.full(4, 7), rows))


def test_likeness(model: HuberPlusModel):
    """The cosine is that of the two sentences' vectors."""
    cosines, covered = model.likeness(SENTENCES, 3, np.array([3, 5, len(TEXTS) - 1]))
    vectors = Measures(model.knowledge, SENTENCES.lexicon).vectors
    unit = sentence_vectors(SENTENCES.words, vectors)
    np.testing.assert_allclose(cosines, [1.0, unit[3] @ unit[5], 0.0], rtol=1e-5, atol=1e-7)
    assert covered[0] == pytest.approx(1.0)
    assert covered[2] == 0.0


def test_query_method_scores(model: HuberPlusModel):
    """The same as pair by pair."""
    methods = Measures(model.knowledge, SENTENCES.lexicon).formulas
    rows = np.arange(len(TEXTS))
    found = query_method_scores(methods, SENTENCES, 3, rows)
    np.testing.assert_allclose(
        found, method_scores(methods, SENTENCES, np.full(len(rows), 3), rows)
    )


def test_saved_and_loaded(model: HuberPlusModel, tmp_path: Path):
    """Everything is read from the disk, the calibration too, and nothing is unpickled."""
    model.calibration = Calibration.fit([0.0, 1.0], [False, True], 9, [0.5])
    models.save(tmp_path / "m", model)
    again = models.load(tmp_path / "m", "related")
    assert isinstance(again, HuberPlusModel)
    assert isinstance(again.knowledge.associations.values.base, np.memmap)
    pairs = [("insulin and glucose", "glucose in islets"), ("", "malaria")]
    expected = score_pairs(model, pairs)
    np.testing.assert_allclose(score_pairs(again, pairs), expected, rtol=1e-5, atol=1e-5)
    first, second = (m.candidates.scores(SENTENCES, A, B) for m in (model, again))
    np.testing.assert_allclose(first, second, rtol=1e-5, atol=1e-5)
    assert again.calibration
    assert reached(again.calibration.best) == 0.5


def test_an_array_is_missing(model: HuberPlusModel, tmp_path: Path):
    """One line says which file."""
    models.save(tmp_path / "m", model)
    (tmp_path / "m" / "vectors.npy").unlink()
    with pytest.raises(InputError, match="vectors"):
        models.load(tmp_path / "m", "related")


def test_joint_design():
    """As the two matrices side by side."""
    sparse, dense = PairDesign(SENTENCES, A, B), CHANCE.normal(size=(len(A), 6))
    design = JointDesign(sparse, dense)
    columns = sparse.shape[1]
    plain = np.column_stack([sparse.dot(unit) for unit in np.eye(columns)] + [dense])
    weights, values = CHANCE.normal(size=columns + 6), CHANCE.normal(size=len(A))
    assert design.shape == plain.shape
    np.testing.assert_allclose(design.dot(weights), plain @ weights)
    np.testing.assert_allclose(design.transposed_dot(values), plain.T @ values, atol=1e-9)
    np.testing.assert_allclose(
        design.squared_transposed_dot(values), (plain**2).T @ values, atol=1e-9
    )


def test_halves_do_not_see_themselves(collection: Path, monkeypatch: pytest.MonkeyPatch):
    """A pair's associations never come from its half; the last ones come from all records."""
    measured, learned, calls = [], [], []
    learn, measure = word_knowledge.learn_associations, training._measured
    of: dict[int, set[int]] = {}

    def spy(words, record, **keywords):
        learned.append(set(record.tolist()))
        found = learn(words, record, **keywords)
        of[id(found)] = learned[-1]
        return found

    def spy_measured(corpus, knowledge, a, b):
        of_pairs = corpus.record[np.concatenate([a, b])]
        measured.append((set(of_pairs.tolist()), of[id(knowledge.associations)]))
        calls.append(corpus)
        return measure(corpus, knowledge, a, b)

    monkeypatch.setattr(word_knowledge, "learn_associations", spy)
    monkeypatch.setattr(training, "_measured", spy_measured)
    with Index(collection) as index:
        train(index, "huber-plus", content_share=1.0, stopwords=STOPWORDS)
    assert len(measured) == 4  # the pairs of either half, and what is ranked
    for of_pairs, others in measured:
        assert of_pairs
        assert of_pairs.isdisjoint(others)
    out = set(np.flatnonzero(held_out(calls[0].records, 0)).tolist())
    assert learned[-1] == learned[0] | learned[1]
    assert learned[-1].isdisjoint(out)


def test_one_record(build):
    """Too few records: one line."""
    with (
        Index(build(invent(1))) as index,
        pytest.raises(MismatchError, match=r"too few records|no two neighbouring"),
    ):
        train(index, "huber-plus", stopwords=STOPWORDS, all_records=True, content_share=1.0)


def test_without_dense_weights_it_is_huber(model: HuberPlusModel, collection: Path):
    """The dense part is all that is added to the sparse weights."""
    plain = HuberPlusModel(
        model.sparse,
        model.candidates.weights,
        model.knowledge,
        replace(model.scaling),
        np.zeros_like(model.dense),
        {},
    )
    with Index(collection) as index:
        sentences = read_corpus(index, STOPWORDS).sentences
    rows = np.arange(20)
    np.testing.assert_allclose(
        plain.scores(sentences, rows, rows + 20), model.sparse.scores(sentences, rows, rows + 20)
    )


def test_ranks(model: HuberPlusModel, collection: Path, monkeypatch: pytest.MonkeyPatch):
    """Enough groups give other dense weights, and scale the sparse ones; few leave them."""
    monkeypatch.setattr(training, "LEAST_GROUPS", 1)
    with Index(collection) as index:
        ranked = train(index, "huber-plus", content_share=1.0, stopwords=STOPWORDS)
    assert isinstance(ranked, HuberPlusModel)
    assert 0 < ranked.facts["training"]["ranked"] == model.facts["training"]["ranked"]
    assert not np.allclose(ranked.dense, model.dense)
    one = np.flatnonzero(model.sparse.both)
    factors = ranked.sparse.both[one] / model.sparse.both[one]
    np.testing.assert_allclose(factors, factors[0])
    assert factors[0] >= 0
    np.testing.assert_array_equal(ranked.candidates.weights, model.candidates.weights)
    assert (ranked.candidates.weights >= 0).all()


CHANCE = np.random.default_rng(1)


def test_scaling():
    """Mean 0 and deviation 1, logarithms to the unit, outliers cut, flat columns 0."""
    measures = np.column_stack([CHANCE.exponential(2.0, 500), np.full(500, 3.0)])
    measures[0, 0] = 500.0
    scaling = Scaling.fit(measures)
    scaled = scaling.apply(measures)
    assert scaled.shape == (500, 4)
    assert scaled[0, 0] == 6.0
    np.testing.assert_allclose(scaled[:, [1, 3]], 0.0, atol=1e-6)
    logs = np.log1p(measures[:, 0] / np.percentile(measures[:, 0], 5))
    np.testing.assert_allclose(scaled[1:, 2], ((logs - logs.mean()) / logs.std())[1:])
    again = Scaling.from_arrays(scaling.to_arrays())
    np.testing.assert_array_equal(again.apply(measures), scaled)


def test_scaling_of_negative_values():
    """Their logarithm has their sign."""
    scaling = Scaling(np.array([2.0]), np.zeros(2), np.ones(2))
    expected = [[-4.0, -math.log(3.0)], [4.0, math.log(3.0)]]
    np.testing.assert_allclose(scaling.apply(np.array([[-4.0], [4.0]])), expected)


def test_values_by_hand() -> None:
    """Dice over words of the first two sentences, and how logarithms are taken."""
    found = columns()
    assert list(found) == [*measures.MEASURES, "logarithm"]
    assert found["shared words"] == [3.0, 1.0, 1.0, 0.0]
    assert found["Dice, words"][0] == pytest.approx(2 * 3 / (5 + 8), abs=1e-9)


def test_a_changed_formula_is_refused(
    collection: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An exponent that changes, a formula that is added, a model of before: one line each."""
    with Index(collection) as index:
        model = train(index, "huber-plus", content_share=1.0, stopwords=STOPWORDS)
    models.save(tmp_path / "m", model)
    models.load(tmp_path / "m", "related")
    others = measures.MEASURES[len(formulas.FORMULAS) :]
    with monkeypatch.context() as changed:
        changed.setitem(formulas.FORMULAS, "I1.5", partial(InverseFrequency, power=1.4))
        columns.cache_clear()
        with pytest.raises(MismatchError, match=r"other features than .*: I1\.5 \(train it again"):
            models.load(tmp_path / "m", "related")
    with monkeypatch.context() as changed:
        changed.setitem(formulas.FORMULAS, "I9", partial(InverseFrequency, power=9.0))
        for place in ("huber_plus", "words.measures"):
            changed.setattr(f"relsent_ir.related.{place}.MEASURES", (*formulas.FORMULAS, *others))
        columns.cache_clear()
        with pytest.raises(MismatchError, match=r"other features than .*: I9"):
            models.load(tmp_path / "m", "related")
    columns.cache_clear()
    path = tmp_path / "m" / "model.json"
    facts = json.loads(path.read_text())
    del facts["columns"]
    path.write_text(json.dumps(facts))
    with pytest.raises(MismatchError, match="does not say what its features are"):
        models.load(tmp_path / "m", "related")
