"""Types that many signatures share."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeAlias

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray as NDArray
    from scipy.sparse import csr_array

    Floats: TypeAlias = NDArray[np.float64]
    Sparse: TypeAlias = csr_array

Progress: TypeAlias = Callable[[int, int | None], None]
"""A callback of long work: the amount done, and the total, None where that is not known."""


def __getattr__(name: str) -> Any:
    """Load NumPy for types of arrays alone, and SciPy for none: the command line starts without."""
    if name == "Sparse":
        return Any
    if name not in ("Floats", "NDArray"):
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    import numpy as np
    from numpy.typing import NDArray

    return NDArray[np.float64] if name == "Floats" else NDArray
