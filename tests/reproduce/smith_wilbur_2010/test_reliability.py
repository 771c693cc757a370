"""Whether P means what it says, by hand."""

import numpy as np
import pytest

from reproduce.smith_wilbur_2010.reliability import Reliability


def test_brier_and_bins() -> None:
    """Squared differences, the same of a constant, and the share that came true by tenths of P."""
    found = Reliability(np.array([0.05, 0.07, 0.95, 1.0]), np.array([False, True, True, True]))
    assert found.brier == pytest.approx((0.0025 + 0.8649 + 0.0025 + 0.0) / 4)
    assert found.base == pytest.approx(0.75 * 0.25)
    (low, high) = found.bins()
    assert low == (2, pytest.approx(0.06), 0.5)
    assert high == (2, pytest.approx(0.975), 1.0)
