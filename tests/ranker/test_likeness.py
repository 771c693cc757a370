"""Likeness to the first hits, worked out by hand."""

import numpy as np
import pytest
from scipy.sparse import csr_array

from relsent_ir.ranker.likeness import (
    OFTEN,
    highest,
    latent_space,
    products,
    smoothed,
    standard,
    to_first,
)

NEAR = np.array([[0.0, 0.5], [0.5, 0.0], [0.2, 0.4]])
"""Of three candidates to the first two, each to itself 0."""


def test_to_first_and_smoothed() -> None:
    """A hit is not compared with itself; scores of the thirty nearest are weighed by likeness."""
    half = 1 / np.sqrt(2)
    expected = [0.5, 0.5, (0.2 + half * 0.4) / (1 + half)]
    assert to_first(NEAR) == pytest.approx(expected)
    scores = np.array([2.0, 1.0, 9.0])
    expected = [1.0, 2.0, (0.2 * 2 + 0.4 * 1) / 0.6]
    assert smoothed(NEAR, scores) == pytest.approx(expected)
    assert smoothed(np.zeros((3, 2)), scores).tolist() == [0, 0, 0]
    assert smoothed(np.zeros((0, 0)), np.empty(0)).tolist() == []
    near = np.zeros((100, 100))
    near[90, :40] = np.arange(40, 0, -1)
    near[7, 20:90] = 1.0
    near[7, 20:30] = 2.0
    scores = np.arange(100.0)
    found = smoothed(near, scores)
    weights = np.arange(40, 10, -1)
    assert found[90] == pytest.approx((weights * np.arange(30)).sum() / weights.sum())
    tied = 2 * np.arange(20, 30).sum() + np.arange(30, 90).sum()
    assert found[7] == pytest.approx(tied / 80)
    assert np.count_nonzero(found) == 2


def test_highest() -> None:
    """It is what sorting the whole row finds: of many columns or few, tied, 0, or below it."""
    chance = np.random.default_rng(8)
    for m in (1, 7, 30, 31, 500):
        rows = chance.integers(-2, 9, (40, m)) / 4
        rows[:10] *= chance.random((10, m)) < 0.05
        rows[10:20] = -rows[10:20]
        for count in {1, min(m, 30)}:
            assert highest(rows, count).tolist() == np.sort(rows, axis=1)[:, -count].tolist()


def test_latent_space() -> None:
    """Vectors of so few dimensions have their own cosines in the latent space, copies too."""
    chance = np.random.default_rng(5)
    vectors = chance.standard_normal((300, 20))
    vectors[200:] = vectors[:100]
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    latent = latent_space((vectors @ vectors.T).astype(np.float32))
    assert latent @ latent.T == pytest.approx(vectors @ vectors.T, abs=1e-4)


def test_standard() -> None:
    """Mean 0 and deviation 1; what is constant is 0."""
    assert standard(np.array([1.0, 3.0])).tolist() == [-1, 1]
    assert standard(np.full(5, 0.1)).tolist() == [0] * 5
    assert standard(np.empty(0)).tolist() == []
    rows = np.random.default_rng(2).gamma(0.1, 9.0, (12, 1003))
    rows[3] = 0.1
    assert standard(rows).tolist() == [standard(row).tolist() for row in rows]


def test_products() -> None:
    """Frequent columns and rare ones together give the plain product."""
    chance = np.random.default_rng(3)
    shares = np.where(np.arange(30) < 5, 0.9, 0.05)
    dense = (chance.random((3 * OFTEN, 30)) < shares) * chance.random((3 * OFTEN, 30))
    for m in (3, len(dense)):
        found = products(csr_array(dense.astype(np.float32)), m)
        assert found == pytest.approx(dense @ dense[:m].T, abs=1e-5)
