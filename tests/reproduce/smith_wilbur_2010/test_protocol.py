"""The test protocol's statistics."""

import pytest
from scipy.stats import chi2

from reproduce.smith_wilbur_2010.protocol import mcnemar


def test_mcnemar():
    """By hand: 6 against 2."""
    first = [1] * 6 + [0] * 2 + [1] * 5
    second = [0] * 6 + [1] * 2 + [1] * 5
    assert mcnemar(first, second) == (6, 2, pytest.approx(chi2.sf(2.0, 1)))
    assert mcnemar(first, first) == (0, 0, 1.0)
