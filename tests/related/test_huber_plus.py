"""Huber+: its scores, the scaling of its dense features, and their values."""

import json
import math
import subprocess
import sys
from dataclasses import replace
from functools import partial
from pathlib import Path

import numpy as np
import pytest

from recipes import related as module
from recipes.related import pack
from relsent_ir import models
from relsent_ir.errors import InputError, MismatchError
from relsent_ir.lucene.read.index import Index
from relsent_ir.models import save_folder
from relsent_ir.related import formulas, measures, score_pairs
from relsent_ir.related import vectors as word_knowledge
from relsent_ir.related.calibration import Calibration, reached
from relsent_ir.related.features import Sentences
from relsent_ir.related.formulas import InverseFrequency
from relsent_ir.related.huber_plus import HuberPlusModel, Scaling, columns, from_bytes, to_bytes
from relsent_ir.related.measures import Measures
from relsent_ir.related.model import method_scores, query_method_scores
from relsent_ir.related.pairs import held_out, read_corpus
from relsent_ir.related.training import huber_plus as training
from relsent_ir.related.training.huber import JointDesign, PairDesign
from relsent_ir.related.training.train import train
from relsent_ir.related.vectors import sentence_vectors
from tests.related.conftest import STOPWORDS, invent, matching

TEXTS = [section.text for record in invent(30, seed=8) for section in record.sections] + [""]
SENTENCES = Sentences.from_texts(TEXTS, STOPWORDS)
CHANCE = np.random.default_rng(1)
A, B = CHANCE.integers(0, len(TEXTS), (2, 40))


def test_scores(trained: HuberPlusModel):
    """The sparse weights' sum and the measures; of a few rows; the cosine; pair by pair."""
    measures = Measures(trained.knowledge, SENTENCES.lexicon)
    formulas = method_scores(measures.formulas, SENTENCES, A, B)
    dense = trained.scaling.apply(measures.of_pairs(formulas, SENTENCES, A, B)) @ trained.dense
    expected = trained.sparse.scores(SENTENCES, A, B) + dense
    np.testing.assert_allclose(trained.scores(SENTENCES, A, B), expected)
    rows = np.array([5, 2, 5, 60])
    trained.scores(SENTENCES, A, B)
    known = trained.query_scores(SENTENCES, 7, rows)
    again = Sentences.from_texts(TEXTS, STOPWORDS)
    np.testing.assert_allclose(trained.query_scores(again, 7, rows), known)
    np.testing.assert_allclose(known, trained.scores(SENTENCES, np.full(4, 7), rows))
    cosines, covered = trained.likeness(SENTENCES, 3, np.array([3, 5, len(TEXTS) - 1]))
    vectors = Measures(trained.knowledge, SENTENCES.lexicon).vectors
    unit = sentence_vectors(SENTENCES.words, vectors)
    np.testing.assert_allclose(cosines, [1.0, unit[3] @ unit[5], 0.0], rtol=1e-5, atol=1e-7)
    assert covered[0] == pytest.approx(1.0)
    assert covered[2] == 0.0
    methods = Measures(trained.knowledge, SENTENCES.lexicon).formulas
    rows = np.arange(len(TEXTS))
    found = query_method_scores(methods, SENTENCES, 3, rows)
    np.testing.assert_allclose(
        found, method_scores(methods, SENTENCES, np.full(len(rows), 3), rows)
    )


def test_saved_and_loaded(trained: HuberPlusModel, tmp_path: Path):
    """Everything is read from the disk, the calibration too, and nothing is unpickled."""
    trained = replace(trained)  # other tests have the same
    trained.calibration = Calibration.fit([0.0, 1.0], [False, True], 9, [0.5])
    models.save(tmp_path / "m", trained)
    again = models.load(tmp_path / "m", "related")
    assert isinstance(again, HuberPlusModel)
    assert isinstance(again.knowledge.associations.values.base, np.memmap)
    pairs = [("insulin and glucose", "glucose in islets"), ("", "malaria")]
    expected = score_pairs(trained, pairs)
    np.testing.assert_allclose(score_pairs(again, pairs), expected, rtol=1e-5, atol=1e-5)
    first, second = (m.candidates.scores(SENTENCES, A, B) for m in (trained, again))
    np.testing.assert_allclose(first, second, rtol=1e-5, atol=1e-5)
    assert again.calibration
    assert reached(again.calibration.best) == 0.5


def test_mistakes(trained: HuberPlusModel, tmp_path: Path, build):
    """A missing array, and too few records, are one line."""
    models.save(tmp_path / "m", trained)
    (tmp_path / "m" / "vectors.npy").unlink()
    with pytest.raises(InputError, match="vectors"):
        models.load(tmp_path / "m", "related")
    with (
        Index(build(invent(1))) as index,
        pytest.raises(MismatchError, match=r"too few records|no two neighbouring"),
    ):
        train(index, "huber-plus", stopwords=STOPWORDS, all_records=True, content_share=1.0)


