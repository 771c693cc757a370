"""Tests of several downloads at once."""

import threading
import time

import pytest

from relsent_ir.datasets.parallel import all_at_once
from relsent_ir.errors import InputError
from relsent_ir.typing import Progress


def test_as_many_as_are_asked_for() -> None:
    """Two at a time, results in order, bytes added up."""
    at_once = threading.Barrier(2, timeout=10)
    lock = threading.Lock()
    running, most = 0, 0
    seen: list[tuple[int, int | None]] = []

    def job(size: int, tick: Progress) -> bool:
        nonlocal running, most
        with lock:
            running += 1
            most = max(most, running)
        at_once.wait()
        tick(size, None)
        with lock:
            running -= 1
        return size > 2

    jobs = [lambda tick, size=size: job(size, tick) for size in (1, 2, 3, 4)]
    found = all_at_once(jobs, 2, lambda *told: seen.append(told), 10)
    assert found == [False, False, True, True]
    assert most == 2
    assert seen[-1] == (10, 10)
    assert seen == sorted(seen)


def test_a_failure_ends_the_others() -> None:
    """At their next call; those that have not begun never do."""
    began = []

    def endless(tick: Progress) -> bool:
        began.append("endless")
        deadline = time.monotonic() + 10
        while time.monotonic() < deadline:
            tick(1, None)
        raise AssertionError

    def bad(_: Progress) -> bool:
        raise InputError("a wrong sum")

    with pytest.raises(InputError, match="a wrong sum"):
        all_at_once([endless, bad, endless], 2, lambda *_: None, None)
    assert began == ["endless"]


def test_nothing_to_do() -> None:
    """No job, no result."""
    assert all_at_once([], 2, lambda *_: None, None) == []
