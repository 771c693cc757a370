"""Calibration, against scikit-learn's logistic regression."""

from pathlib import Path

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression

from recipes.related import fit_weights
from relsent_ir.errors import MismatchError
from relsent_ir.lucene.read.index import Index
from relsent_ir.related.calibration import Calibration, Reader, Signs, reached
from relsent_ir.related.pairs import draw_pairs, held_out, read_corpus
from relsent_ir.related.training import learning
from relsent_ir.related.training import train as training
from relsent_ir.related.training.train import first_hits, train
from tests.related.conftest import STOPWORDS, invent

CHANCE = np.random.default_rng(2)
OWN = np.arange(400) < 100
SCORES = CHANCE.normal(OWN * 1.5 + 5.0, 2.0).round(2)
BEST = CHANCE.normal(2.0, 1.0, 50)
SENTENCES = 1000


@pytest.fixture
def calibration() -> Calibration:
    """Of invented scores."""
    return Calibration.fit(SCORES, OWN, SENTENCES, BEST)


def test_probability(calibration: Calibration):
    """What logistic regression of weighted labels says: Platt's targets are such weights."""
    ceiling = np.sort(SCORES)[359:361] @ [0.9, 0.1]  # of 400 the 90th percentile, interpolated
    asked = np.linspace(-6, 18, 50)
    high, low = 101 / 102, 1 / 302
    part = np.where(OWN, high, low)
    regression = LogisticRegression(C=np.inf, tol=1e-10, max_iter=1000)
    regression.fit(
        np.minimum(np.append(SCORES, SCORES), ceiling)[:, None],
        np.repeat([True, False], 400),
        sample_weight=np.append(part, 1 - part),
    )
    expected = regression.predict_proba(np.minimum(asked, ceiling)[:, None])[:, 1]
    np.testing.assert_allclose(calibration.probability(asked), expected, atol=1e-5)


def test_sentences_and_min_score(calibration: Calibration):
    """Among a hundred times as many sentences odds are a hundredth."""
    few, many = calibration.probability(6.0), calibration.probability(6.0, 100 * SENTENCES)
    assert many / (1 - many) == pytest.approx(few / (1 - few) / 100)
    assert (reached(calibration.best) <= BEST).mean() == pytest.approx(0.2)
    assert (reached(calibration.best, 0.5) <= BEST).mean() == pytest.approx(0.5)
    again = Calibration.from_arrays(calibration.to_arrays())
    assert again
    assert reached(again.best) == reached(calibration.best)
    np.testing.assert_array_equal(again.probability(SCORES), calibration.probability(SCORES))
    assert Calibration.from_arrays({}) is None


def test_tail_is_smooth():
    """Where the scores tell all apart, and far beyond, P is no 0 or 1; it rises, then stays."""
    calibration = Calibration.fit([0.0, 1.0, 2.0, 3.0], [False, False, True, True], 4, [])
    assert calibration.ceiling == pytest.approx(2.7)
    found = calibration.probability([-2.0, 0.0, 1.5, 2.7, 3.0, 5.0])
    assert (np.diff(found)[:3] > 0).all()
    assert found[3] == found[4] == found[5]
    assert (found > 0).all()
    assert (found < 1).all()


@pytest.mark.parametrize("sentences", [None, 20])
@pytest.mark.parametrize("wanted", [0.02, 0.3, 0.45])
def test_score_reaching(calibration: Calibration, wanted: float, sentences: int | None):
    """The score of that probability."""
    score = calibration.score_reaching(wanted, sentences)
    assert calibration.probability(score, sentences) == pytest.approx(wanted)


def test_score_reaching_is_endless(calibration: Calibration):
    """Any score will do, or none."""
    assert calibration.score_reaching(0.0) == -np.inf
    assert calibration.score_reaching(1.0) == np.inf
    most = float(calibration.probability(1e9))
    assert calibration.score_reaching(most - 1e-9) <= calibration.ceiling
    assert calibration.score_reaching(most + 1e-9) == np.inf
    falling = Calibration.fit([3.0, 2.0, 1.0], [False, False, True], 3, [])
    assert falling.score_reaching(0.5) == np.inf