def test_joint_design():
    """As the two matrices side by side."""
    sparse, dense = PairDesign(SENTENCES, A, B), CHANCE.normal(size=(len(A), 6))
    design = JointDesign(dense, sparse)
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

    def spy(words, record, *rest):
        learned.append(set(record.tolist()))
        found = learn(words, record, *rest)
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


def test_without_dense_weights_it_is_huber(trained: HuberPlusModel, collection: Path):
    """The dense part is all that is added to the sparse weights."""
    plain = HuberPlusModel(
        trained.sparse,
        trained.candidates.weights,
        trained.knowledge,
        replace(trained.scaling),
        np.zeros_like(trained.dense),
        {},
    )
    with Index(collection) as index:
        sentences = read_corpus(index, STOPWORDS).sentences
    rows = np.arange(20)
    np.testing.assert_allclose(
        plain.scores(sentences, rows, rows + 20), trained.sparse.scores(sentences, rows, rows + 20)
    )


def test_ranks(trained: HuberPlusModel, collection: Path, monkeypatch: pytest.MonkeyPatch):
    """Enough groups give other dense weights, and scale the sparse ones; few leave them."""
    monkeypatch.setattr(training, "LEAST_GROUPS", 1)
    with Index(collection) as index:
        ranked = train(index, "huber-plus", content_share=1.0, stopwords=STOPWORDS)
    assert isinstance(ranked, HuberPlusModel)
    assert 0 < ranked.facts["training"]["ranked"] == trained.facts["training"]["ranked"]
    assert not np.allclose(ranked.dense, trained.dense)
    one = np.flatnonzero(trained.sparse.both)
    factors = ranked.sparse.both[one] / trained.sparse.both[one]
    np.testing.assert_allclose(factors, factors[0])
    assert factors[0] >= 0
    np.testing.assert_array_equal(ranked.candidates.weights, trained.candidates.weights)
    assert (ranked.candidates.weights >= 0).all()


def test_scaling():
    """Mean 0 and deviation 1, logarithms to the unit, also of negative values, outliers cut."""
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
    scaling = Scaling(np.array([2.0]), np.zeros(2), np.ones(2))
    expected = [[-4.0, -math.log(3.0)], [4.0, math.log(3.0)]]
    np.testing.assert_allclose(scaling.apply(np.array([[-4.0], [4.0]])), expected)


def test_values_by_hand() -> None:
    """Dice over words of the first two sentences, and how logarithms are taken."""
    found = columns()
    assert list(found) == [*measures.MEASURES, "logarithm"]
    assert found["shared words"] == [3.0, 1.0, 1.0, 0.0]
    assert found["Dice, words"][0] == pytest.approx(2 * 3 / (5 + 8), abs=1e-9)


def test_a_changed_formula_is_refused(trained, tmp_path, monkeypatch):
    """An exponent that changes, a formula that is gone, a model of before: one line each."""
    models.save(tmp_path / "m", trained)
    models.load(tmp_path / "m", "related")
    with monkeypatch.context() as changed:
        changed.setitem(formulas.FORMULAS, "I1.5", partial(InverseFrequency, power=1.4))
        columns.cache_clear()
        with pytest.raises(MismatchError, match=r"other features than .*: I1\.5 \(train it again"):
            models.load(tmp_path / "m", "related")
    columns.cache_clear()
    path = tmp_path / "m" / "model.json"
    facts = json.loads(path.read_text())
    recorded = facts.pop("columns")
    wrong = (None, "does not say"), ({"I9": [1.0], **recorded}, ": I9"), ([*recorded], "not say")
    for given, problem in (*wrong, (dict(sorted(recorded.items())), "their order")):
        path.write_text(json.dumps({**facts, "columns": given} if given else facts))
        with pytest.raises(MismatchError, match=problem):
            models.load(tmp_path / "m", "related")


ADDED = """
import sys
from functools import partial
from pathlib import Path
from relsent_ir.related import formulas
formulas.FORMULAS["I9"] = partial(formulas.InverseFrequency, power=9.0)
from relsent_ir.lucene.read.collection import Indexes
from relsent_ir.related.matching.matcher import Matcher
from relsent_ir.related.measures import MEASURES
assert "I9" in MEASURES
with Indexes(Path(sys.argv[1])) as collection:
    print(dict(Matcher(collection, sys.argv[2]).related({"": "Insulin and glucose"}, 5)[""]))
"""


