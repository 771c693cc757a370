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
"""Growth of the process by a request, in megabytes, from which memory is collected."""
NICE: Final = 5
"""Niceness of the threads of slow pages."""
RECENT: Final = 8
"""Approximate number of requests in the running mean of times, which predicts waits."""
LARGE: Final = 1 << 20
"""Size in bytes from which a freed block returns to the system at once."""

# From malloc.h of the GNU C library.
_MMAP_THRESHOLD: Final = -3
_ARENA_MAX: Final = -8


def give_back() -> None:
    """Return large blocks to the system when they are freed; call this before reading anything.

    The GNU library does so by itself, but raises the threshold to the size of the largest freed
    block, up to 32 MB, and has an arena for each thread. The scores of a related sentence take some
    MB, and would stay in these arenas, in pieces too small for the next. Another library is left
    unchanged.
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
        Time until another try is sensible.
    """

    def __init__(self, seconds: float) -> None:
        self.seconds = max(1, ceil(seconds))
        super().__init__("too many ask at once", fix=f"try again in {self.seconds} s")


class Work:
    """Calls functions in threads; quick pages have threads of their own.

    A request waits for its turn no longer than it may take then. It is refused at once if its turn
    cannot come in time, by the times of the last requests. A request that exceeds its budget is
    stopped anywhere, and its memory freed.

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
        """Finish the requests that have begun, and begin no others."""
        for pool in self._pools.values():
            pool.shutdown(cancel_futures=True)


def _stand_back() -> None:
    """Give the threads of quick pages priority."""
    with suppress(AttributeError, OSError):
        thread = threading.get_native_id()
        os.setpriority(os.PRIO_PROCESS, thread, os.getpriority(os.PRIO_PROCESS, thread) + NICE)


def trim() -> None:
    """Return free memory to the system, also Java's."""
    gc.collect()
    with exclusive():
        java("java.lang.System").gc()
    with suppress(AttributeError, OSError):
        ctypes.CDLL(None).malloc_trim(0)
