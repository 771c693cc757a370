"""pmra, against its formula written out."""

import math

import numpy as np
import pytest
from scipy.sparse import csr_array

from relsent_ir.citation.similar import pmra_search
from relsent_ir.counts.weighting import pmra_weights
from relsent_ir.feedback import TermMatrix
from relsent_ir.lucene.analyzers import Analysis

COUNTS = np.array([[3, 1, 0, 2], [1, 0, 4, 0], [2, 2, 0, 0], [0, 0, 0, 1]], np.int32)
MATRIX = TermMatrix(["a", "b", "c", "d"], ["w", "x", "y", "z"], csr_array(COUNTS))


def weight(document, term):
    """The paper's weight of a term in a document."""
    tf, length = COUNTS[document, term], COUNTS[document].sum()
    if not tf:
        return 0.0
    idf = math.log(4 / (COUNTS[:, term] > 0).sum())
    not_about = (0.013 / 0.022) ** (tf - 1) * math.exp(-(0.013 - 0.022) * length)
    return math.sqrt(idf) / (1 + not_about)


def test_weights():
    """Each weight by the formula."""
    expected = [[weight(d, t) for t in range(4)] for d in range(4)]
    assert pmra_weights(MATRIX).toarray() == pytest.approx(np.array(expected))


def test_search():
    """Scores are sums of products, and a document is among its own hits."""
    run = pmra_search(MATRIX, Analysis("none", ()), ["c"])
    assert run["c"].ids[0] == "c"
    scores = dict(zip(run["c"].ids, run["c"].scores, strict=True))
    assert scores["a"] == pytest.approx(sum(weight(2, t) * weight(0, t) for t in range(4)))
    assert "d" not in scores


def test_very_long_document():
    """A weight that underflows is 0, without a warning."""
    counts = csr_array(np.array([[200_000], [0]], np.int32))
    matrix = TermMatrix(["a", "b"], ["w"], counts)
    assert 0 <= pmra_weights(matrix).toarray()[0, 0] <= 1
