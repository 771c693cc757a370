"""The limits of a server that runs for long: threads, a bounded queue, time, and memory."""

import asyncio
import ctypes
import gc
import os
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from math import inf
from threading import Lock
from typing import Final, TypeVar

from relsent_ir.budget import Budget, OverBudgetError, private_memory, within
from relsent_ir.lucene.jvm import exclusive, java, limited
from relsent_ir.lucene.read.search import default_threads
from relsent_ir.web.settings import Settings

TRIMMED: Final = 32.0
"""Megabytes by which a request must have grown the process for its memory to be collected."""
NICE: Final = 5
"""By how much the threads of slow pages stand back."""
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


T = TypeVar("T")


class BusyError(Exception):
    """Too many requests wait already."""


class Work:
    """Calls functions in threads; quick pages have threads of their own.

    A request that takes more than its budget is ended, wherever it is, and its memory given back.

    Parameters
    ----------
    settings : Settings
    """

    def __init__(self, settings: Settings) -> None:
        processors = default_threads()
        slow = settings.threads or max(1, processors - 1)
        self._pools = {
            True: ThreadPoolExecutor(2 * processors + 2, "quick"),
            False: ThreadPoolExecutor(slow, "slow", initializer=_stand_back),
        }
        self._settings = settings
        self._lock = Lock()
        self._open = {True: 0, False: 0}

    async def __call__(self, function: Callable[[], T], *, quick: bool = True) -> T:
        """Call a function in a thread.

        Raises
        ------
        BusyError, OverBudgetError
        """
        with self._lock:
            if self._open[quick] >= self._settings.waiting:
                raise BusyError
            self._open[quick] += 1
        given = self._settings
        # The process's growth is laid to the slow page that works, not to a search beside it.
        budget = Budget(given.seconds, given.processor, inf if quick else given.megabytes)
        future = self._pools[quick].submit(_bounded, function, budget)
        future.add_done_callback(lambda _: self._ended(quick))
        try:
            return await asyncio.wait_for(asyncio.wrap_future(future), given.seconds)
        except TimeoutError:
            raise OverBudgetError("this took too long", fix="try again, or ask for less") from None
        finally:
            budget.cancel()  # nobody waits for it any more

    def _ended(self, quick: bool) -> None:
        with self._lock:
            self._open[quick] -= 1

    def close(self) -> None:
        """Let what has begun end, and nothing begin."""
        for pool in self._pools.values():
            pool.shutdown(cancel_futures=True)


def _bounded(function: Callable[[], T], budget: Budget) -> T:
    before = private_memory()
    try:
        with limited(budget.end - time.monotonic()), within(budget):
            return function()
    finally:
        if private_memory() - before > TRIMMED:
            trim()


def _stand_back() -> None:
    """Let the threads of quick pages go first."""
    with suppress(AttributeError, OSError):
        own = threading.get_native_id()
        os.setpriority(os.PRIO_PROCESS, own, os.getpriority(os.PRIO_PROCESS, own) + NICE)


def trim() -> None:
    """Give what is free back to the system, Java's too."""
    gc.collect()
    with exclusive():
        java("java.lang.System").gc()
    with suppress(AttributeError, OSError):
        ctypes.CDLL(None).malloc_trim(0)
