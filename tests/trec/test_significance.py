"""Tests of significance, against scipy and values worked out by hand."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from relsent_ir.trec import holm, paired_t, randomisation, sign, wilcoxon

_VALUES = np.random.default_rng(1).random((2, 40)).round(4)


def test_t_and_sign():
    """Differences 1, 2, 3 have t = 3.46, as scipy has it."""
    t = 2 * np.sqrt(3)
    by_hand = 1 - t / np.sqrt(2 + t * t)  # the two-sided tail with two degrees of freedom
    assert paired_t([2, 4, 6], [1, 2, 3]) == pytest.approx(by_hand)
    assert paired_t(*_VALUES) == pytest.approx(stats.ttest_rel(*_VALUES).pvalue)
    assert sign([2, 2, 2, 2, 2, 1], [1, 1, 1, 1, 1, 1]) == pytest.approx(2 / 32)


def test_wilcoxon():
    """One of 16 patterns is as high, one as low; as scipy has it; equal differences are equal."""
    assert wilcoxon([2, 4, 6, 8], [1, 2, 3, 4]) == pytest.approx(2 / 16)
    assert wilcoxon(*_VALUES) == pytest.approx(stats.wilcoxon(*_VALUES, method="exact").pvalue)
    rounded = _VALUES.round(1)
    d = (rounded[0] - rounded[1]).round(9)
    assert wilcoxon(*rounded) == pytest.approx(stats.wilcoxon(d[d != 0], method="approx").pvalue)
    a, b = [0.3, 0.4, 0.2, 0.5], [0.2, 0.3, 0.3, 0.3]
    assert wilcoxon(a, b) == wilcoxon([3, 4, 2, 5], [2, 3, 3, 3])
    assert paired_t([0.3, 0.4], [0.2, 0.3]) == 0.0


def test_randomisation():
    """Two of eight patterns reach 6; drawn ones are as scipy's, the same each time, never 0."""
    assert randomisation([2, 4, 6], [1, 2, 3]) == 2 / 8
    p = randomisation(*_VALUES)
    expected = stats.permutation_test(
        (_VALUES[0] - _VALUES[1],), np.mean, permutation_type="samples", n_resamples=50_000, rng=1
    )
    assert p == pytest.approx(expected.pvalue, abs=0.01)
    assert p == randomisation(*_VALUES)
    assert p != randomisation(*_VALUES, seed=1)
    assert randomisation(np.ones(40), np.zeros(40), permutations=99) == 1 / 100


@given(d=st.lists(st.integers(-3, 3).map(float), min_size=2, max_size=9))
@settings(derandomize=True, deadline=None, max_examples=60)
def test_exact_randomisation_against_scipy(d: list[float]):
    """All sign patterns are taken, ties of sums included; zeros change nothing."""
    expected = stats.permutation_test((d,), np.sum, permutation_type="samples", n_resamples=np.inf)
    assert randomisation(d, np.zeros(len(d))) == pytest.approx(expected.pvalue)


@pytest.mark.parametrize("test", [paired_t, sign, wilcoxon, randomisation])
def test_no_difference(test):
    """Equal systems, and a single topic for t, prove nothing."""
    assert test([0.1, 0.2, 0.3], [0.1, 0.2, 0.3]) == 1.0
    assert test([0.2], [0.1]) == 1.0


@pytest.mark.parametrize("test", [paired_t, sign, wilcoxon, randomisation])
def test_both_directions_are_alike(test):
    """A two-sided test does not care who is the baseline."""
    assert test(_VALUES[0], _VALUES[1]) == pytest.approx(test(_VALUES[1], _VALUES[0]))


@pytest.mark.parametrize(
    ("p", "corrected"),
    [
        ([0.01, 0.04, 0.03], [0.03, 0.06, 0.06]),  # 3 * .01; max(2 * .03, 1 * .04) for both
        ([0.5, 0.9], [1.0, 1.0]),
        ([0.04, 0.001], [0.04, 0.002]),
        ([0.2], [0.2]),
        ([], []),
    ],
)
def test_holm_by_hand(p: list[float], corrected: list[float]):
    """The smallest times n, the next times n - 1, never falling, at most 1."""
    assert holm(p) == pytest.approx(corrected)
