"""Limits of a piece of work, and its end when it takes more.

Loops that may run for long call `check`, which costs nothing where no budget is set. A server sets
one for each request; without that nothing is ever ended.
"""

import os
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from math import inf
from pathlib import Path
from typing import Final

from relsent_ir.errors import RelsentError

_EVERY: Final = 0.05  # seconds between two looks at memory
_SLICE: Final = 0.005  # seconds of work after which it gives way
_GIVEN: Final = 3  # for how many times as long as it worked it gives way at most
_here: Final = threading.local()


class _Elsewhere:
    """How many pieces of work take memory now that is laid to no budget, and have ended."""

    lock = threading.Lock()
    open = ended = 0


class OverBudgetError(RelsentError):
    """A piece of work took more than it may, and was ended."""


class Budget:
    """The limits of one thread for a piece of work; another thread may cancel it.

    Parameters
    ----------
    seconds : float
        From `begin` to the end, by the clock.
    processor : float
        Seconds of processor time of the thread.
    megabytes : float
        By how much the process may grow meanwhile.
    idle : Event, optional
        Set while nothing runs that the work gives way to: the system's priorities do not reach
        Python's lock, for which all threads are alike.
    """

    def __init__(
        self,
        seconds: float,
        processor: float,
        megabytes: float,
        idle: threading.Event | None = None,
    ) -> None:
        self.end = inf
        self._seconds, self._processor, self._megabytes = seconds, processor, megabytes
        self._idle, self._resumed = idle, 0.0
        self._cancelled = False
        self._used = self._memory = 0.0
        self._look = 0.0
        self._ended = 0

    def begin(self) -> None:
        """Count from here, in the thread that works."""
        self._resumed = time.monotonic()
        self.end = self._resumed + self._seconds
        self._used, self._memory = time.thread_time(), private_memory()
        self._ended = _Elsewhere.ended

    def cancel(self) -> None:
        """Let the work end at its next `check`."""
        self._cancelled = True

    def check(self, *, give_way: bool = True) -> None:
        """Give way to other work; raise `OverBudgetError` if this one took more than it may."""
        now = time.monotonic()
        if give_way and self._idle is not None and now - self._resumed > _SLICE:
            self._idle.wait(_GIVEN * (now - self._resumed))
            now = self._resumed = time.monotonic()
        if self._cancelled or now > self.end:
            raise OverBudgetError("this took too long", fix="ask for less")
        if time.thread_time() - self._used > self._processor:
            raise OverBudgetError("this takes too much work", fix="ask for less")
        if now > self._look and self._megabytes < inf:
            self._look = now + _EVERY
            if _Elsewhere.open or self._ended != _Elsewhere.ended:
                self._memory, self._ended = private_memory(), _Elsewhere.ended
            elif private_memory() - self._memory > self._megabytes:
                raise OverBudgetError("this takes too much memory", fix="ask for less")


def check(*, locked: bool = False) -> None:
    """End the work of this thread if it is over its budget; else let it give way.

    It does not give way with a lock for which other work may wait (`locked`, `unmeasured`).
    """
    budget = getattr(_here, "budget", None)
    if budget is not None:
        budget.check(give_way=not (locked or getattr(_here, "awaited", False)))


@contextmanager
def within(budget: Budget) -> Iterator[None]:
    """Keep the work of this thread within a budget."""
    budget.begin()
    _here.budget = budget
    try:
        yield
    finally:
        _here.budget = None


@contextmanager
def unmeasured() -> Iterator[None]:
    """Lay what the process grows by while the block runs to no budget, of whatever thread.

    The block gives no way: other threads wait for what it makes.
    """
    before, _here.awaited = getattr(_here, "awaited", False), True
    with _Elsewhere.lock:
        _Elsewhere.open += 1
    try:
        yield
    finally:
        _here.awaited = before
        with _Elsewhere.lock:
            _Elsewhere.open -= 1
            _Elsewhere.ended += 1


def private_memory() -> float:
    """Return the process's own memory, in MB; 0 where the system does not tell."""
    with suppress(OSError, ValueError):
        _, resident, shared, *_ = Path("/proc/self/statm").read_bytes().split()
        return (int(resident) - int(shared)) * os.sysconf("SC_PAGE_SIZE") / 2**20
    return 0.0
