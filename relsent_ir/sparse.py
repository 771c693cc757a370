"""Sparse matrices, as SciPy has them: it is loaded when the first is made."""

from dataclasses import dataclass
from typing import Any, cast

import numpy as np

from relsent_ir.budget import check
from relsent_ir.typing import NDArray, Sparse


@dataclass(frozen=True, eq=False)
class _Rows:
    """The arrays of a matrix of SciPy's, which is made where more of it is used."""

    data: NDArray[Any]
    indices: NDArray[Any]
    indptr: NDArray[Any]
    shape: tuple[int, int]

    @property
    def nnz(self) -> int:
        return len(self.data)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):  # what Python itself looks for, as when it copies
            raise AttributeError(name)
        return getattr(csr((self.data, self.indices, self.indptr), self.shape), name)


def lazy_csr(parts: tuple[Any, Any, Any], shape: tuple[int, int]) -> Sparse:
    """Make the matrix of `csr`, for which SciPy, a tenth of a second, is not loaded yet.

    Operators, and methods that change it, need its ``tocsr()``.
    """
    check()
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
