"""Scores of rows, against loops over the same counts."""

import math

import numpy as np
import pytest
from scipy.sparse import csr_array

from relsent_ir.ranker.store import Counts
from relsent_ir.ranker.weighting import MU, Query, Rows, row_sums

DENSE = np.array([[2, 1, 0, 0], [0, 3, 1, 0], [1, 0, 0, 4], [0, 0, 0, 0]])
DF = (DENSE > 0).sum(axis=0).astype(np.int32)
COUNTS = Counts(csr_array(DENSE.astype(np.uint16)), DF, float(DENSE.sum() / 3))
QUERY = Query(np.array([0, 1]), np.array([1.0, 2.0]))


def test_bm25() -> None:
    """BM25 is the sum over terms of weight, idf and saturated count."""
    expected = []
    for row in DENSE:
        score = 0.0
        for column, weight in zip(QUERY.columns, QUERY.weights, strict=True):
            if row[column]:
                idf = math.log(1 + (4 - DF[column] + 0.5) / (DF[column] + 0.5))
                long = 0.9 * (0.6 + 0.4 * row.sum() / COUNTS.mean)
                score += weight * idf * row[column] / (row[column] + long)
        expected.append(score)
    found = Rows(COUNTS, np.arange(4)).bm25(QUERY, 0.9, 0.4)
    assert found == pytest.approx(expected)


def test_likelihood() -> None:
    """Query likelihood is the log of smoothed shares, less what every text of no term gets."""
    shares = np.array([0.3, 0.4])
    expected = []
    for row in DENSE:
        score = 0.0
        for column, weight, share in zip(QUERY.columns, QUERY.weights, shares, strict=True):
            score += weight * math.log((row[column] + MU * share) / (row.sum() + MU))
            score -= weight * math.log(share)
        expected.append(score)
    assert Rows(COUNTS, np.arange(4)).likelihood(QUERY, shares) == pytest.approx(expected)


def test_cosine_and_covered() -> None:
    """Rows of ltc have length 1, or 0 where there is no term; a share of idf is covered."""
    rows = Rows(COUNTS, np.array([2, 0, 3]))
    dense = rows.cosine.toarray()
    assert np.linalg.norm(dense, axis=1) == pytest.approx([1, 1, 0])
    idf = np.log(4 / DF)
    assert dense[1, 0] / dense[1, 1] == pytest.approx((1 + math.log(2)) * idf[0] / idf[1])
    assert rows.covered(QUERY) == pytest.approx([idf[0] / (idf[0] + idf[1]), 1, 0])


def test_nothing_asked() -> None:
    """A topic without a known term scores 0 everywhere."""
    empty = Query(np.empty(0, np.intp), np.empty(0))
    rows = Rows(COUNTS, np.arange(4))
    for scores in (rows.bm25(empty, 0.9, 0.4), rows.smart(empty), rows.covered(empty)):
        assert not scores.any()


def test_row_sums() -> None:
    """Empty rows sum to 0."""
    assert row_sums(np.array([1, 2, 3]), np.array([0, 2, 2, 3, 3])).tolist() == [3, 0, 3, 0]
