"""Limits of a long-running server: threads, a bounded queue, time, and memory."""

import asyncio
import ctypes
import gc
import threading
import time
from collections import defaultdict, deque
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from math import ceil, inf
from threading import Lock
from typing import Any, Final, TypeVar

from relsent_ir.budget import Budget, OverBudgetError, private_memory, within
from relsent_ir.errors import RelsentError
from relsent_ir.lucene.jvm import exclusive, java, limited
from relsent_ir.lucene.read.search import default_threads
from relsent_ir.web.settings import Settings

TRIMMED: Final = 32.0
"""Growth of the process during a request, in megabytes, after which memory is collected."""
RECENT: Final = 8
"""Approximate number of requests in the running mean of durations, which predicts waits."""
LARGE: Final = 1 << 20
"""Size in bytes from which a freed block is returned to the system at once."""

# From malloc.h of the GNU C library.
_MMAP_THRESHOLD: Final = -3
_ARENA_MAX: Final = -8


def give_back() -> None:
    """Return large freed blocks to the system; call this before reading any data.

    The GNU library does so by default, but raises the threshold to the size of the largest freed
    block, up to 32 MB, and has an arena for each thread. The scores for a related sentence take
    some MB, and would stay in these arenas, in pieces too small for the next request. Other
    libraries are not changed.
    """
    with suppress(AttributeError, OSError):
        mallopt = ctypes.CDLL(None).mallopt
        mallopt(_MMAP_THRESHOLD, LARGE)
        mallopt(_ARENA_MAX, 2)


T = TypeVar("T")


class BusyError(RelsentError):
    """Too many requests are already waiting.

    Parameters
    ----------
    seconds : float
        Seconds after which another attempt is sensible.
    """

    def __init__(self, seconds: float) -> None:
        self.seconds = max(1, ceil(seconds))
        super().__init__("too many ask at once", fix=f"try again in {self.seconds} s")


@dataclass(eq=False)
class _Share:
    """The requests of one route, and their durations.

    Attributes
    ----------
    waiting : deque
        Futures and functions of the requests that wait for their turn.
    open : int
        Number of requests that wait or run.
    took : float
        Running mean of the duration of a request, in seconds of wall-clock time.
    turns : int
        Number of requests that have run; the route with the fewest turns is next.
    """

    waiting: deque[tuple[Future[Any], Callable[[], Any]]] = field(default_factory=deque)
    open: int = 0
    took: float = 0.0
    turns: int = 0


class _Pool:
    """Threads that several routes share: each route that has requests gets turns.

    Turns are shared, not seconds: if one route takes ten times as long as another, sharing seconds
    would answer a tenth as many of its requests, even if users send both equally often.
    """

    def __init__(self, name: str, threads: int) -> None:
        self.threads = threads
        self.executor = ThreadPoolExecutor(threads, name)
        self.shares: defaultdict[str, _Share] = defaultdict(_Share)
        self.lock = Lock()

    def wait(self, share: _Share) -> float:
        """Estimate the seconds until the turn of a further request of a share.

        It assumes that each other share has as many turns, if it has so many requests.
        """
        ahead = max(0, share.open + 1 - self.threads)
        return sum(min(ahead, s.open) * s.took for s in self.shares.values()) / self.threads

    def add(self, share: _Share, future: "Future[Any]", function: Callable[[], Any]) -> None:
        """Queue a request for its turn; the caller must hold the lock."""
        if not share.open:  # a route without requests does not save up turns
            busy = [other.turns for other in self.shares.values() if other.open]
            share.turns = max(share.turns, min(busy, default=0))
        share.open += 1
        share.waiting.append((future, function))
        self.executor.submit(self._next)

    def _next(self) -> None:
        with self.lock:
            waiting = [share for share in self.shares.values() if share.waiting]
            share = min(waiting, key=lambda share: share.turns)
            future, function = share.waiting.popleft()
            if not future.set_running_or_notify_cancel():
                return
            share.turns += 1
        began = time.monotonic()
        try:
            settle = partial(future.set_result, function())
        except BaseException as error:  # noqa: BLE001 (it is raised where the result is awaited)
            settle = partial(future.set_exception, error)
        with self.lock:
            share.took += (time.monotonic() - began - share.took) / (RECENT if share.took else 1)
        settle()

    def close(self) -> None:
        """Cancel waiting requests, and finish running ones."""
        with self.lock:
            waiting = [future for share in self.shares.values() for future, _ in share.waiting]
        for future in waiting:
            future.cancel()
        self.executor.shutdown()


class Work:
    """Call functions in threads: quick pages have their own threads, slow routes share some.

    A request waits for its turn at most as long as it may run. It is refused at once if, by the
    durations of recent requests of all routes, its turn cannot come in time. A request over its
    budget is stopped at any point, and its memory is freed.

    Parameters
    ----------
    settings : Settings
    """

    def __init__(self, settings: Settings) -> None:
        processors = default_threads()
        slow = settings.threads or max(1, processors - 1)
        self._quick = _Pool("quick", 2 * processors + 2)
        self._slow = _Pool("slow", slow)
        self._idle = threading.Event()  # set if no quick page waits or runs
        self._idle.set()
        self._settings = settings

    async def __call__(self, function: Callable[[], T], *, slow: str = "") -> T:
        """Call a function in a thread.

        Parameters
        ----------
        function : callable
        slow : str
            The slow route whose share of the threads is used; "" for a quick page.

        Raises
        ------
        BusyError, OverBudgetError
        """
        limits, pool = self._settings, self._slow if slow else self._quick
        # Growth of the process is charged to the slow page that runs, not to a search beside it.
        megabytes, idle = (limits.megabytes, self._idle) if slow else (inf, None)
        budget = Budget(limits.seconds, limits.processor, megabytes, idle)
        turn: Future[None] = Future()
        future: Future[T] = Future()
        with pool.lock:
            share = pool.shares[slow]
            wait = pool.wait(share)
            if share.open >= limits.waiting or wait > limits.seconds:
                raise BusyError(wait - limits.seconds)
            pool.add(share, future, lambda: _bounded(function, budget, turn))
            if not slow:
                self._idle.clear()

        def ended(_: "Future[T]") -> None:
            turn.cancel()  # the server may have shut down before its turn
            with pool.lock:
                share.open -= 1
                if not (slow or share.open):
                    self._idle.set()

        future.add_done_callback(ended)
        try:
            try:
                await asyncio.wait_for(asyncio.wrap_future(turn), limits.seconds)
            except TimeoutError:
                future.cancel()
                with pool.lock:
                    raise BusyError(pool.wait(share)) from None
            return await asyncio.wait_for(asyncio.wrap_future(future), limits.seconds)
        except TimeoutError:
            raise OverBudgetError("this took too long", fix="try again, or ask for less") from None
        finally:
            budget.cancelled = True  # no one waits for it any more

    def close(self) -> None:
        """Finish the requests that have started, and start no others."""
        for pool in (self._quick, self._slow):
            pool.close()


def _bounded(function: Callable[[], T], budget: Budget, turn: "Future[None]") -> T:
    if turn.set_running_or_notify_cancel():
        turn.set_result(None)
    before = private_memory()
    try:
        with within(budget), limited(budget.end - time.monotonic()):
            return function()
    finally:
        if private_memory() - before > TRIMMED:
            trim()


def trim() -> None:
    """Return free memory to the system, including that of Java."""
    gc.collect()
    with exclusive():
        java("java.lang.System").gc()
    with suppress(AttributeError, OSError):
        ctypes.CDLL(None).malloc_trim(0)
