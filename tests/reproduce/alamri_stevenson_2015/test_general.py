"""Questions put to an index."""

import numpy as np
import pytest
from sklearn.metrics import roc_auc_score

from reproduce.alamri_stevenson_2015.general import auc


def test_auc() -> None:
    """Two right rows and two wrong ones: three pairs of four, and half for one of equal values."""
    once = np.ones(4, dtype=np.int64)
    right = np.array([True, True, False, False])
    assert auc(np.array([0.9, 0.4, 0.6, 0.1]), right, once) == 0.75
    assert auc(np.array([0.9, 0.6, 0.6, 0.1]), right, once) == 0.875


def test_auc_of_rows_that_are_drawn() -> None:
    """It is scikit-learn's of the rows themselves, each as often as it was drawn."""
    rng = np.random.default_rng(3)
    for _ in range(20):
        right = rng.random(60) < 0.3
        values = rng.random(60).round(1)
        times = rng.integers(0, 4, 60)
        expected = roc_auc_score(np.repeat(right, times), np.repeat(values, times))
        assert auc(values, right, times) == pytest.approx(expected, abs=1e-12)
