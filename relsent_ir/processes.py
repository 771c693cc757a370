"""Work in several processes of this machine: in order, in bounded memory, and again if one dies.

The processes are spawned, never forked, so that they have nothing of their parent's Java; what
crosses are the callable that makes the work, once, and then items and results. They end with
their parent, however that ends, and leave Ctrl-C to it. A script that starts them needs the line
``if __name__ == "__main__":`` before what it does, as for any of Python's spawned processes.
"""

import os
import signal
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from itertools import count, islice
from multiprocessing import get_context
from multiprocessing.connection import Connection
from queue import SimpleQueue
from threading import Thread
from typing import Any, Final, Protocol, TypeVar

from relsent_ir.errors import MissingError, UsageError
from relsent_ir.typing import Progress

T = TypeVar("T")
R = TypeVar("R")

AHEAD: Final = 2
"""Items that a process is given at a time: one to work on, one to go on with."""

ATTEMPTS: Final = 3
"""Processes that may die over one item."""


_ITEM, _ERROR, _END = "item", "error", "end"


def ordered(
    make: Callable[[], Callable[[T], R]], items: Iterable[T], processes: int
) -> Iterator[R]:
    """Give what a function makes of each item, in the items' order.

    Parameters
    ----------
    make : callable
        Gives the function, in each process once: it reads models there, which never cross.
    items : iterable
        Read as far ahead as the processes need it: `AHEAD` for each.
    processes : int

    Raises
    ------
    MissingError
        If one item ends `ATTEMPTS` processes.
    UsageError
        If `make` cannot be given to another process.
    Exception
        What the function or the items raise, after the results of what came before.
    """
    with Crew(processes) as crew:
        yield from crew(make, items)


def batches(topics: Mapping[str, T], size: int) -> Iterator[dict[str, T]]:
    """Yield `size` topics at a time, in their order."""
    left = iter(topics.items())
    while batch := dict(islice(left, size)):
        yield batch


def gathered(
    spread: "Spread",
    make: Callable[[], Callable[[dict[str, T]], Mapping[str, R]]],
    topics: Mapping[str, T],
    size: int,
    progress: Progress | None = None,
) -> dict[str, R]:
    """Put together what is made of `size` topics at a time, in their order.

    Parameters
    ----------
    spread : Spread
    make : callable
        Gives the function, wherever work is done.
    topics : mapping of topic id to anything
    size : int
    progress : callable, optional
        Gets the number of topics done, and of all.
    """
    found: dict[str, R] = {}
    for part in spread(make, batches(topics, size)):
        found.update(part)
        if progress:
            progress(len(found), len(topics))
    return found


def _shared_out(crew: "list[_Child]", items: Iterable[T]) -> Iterator[Any]:
    waiting: deque[tuple[int, T]] = deque()
    source: Iterator[T] | None = iter(items)
    failure: Exception | None = None
    for turn in count():
        while source is not None and len(waiting) < AHEAD * len(crew):
            try:
                item = next(source)
            except StopIteration:
                source = None
            except Exception as error:  # noqa: BLE001 (raised in its turn)
                source, failure = None, error
            else:
                at = (turn + len(waiting)) % len(crew)
                waiting.append((at, item))
                crew[at].give(item)
        if not waiting:
            break
        at = waiting[0][0]
        for attempt in count(1):
            with suppress(EOFError, OSError):
                kind, value = crew[at].pipe.recv()
                break
            crew[at] = crew[at].successor(attempt)
            for other, item in waiting:
                if other == at:
                    crew[at].give(item)
        waiting.popleft()
        if kind == _ERROR:
            raise value
        yield value
    if failure is not None:
        raise failure


def streamed(make: Callable[[T | None], Iterator[T]]) -> Generator[T, None, None]:
    """Give the items of an iterator that runs in a process of its own, ahead of who takes them.

    Parameters
    ----------
    make : callable
        Gives the iterator of what comes after an item; after None, of all. It is called again,
        with the last item that came, if the process dies.

    Raises
    ------
    MissingError
        If the process dies `ATTEMPTS` times in a row.
    Exception
        What the iterator raises.
    """
    last: T | None = None
    child = _Child(_stream, make, last)
    died = 0
    try:
        while True:
            try:
                kind, value = child.pipe.recv()
            except (EOFError, OSError):
                died += 1
                child = child.successor(died, last)
                continue
            if kind == _END:
                return
            if kind == _ERROR:
                raise value
            died, last = 0, value
            yield value
    finally:
        child.end()


