"""Memory that goes back to the system."""

import asyncio
import ctypes
import subprocess
import sys
import threading
import time

import pytest

from relsent_ir.web.budgets import BusyError, TooLongError, Work, give_back

BLOCKS = """
import ctypes, sys

from relsent_ir.web.budgets import give_back

class Told(ctypes.Structure):
    _fields_ = [(name, ctypes.c_size_t) for name in "abcdefghij"]  # d: blocks, each mapped alone

library = ctypes.CDLL(None)
library.mallinfo2.restype = Told
library.malloc.restype, library.free.argtypes = ctypes.c_void_p, [ctypes.c_void_p]
if sys.argv[1] == "yes":
    give_back()
library.free(library.malloc(8 << 20))
before = library.mallinfo2().d
block = library.malloc(4 << 20)
print(library.mallinfo2().d - before)
"""


@pytest.mark.skipif(not hasattr(ctypes.CDLL(None), "mallinfo2"), reason="needs the GNU C library")
@pytest.mark.parametrize(("given", "mapped"), [("yes", 1), ("no", 0)])
def test_large_blocks(given: str, mapped: int) -> None:
    """One is mapped alone after a larger one was freed, which it is not by default."""
    ran = subprocess.run(
        [sys.executable, "-c", BLOCKS, given], capture_output=True, text=True, check=True
    )
    assert int(ran.stdout) == mapped


def test_elsewhere(monkeypatch: pytest.MonkeyPatch) -> None:
    """Another library is left as it is."""
    monkeypatch.setattr(ctypes, "CDLL", lambda _: object())
    give_back()


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
