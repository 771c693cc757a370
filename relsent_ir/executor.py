"""Executors: a function is mapped over items in this thread, in several, or in processes.

Results come in the items' order; processes read no more items than they need. They are spawned,
never forked, since a forked process cannot use its parent's Java. They end with their parent,
however that ends, and leave Ctrl-C to it. A script that starts them needs the line
``if __name__ == "__main__":`` before what it does, as for any of Python's spawned processes.

The processes are our own, because `concurrent.futures` and joblib's loky give up the whole pool
when one process is killed, do not tell which item it had, and leave processes behind when their
parent is killed. Dask's workers are in `relsent_ir.cluster`.
"""

import logging
import os
import signal
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from itertools import islice
from multiprocessing import get_context
from multiprocessing.connection import Connection
from queue import SimpleQueue
from threading import Thread, current_thread, main_thread
from typing import Any, ClassVar, Final, TypeVar

from relsent_ir.errors import MissingError, UsageError
from relsent_ir.files import Closing
from relsent_ir.hits import batches
from relsent_ir.typing import Progress

T = TypeVar("T")
R = TypeVar("R")

AHEAD: Final = 2
"""Items that a worker is given at a time: one to work on, one to go on with."""

ATTEMPTS: Final = 3
"""Processes that may die over one item."""

_ITEM, _ERROR, _END, _WARNING = "item", "error", "end", "warning"

_log = logging.getLogger("relsent_ir")


class Executor(Closing):
    """A place where functions are mapped over items: by itself, this thread.

    Attributes
    ----------
    local : bool
        Whether functions run in this process, and may use what is open in it. Otherwise
        functions' factories, items and results are pickled: models and collections go by path.
    """

    local: ClassVar[bool] = True

    def map(self, make: Callable[[], Callable[[T], R]], items: Iterable[T]) -> Iterator[R]:
        """Yield what a function returns for each item, in the items' order.

        Parameters
        ----------
        make : callable
            Returns the function. It is called once in each worker, and opens what the function
            needs there.
        items : iterable
            Read as far ahead as the workers need.

        Raises
        ------
        MissingError
            If one item ends several workers, or none is left.
        UsageError
            If `make` cannot be pickled.
        Exception
            As raised by `make`, the function or the items, after the results of earlier items.
        """
        return map(make(), items)

    def close(self) -> None:
        """End the workers, whatever they do."""


SERIAL: Final = Executor()


class Threads(Executor):
    """Work in threads of this process, which share one function."""

    def __init__(self, threads: int) -> None:
        self._pool = ThreadPoolExecutor(threads)

    def map(self, make: Callable[[], Callable[[T], R]], items: Iterable[T]) -> Iterator[R]:
        """Map the function in several threads, over all items at once; see `Executor.map`."""
        return self._pool.map(make(), items)

    def close(self) -> None:
        """Wait for the items that threads work on."""
        self._pool.shutdown(cancel_futures=True)


def spread(
    executor: Executor,
    make: Callable[[], Callable[[dict[str, T]], Mapping[str, R]]],
    topics: Mapping[str, T],
    size: int,
    progress: Progress | None = None,
) -> dict[str, R]:
    """Map a method over batches of topics, and join its results.

    Parameters
    ----------
    executor : Executor
    make : callable
        Returns the method: from some topics by id to their results by id. See `Executor.map`.
    topics : mapping of str to object
    size : int
        Topics of a batch.
    progress : callable, optional
        Gets the number of topics done, and of all.

    Returns
    -------
    dict
        Results in the order of `topics`.
    """
    results: dict[str, R] = {}
    for part in executor.map(make, batches(topics, size)):
        results.update(part)
        if progress:
            progress(len(results), len(topics))
    return results


