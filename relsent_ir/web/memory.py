"""How a server that runs for long asks the system for memory."""

import ctypes
from contextlib import suppress
from typing import Final

LARGE: Final = 1 << 20
"""Bytes from which a block is the system's again as soon as it is freed."""

# As malloc.h of the GNU C library has them.
_MMAP_THRESHOLD: Final = -3
_ARENA_MAX: Final = -8


def give_back() -> None:
    """Have large blocks given back when they are freed; to be called before anything is read.

    The GNU library does so by itself, but raises what it takes for large to the size of whatever
    was freed, up to 32 MB, and has an arena for each thread. To match an abstract takes some MB of
    scores for each of its sentences, which then stay in those arenas, in pieces that the next
    does not fit into. Where there is another library nothing is changed.
    """
    with suppress(AttributeError, OSError):
        mallopt = ctypes.CDLL(None).mallopt
        mallopt(_MMAP_THRESHOLD, LARGE)
        mallopt(_ARENA_MAX, 2)
