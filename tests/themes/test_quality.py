"""Coherence of terms."""

from math import log

import pytest

from relsent_ir.themes.quality import coherence
from tests.themes.dense import matrix_of

MATRIX = matrix_of([[1, 1, 0, 1, 1], [1, 1, 0, 0, 1], [0, 0, 1, 1, 1], [0, 0, 0, 0, 1]])


def test_npmi_of_pairs() -> None:
    """Always together 1, never -1, as by chance 0; the mean of the pairs."""
    assert coherence(MATRIX, ["t0", "t1"]) == pytest.approx(1)
    assert coherence(MATRIX, ["t0", "t2"]) == -1
    # t0 and t3: a fourth of the records has both, half has each
    assert coherence(MATRIX, ["t0", "t3"]) == pytest.approx(0)
    # t2 and t3: a fourth has both, ln(1/4 / (1/4 · 1/2)) = ln 2, by ln 4
    assert coherence(MATRIX, ["t2", "t3"]) == pytest.approx(log(2) / log(4))
    assert coherence(MATRIX, ["t0", "t1", "t2"]) == pytest.approx((1 - 1 - 1) / 3)


def test_what_has_no_pairs() -> None:
    """One term has no coherence; two that are in every record go together."""
    assert coherence(MATRIX, ["t0"]) is None
    assert coherence(matrix_of([[1, 1], [1, 1]]), ["t0", "t1"]) == 1
