"""Threads for requests: as many as there are, a queue that ends, and an end to each."""

import asyncio
import threading
import time

import pytest

from relsent_ir.web.work import BusyError, TooLongError, Work


def test_results_and_errors() -> None:
    """What a function gives or raises comes back."""
    work = Work(2, 2, 5)
    assert asyncio.run(work(lambda: 7)) == 7
    with pytest.raises(KeyError, match="x"):
        asyncio.run(work(lambda: {}["x"]))
    work.close()


def test_too_long() -> None:
    """A request is given up; its thread works on, and counts until it ends."""
    work, done = Work(1, 0, 0.05), threading.Event()

    async def ask() -> None:
        with pytest.raises(TooLongError):
            await work(lambda: done.wait(5))
        with pytest.raises(BusyError):
            await work(lambda: 1)
        done.set()
        for _ in range(100):
            try:
                assert await work(lambda: 2) == 2
            except BusyError:
                await asyncio.sleep(0.01)
            else:
                return
        pytest.fail("the thread was not given back")

    asyncio.run(ask())
    work.close()


def test_too_many() -> None:
    """Beyond the threads and the queue all are turned away; what waits too long never begins."""
    work, go, began = Work(1, 2, 0.2), threading.Event(), []

    def slow(name: int) -> int:
        began.append(name)
        go.wait(5)
        return name

    async def ask() -> list[object]:
        asked = [asyncio.create_task(work(lambda n=n: slow(n))) for n in range(5)]
        found = await asyncio.gather(*asked, return_exceptions=True)
        go.set()
        return list(found)

    found = asyncio.run(ask())
    assert [type(one) for one in found] == [TooLongError] * 3 + [BusyError] * 2
    time.sleep(0.05)
    assert began == [0]
    work.close()
