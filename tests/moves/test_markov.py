"""The Markov model of the order of moves, against sums over all orders."""

from itertools import pairwise, product

import numpy as np
import pytest

from relsent_ir.moves.labels import MOVES
from relsent_ir.moves.markov import Markov

SEQUENCES = [
    ["PURPOSE", "METHODS", "RESULTS", "CONCLUSION"],
    ["PURPOSE", "PURPOSE", "METHODS", "METHODS", "RESULTS"],
]


def test_counts() -> None:
    """Two abstracts, counted by hand; half is added to each of five ways on, and four ways in."""
    markov = Markov.count(SEQUENCES)
    assert np.exp(markov.start) == pytest.approx([2.5 / 4, 0.5 / 4, 0.5 / 4, 0.5 / 4])
    # after PURPOSE: once PURPOSE, twice METHODS; two moves and the end never
    assert np.exp(markov.steps[0]) == pytest.approx([1.5 / 5.5, 2.5 / 5.5, 0.5 / 5.5, 0.5 / 5.5])
    assert np.exp(markov.end[0]) == pytest.approx(0.5 / 5.5)
    assert np.exp(markov.steps).sum(axis=1) + np.exp(markov.end) == pytest.approx(np.ones(4))


@pytest.mark.parametrize("n", [1, 2, 4])
def test_posteriors_are_sums_over_all_orders(n: int) -> None:
    """Forward-backward gives what adding up every sequence of moves gives."""
    markov = Markov.count(SEQUENCES)
    scores = np.random.default_rng(3).normal(size=(n, len(MOVES)))
    expected = np.zeros((n, len(MOVES)))
    for path in product(range(len(MOVES)), repeat=n):
        log = markov.start[path[0]] + markov.end[path[-1]]
        log += sum(scores[t, move] for t, move in enumerate(path))
        log += sum(markov.steps[a, b] for a, b in pairwise(path))
        for t, move in enumerate(path):
            expected[t, move] += np.exp(log)
    expected /= expected.sum(axis=1, keepdims=True)
    assert markov.posteriors(scores) == pytest.approx(expected)
