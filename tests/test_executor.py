"""Work in spawned processes: order, bounds, errors, and processes that die."""

import logging
import os
import time
from collections.abc import Callable, Generator, Iterator
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from relsent_ir.errors import InputError, MissingError, UsageError
from relsent_ir.executor import AHEAD, ATTEMPTS, SERIAL, Processes, spread, streamed

# What other processes work on must be in a module that they can import.
WORK = '''
import logging, os, signal, time
from pathlib import Path
from relsent_ir.errors import InputError

def squares():
    return lambda n: n * n

def slow_first():
    def square(n):
        time.sleep(0.3 * (n == 0))
        return n * n
    return square

def dies(folder, times):
    """Squares; the process that gets 3 is killed, a few times."""
    def square(n):
        deaths = len(list(Path(folder).iterdir()))
        if n == 3 and deaths < times:
            Path(folder, str(deaths)).touch()
            os.kill(os.getpid(), signal.SIGKILL)
        return n * n
    return square

def refuses(n):
    raise InputError("no number", where=f"item {n}", fix="count again")

def refusing():
    return refuses

def unmade():
    raise InputError("no model")

def name():
    return lambda _: os.getpid()

def warns():
    logging.getLogger("relsent_ir").warning("it is late")
    return lambda n: n

def numbers(last):
    yield from range(0 if last is None else last + 1, 6)

def numbers_and_death(folder, last):
    for n in numbers(last):
        if n == 3 and not list(Path(folder).iterdir()):
            Path(folder, "once").touch()
            time.sleep(0.2)  # what was sent is on its way
            os.kill(os.getpid(), signal.SIGKILL)
        yield n

def never(_last):
    os._exit(7)

def numbers_and_error(_last):
    yield 1
    raise InputError("cut off", where="a.xml")
'''


@pytest.fixture(scope="module")
def work(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """A module that this process and those that it starts can import."""
    folder = tmp_path_factory.mktemp("module")
    (folder / "relsent_work.py").write_text(WORK)
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(folder)
        yield import_module("relsent_work")


def ordered(make: Callable[[], Any], items: Any, processes: int) -> Generator[Any, None, None]:
    """Map a function in processes that end with the iterator."""
    with Processes(processes) as executor:
        yield from executor.map(make, items)


def test_results_come_in_order_and_items_are_read_as_needed(work: Any) -> None:
    """The first item takes longest; no more is read than the processes are given."""
    taken: list[int] = []

    def items() -> Iterator[int]:
        for n in range(12):
            taken.append(n)
            yield n

    results = ordered(work.slow_first, items(), 2)
    assert next(results) == 0
    assert len(taken) == 2 * AHEAD
    assert list(results) == [n * n for n in range(1, 12)]


def test_a_killed_process_is_replaced(work: Any, tmp_path: Path) -> None:
    """Nothing is lost or twice; an item that kills every process is an error."""
    make = partial(work.dies, tmp_path, ATTEMPTS - 1)
    assert list(ordered(make, range(8), 2)) == [n * n for n in range(8)]
    assert len(list(tmp_path.iterdir())) == ATTEMPTS - 1
    results = ordered(partial(work.dies, tmp_path, 99), range(8), 2)
    assert [next(results) for _ in range(3)] == [0, 1, 4]
    with pytest.raises(MissingError, match=r"ended by signal 9, 3 times .*too little memory"):
        next(results)


def test_errors_are_raised_in_their_place(work: Any) -> None:
    """The function's, those of what makes it, and those of the items: with place and fix."""
    with pytest.raises(InputError, match=r"^item 0: no number \(count again\)$"):
        list(ordered(work.refusing, range(3), 2))
    with pytest.raises(InputError, match="no model"):
        list(ordered(work.unmade, range(3), 1))

    def items() -> Iterator[int]:
        yield from range(3)
        raise InputError("the file is cut off")

    seen = []
    with pytest.raises(InputError, match="cut off"):
        seen.extend(ordered(work.squares, items(), 2))
    results = ordered(work.squares, items(), 2)
    assert [next(results) for _ in range(3)] == [0, 1, 4]
    results.close()


def test_warnings_are_told_once(work: Any, caplog: pytest.LogCaptureFixture) -> None:
    """What each of the processes warns of is told once, in this one."""
    with Processes(2) as processes:
        assert list(processes.map(work.warns, range(6))) == [*range(6)]
    assert [record.getMessage() for record in caplog.records] == ["it is late"]


def test_this_process_takes_part(work: Any, caplog: pytest.LogCaptureFixture) -> None:
    """It works while it would wait: in order, warnings once, its errors in their place."""

    def here(n: int) -> int:
        logging.getLogger("relsent_ir").warning("it is late")
        if n == limit:
            raise InputError("too many")
        mine.append(n)
        return n

    mine: list[int] = []
    limit = 400
    with Processes(1, here) as processes:
        assert list(processes.map(work.warns, range(300))) == [*range(300)]
        assert AHEAD in mine  # the child has the first ones, and is not there yet
        assert [record.getMessage() for record in caplog.records] == ["it is late"]
    limit, seen = 5, []
    with Processes(1, here) as processes, pytest.raises(InputError, match="too many"):
        seen.extend(processes.map(work.slow_first, range(6)))


def test_what_cannot_be_sent_is_a_usage_error() -> None:
    """A function without a name, for instance."""
    with pytest.raises(UsageError, match="cannot be given to another process"):
        list(ordered(lambda: abs, range(3), 1))


def test_processes_end_with_what_started_them(work: Any) -> None:
    """A caller that stops early leaves none behind."""
    results = ordered(work.name, iter(range(99)), 2)
    crew = {next(results), next(results)}
    assert len(crew) == 2
    results.close()
    deadline = time.monotonic() + 10
    while any(Path(f"/proc/{pid}").exists() for pid in crew) and time.monotonic() < deadline:
        time.sleep(0.01)
    assert os.getpid() not in crew
    assert not any(Path(f"/proc/{pid}").exists() for pid in crew)


def test_a_stream_goes_on_where_its_process_died(work: Any, tmp_path: Path) -> None:
    """After the last item that came."""
    assert list(streamed(partial(work.numbers_and_death, tmp_path))) == list(range(6))
    assert (tmp_path / "once").exists()


def test_a_stream_that_cannot_begin_and_one_that_breaks(work: Any) -> None:
    """One line says how often it was tried; an error comes after the items before it."""
    with pytest.raises(MissingError, match="ended with code 7, 3 times over the same work"):
        list(streamed(work.never))
    items = streamed(work.numbers_and_error)
    assert next(items) == 1
    with pytest.raises(InputError, match=r"^a\.xml: cut off$"):
        next(items)


def test_topics_are_spread_in_batches() -> None:
    """Two topics at a time, in their order, with the count after each batch."""
    sizes: list[int] = []
    told: list[tuple[int, int | None]] = []

    def make() -> Callable[[dict[str, int]], dict[str, int]]:
        def squares(some: dict[str, int]) -> dict[str, int]:
            sizes.append(len(some))
            return {name: value**2 for name, value in some.items()}

        return squares

    topics = {"b": 1, "a": 2, "c": 3}
    found = spread(SERIAL, make, topics, 2, lambda *done: told.append(done))
    assert list(found.items()) == [("b", 1), ("a", 4), ("c", 9)]
    assert (sizes, told) == ([2, 1], [(2, 3), (3, 3)])
