"""The part for exact questions: probabilities by hand, and what is learned."""

import numpy as np
import pytest

from relsent_ir.ranker.exact import STRENGTH, combined, learn, probabilities
from relsent_ir.ranker.judgements import JudgedTopic


def test_probabilities() -> None:
    """e^w·x over their sum; an empty topic has none."""
    values = np.array([[np.log(3.0), 1.0], [0.0, 5.0]])
    assert probabilities(values, np.array([1.0, 0.0])).tolist() == pytest.approx([0.75, 0.25])
    assert probabilities(np.zeros((0, 2)), np.zeros(2)).tolist() == []


def test_combined() -> None:
    """Scores are brought to mean 0 and deviation 1, and gain `STRENGTH` times the probability."""
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
    weights = learn(topics, np.array([1.0, 1.0, 0.0]))
    assert weights[0] > 1
    assert abs(weights[1]) < weights[0] / 5
    assert weights[2] == 0
