"""What a request may take, and that it is ended when it takes more."""

import asyncio
import ctypes
import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from contextlib import nullcontext
from pathlib import Path

import pytest

import relsent_ir as rir
from relsent_ir.budget import Budget, OverBudgetError, check, private_memory, unmeasured, within
from relsent_ir.lucene.jvm import exclusive, java, limited
from relsent_ir.sparse import csr
from relsent_ir.web import Settings
from relsent_ir.web.budgets import BusyError, Work, give_back, trim

SLOW = "/entity"
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


def _work(**limits: float) -> Work:
    return Work(Settings(**limits))  # type: ignore[arg-type]


def _until(done: Callable[[], bool]) -> bool:
    """Loop as our loops do; gives whether it was let to its end."""
    while not done():
        check()
        time.sleep(0.001)
    return True


def test_results_and_errors() -> None:
    """What a function gives or raises comes back."""
    work = _work(seconds=5)
    assert asyncio.run(work(lambda: 7)) == 7
    with pytest.raises(KeyError, match="x"):
        asyncio.run(work(lambda: {}["x"]))
    work.close()


def test_too_long() -> None:
    """A request that takes too long is ended where it is, and its thread is free again."""
    work, ended = _work(seconds=0.2, threads=1, waiting=1), threading.Event()

    def forever() -> None:
        try:
            _until(lambda: False)
        finally:
            ended.set()

    async def ask() -> None:
        with pytest.raises(OverBudgetError, match="too long"):
            await work(forever, slow=SLOW)
        assert await asyncio.to_thread(ended.wait, 5)
        for _ in range(100):
            try:
                assert await work(lambda: 2, slow=SLOW) == 2
            except BusyError:
                await asyncio.sleep(0.01)
            else:
                return
        pytest.fail("the thread was not given back")

    asyncio.run(ask())
    work.close()


def test_too_much_work() -> None:
    """Processor time is counted, not that of waiting."""
    work = _work(seconds=60, processor=0.1)

    def busy() -> None:
        while True:
            check()

    assert asyncio.run(work(lambda: time.sleep(0.3) or _until(lambda: True)))
    with pytest.raises(OverBudgetError, match="too much work"):
        asyncio.run(work(busy))
    work.close()


@pytest.mark.skipif(not private_memory(), reason="needs /proc")
def test_too_much_memory() -> None:
    """Who makes the process grow too far is ended, and what was taken is given back."""
    work, taken = _work(seconds=60, megabytes=256), []

    def hoard() -> None:
        while True:
            check()
            taken.append(bytearray(os.urandom(1 << 20)))

    before = private_memory()
    with pytest.raises(OverBudgetError, match="too much memory"):
        asyncio.run(work(hoard, slow=SLOW))
    assert 200 <= len(taken) < 1000  # other tests' threads may take some of it
    taken.clear()
    trim()
    assert private_memory() < before + 128  # and still hold it
    work.close()


@pytest.mark.skipif(not private_memory(), reason="needs /proc")
def test_no_matrix_over_budget() -> None:
    """Work of many matrices, such as feedback from a million documents, ends at the next one."""
    with within(Budget(60.0, 60.0, 16.0)):
        assert csr(([1], [0], [0, 1]), (1, 1)).nnz == 1
        block = bytearray(b"1") * (64 << 20)
        time.sleep(0.06)  # memory is looked at so often
        with pytest.raises(OverBudgetError, match="memory"):
            csr(([1], [0], [0, 1]), (1, 1))
    assert len(block) == 64 << 20


def test_java_gives_back() -> None:
    """A heap that a large search has made grow is small again when memory is given back."""

    def heap() -> int:
        with exclusive():
            return int(java("java.lang.Runtime").getRuntime().totalMemory()) >> 20

    trim()
    before = heap()
    with exclusive():
        block = java("java.nio.ByteBuffer").allocate(200 << 20)
        assert heap() > before + 100
        del block
    trim()
    assert heap() < before + 20


@pytest.mark.skipif(not private_memory(), reason="needs /proc")
def test_memory_that_another_takes() -> None:
    """What opens models beside a page is not laid to the page, neither then nor afterwards."""
    work, taken, go = _work(seconds=60, megabytes=256), [], threading.Event()

    def models() -> None:
        with unmeasured():
            go.wait(60)
            taken.extend(bytearray(os.urandom(1 << 20)) for _ in range(400))

    opening = threading.Thread(target=models)
    opening.start()

    def page() -> bool:
        go.set()
        _until(lambda: not opening.is_alive())
        end = time.monotonic() + 0.3
        return _until(lambda: time.monotonic() > end)

    assert asyncio.run(work(page, slow=SLOW))
    taken.clear()
    work.close()


def test_quick_pages_have_their_own_threads() -> None:
    """They do not wait for the slow ones."""
    work, go = _work(seconds=60, threads=1), threading.Event()

    async def ask() -> None:
        slow = [asyncio.create_task(work(lambda: go.wait(30), slow=SLOW)) for _ in range(8)]
        await asyncio.sleep(0)
        assert await work(lambda: 3) == 3
        go.set()
        assert await asyncio.gather(*slow) == [True] * 8

    asyncio.run(ask())
    work.close()


