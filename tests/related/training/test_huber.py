"""Huber and naive Bayes, against minimising and counting on the plain matrix."""

import numpy as np
import pytest
from scipy.optimize import minimize
from sklearn.linear_model import SGDClassifier

from relsent_ir.related import features as chunking
from relsent_ir.related.features import Lexicon, Sentences
from relsent_ir.related.training.huber import JointDesign, PairDesign, loss, minimise
from relsent_ir.related.training.learning import bayes_weights
from tests.related.brute import features
from tests.related.conftest import STOPWORDS, invent


def _problem(seed: int, noise: float = 1.0) -> tuple[np.ndarray, np.ndarray]:
    chance = np.random.default_rng(seed)
    x = (chance.random((300, 40)) < 0.3).astype(float)
    y = np.sign(x @ chance.normal(size=40) - 0.3 + noise * chance.normal(size=300))
    return x, y


def _cost(x: np.ndarray, y: np.ndarray, penalty: float, w: np.ndarray) -> float:
    """The paper's C, term by term."""
    total = 0.0
    for row, label in zip(x, y, strict=True):
        z = label * (row @ w[:-1] + w[-1])
        total += -4 * z if z <= -1 else (1 - z) ** 2 if z < 1 else 0.0
    return penalty / 2 * (w[:-1] @ w[:-1]) + total / len(y)


def test_loss():
    """The three pieces meet."""
    assert loss(np.array([-2.0, -1.0, 0.0, 1.0, 3.0])).tolist() == [8.0, 4.0, 1.0, 0.0, 0.0]


@pytest.mark.parametrize("penalty", [1.0, 1e-2, 1e-5])
def test_minimum(penalty: float):
    """The same cost as L-BFGS on the formula itself; the gradient has vanished."""
    x, y = _problem(0)
    found = minimise(JointDesign(x), y, penalty, tolerance=1e-8)
    direct = minimize(
        lambda w: _cost(x, y, penalty, w), np.zeros(41), method="L-BFGS-B",
        options={"maxfun": 10**6, "maxiter": 10**4},
    )  # fmt: skip
    at = np.append(found.weights, found.threshold)
    assert found.converged
    assert found.gap == pytest.approx(found.gradient_norm**2 / 2 / penalty)
    assert found.gap <= 1e-8 * found.cost
    assert found.cost == pytest.approx(_cost(x, y, penalty, at), rel=1e-12)
    assert found.cost <= direct.fun * (1 + 1e-9)
    assert found.cost == pytest.approx(direct.fun, rel=1e-4)


def test_scikit_learn():
    """SGDClassifier's modified_huber comes to the same objective from above."""
    x, y = _problem(1)
    penalty = 1e-2
    found = minimise(JointDesign(x), y, penalty, tolerance=1e-8)
    peer = SGDClassifier(
        loss="modified_huber", alpha=penalty, max_iter=3000, tol=None, random_state=0,
        learning_rate="optimal", average=True,
    ).fit(x, y)  # fmt: skip
    reached = _cost(x, y, penalty, np.append(peer.coef_[0], peer.intercept_[0]))
    assert found.cost <= reached
    assert found.cost == pytest.approx(reached, rel=1e-3)


def test_left_out_pairs_and_starts():
    """A label of 0 is no pair; from the minimum there is nothing to do."""
    x, y = _problem(2)
    some = minimise(JointDesign(x[:200]), y[:200], 1e-3, tolerance=1e-8)
    zeros = np.append(y[:200], np.zeros(100))
    masked = minimise(JointDesign(x), zeros, 1e-3, tolerance=1e-8)
    assert masked.cost == pytest.approx(some.cost, rel=1e-10)
    np.testing.assert_allclose(masked.weights, some.weights, atol=1e-5)
    x, y = _problem(3)
    told: list[tuple[int, int | None]] = []
    found = minimise(JointDesign(x), y, 1e-3, progress=lambda *step: told.append(step))
    again = minimise(JointDesign(x), y, 1e-3, start=(found.weights, found.threshold))
    assert (again.steps, again.products) == (0, 0)
    assert told[-1] == (found.products, None)
    x = np.array([[1.0, 0.0], [0.0, 1.0]] * 5)
    found = minimise(JointDesign(x), np.array([1.0, -1.0] * 5), 1e-9)
    assert found.converged
    assert found.cost < 1e-6


def test_bayes():
    """By hand: 2 of 3 related and 1 of 2 unrelated pairs, half a pair added on either side."""
    x = np.array([[1, 0, 0], [1, 0, 0], [0, 0, 0], [1, 1, 1], [0, 0, 0], [1, 1, 1]], float)
    labels = np.array([1, 1, 1, -1, -1, 0])
    weights = bayes_weights(JointDesign(x), labels, np.array([True, True, False]))
    p, q = 2.5 / 4, 1.5 / 3
    p2, q2 = 0.5 / 4, 1.5 / 3
    assert weights.tolist() == pytest.approx(
        [np.log(p * (1 - q) / (q * (1 - p))), np.log(p2 * (1 - q2) / (q2 * (1 - p2))), 0.0]
    )


TEXTS = [section.text for record in invent(10, seed=4) for section in record.sections] + [""]
SENTENCES = Sentences.from_texts(TEXTS, STOPWORDS)
CHANCE = np.random.default_rng(1)
A, B = CHANCE.integers(0, len(TEXTS), (2, 25))


@pytest.fixture(autouse=True)
def _small_chunks(monkeypatch: pytest.MonkeyPatch):
    """Several chunks."""
    monkeypatch.setattr(chunking, "CHUNK", 10)


def _plain(lexicon: Lexicon) -> np.ndarray:
    """One column per (feature, I) and per (feature, D), one row per pair."""
    column = {lexicon.name(i): i for i in range(len(lexicon))}
    plain = np.zeros((len(A), 2 * len(lexicon)))
    for row, (i, j) in enumerate(zip(A, B, strict=True)):
        x, y = (set(features(TEXTS[k], STOPWORDS)) for k in (i, j))
        plain[row, [column[t] for t in x & y]] = 1
        plain[row, [len(lexicon) + column[t] for t in x ^ y]] = 1
    plain[:, plain.sum(axis=0) < 2] = 0
    return plain


def test_products():
    """X w, Xᵀ v, sizes and kept features are those of the plain matrix."""
    design = PairDesign(SENTENCES, A, B)
    plain = _plain(design.lexicon)
    assert design.shape == plain.shape
    np.testing.assert_array_equal(design.used, plain.any(axis=0))
    np.testing.assert_array_equal(design.sizes(), plain.sum(axis=1))
    weights, values = CHANCE.normal(size=plain.shape[1]), CHANCE.normal(size=len(A))
    np.testing.assert_allclose(design.dot(weights), plain @ weights, atol=1e-10)
    np.testing.assert_allclose(design.transposed_dot(values), plain.T @ values, atol=1e-10)
    np.testing.assert_allclose(
        design.squared_transposed_dot(values), (plain**2).T @ values, atol=1e-10
    )
