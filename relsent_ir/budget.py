"""Limit the time and memory of a piece of work, and end it when it exceeds a limit.

Long loops call `check`, which costs nothing unless the thread has a budget. A server gives each
request a budget; without one, work is never ended.
"""

import os
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from math import inf
from pathlib import Path
from typing import Final

from relsent_ir.errors import RelsentError

_EVERY: Final = 0.05  # seconds between two measurements of memory
_SLICE: Final = 0.005  # seconds of work before it gives way to other work
_GIVEN: Final = 3  # it gives way for at most so many times the duration of its last slice
_here: Final = threading.local()


class _Elsewhere:
    """Count the running and the ended pieces of work whose memory is charged to no budget."""

    lock = threading.Lock()
    open = ended = 0


class OverBudgetError(RelsentError):
    """A piece of work exceeded its budget and was ended."""


@dataclass(eq=False)
class Budget:
    """Limit one thread's piece of work.

    Parameters
    ----------
    seconds : float
        Wall-clock time from `begin` to the end.
    processor : float
        Processor time of the thread, in seconds.
    megabytes : float
        Memory by which the process may grow meanwhile.
    idle : Event, optional
        Set while nothing runs to which the work should give way. The system's priorities do not
        help, since Python's lock treats all threads alike.

    Attributes
    ----------
    end : float
        The time, by `time.monotonic`, at which the work ends at the latest.
    cancelled : bool
        Whether the next `check` ends the work; another thread may set it.
    """

    seconds: float
    processor: float
    megabytes: float
    idle: threading.Event | None = None
    end: float = field(default=inf, init=False)
    cancelled: bool = field(default=False, init=False)
    _resumed: float = field(default=0.0, init=False)
    _used: float = field(default=0.0, init=False)
    _memory: float = field(default=0.0, init=False)
    _look: float = field(default=0.0, init=False)
    _ended: int = field(default=0, init=False)

    def begin(self) -> None:
        """Start to count, in the thread that does the work."""
        self._resumed = time.monotonic()
        self.end = self._resumed + self.seconds
        self._used, self._memory = time.thread_time(), private_memory()
        self._ended = _Elsewhere.ended

    def check(self, *, give_way: bool = True) -> None:
        """Give way to other work; raise `OverBudgetError` if this work exceeds its budget."""
        now = time.monotonic()
        if give_way and self.idle is not None and now - self._resumed > _SLICE:
            self.idle.wait(_GIVEN * (now - self._resumed))
            now = self._resumed = time.monotonic()
        if self.cancelled or now > self.end:
            raise OverBudgetError("this took too long", fix="ask for less")
        if time.thread_time() - self._used > self.processor:
            raise OverBudgetError("this takes too much work", fix="ask for less")
        if now > self._look and self.megabytes < inf:
            self._look = now + _EVERY
            if _Elsewhere.open or self._ended != _Elsewhere.ended:
                self._memory, self._ended = private_memory(), _Elsewhere.ended
            elif private_memory() - self._memory > self.megabytes:
                raise OverBudgetError("this takes too much memory", fix="ask for less")


def check(*, locked: bool = False) -> None:
    """End this thread's work if it is over its budget; else let it give way to other work.

    The work does not give way while it holds a lock that others wait for (`locked`, `unmeasured`).
    """
    budget = getattr(_here, "budget", None)
    if budget is not None:
        budget.check(give_way=not (locked or getattr(_here, "awaited", False)))


@contextmanager
def within(budget: Budget) -> Iterator[None]:
    """Put a budget on what this thread does in the block."""
    budget.begin()
    _here.budget = budget
    try:
        yield
    finally:
        _here.budget = None


@contextmanager
def unmeasured() -> Iterator[None]:
    """Charge memory that the process takes during the block to no budget of any thread.

    The block does not give way, since other threads wait for its result.
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
    """Return the memory of the process without shared pages, in MB; 0 where it is unknown."""
    with suppress(OSError, ValueError):
        _, resident, shared, *_ = Path("/proc/self/statm").read_bytes().split()
        return (int(resident) - int(shared)) * os.sysconf("SC_PAGE_SIZE") / 2**20
    return 0.0
