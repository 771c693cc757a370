"""How many records are on a theme, against sums by hand."""

import numpy as np
import pytest

from relsent_ir.themes.sizes import (
    FACTOR,
    MOST,
    SHARE,
    SUREST,
    expected_size,
    memberships,
    size_range,
)


def test_expected_size() -> None:
    """A share of few records, a bound of many, never less than the kernel."""
    assert expected_size(5) == 1
    assert expected_size(1000) == pytest.approx(1000 * SHARE * MOST / (1000 * SHARE + MOST))
    assert MOST - 1 < expected_size(10**9) < MOST


def test_range() -> None:
    """Whole numbers, inside the collection."""
    assert size_range(30, 1000) == (30 / FACTOR, 30 * FACTOR)
    assert size_range(1, 2) == (1, 2)


def test_memberships() -> None:
    """They grow with the similarity, sum up to what is expected, and the kernel is sure."""
    similar = np.linspace(0, 1, 1000)
    on = memberships(similar, np.array([999]))
    assert on.sum() == pytest.approx(expected_size(1000))
    assert on[999] == 1
    assert (np.diff(on) > 0).all()
    assert on[:999].max() <= SUREST


def test_no_other_record() -> None:
    """Of a tiny collection the kernel alone is on theme."""
    assert memberships(np.ones(3), np.array([1])).tolist() == [0, 1, 0]
