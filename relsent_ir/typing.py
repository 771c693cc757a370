"""Types used in many signatures."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeAlias

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray as NDArray
    from scipy.sparse import csr_array

    Floats: TypeAlias = NDArray[np.float64]
    Sparse: TypeAlias = csr_array

Progress: TypeAlias = Callable[[int, int | None], None]
"""Called during long work with the amount done and the total, None if that is unknown."""


def __getattr__(name: str) -> Any:
    """Import NumPy only for array types and SciPy for none, as the command line starts without."""
    if name == "Sparse":
        return Any
    if name not in ("Floats", "NDArray"):
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    import numpy as np
    from numpy.typing import NDArray

    return NDArray[np.float64] if name == "Floats" else NDArray
