"""The procedure of the paper: candidates are compared until one is left."""

import random
from collections.abc import Callable, Sequence
from typing import TypeVar

_T = TypeVar("_T")


def eliminate(items: Sequence[_T], prefers: Callable[[_T, _T], bool], seed: int = 0) -> _T:
    """Find the best item as the paper does: the winner of each comparison meets a random other.

    Parameters
    ----------
    items : sequence
        At least one.
    prefers : callable
        Tells whether its first argument is preferred to its second.
    """
    order = list(items)
    random.Random(seed).shuffle(order)
    best = order[0]
    for other in order[1:]:
        if not prefers(best, other):
            best = other
    return best
