"""Types that many signatures share."""

from collections.abc import Callable
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

Floats: TypeAlias = NDArray[np.float64]

Progress: TypeAlias = Callable[[int, int | None], None]
"""What long work calls with how much is done, and of how much; None where that is not known."""
