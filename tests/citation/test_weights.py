"""Weighted topics."""

import numpy as np
import pytest
from scipy.sparse import csr_array

from relsent_ir.citation.similar import row_terms, smart_topics
from relsent_ir.feedback import TermMatrix
from relsent_ir.methods import Smart

MATRIX = TermMatrix(["a", "b"], ["x", "y"], csr_array(np.array([[2, 0], [1, 1]], np.int32)))


def test_row_terms():
    """Only the entries of the row."""
    rows = csr_array(np.array([[0.0, 2.5], [0.0, 0.0]]))
    assert row_terms(MATRIX, rows, 0) == {"y": 2.5}
    assert row_terms(MATRIX, rows, 1) == {}


def test_smart_topics():
    """The query's triple, over the collection's idf; unknown terms are left out."""
    found = smart_topics(MATRIX, Smart("nnn.atn"), {"q": {"x": 1, "y": 2, "new": 4}})
    assert found["q"] == pytest.approx({"x": 0.0, "y": np.log(2)})
