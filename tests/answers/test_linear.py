"""The linear model's two steps."""

import numpy as np
import pytest
from scipy.optimize import check_grad, minimize

from relsent_ir.answers.linear import Example, Weights, repetitions, train_weights


def _examples(n: int = 60) -> list[Example]:
    """Four sentences each; the first feature tells the answer, the second is noise."""
    rng = np.random.default_rng(0)
    found = []
    for i in range(n):
        features = rng.normal(size=(4, 2))
        answers = np.zeros(4, dtype=bool)
        answers[features[:, 0].argmax()] = True
        found.append(Example(str(i // 2), features, np.eye(4, dtype=bool), answers))
    return found


def test_by_hand() -> None:
    """The softmax of the standardised sums; a sum of one; the second step's logistic."""
    weights = Weights(
        np.array([1.0]), np.array([2.0]), np.array([3.0]), np.array([0, 1.0, 0, -0.5]), 0.5
    )
    best = weights.best(np.array([[1.0], [3.0]]))
    assert best == pytest.approx([1 / (1 + np.exp(3)), 1 / (1 + np.exp(-3))])
    repeats = np.array([[True, True], [True, True]])
    assert weights.answers(best, repeats) == pytest.approx([1 / (1 + np.exp(-0.5))] * 2)
    assert weights.best(np.zeros((0, 1))).shape == (0,)
    assert weights.answers(np.zeros(0), np.zeros((0, 0), dtype=bool)).shape == (0,)


def test_what_tells_the_answer_is_found() -> None:
    """The weight of the feature that tells is large, of the other small; few are missed."""
    examples = _examples()
    weights = train_weights(examples, penalty=1.0)
    assert weights.weights[0] > 5 * abs(weights.weights[1])
    found = [weights.answers(weights.best(e.features), e.repeats) for e in examples]
    right = [(f >= weights.threshold) == e.answers for f, e in zip(found, examples, strict=True)]
    assert np.mean(right) > 0.9
    assert 0.1 <= weights.threshold <= 0.7


def test_the_first_step_is_the_minimum() -> None:
    """An optimiser without our gradient finds no better weights, with several answers too."""
    examples = [
        Example(e.record, e.features, e.repeats, e.answers | (np.arange(4) == i % 4))
        for i, e in enumerate(_examples(20))
    ]
    weights = train_weights(examples, penalty=2.0)

    def cost(w: np.ndarray) -> float:
        total = 1.0 * float(w @ w)
        for example in examples:
            sums = (example.features - weights.mean) / weights.deviation @ w
            share = np.exp(sums) / np.exp(sums).sum()
            total -= np.log(share[example.answers].sum())
        return total

    peer = minimize(cost, np.zeros(2), method="Nelder-Mead", options={"xatol": 1e-8})
    assert cost(weights.weights) == pytest.approx(peer.fun, abs=1e-4)
    assert check_grad(cost, lambda _: np.zeros(2), weights.weights) < 1e-2


def test_questions_without_an_answer_are_no_examples_of_the_first_step() -> None:
    """They count in the second: nothing there is an answer."""
    examples = _examples()
    empty = Example("x", np.ones((4, 2)), np.eye(4, dtype=bool), np.zeros(4, dtype=bool))
    with_them = train_weights([*examples, empty], penalty=1.0)
    assert with_them.weights == pytest.approx(train_weights(examples, penalty=1.0).weights)


def test_repetitions() -> None:
    """Half the words of the shorter one; always itself; either way round."""
    found = repetitions(["one two three four", "one two", "five six seven", ""])
    assert found[0].tolist() == [True, True, False, True]
    assert (found == found.T).all()
    assert found.diagonal().all()
    assert repetitions([]).shape == (0, 0)


def test_one_record_can_be_learned_from() -> None:
    """Too few records for folds still give a model."""
    weights = train_weights(_examples(2), penalty=1.0)
    assert np.isfinite(weights.weights).all()
