"""The part for exact questions: probabilities by hand, and what is learned."""

import numpy as np
import pytest
from scipy.optimize import minimize

from relsent_ir.ranker.judgements import JudgedTopic, draw_pairs
from relsent_ir.ranker.learning import learn_exact, learn_linear
from relsent_ir.ranker.model import STRENGTH, combined, probabilities
from relsent_ir.related.training.huber import loss


def test_probabilities() -> None:
    """e^w·x over their sum; scores of mean 0 and deviation 1 gain `STRENGTH` times them."""
    values = np.array([[np.log(3.0), 1.0], [0.0, 5.0]])
    assert probabilities(values, np.array([1.0, 0.0])).tolist() == pytest.approx([0.75, 0.25])
    assert probabilities(np.zeros((0, 2)), np.zeros(2)).tolist() == []
    values = np.array([[np.log(3.0)], [0.0]])
    told = combined(np.array([2.0, 6.0]), values, np.array([1.0]))
    assert told.tolist() == pytest.approx([-1 + 0.75 * STRENGTH, 1 + 0.25 * STRENGTH])
    scores = np.array([2.0, 6.0])
    assert combined(scores, values, None) is scores
    told = combined(scores, values, np.array([1.0]), 2.0)
    assert told.tolist() == pytest.approx([0.5, 1.5])


def test_learned() -> None:
    """The feature that tells the one record gets the weight; what may not weigh has none."""
    chance = np.random.default_rng(2)
    topics = []
    for number in range(40):
        values = chance.normal(size=(30, 3))
        grades = np.zeros(30, int)
        grades[np.argmax(values[:, 0])] = 1
        values[:, 2] = values[:, 0]
        topics.append(JudgedTopic(str(number), values, grades, 1))
    weights = learn_exact(topics, np.array([1.0, 1.0, 0.0]))
    assert weights[0] > 1
    assert abs(weights[1]) < weights[0] / 5
    assert weights[2] == 0


def invented(number: int) -> JudgedTopic:
    """A topic whose first feature tells the relevant ones, not quite, and whose third is 0."""
    chance = np.random.default_rng(number)
    grades = np.array([1, 1, 1, 0, 0, 0, 0, 0])
    features = chance.normal(size=(8, 3))
    features[:, 0] += grades
    features[:, 2] = 0.0
    return JudgedTopic(str(number), features, grades, 4)


TOPICS = [invented(number) for number in range(6)]


def test_minimum() -> None:
    """The weights are where a general minimiser finds the least cost, of relevant less others."""
    found = learn_linear(TOPICS, 0.05, 0)
    pairs = draw_pairs(TOPICS, 0)
    labels = np.where(np.arange(len(pairs)) % 2 == 0, 1.0, -1.0)
    penalty = 0.05 * float((pairs**2).sum(axis=1).mean())

    def cost(x: np.ndarray) -> float:
        margins = pairs @ x[:3] + labels * x[3]
        return float(0.5 * penalty * x[:3] @ x[:3] + loss(margins).mean())

    best = minimize(cost, np.zeros(4), method="BFGS", options={"gtol": 1e-9})
    assert cost(np.append(found, best.x[3])) == pytest.approx(best.fun, rel=1e-4)
    assert found[:2] == pytest.approx(best.x[:2], abs=2e-2)
    assert found[2] == 0.0
    assert found[0] > abs(found[1])
    topic = JudgedTopic("1", np.array([[1.0], [5.0], [9.0]]), np.array([0, 1, 0]), 1)
    assert set(draw_pairs([topic], 3).ravel().tolist()) == {4.0, -4.0}


def test_average_precision() -> None:
    """Relevant ones that are no candidates count as missed."""
    topic = JudgedTopic("1", np.zeros((4, 1)), np.array([0, 1, 0, 2]), 3)
    assert topic.average_precision(np.array([4.0, 3, 2, 1])) == pytest.approx((1 / 2 + 2 / 4) / 3)
    assert (
        JudgedTopic("2", np.zeros((1, 1)), np.array([0]), 0).average_precision(np.zeros(1)) == 0.0
    )