def test_no_matches(build):
    """A cut-off needs some match; a model of few records has no calibration."""
    with pytest.raises(MismatchError, match="calibrate"):
        reached(Calibration.fit([0.0, 1.0], [False, True], 9, []).best)
    with Index(build(invent(12))) as index:
        assert train(index, "bayes", content_share=1.0, stopwords=STOPWORDS).calibration is None


@pytest.mark.parametrize("kind", ["bayes", "huber-plus"])
def test_training_calibrates(collection: Path, monkeypatch: pytest.MonkeyPatch, kind: str):
    """On training records that pairs are never drawn from; none where these are too few."""
    drawn, sampled = [], []

    def spy(corpus, kept, records, n, seed):
        drawn.append(records)
        return draw_pairs(corpus, kept, records, n, seed)

    def look(model, corpus, kept, sample, progress):
        sampled.append(corpus.record[sample])
        return first_hits(model, corpus, kept, sample, progress)

    monkeypatch.setattr(training, "SAMPLE", 10)
    monkeypatch.setattr(training, "CALIBRATION_SHARE", 1 / 4)
    monkeypatch.setattr(learning, "draw_pairs", spy)
    monkeypatch.setattr(training, "first_hits", look)
    with Index(collection) as index:
        model = train(index, kind, content_share=1.0, stopwords=STOPWORDS)
        names = read_corpus(index, STOPWORDS).records
    assert model.calibration
    assert len(model.calibration.best) == 10
    (asked,) = sampled
    assert len(asked) == 10
    assert not np.any(drawn, axis=0)[asked].any()
    assert not held_out(names, 0)[asked].any()


def _signs(relative: list[float], words: list[int], *, alone: bool = False) -> Signs:
    nothing = np.zeros(len(words))
    return Signs(np.array(relative), np.array(words), nothing, nothing, alone)


def test_reader():
    """P is logistic in the signs, more than four words as four; saved and read it is the same."""
    weights = np.array([[2.0, 0.5, 9.0, 9.0, -1.0], [0.0, 0.0, 9.0, 9.0, 2.0]])
    reader = Reader(weights, 0.7)
    alone = reader.probability(_signs([0.25], [1], alone=True))
    np.testing.assert_allclose(alone, 1 / (1 + np.exp(-2.0)))
    expected = 1 / (1 + np.exp([-0.0, -2.0]))  # 2 * 0.25 + 0.5 * 1 - 1; 2 * 0.5 + 0.5 * 4 - 1
    np.testing.assert_allclose(reader.probability(_signs([0.25, 0.5], [1, 9])), expected)
    again = Reader.from_arrays(reader.to_arrays())
    assert again
    assert again.least == 0.7
    np.testing.assert_array_equal(again.weights, reader.weights)
    assert Reader.from_arrays({}) is None
    with pytest.raises(ValueError, match="reader"):
        Reader.from_arrays({"reader": np.zeros(5)})


def test_reader_is_fitted():
    """What readers said of high scores is more likely of them; equal signs weigh nothing."""
    relative = np.linspace(0.0, 1.0, 200).tolist()
    signs, alone = _signs(relative, [2] * 200), _signs([0.5] * 200, [2] * 200, alone=True)
    fitted = fit_weights(signs, alone, np.arange(200) >= 120, 0.5)
    chances = fitted.probability(_signs([0.1, 0.6, 0.9], [2, 2, 2]))
    assert chances[0] < 0.1 < 0.35 < chances[1] < 0.65 < 0.9 < chances[2]
    assert abs(fitted.weights[0, 1]) < 1e-6
    assert not fitted.weights[0, 2:4].any()
    share = fitted.probability(_signs([0.9], [2], alone=True))
    np.testing.assert_allclose(share, 80 / 200, atol=0.01)
