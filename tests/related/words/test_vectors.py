"""Word vectors, against a full decomposition."""

import numpy as np
import pytest
from scipy.sparse import csr_array

from relsent_ir.related.words import vectors
from relsent_ir.related.words.associations import Associations
from relsent_ir.related.words.vectors import vector_cosines, word_vectors


def _associations(table: np.ndarray) -> Associations:
    matrix = csr_array(table)
    starts, others = matrix.indptr.astype(np.int64), matrix.indices.astype(np.int32)
    return Associations(starts, others, matrix.data.astype(np.float16))


def test_vectors(monkeypatch: pytest.MonkeyPatch):
    """U times the square roots of the singular values, up to the sign of each dimension."""
    monkeypatch.setattr(vectors, "DIMENSIONS", 4)
    chance = np.random.default_rng(0)
    turned = np.linalg.qr(chance.normal(size=(30, 30)))[0]
    table = (turned * np.append([90.0, 60.0, 40.0, 20.0], np.full(26, 0.1))) @ turned.T
    found = word_vectors(_associations(table)).astype(np.float64)
    u, s, _ = np.linalg.svd(table)
    expected = u[:, :4] * np.sqrt(s[:4])
    np.testing.assert_allclose(np.abs(found), np.abs(expected), atol=0.02)


def test_no_associations():
    """Vectors of 0, no more of them than words."""
    assert not word_vectors(_associations(np.zeros((3, 3)))).any()
    assert word_vectors(_associations(np.zeros((3, 3)))).shape == (3, 3)


def test_cosines():
    """Worked out sentence by sentence; 0 for an empty one."""
    chance = np.random.default_rng(1)
    vector = chance.normal(size=(9, 5))
    sentences = [[0, 3, 8], [], [1], [2, 3, 4, 5]]
    starts = np.cumsum([0, *map(len, sentences)])
    words = csr_array((np.full(8, 7), np.concatenate(sentences).astype(int), starts), shape=(4, 9))
    a, b = np.array([0, 0, 2, 3, 1]), np.array([3, 1, 0, 3, 1])

    def whole(i: int) -> np.ndarray:
        return sum((vector[w] for w in sentences[i]), np.zeros(5))

    expected = []
    for i, j in zip(a, b, strict=True):
        x, y = whole(i), whole(j)
        length = np.linalg.norm(x) * np.linalg.norm(y)
        expected.append(x @ y / length if length else 0.0)
    np.testing.assert_allclose(vector_cosines(words, a, b, vector), expected, atol=1e-6)
