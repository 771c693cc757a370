"""Executors map a function over items: in this thread, or in processes.

Results come in the order of the items; processes read no more items than they need. They are
spawned, not forked, since a forked process cannot use its parent's Java. They end when their parent
ends, however it ends, and leave Ctrl-C to it. As with all of Python's spawned processes, a script
that starts them needs the line ``if __name__ == "__main__":`` before its work.

We manage the processes ourselves: when one process is killed, `concurrent.futures` and joblib's
loky give up the whole pool and do not say which item it had; when the parent is killed, they leave
processes behind. `relsent_ir.cluster` has the executor for Dask's workers.
"""

import logging
import os
import signal
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
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
"""Items sent to a worker ahead: one to work on, and the next."""

ATTEMPTS: Final = 3
"""Number of processes that may die over one item."""

_ITEM, _ERROR, _END, _WARNING = "item", "error", "end", "warning"

_log = logging.getLogger("relsent_ir")


class Executor(Closing):
    """Map functions over items, in this thread unless a subclass does it elsewhere.

    Attributes
    ----------
    local : bool
        Whether functions run in this process and may use what is open here. Otherwise factories,
        items and results are pickled: models and collections are passed as paths.
    """

    local: ClassVar[bool] = True

    def map(self, make: Callable[[], Callable[[T], R]], items: Iterable[T]) -> Iterator[R]:
        """Yield what a function returns for each item, in the items' order.

        Parameters
        ----------
        make : callable
            Returns the function. It is called once in each worker, and opens there what the
            function needs.
        items : iterable
            Read ahead only as far as the workers need.

        Raises
        ------
        MissingError
            If an item ends several workers, or no worker is left.
        UsageError
            If `make` cannot be pickled.
        Exception
            As raised by `make`, the function or the items, after the results of all earlier items.
        """
        return map(make(), items)


SERIAL: Final = Executor()


def spread(
    executor: Executor,
    make: Callable[[], Callable[[dict[str, T]], Mapping[str, R]]],
    topics: Mapping[str, T],
    size: int,
    progress: Progress | None = None,
) -> dict[str, R]:
    """Map a method over batches of topics, and join the results.

    Parameters
    ----------
    executor : Executor
    make : callable
        Returns the method, which maps topics by id to their results by id. See `Executor.map`.
    topics : mapping of str to object
    size : int
        Topics in a batch.
    progress : callable, optional
        Called with the number of topics done and the total.

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


@dataclass(eq=False)
class Processes(Executor):
    """Work in spawned processes of this machine; they stay open for maps of the same function.

    A process that dies is replaced, and its items are given out again. Warnings of the processes
    are logged here, each only once.

    Parameters
    ----------
    processes : int
    here : callable, optional
        The same function in this process, which then works on items too instead of waiting, from
        the start while the processes are still starting.
    """

    local: ClassVar[bool] = False
    processes: int
    here: Callable[[Any], Any] | None = None
    _children: "list[_Child]" = field(default_factory=list, init=False)
    _make: Callable[..., Any] | None = field(default=None, init=False)
    _warnings: set[str] = field(default_factory=set, init=False)

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
            if not done:  # unread replies would mix with those of the next map
                self.close()

    def _results(self, items: Iterable[T]) -> Iterator[Any]:
        children = self._children
        waiting: deque[tuple[int, Any]] = deque()  # (child, item); (-1, reply) if done here
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
            if at >= 0 and self.here and not children[at].pipe.poll():
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
        """Wait for the next reply of a child; replace the child if it dies."""
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
        """Apply the function in this process, and return the reply that a child would send."""

        def is_new(record: logging.LogRecord) -> bool:
            message = record.getMessage()
            new = message not in self._warnings
            self._warnings.add(message)
            return new

        assert self.here
        _log.addFilter(is_new)
        try:
            return _ITEM, self.here(item)
        except Exception as error:  # noqa: BLE001 (raised in its turn)
            return _ERROR, error
        finally:
            _log.removeFilter(is_new)

    def close(self) -> None:
        """End the processes, even in the middle of an item."""
        while self._children:
            self._children.pop().end()


def streamed(make: Callable[[T | None], Iterator[T]]) -> Generator[T, None, None]:
    """Yield the items of an iterator that runs ahead in a separate process.

    Parameters
    ----------
    make : callable
        Called with None, returns an iterator over all items; called with an item, over those after
        it. If the process dies, it is called again with the last item received.

    Raises
    ------
    MissingError
        If the process dies `ATTEMPTS` times in a row.
    Exception
        As raised by the iterator.
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
    """Hold back Ctrl-C while a process starts; the process itself has it blocked from the start.

    A mask holds it back in this thread only: Python handles signals that other threads get.
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
    """Hold a spawned process and our end of the pipe to it."""

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
            except (AttributeError, TypeError) as error:  # as pickle raises them
                problem = f"cannot be given to another process: {error}"
                raise UsageError(problem, fix="use one process") from error
        theirs.close()

    def give(self, item: Any) -> None:
        """Send an item; if the process is dead, this shows when its result is awaited."""
        with suppress(OSError):
            self.pipe.send(item)

    def successor(self, died: int, *arguments: Any) -> "_Child":
        """Start a process in place of this one, the `died`-th that died over the same item."""
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
        """End the process, even in the middle of an item."""
        self._process.kill()
        self._process.join()
        self.pipe.close()


def _begin(pipe: Connection, work: Callable[..., None], *arguments: Any) -> None:
    """Work in the child process until the parent ends it or has ended."""
    items: SimpleQueue[Any] = SimpleQueue()

    def receive() -> None:
        """Receive items as they come; otherwise parent and child might both wait to send."""
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
