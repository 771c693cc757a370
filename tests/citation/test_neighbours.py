"""Articles by their neighbours, against the formula in dense arrays."""

import numpy as np
import pytest
from scipy.sparse import csr_array

from relsent_ir.citation.similar import Neighbours
from relsent_ir.counts.weighting import weigh_documents
from relsent_ir.feedback import TermMatrix
from relsent_ir.lucene.analyzers import Analysis
from relsent_ir.methods import Smart

PLAIN = Analysis("none", ())
COUNTS = np.random.default_rng(3).poisson(0.4, (12, 20))
MATRIX = TermMatrix(
    [f"d{n:02}" for n in range(12)], [f"t{n}" for n in range(20)], csr_array(COUNTS)
)


@pytest.mark.parametrize(("nearest", "beta"), [(3, 1.0), (2, 0.5), (50, 2.0)])
def test_formula(nearest: int, beta: float) -> None:
    """The topic, and beta times the unit mean of its nearest, each by 1/√rank; itself is none."""
    vectors = weigh_documents(Smart("ltc.ltc"), MATRIX).toarray()
    run = Neighbours(MATRIX, PLAIN).search(["d04", "d09"], 50, nearest=nearest, beta=beta)
    for row, name in ((4, "d04"), (9, "d09")):
        first = vectors @ vectors[row]
        first[row] = 0
        order = [n for n in np.argsort(-first, kind="stable") if first[n] > 0][:nearest]
        towards = sum(vectors[n] / np.sqrt(rank) for rank, n in enumerate(order, 1))
        query = vectors[row] + beta * towards / np.linalg.norm(towards)
        scores = dict(zip(MATRIX.ids, vectors @ query, strict=True))
        assert run[name].scores == pytest.approx([scores[one] for one in run[name].ids])
        assert len(run[name]) == sum(score > 1e-12 for score in scores.values())


def test_a_document_without_neighbours() -> None:
    """It finds itself alone, as it would without feedback."""
    matrix = TermMatrix(["a", "b"], ["x", "y"], csr_array(np.array([[2, 0], [0, 1]])))
    (hits,) = Neighbours(matrix, PLAIN).search(["a"]).values()
    assert (hits.ids.tolist(), hits.scores.tolist()) == (["a"], [pytest.approx(1)])
