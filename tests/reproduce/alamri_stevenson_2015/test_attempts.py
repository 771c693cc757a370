"""Attempts to better our answer model."""

import numpy as np
import pytest

from relsent_ir.answers.linear import Example, Judged
from reproduce.alamri_stevenson_2015.attempts import (
    best_expected,
    learn_pairs,
    with_neighbour,
)


def _judged(*probabilities: float) -> Judged:
    values = np.array(probabilities)
    return Judged(values, values, np.zeros(len(values), dtype=bool))


def test_expected_f1() -> None:
    """Of .9, .1: 1.8 / 2 against 2 / 3. Of .9, .8: 1.8 / 2.7 against 3.4 / 3.7."""
    assert best_expected(_judged(0.1, 0.9)).answers.tolist() == [False, True]
    assert best_expected(_judged(0.8, 0.9)).answers.tolist() == [True, True]
    assert best_expected(_judged()).answers.shape == (0,)


def test_a_neighbour() -> None:
    """One beside the first that is probable enough; not one that is further away."""
    assert with_neighbour(_judged(0.3, 0.1, 0.9, 0.3)).answers.tolist() == [0, 0, 1, 1]
    assert with_neighbour(_judged(0.9)).answers.tolist() == [True]
    assert with_neighbour(_judged()).answers.shape == (0,)


def test_pairs() -> None:
    """One pair of margin 2 w: λ w² / 2 + (1 − 2 w)² is least at 4 / (8 + λ)."""
    features = np.array([[1.0], [-1.0]])  # of deviation one
    example = Example("1", features / 2, np.zeros(1), np.array([True, False]))
    step = learn_pairs([example], penalty=2.0)
    assert step.deviation == pytest.approx([0.5])
    assert step.weights == pytest.approx([0.4], rel=1e-4)
    assert step.shares(example.features)[0] > 0.5
