"""Sparse matrices of SciPy, which is imported when the first is created."""

from dataclasses import dataclass
from typing import Any, cast

import numpy as np

from relsent_ir.budget import check
from relsent_ir.typing import NDArray, Sparse


@dataclass(frozen=True, eq=False)
class _Rows:
    """Hold the arrays of a SciPy matrix, which is created when more than the arrays is used."""

    data: NDArray[Any]
    indices: NDArray[Any]
    indptr: NDArray[Any]
    shape: tuple[int, int]

    @property
    def nnz(self) -> int:
        return len(self.data)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):  # names that Python itself looks up, for example to copy
            raise AttributeError(name)
        return getattr(csr((self.data, self.indices, self.indptr), self.shape), name)


def lazy_csr(parts: tuple[Any, Any, Any], shape: tuple[int, int]) -> Sparse:
    """Create the matrix of `csr` without importing SciPy, which takes a tenth of a second.

    For operators, and for methods that change the matrix, call its ``tocsr()`` first.
    """
    check()
    return cast("Sparse", _Rows(*parts, shape))


def csr(parts: tuple[Any, ...], shape: tuple[int, int]) -> Sparse:
    """Create a matrix from data, columns and row starts; or from data and (rows, columns).

    Long work creates many matrices, so this is a place where work over its budget ends.
    """
    check()
    from scipy.sparse import csr_array

    return csr_array(parts, shape=shape)


def by_places(*places: tuple[NDArray[np.integer], int]) -> NDArray[np.intp]:
    """Return a stable order by several numbers, each below a limit; the last number comes first.

    NumPy sorts numbers of 16 bits several times as fast.
    """
    keys = [numbers.astype(np.min_scalar_type(limit)) for numbers, limit in places]
    order: NDArray[np.intp] = np.lexsort(keys)
    return order


def like(matrix: Sparse, data: NDArray[Any]) -> Sparse:
    """Replace the values of a matrix."""
    make = lazy_csr if isinstance(matrix, _Rows) else csr
    return make((data, matrix.indices, matrix.indptr), matrix.shape)


def sums(places: NDArray[np.intp], values: NDArray[Any], n: int) -> NDArray[np.float64]:
    """Sum the values of each of n places; shape (n,)."""
    return np.bincount(places, weights=values, minlength=n).astype(np.float64, copy=False)