def test_too_many() -> None:
    """Beyond the queue all are turned away; a turn that does not come in time never does."""
    work, go, began = _work(seconds=0.3, threads=1, waiting=3), threading.Event(), []

    def slow(name: int) -> int:
        began.append(name)
        go.wait(5)
        return name

    async def ask() -> list[object]:
        asked = [asyncio.create_task(work(lambda n=n: slow(n), slow=SLOW)) for n in range(5)]
        found = await asyncio.gather(*asked, return_exceptions=True)
        go.set()
        return list(found)

    found = asyncio.run(ask())
    assert [type(one) for one in found] == [OverBudgetError] + [BusyError] * 4
    work.close()
    assert began == [0]


def test_time_counts_from_its_turn() -> None:
    """A request that waited for most of its seconds has all of them then."""
    work = _work(seconds=2, threads=1)

    async def ask() -> list[float]:
        some = [work(lambda: time.sleep(1.5) or 1.0, slow=SLOW) for _ in range(2)]
        return await asyncio.gather(*some)

    assert asyncio.run(ask()) == [1.0, 1.0]
    work.close()


def test_no_turn_in_time() -> None:
    """Who would wait too long, by what the last requests took, is told so at once, and how long."""
    work, go = _work(seconds=20, threads=1), threading.Event()
    work._slow.shares[SLOW].took = 15.0  # two before it: 30 seconds
    waiting = []

    async def ask() -> None:
        waiting.extend(asyncio.create_task(work(go.wait, slow=SLOW)) for _ in range(2))
        await asyncio.sleep(0)
        with pytest.raises(BusyError, match=r"too many ask at once \(try again in 10 s\)"):
            await work(go.wait, slow=SLOW)
        assert await work(lambda: 3) == 3
        go.set()
        assert await asyncio.gather(*waiting) == [True, True]

    asyncio.run(ask())
    assert work._slow.shares[SLOW].took < 15.0
    work.close()


@pytest.mark.parametrize(
    ("others", "seconds"),
    [
        ({}, 6.0),  # two of its own
        ({"/names": (1, 1.0)}, 7.0),  # and all of another's
        ({"/names": (9, 1.0), "/why": (1, 0.0)}, 8.0),  # as many of another's as of its own
    ],
)
def test_estimate(others: dict[str, tuple[int, float]], seconds: float) -> None:
    """The next request of a route waits for its own, and for as many of each other route."""
    work = _work(threads=1)
    for name, (open_, took) in {SLOW: (2, 3.0), **others}.items():
        share = work._slow.shares[name]
        share.open, share.took = open_, took
    assert work._slow.wait(work._slow.shares[SLOW]) == seconds
    work.close()


@pytest.mark.parametrize(
    ("turns", "asked", "expected"),
    [
        # A route's second request comes after the first of others, which came later.
        (0, "LLSSX", "LSXLS"),
        # A route that had no requests for long does not take the threads for as long then.
        (100, "LLSS", "LSLS"),
        (100, "SSLL", "SLSL"),
    ],
)
def test_shares(turns: int, asked: str, expected: str) -> None:
    """The route is next that has had the fewest turns, since it has requests."""
    work, begun, go = _work(seconds=20, threads=1), threading.Event(), threading.Event()
    for name in asked[0], "before":
        work._slow.shares[name].turns = turns
    order = []

    def before() -> None:
        begun.set()
        go.wait(20)

    async def ask() -> None:
        tasks = [asyncio.create_task(work(before, slow="before"))]
        while not begun.is_set():
            await asyncio.sleep(0.01)
        tasks += [asyncio.create_task(work(lambda x=x: order.append(x), slow=x)) for x in asked]
        await asyncio.sleep(0)
        go.set()
        await asyncio.gather(*tasks)

    asyncio.run(ask())
    assert "".join(order) == expected
    work.close()


@pytest.mark.parametrize("awaited", [False, True])
def test_a_slow_page_gives_way(awaited: bool) -> None:
    """Beside a quick page it does far less than alone, unless others wait for what it makes."""
    work, go = _work(seconds=20, threads=1), threading.Event()
    counted = []

    def count() -> None:
        end = time.monotonic() + 1
        with unmeasured() if awaited else nullcontext():
            while time.monotonic() < end:
                check()
                time.sleep(0.001)
                counted.append(go.is_set())

    async def ask() -> None:
        quick = asyncio.create_task(work(lambda: go.wait(20)))
        await work(count, slow=SLOW)
        beside = len(counted)
        go.set()
        await quick
        await work(count, slow=SLOW)
        assert (beside < 0.6 * (len(counted) - beside)) is not awaited

    asyncio.run(ask())
    work.close()


def test_a_search_is_ended(folder: Path) -> None:
    """Lucene ends a search whose time is over, and the next has its own."""
    with rir.open_collection(folder / "sample") as sample:
        with limited(0), pytest.raises(OverBudgetError, match="too long"):
            sample.search("women infection", 10)
        with limited(60):
            found = sample.search("women infection", 10).ids.tolist()
        assert found == sample.search("women infection", 10).ids.tolist() != []
