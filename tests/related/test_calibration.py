"""Calibration, against scikit-learn's isotonic regression and Bayes' rule."""

from pathlib import Path

import numpy as np
import pytest
from sklearn.isotonic import IsotonicRegression

from relsent_ir.errors import MismatchError
from relsent_ir.lucene.index import Index
from relsent_ir.related import learning, training
from relsent_ir.related.calibration import Calibration
from relsent_ir.related.corpus import held_out, read_corpus
from relsent_ir.related.pairs import draw_pairs
from relsent_ir.related.training import train
from tests.related.conftest import STOPWORDS, invent

CHANCE = np.random.default_rng(2)
RELATED = np.arange(400) < 200
SCORES = CHANCE.normal(RELATED * 1.5, 1.0).round(2)
BEST = CHANCE.normal(2.0, 1.0, 50)


@pytest.fixture
def calibration() -> Calibration:
    """Of invented scores."""
    return Calibration.fit(SCORES, RELATED, BEST)


def test_probability(calibration: Calibration):
    """What isotonic regression says, beyond the scores that it has seen too."""
    asked = np.linspace(-6, 8, 200)
    regression = IsotonicRegression(y_min=0, y_max=1, out_of_bounds="clip").fit(SCORES, RELATED)
    np.testing.assert_allclose(calibration.probability(asked), regression.predict(asked))


def test_prior(calibration: Calibration):
    """The odds are multiplied by those of the prior."""
    even, rare = calibration.probability(1.0), calibration.probability(1.0, prior=0.01)
    assert rare / (1 - rare) == pytest.approx(even / (1 - even) / 99)


@pytest.mark.parametrize("prior", [0.5, 0.05])
@pytest.mark.parametrize("wanted", [0.02, 0.3, 0.5, 0.77])
def test_score_reaching(calibration: Calibration, wanted: float, prior: float):
    """The least score of that probability: a little less has a smaller one."""
    score = calibration.score_reaching(wanted, prior)
    assert calibration.probability(score, prior) >= wanted - 1e-9
    assert calibration.probability(score - 1e-6, prior) < wanted


def test_score_reaching_is_endless():
    """Any score will do, or none."""
    calibration = Calibration.fit([0.0, 1.0, 2.0, 3.0], [0, 1, 0, 1], [])
    low = Calibration(calibration.scores, calibration.probabilities * 0.5 + 0.2, calibration.best)
    assert low.score_reaching(0.1) == -np.inf
    assert low.score_reaching(0.9) == np.inf


def test_min_score(calibration: Calibration):
    """A fifth of the sampled sentences have a match as good."""
    assert (calibration.min_score() <= BEST).mean() == pytest.approx(0.2)
    assert (calibration.min_score(0.5) <= BEST).mean() == pytest.approx(0.5)


def test_no_matches():
    """A cut-off needs some match."""
    with pytest.raises(MismatchError, match="calibrate"):
        Calibration.fit([0.0, 1.0], [False, True], []).min_score()


@pytest.mark.parametrize("kind", ["bayes", "huber-plus"])
def test_training_calibrates(collection: Path, monkeypatch: pytest.MonkeyPatch, kind: str):
    """On training records that pairs are never drawn from; none where these are too few."""
    drawn = []

    def spy(corpus, kept, records, n, seed):
        drawn.append(records)
        return draw_pairs(corpus, kept, records, n, seed)

    monkeypatch.setattr(training, "SAMPLE", 10)
    monkeypatch.setattr(training, "CALIBRATION_SHARE", 1 / 4)
    for module in (learning, training):
        monkeypatch.setattr(module, "draw_pairs", spy)
    with Index(collection) as index:
        model = train(index, kind, content_share=1.0, stopwords=STOPWORDS)
        names = read_corpus(index, STOPWORDS).records
    assert model.calibration
    assert len(model.calibration.best) == 10
    *learned, aside = drawn
    assert aside.any()
    assert not (np.any(learned, axis=0) & aside).any()
    assert not (aside & held_out(names, 0)).any()


def test_too_few_records(build):
    """A model of few records has no calibration."""
    with Index(build(invent(12))) as index:
        assert train(index, "bayes", content_share=1.0, stopwords=STOPWORDS).calibration is None


def test_arrays(calibration: Calibration):
    """Stored and read again; a model without calibration has none."""
    again = Calibration.from_arrays(calibration.to_arrays())
    assert again
    assert again.min_score() == calibration.min_score()
    np.testing.assert_array_equal(again.probability(SCORES), calibration.probability(SCORES))
    assert Calibration.from_arrays({}) is None
