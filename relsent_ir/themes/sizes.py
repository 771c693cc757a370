"""How many records are on a theme, and how probably each is, if nobody says.

The EM cannot tell: with P fixed most themes explode, or hold their kernel alone. So it holds `CORE`
records, which order the rest best. Nothing that was tried of a kernel tells how many records judges
call relevant to its topic (docs/results/themes-attempts.md), so the number is one for all kernels
of a collection, a formula of its size: 3.5 % of a small one, levelling off at 170. Only each
record's probability depends on the kernel: it grows with their similarity. All figures were set on
the development half of the kernels of docs/results/shatkay-wilbur-2000.md.
"""

from typing import Final

import numpy as np

from relsent_ir.typing import Floats, NDArray

CORE: Final = 10.0
"""Records that the EM expects on theme."""
SHARE: Final = 0.035
"""The share of a small collection that is on a theme."""
MOST: Final = 170.0
"""Records that are on one in the largest collections."""
FACTOR: Final = 3.0
"""Four of five topics have between this part of what is expected and so many times as many."""
STEEP: Final = 15.0
"""What the log-odds grow by, from a record of no similarity to one as similar as the kernel."""
SUREST: Final = 0.6
"""The probability of the most similar records but for the kernels."""


def expected_size(records: int) -> float:
    """Return how many records are expected on any theme of so large a collection, one at least."""
    return max(1.0, 1 / (1 / (SHARE * records) + 1 / MOST))


def size_range(size: float, records: int) -> tuple[float, float]:
    """Return between which numbers the size of four of five themes is."""
    return max(1.0, round(size / FACTOR)), min(float(records), round(size * FACTOR))


def memberships(similarity: Floats, kernels: NDArray[np.intp]) -> Floats:
    """Return how probably each record is on theme.

    Parameters
    ----------
    similarity : ndarray of float64, shape (records,)
        To the kernels; 1 is a kernel's own.
    kernels : ndarray of int, shape (kernels,)
        Their rows, whose probability is 1.

    Returns
    -------
    ndarray of float64, shape (records,)
        The others' sum up to `expected_size`, less a kernel, or the most that they may.
    """
    from scipy.optimize import brentq
    from scipy.special import expit

    others = np.ones(len(similarity), dtype=bool)
    others[kernels] = False
    steep = STEEP * similarity[others]
    wanted = min(expected_size(len(similarity)) - 1, 0.9 * SUREST * len(steep))
    on = np.ones(len(similarity))
    on[others] = 0
    if wanted > 0:
        shift = brentq(lambda at: SUREST * expit(at + steep).sum() - wanted, -100, 100)
        on[others] = SUREST * expit(shift + steep)
    return on