class Spread(Protocol):
    """Somewhere to work: gives what a function makes of each item, in the items' order.

    `make` gives the function, once in each process that works. Where it is another process or
    machine than this, `make`, items and results are pickled: they are to be small, and models and
    collections to go by path.
    """

    def __call__(self, make: Callable[[], Callable[[T], R]], items: Iterable[T]) -> Iterator[R]:
        """Work."""
        ...


def here(make: Callable[[], Callable[[T], R]], items: Iterable[T]) -> Iterator[R]:
    """Work in this process: see `Spread`."""
    return map(make(), items)


class Crew:
    """Several processes that stay for the next work, if that is by the same callable: a `Spread`.

    Parameters
    ----------
    processes : int
    """

    def __init__(self, processes: int) -> None:
        self._processes = processes
        self._children: list[_Child] = []
        self._make: Callable[..., Any] | None = None

    def __call__(self, make: Callable[[], Callable[[T], R]], items: Iterable[T]) -> Iterator[R]:
        """Work; see `ordered` for what is raised."""
        if make is not self._make:
            self.close()
        self._make = make
        done = False
        try:
            if not self._children:
                self._children.extend(_Child(_serve, make) for _ in range(self._processes))
            yield from _shared_out(self._children, items)
            done = True
        finally:
            if not done:  # something is left in the pipes
                self.close()

    def close(self) -> None:
        """End the processes, whatever they do."""
        while self._children:
            self._children.pop().end()

    def __enter__(self) -> "Crew":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class _Child:
    """A spawned process, and our end of the pipe to it."""

    def __init__(self, work: Callable[..., None], make: Any, *arguments: Any) -> None:
        context = get_context("spawn")
        self._work, self._make = work, make
        self.pipe, theirs = context.Pipe()
        self._process = context.Process(
            target=_begin, args=(theirs, work, make, *arguments), daemon=True
        )
        with _uninterrupted():
            try:
                self._process.start()
            except (AttributeError, TypeError) as error:  # as pickle has it
                problem = f"cannot be given to another process: {error}"
                raise UsageError(problem, fix="use one process") from error
        theirs.close()

    def give(self, item: Any) -> None:
        """Send an item; that the process is dead shows where its result is awaited."""
        with suppress(OSError):
            self.pipe.send(item)

    def successor(self, died: int, *arguments: Any) -> "_Child":
        """Start a process in the place of this one, which is the `died`-th to die here."""
        self._process.join()
        code = self._process.exitcode or 0
        if died == ATTEMPTS:
            how = f"was ended by signal {-code}" if code < 0 else f"ended with code {code}"
            fix = (
                "it may have had too little memory: use fewer"
                if code < 0
                else 'see what it wrote; a script needs the line if __name__ == "__main__":'
            )
            raise MissingError(f"a process {how}, {ATTEMPTS} times over the same work", fix=fix)
        self.pipe.close()
        return _Child(self._work, self._make, *arguments)

    def end(self) -> None:
        """End the process, whatever it does."""
        self._process.kill()
        self._process.join()
        self.pipe.close()


@contextmanager
def _uninterrupted() -> Iterator[None]:
    """Have what is started meanwhile not be interrupted by Ctrl-C, from its first moment."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _begin(pipe: Connection, work: Callable[..., None], *arguments: Any) -> None:
    """Work, in the child, until the parent has all or is gone."""
    given: SimpleQueue[Any] = SimpleQueue()

    def receive() -> None:
        """Take what comes at once, or parent and child might both wait to send."""
        try:
            while True:
                given.put(pipe.recv())
        except (EOFError, OSError):
            os._exit(0)

    Thread(target=receive, daemon=True).start()
    with suppress(BrokenPipeError):
        work(pipe, given, *arguments)
        given.get()  # the parent ends us


def _serve(pipe: Connection, given: "SimpleQueue[T]", make: Callable[[], Callable[[T], R]]) -> None:
    try:
        function = make()
    except Exception as error:  # noqa: BLE001 (raised by the parent)
        pipe.send((_ERROR, error))
        return
    while True:
        item = given.get()
        try:
            answer: tuple[str, Any] = (_ITEM, function(item))
        except Exception as error:  # noqa: BLE001 (raised by the parent)
            answer = (_ERROR, error)
        pipe.send(answer)


def _stream(
    pipe: Connection,
    _given: "SimpleQueue[Any]",
    make: Callable[[T | None], Iterator[T]],
    last: T | None,
) -> None:
    try:
        for item in make(last):
            pipe.send((_ITEM, item))
    except BrokenPipeError:
        raise
    except Exception as error:  # noqa: BLE001 (raised by the parent)
        pipe.send((_ERROR, error))
    else:
        pipe.send((_END, None))
