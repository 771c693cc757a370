"""Break-even and McNemar's test."""

import numpy as np
import pytest
from scipy.stats import chi2

from relsent_ir.related.pairs import break_even, mcnemar, top_half


def test_break_even():
    """By hand: of the three highest, two are related."""
    assert break_even([5, 4, 3, 2, 1, 0], [1, 0, 1, 0, 1, 0]) == pytest.approx(200 / 3)
    assert break_even([1, 2, 3, 4], [1, 1, 0, 0]) == 0


def test_ties_are_broken_at_random():
    """Pairs without a shared feature are no evidence, in whatever order they come."""
    related = np.arange(10_000) < 5000
    scores = np.zeros(10_000)
    assert 48 < break_even(scores, related, seed=1) < 52
    assert break_even(scores, related, seed=1) == break_even(scores, related, seed=1)
    assert break_even(scores, related, seed=1) != break_even(scores, related, seed=2)
    scores[:100] = 1
    assert top_half(scores)[:100].all()
    assert top_half(scores).sum() == 5000


def test_mcnemar():
    """By hand: 6 against 2."""
    first = [1] * 6 + [0] * 2 + [1] * 5
    second = [0] * 6 + [1] * 2 + [1] * 5
    assert mcnemar(first, second) == (6, 2, pytest.approx(chi2.sf(2.0, 1)))
    assert mcnemar(first, first) == (0, 0, 1.0)