@pytest.mark.parametrize("packaged", [True, False])
def test_a_formula_that_is_added_changes_no_model(packaged, collection, trained, tmp_path):
    """A model computes the measures that it names: another one makes no difference."""
    models.save(tmp_path / "m", trained)
    name = "huber-plus" if packaged else str(tmp_path / "m")
    command = [sys.executable, "-c", ADDED, str(collection), name]
    ran = subprocess.run(command, capture_output=True, text=True, check=True)
    with matching(collection, name) as matcher:
        found = dict(matcher.related({"": "Insulin and glucose"}, 5)[""])
    assert found
    assert ran.stdout.strip() == str(found)


PACKED_TEXTS = [section.text for record in invent(30, seed=8) for section in record.sections]


def test_bytes():
    """Whole 127ths of the largest number of each vector; nothing stays nothing."""
    vectors = np.array([[12.7, -6.34, 0.04], [0.0, 0.0, 0.0], [-2.54, 1.28, 2.54]])
    numbers, sizes = to_bytes(vectors)
    assert numbers.tolist() == [[127, -63, 0], [0, 0, 0], [-127, 64, 127]]
    np.testing.assert_allclose(sizes, [0.1, 0.0, 0.02], rtol=1e-6)
    np.testing.assert_allclose(from_bytes(numbers, sizes)[2], [-2.54, 1.28, 2.54], rtol=1e-6)


def test_packed_saved_and_loaded(trained: HuberPlusModel, tmp_path: Path):
    """What is read is what was packed, to 8 bits, and saved again it is the same to the bit."""
    small = pack(trained)
    for name in ("a", "b"):
        models.save(tmp_path / name, small)
        small = models.load(tmp_path / name, "related")
    again = models.load(tmp_path / "b", "related")
    assert again.packed
    first, second = (models.load(tmp_path / name, "related").to_arrays() for name in "ab")
    for name, array in first.items():
        np.testing.assert_array_equal(array, second[name], name)
    vectors = trained.knowledge.vectors.astype(np.float32)
    kept = trained.sparse.lexicon.words.locate(again.sparse.lexicon.words)
    np.testing.assert_allclose(
        again.knowledge.vectors.astype(np.float32), vectors[kept], atol=np.abs(vectors).max() / 200
    )
    was = trained.knowledge.statistics.on(again.sparse.lexicon).frequency
    assert np.abs(again.knowledge.statistics.frequency - was).max() <= 0.03 * was.max()
    assert not len(again.knowledge.associations.values)


def test_scores_are_near(trained: HuberPlusModel, monkeypatch: pytest.MonkeyPatch):
    """With all weights kept, what is left out is the associations, and little else."""
    monkeypatch.setattr(module, "WEIGHTS", 1.0)
    monkeypatch.setattr(module, "LEAST", 0)
    small = pack(trained)
    sentences = Sentences.from_texts(PACKED_TEXTS, STOPWORDS)
    a, b = np.random.default_rng(0).integers(0, len(PACKED_TEXTS), (2, 200))
    correlation = np.corrcoef(small.scores(sentences, a, b), trained.scores(sentences, a, b))[0, 1]
    assert correlation > 0.9


def test_what_is_kept(trained: HuberPlusModel):
    """The words of most sentences; substrings of several, and what these begin with."""
    small = pack(trained, 7)
    statistics = trained.knowledge.statistics
    n = len(statistics.lexicon.words)
    least = np.sort(statistics.frequency[:n])[-7]
    assert len(small.sparse.lexicon.words) == 7
    counted = statistics.on(small.sparse.lexicon).frequency
    assert counted[:7].min() >= least
    names = {small.sparse.lexicon.name(i)[1] for i in range(7, len(small.sparse.lexicon))}
    every = {
        statistics.lexicon.name(i)[1]: statistics.frequency[i]
        for i in range(n, len(statistics.lexicon))
    }
    often = {name for name, count in every.items() if count >= module.LEAST}
    assert names == {name[:size] for name in often for size in range(2, len(name) + 1)}
    number = statistics.lexicon.locate(small.sparse.lexicon)
    weights = trained.sparse.both[number]
    large = np.abs(weights) >= np.quantile(np.abs(trained.sparse.both), 0.9)
    np.testing.assert_allclose(small.sparse.both, np.where(large, weights, 0.0))


def test_damaged(trained: HuberPlusModel, tmp_path: Path):
    """An array that is missing or too short is one line."""
    facts, arrays = pack(trained).to_stored()
    for damaged in (
        {name: array for name, array in arrays.items() if name != "frequency"},
        {**arrays, "vectors": arrays["vectors"][:-1]},
        {**arrays, "part_vectors_size": arrays["part_vectors_size"][1:]},
    ):
        save_folder(tmp_path / "m", trained.name, facts, damaged)
        with pytest.raises(InputError, match="do not fit together"):
            models.load(tmp_path / "m", "related")
