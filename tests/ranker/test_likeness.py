"""Likeness to the first hits, worked out by hand."""

import numpy as np
import pytest
from scipy.sparse import csr_array

from relsent_ir.ranker.features.likeness import OFTEN, products, smoothed, standard, to_first

LIKENESS = np.array([[1.0, 0.5], [0.5, 1.0], [0.2, 0.4]])
FIRST = np.array([0, 1])


def test_to_first() -> None:
    """A hit is not compared with itself, and the second counts 1/√2."""
    half = 1 / np.sqrt(2)
    expected = [0.5, 0.5, (0.2 + half * 0.4) / (1 + half)]
    assert to_first(LIKENESS, FIRST) == pytest.approx(expected)


def test_smoothed() -> None:
    """Scores of the nearest others are weighed by likeness; one that is like none has 0."""
    scores = np.array([2.0, 1.0, 9.0])
    expected = [1.0, 2.0, (0.2 * 2 + 0.4 * 1) / 0.6]
    assert smoothed(LIKENESS, FIRST, scores) == pytest.approx(expected)
    assert smoothed(np.zeros((3, 2)), FIRST, scores).tolist() == [0, 0, 0]
    assert smoothed(np.zeros((0, 0)), np.empty(0, np.intp), np.empty(0)).tolist() == []


def test_standard() -> None:
    """Mean 0 and deviation 1; what is constant is 0."""
    assert standard(np.array([1.0, 3.0])).tolist() == [-1, 1]
    assert standard(np.full(5, 0.1)).tolist() == [0] * 5
    assert standard(np.empty(0)).tolist() == []


def test_products() -> None:
    """Frequent columns and rare ones together give the plain product."""
    chance = np.random.default_rng(3)
    shares = np.where(np.arange(30) < 5, 0.9, 0.05)
    dense = (chance.random((3 * OFTEN, 30)) < shares) * chance.random((3 * OFTEN, 30))
    first = np.array([7, 0, 30])
    found = products(csr_array(dense.astype(np.float32)), first)
    assert found == pytest.approx(dense @ dense[first].T, abs=1e-5)
