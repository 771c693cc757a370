"""Sparse matrices, as SciPy has them: it is loaded when the first is made."""

from typing import Any

from relsent_ir.budget import check
from relsent_ir.typing import NDArray, Sparse


def csr(parts: tuple[Any, ...], shape: tuple[int, int]) -> Sparse:
    """Make a matrix of data, columns and the starts of rows; or of data, and (rows, columns).

    Large work makes many, so that work over its budget ends here.
    """
    check()
    from scipy.sparse import csr_array

    return csr_array(parts, shape=shape)


def like(matrix: Sparse, data: NDArray[Any]) -> Sparse:
    """Put other values in the places of a matrix."""
    return csr((data, matrix.indices, matrix.indptr), matrix.shape)
