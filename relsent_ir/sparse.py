"""Sparse matrices, as SciPy has them: it is loaded when the first is made."""

from functools import cached_property
from typing import Any, cast

import numpy as np

from relsent_ir.budget import check
from relsent_ir.typing import NDArray, Sparse


class _Rows:
    """The arrays of a matrix of SciPy's, which is made when more of it is used."""

    def __init__(self, data: Any, indices: Any, indptr: Any, shape: tuple[int, int]) -> None:
        self.data, self.indices, self.indptr, self.shape = data, indices, indptr, shape
        self.nnz = len(data)

    @cached_property
    def _matrix(self) -> Sparse:
        return csr((self.data, self.indices, self.indptr), self.shape)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._matrix, name)


def lazy_csr(parts: tuple[Any, Any, Any], shape: tuple[int, int]) -> Sparse:
    """Make a matrix of data, columns and the starts of rows, for which SciPy is not loaded yet.

    That takes a tenth of a second. Operators need its ``tocsr()``.
    """
    return cast("Sparse", _Rows(*parts, shape))


def csr(parts: tuple[Any, ...], shape: tuple[int, int]) -> Sparse:
    """Make a matrix of data, columns and the starts of rows; or of data, and (rows, columns).

    Large work makes many, so that work over its budget ends here.
    """
    check()
    from scipy.sparse import csr_array

    return csr_array(parts, shape=shape)


def by_places(*places: tuple[NDArray[np.integer], int]) -> NDArray[np.intp]:
    """Order by several numbers, each below a limit, the last first; equal ones stay in their order.

    NumPy is several times as fast with numbers of 16 bits.
    """
    keys = [numbers.astype(np.min_scalar_type(limit)) for numbers, limit in places]
    order: NDArray[np.intp] = np.lexsort(keys)
    return order


def like(matrix: Sparse, data: NDArray[Any]) -> Sparse:
    """Put other values in the places of a matrix."""
    make = lazy_csr if isinstance(matrix, _Rows) else csr
    return make((data, matrix.indices, matrix.indptr), matrix.shape)
