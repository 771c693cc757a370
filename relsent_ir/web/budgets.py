"""The limits of a server that runs for long: threads, a bounded queue, time, and memory."""

import asyncio
import ctypes
import gc
import os
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from math import ceil, inf
from threading import Lock
from typing import Final, TypeVar

from relsent_ir.budget import Budget, OverBudgetError, private_memory, within
from relsent_ir.errors import RelsentError
from relsent_ir.lucene.jvm import exclusive, java, limited
from relsent_ir.lucene.read.search import default_threads
from relsent_ir.web.settings import Settings

TRIMMED: Final = 32.0
"""Megabytes by which a request must have grown the process for its memory to be collected."""
NICE: Final = 5
"""By how much the threads of slow pages stand back."""
RECENT: Final = 8
"""The last requests, about, whose mean time tells how long others wait."""
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


class BusyError(RelsentError):
    """Too many requests wait already.

    Parameters
    ----------
    seconds : float
        Until it is worth trying again.
    """

    def __init__(self, seconds: float) -> None:
        self.seconds = max(1, ceil(seconds))
        super().__init__("too many ask at once", fix=f"try again in {self.seconds} s")


class Work:
    """Calls functions in threads; quick pages have threads of their own.

    A request waits for its turn no longer than it may take then. It is turned away at once where
    its turn cannot come in time, as far as the last requests tell. One that takes more than its
    budget is ended, wherever it is, and its memory given back.

    Parameters
    ----------
    settings : Settings
    """

    def __init__(self, settings: Settings) -> None:
        processors = default_threads()
        self._threads = {
            True: 2 * processors + 2,
            False: settings.threads or max(1, processors - 1),
        }
        self._pools = {
            True: ThreadPoolExecutor(self._threads[True], "quick"),
            False: ThreadPoolExecutor(self._threads[False], "slow", initializer=_stand_back),
        }
        self._settings = settings
        self._lock = Lock()
        self._open = {True: 0, False: 0}
        self._took = {True: 0.0, False: 0.0}  # seconds, by the clock, of the last requests

    async def __call__(self, function: Callable[[], T], *, quick: bool = True) -> T:
        """Call a function in a thread.

        Raises
        ------
        BusyError, OverBudgetError
        """
        limits = self._settings
        with self._lock:
            wait = self._wait(quick)
            if self._open[quick] >= limits.waiting or wait > limits.seconds:
                raise BusyError(wait - limits.seconds)
            self._open[quick] += 1
        # The process's growth is laid to the slow page that works, not to a search beside it.
        budget = Budget(limits.seconds, limits.processor, inf if quick else limits.megabytes)
        turn: Future[None] = Future()
        future = self._pools[quick].submit(self._bounded, function, budget, turn, quick)
        future.add_done_callback(lambda _: self._ended(turn, quick))
        try:
            try:
                await asyncio.wait_for(asyncio.wrap_future(turn), limits.seconds)
            except TimeoutError:
                future.cancel()
                raise BusyError(self._wait(quick)) from None
            return await asyncio.wait_for(asyncio.wrap_future(future), limits.seconds)
        except TimeoutError:
            raise OverBudgetError("this took too long", fix="try again, or ask for less") from None
        finally:
            budget.cancel()  # nobody waits for it any more

    def _wait(self, quick: bool) -> float:
        """Return the seconds until the turn of another request comes."""
        before = max(0, self._open[quick] + 1 - self._threads[quick])
        return before * self._took[quick] / self._threads[quick]

    def _bounded(
        self, function: Callable[[], T], budget: Budget, turn: "Future[None]", quick: bool
    ) -> T:
        if turn.set_running_or_notify_cancel():
            turn.set_result(None)
        began, before = time.monotonic(), private_memory()
        try:
            with within(budget), limited(budget.end - time.monotonic()):
                return function()
        finally:
            if private_memory() - before > TRIMMED:
                trim()
            self._took[quick] += (time.monotonic() - began - self._took[quick]) / RECENT

    def _ended(self, turn: "Future[None]", quick: bool) -> None:
        turn.cancel()  # if it never came, as at the server's end
        with self._lock:
            self._open[quick] -= 1

    def close(self) -> None:
        """Let what has begun end, and nothing begin."""
        for pool in self._pools.values():
            pool.shutdown(cancel_futures=True)


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
