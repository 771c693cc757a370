"""Scaling of dense features."""

import math

import numpy as np

from relsent_ir.related.huber_plus import Scaling

CHANCE = np.random.default_rng(1)


def test_scaling():
    """Mean 0 and deviation 1, logarithms to the unit, outliers cut, flat columns 0."""
    measures = np.column_stack([CHANCE.exponential(2.0, 500), np.full(500, 3.0)])
    measures[0, 0] = 500.0
    scaling = Scaling.fit(measures)
    scaled = scaling.apply(measures)
    assert scaled.shape == (500, 4)
    assert scaled[0, 0] == 6.0
    np.testing.assert_allclose(scaled[:, [1, 3]], 0.0, atol=1e-6)
    logs = np.log1p(measures[:, 0] / np.percentile(measures[:, 0], 5))
    np.testing.assert_allclose(scaled[1:, 2], ((logs - logs.mean()) / logs.std())[1:])
    again = Scaling.from_arrays(scaling.to_arrays())
    np.testing.assert_array_equal(again.apply(measures), scaled)


def test_scaling_of_negative_values():
    """Their logarithm has their sign."""
    scaling = Scaling(np.array([2.0]), np.zeros(2), np.ones(2))
    expected = [[-4.0, -math.log(3.0)], [4.0, math.log(3.0)]]
    np.testing.assert_allclose(scaling.apply(np.array([[-4.0], [4.0]])), expected)
