"""Matrices by rows, with SciPy and before it is loaded."""

import subprocess
import sys
from copy import copy

import numpy as np
import pytest

from relsent_ir.sparse import by_places, lazy_csr, like


def test_lazy_matrix() -> None:
    """Arrays and other values need no SciPy; what else is used of a matrix is SciPy's."""
    code = """
import sys
import numpy as np
from relsent_ir.sparse import lazy_csr, like
matrix = lazy_csr((np.array([2, 3]), np.array([1, 0]), np.array([0, 1, 2])), (2, 2))
other = like(matrix, matrix.data * 2)
print(other.nnz, other.shape, "scipy" in sys.modules, other.toarray().tolist())
"""
    printed = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True)
    assert printed.stdout == b"2 (2, 2) False [[0, 4], [6, 0]]\n"
    matrix = lazy_csr((np.array([2, 3]), np.array([1, 0]), np.array([0, 1, 2])), (2, 2))
    product = like(matrix, np.array([1, 1])).tocsr() @ matrix.astype(np.float64)
    assert product.toarray().tolist() == [[3, 0], [0, 2]]
    with pytest.raises(TypeError):
        matrix * 2  # and is no tuple, whose product would be a longer one
    assert copy(matrix).toarray().tolist() == [[0, 2], [3, 0]]


def test_order_by_places() -> None:
    """The last number decides, then the one before; equal ones stay; over 16 bits too."""
    first, last = np.array([1, 0, 1, 0, 0]), np.array([0, 70_000, 0, 0, 70_000])
    assert by_places((first, 2), (last, 70_001)).tolist() == [3, 0, 2, 1, 4]
    assert by_places((first, 2)).tolist() == [1, 3, 4, 0, 2]
