"""The default number of records on a theme, and the probability of each.

The EM cannot determine it: with a fixed P most themes explode, or hold their kernel alone. So the
EM holds `CORE` records, which order the rest best. No tested property of a kernel predicts how many
records judges call relevant to its topic (docs/results/attempts.md), so all kernels of a
collection have one number, a formula of its size: 3.5 % of a small collection, levelling off at
170. Only each record's probability depends on the kernel: it grows with their similarity. All
figures were set on the development half of the kernels of docs/results/shatkay-wilbur-2000.md.
"""

from typing import Final

import numpy as np

from relsent_ir.typing import Floats, NDArray

CORE: Final = 10.0
"""Number of records that the EM expects on theme."""
SHARE: Final = 0.035
"""Share of a small collection on a theme."""
MOST: Final = 170.0
"""Number of records on a theme in the largest collections."""
FACTOR: Final = 3.0
"""The sizes of four of five topics differ from the expected one by less than this factor."""
STEEP: Final = 15.0
"""Growth of the log-odds from a record of no similarity to one as similar as the kernel."""
SUREST: Final = 0.6
"""The probability of the records most similar to the kernels."""


def expected_size(records: int) -> float:
    """Return the expected number of records on a theme of a collection, at least 1."""
    return max(1.0, 1 / (1 / (SHARE * records) + 1 / MOST))


def size_range(size: float, records: int) -> tuple[float, float]:
    """Return bounds that hold for the size of four of five themes."""
    return max(1.0, round(size / FACTOR)), min(float(records), round(size * FACTOR))


def memberships(similarity: Floats, kernels: NDArray[np.intp]) -> Floats:
    """Return the probability that each record is on theme.

    Parameters
    ----------
    similarity : ndarray of float64, shape (records,)
        To the kernels; a kernel's own is 1.
    kernels : ndarray of int, shape (kernels,)
        Their rows, whose probability is 1.

    Returns
    -------
    ndarray of float64, shape (records,)
        The probabilities of the others add up to `expected_size`, less one kernel, or to the most
        that they can.
    """
    from scipy.optimize import brentq
    from scipy.special import expit

    others = np.ones(len(similarity), dtype=bool)
    others[kernels] = False
    steep = STEEP * similarity[others]
    total = min(expected_size(len(similarity)) - 1, 0.9 * SUREST * len(steep))
    on = np.ones(len(similarity))
    on[others] = 0
    if total > 0:
        shift = brentq(lambda at: SUREST * expit(at + steep).sum() - total, -100, 100)
        on[others] = SUREST * expit(shift + steep)
    return on