class Processes(Executor):
    """Work in spawned processes of this machine, which stay for the next map of the same function.

    A process that dies is replaced, and its items are done again. Their warnings are logged here,
    each once.

    Parameters
    ----------
    processes : int
    here : callable, optional
        The function as this process has it. It then takes items too, in the place of waiting:
        from the first moment on, while the others start.
    """

    local = False

    def __init__(self, processes: int, here: Callable[[Any], Any] | None = None) -> None:
        self.processes = processes
        self._here = here
        self._children: list[_Child] = []
        self._make: Callable[..., Any] | None = None
        self._warnings: set[str] = set()

    def map(self, make: Callable[[], Callable[[T], R]], items: Iterable[T]) -> Iterator[R]:
        """Map the function in several processes; see `Executor.map`."""
        if make is not self._make:
            self.close()
        self._make = make
        done = False
        try:
            if not self._children:
                self._children.extend(_Child(_serve, make) for _ in range(self.processes))
            yield from self._results(items)
            done = True
        finally:
            if not done:  # something is left in the pipes
                self.close()

    def _results(self, items: Iterable[T]) -> Iterator[Any]:
        children = self._children
        waiting: deque[tuple[int, Any]] = deque()  # (child, item); of this process (-1, reply)
        given = [0] * len(children)
        failure: Exception | None = None

        def guarded() -> Iterator[T]:
            nonlocal failure
            try:
                yield from items
            except Exception as error:  # noqa: BLE001 (raised in its turn)
                failure = error

        source = guarded()
        while True:
            for item in islice(source, AHEAD * len(children) - sum(given)):
                at = given.index(min(given))
                given[at] += 1
                waiting.append((at, item))
                children[at].give(item)
            if not waiting:
                break
            at, reply = waiting[0]
            if at >= 0 and self._here and not children[at].pipe.poll():
                own = [(-1, self._done_here(item)) for item in islice(source, 1)]
                waiting.extend(own)
                if own:
                    continue
            if at >= 0:
                reply = self._reply(at, waiting)
                given[at] -= 1
            waiting.popleft()
            kind, value = reply
            if kind == _ERROR:
                raise value
            yield value
        if failure is not None:
            raise failure

    def _reply(self, at: int, waiting: Iterable[tuple[int, Any]]) -> tuple[str, Any]:
        """Wait for the next reply of a child; one that dies is replaced."""
        children, died = self._children, 0
        while True:
            with suppress(EOFError, OSError):
                while True:
                    kind, value = children[at].pipe.recv()
                    if kind != _WARNING:
                        return kind, value
                    if value not in self._warnings:
                        self._warnings.add(value)
                        _log.warning("%s", value)
            died += 1
            children[at] = children[at].successor(died)
            for other, item in waiting:
                if other == at:
                    children[at].give(item)

    def _done_here(self, item: Any) -> tuple[str, Any]:
        """Apply the function in this process, and return what a child would reply."""

        def is_new(record: logging.LogRecord) -> bool:
            message = record.getMessage()
            new = message not in self._warnings
            self._warnings.add(message)
            return new

        assert self._here
        _log.addFilter(is_new)
        try:
            return _ITEM, self._here(item)
        except Exception as error:  # noqa: BLE001 (raised in its turn)
            return _ERROR, error
        finally:
            _log.removeFilter(is_new)

    def close(self) -> None:
        """End the processes, whatever they do."""
        while self._children:
            self._children.pop().end()


def streamed(make: Callable[[T | None], Iterator[T]]) -> Generator[T, None, None]:
    """Yield the items of an iterator that runs ahead in a process of its own.

    Parameters
    ----------
    make : callable
        Returns the iterator over the items after a given one; after None, over all. If the
        process dies, it is called again with the last item that came.

    Raises
    ------
    MissingError
        If the process dies `ATTEMPTS` times in a row.
    Exception
        As the iterator raises.
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


@contextmanager
def _uninterrupted() -> Iterator[None]:
    """Hold Ctrl-C back while a process starts, which has it blocked from its first moment on.

    A mask alone holds it back in this thread only: Python acts on a signal to another thread.
    """
    caught: list[tuple[int, Any]] = []
    masked = hasattr(signal, "pthread_sigmask")
    if masked:
        before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    main = current_thread() is main_thread()
    handler = signal.signal(signal.SIGINT, lambda *args: caught.append(args)) if main else None
    try:
        yield
    finally:
        if main:
            signal.signal(signal.SIGINT, handler)
        if masked:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)
        if caught and callable(handler):
            handler(*caught[0])


class _Child:
    """A spawned process, and our end of the pipe to it."""

    def __init__(self, work: Callable[..., None], make: Any, *arguments: Any) -> None:
        context = get_context("spawn")
        self._work, self._make = work, make
        with _uninterrupted():
            self.pipe, theirs = context.Pipe()
            self._process = context.Process(
                target=_begin, args=(theirs, work, make, *arguments), daemon=True
            )
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


def _begin(pipe: Connection, work: Callable[..., None], *arguments: Any) -> None:
    """Work, in the child, until the parent ends it or is gone."""
    items: SimpleQueue[Any] = SimpleQueue()

    def receive() -> None:
        """Take items as they come, or parent and child might both wait to send."""
        try:
            while True:
                items.put(pipe.recv())
        except (EOFError, OSError):
            os._exit(0)

    Thread(target=receive, daemon=True).start()
    try:
        work(pipe, items, *arguments)
    except Exception as error:  # noqa: BLE001 (raised by the parent)
        with suppress(BrokenPipeError):
            pipe.send((_ERROR, error))
    items.get()


class _Warnings(logging.Handler):
    """Sends warnings to the parent."""

    def __init__(self, pipe: Connection) -> None:
        super().__init__()
        self._pipe = pipe

    def emit(self, record: logging.LogRecord) -> None:
        """Send a record's message."""
        self._pipe.send((_WARNING, record.getMessage()))


def _serve(pipe: Connection, items: "SimpleQueue[T]", make: Callable[[], Callable[[T], R]]) -> None:
    _log.handlers = [_Warnings(pipe)]
    function = make()
    while True:
        pipe.send((_ITEM, function(items.get())))


def _stream(
    pipe: Connection, _: object, make: Callable[[T | None], Iterator[T]], last: T | None
) -> None:
    for item in make(last):
        pipe.send((_ITEM, item))
    pipe.send((_END, None))
