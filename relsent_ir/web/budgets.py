"""The limits of a server that runs for long: threads, a bounded queue, time, and memory."""

import asyncio
import ctypes
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from threading import Lock
from typing import Final, TypeVar

from relsent_ir.lucene.read.search import default_threads

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


class TooLongError(Exception):
    """A request took longer than one may."""


class Work:
    """Calls functions in threads.

    What has begun cannot be stopped: it keeps its thread to its end, also when its request is given
    up, so that no more is worked on at once than there are threads.

    Parameters
    ----------
    threads : int
        Two for each processor if 0.
    waiting : int
        Calls that may wait for a thread.
    seconds : float
        From being asked for to the end.
    """

    def __init__(self, threads: int, waiting: int, seconds: float) -> None:
        self._threads = threads or 2 * default_threads()
        self._pool = ThreadPoolExecutor(self._threads, thread_name_prefix="reader")
        self._waiting, self._seconds = waiting, seconds
        self._lock = Lock()
        self._open = 0

    async def __call__(self, function: Callable[[], T]) -> T:
        """Call a function in a thread.

        Raises
        ------
        BusyError, TooLongError
        """
        with self._lock:
            if self._open >= self._threads + self._waiting:
                raise BusyError
            self._open += 1
        future = self._pool.submit(function)
        future.add_done_callback(self._ended)
        try:
            return await asyncio.wait_for(asyncio.wrap_future(future), self._seconds)
        except TimeoutError:
            raise TooLongError from None

    def _ended(self, _: object) -> None:
        with self._lock:
            self._open -= 1

    def close(self) -> None:
        """Let what has begun end, and nothing begin."""
        self._pool.shutdown(cancel_futures=True)
