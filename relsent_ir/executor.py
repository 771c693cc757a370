"""Executors: a function is mapped over items here, in threads, in processes, or by Dask's workers.

Results come in the items' order; processes and Dask read no more items than they need. Processes
are spawned, never forked, since a forked process cannot use its parent's Java. They end with their
parent, however that ends, and leave Ctrl-C to it. A script that starts them needs the line
``if __name__ == "__main__":`` before what it does, as for any of Python's spawned processes.

The processes are our own, because `concurrent.futures` and joblib's loky give up the whole pool
when one process is killed, do not tell which item it had, and leave processes behind when their
parent is killed. Dask's `Client.get_executor` submits all items at once, so its `submit` is used.

Dask's workers get pickled code, so scheduler and workers are trusted as a shell is. A worker has
one thread, and so one Java of its own.
"""

import logging
import os
import pickle
import signal
from collections import OrderedDict, deque
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import cached_property
from hashlib import blake2b
from importlib import import_module
from itertools import count, islice
from multiprocessing import get_context
from multiprocessing.connection import Connection
from pathlib import Path
from queue import SimpleQueue
from secrets import token_hex
from threading import Thread
from time import monotonic
from typing import Any, ClassVar, Final, TypeVar

from relsent_ir import __version__
from relsent_ir.errors import MismatchError, MissingError, UsageError
from relsent_ir.typing import Progress

T = TypeVar("T")
R = TypeVar("R")

AHEAD: Final = 2
"""Items that a worker is given at a time: one to work on, one to go on with."""

ATTEMPTS: Final = 3
"""Processes that may die over one item."""

WAIT: Final = 300.0
"""Seconds without any of Dask's workers, after which a result is no longer awaited."""

_LOOK: Final = 2.0  # seconds between two looks whether a worker is left
_TIMEOUT: Final = 30.0
_LOOPBACK: Final = "127.0.0.1"
_CACHED: Final = 2  # functions that a worker of Dask's keeps: their models may be large
_ITEM, _ERROR, _END = "item", "error", "end"

_functions: OrderedDict[str, Callable[[Any], Any]] = OrderedDict()


class Executor:
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
            What `make`, the function or the items raise, after the results of earlier items.
        """
        return map(make(), items)

    def close(self) -> None:
        """End the workers, whatever they do."""

    def __enter__(self) -> "Executor":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


SERIAL: Final = Executor()


class Threads(Executor):
    """Work in threads of this process, which share one function.

    Parameters
    ----------
    threads : int
    """

    def __init__(self, threads: int) -> None:
        self._pool = ThreadPoolExecutor(threads)

    def map(self, make: Callable[[], Callable[[T], R]], items: Iterable[T]) -> Iterator[R]:
        """Map the function in several threads, over all items at once; see `Executor.map`."""
        return self._pool.map(make(), items)

    def close(self) -> None:
        """Wait for the items that threads work on."""
        self._pool.shutdown(cancel_futures=True)


def batches(topics: Mapping[str, T], size: int) -> Iterator[dict[str, T]]:
    """Yield `size` topics at a time, in their order."""
    left = iter(topics.items())
    while batch := dict(islice(left, size)):
        yield batch


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

    A process that dies is replaced, and its items are done again.

    Parameters
    ----------
    processes : int
    """

    local = False

    def __init__(self, processes: int) -> None:
        self.processes = processes
        self._children: list[_Child] = []
        self._make: Callable[..., Any] | None = None

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
        waiting: deque[tuple[int, T]] = deque()
        source: Iterator[T] | None = iter(items)
        failure: Exception | None = None
        for turn in count():
            while source is not None and len(waiting) < AHEAD * len(children):
                try:
                    item = next(source)
                except StopIteration:
                    source = None
                except Exception as error:  # noqa: BLE001 (raised in its turn)
                    source, failure = None, error
                else:
                    at = (turn + len(waiting)) % len(children)
                    waiting.append((at, item))
                    children[at].give(item)
            if not waiting:
                break
            at = waiting[0][0]
            for attempt in count(1):
                with suppress(EOFError, OSError):
                    kind, value = children[at].pipe.recv()
                    break
                children[at] = children[at].successor(attempt)
                for other, item in waiting:
                    if other == at:
                        children[at].give(item)
            waiting.popleft()
            if kind == _ERROR:
                raise value
            yield value
        if failure is not None:
            raise failure

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


class _Child:
    """A spawned process, and our end of the pipe to it."""

    def __init__(self, work: Callable[..., None], make: Any, *arguments: Any) -> None:
        context = get_context("spawn")
        self._work, self._make = work, make
        self.pipe, theirs = context.Pipe()
        self._process = context.Process(
            target=_begin, args=(theirs, work, make, *arguments), daemon=True
        )
        masked = hasattr(signal, "pthread_sigmask")
        if masked:  # Ctrl-C is blocked for the process from its first moment
            before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
        try:
            self._process.start()
        except (AttributeError, TypeError) as error:  # as pickle has it
            problem = f"cannot be given to another process: {error}"
            raise UsageError(problem, fix="use one process") from error
        finally:
            if masked:
                signal.pthread_sigmask(signal.SIG_SETMASK, before)
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
    given: SimpleQueue[Any] = SimpleQueue()

    def receive() -> None:
        """Take what comes at once, or parent and child might both wait to send."""
        try:
            while True:
                given.put(pipe.recv())
        except (EOFError, OSError):
            os._exit(0)

    Thread(target=receive, daemon=True).start()
    try:
        work(pipe, given, *arguments)
    except Exception as error:  # noqa: BLE001 (raised by the parent)
        with suppress(BrokenPipeError):
            pipe.send((_ERROR, error))
    given.get()


def _serve(pipe: Connection, given: "SimpleQueue[T]", make: Callable[[], Callable[[T], R]]) -> None:
    function = make()
    while True:
        pipe.send((_ITEM, function(given.get())))


def _stream(
    pipe: Connection, _: object, make: Callable[[T | None], Iterator[T]], last: T | None
) -> None:
    for item in make(last):
        pipe.send((_ITEM, item))
    pipe.send((_END, None))


class Dask(Executor):
    """Work on the workers of a Dask scheduler, which is met on entering or at the first map.

    Parameters
    ----------
    address : str
        Of the scheduler, as ``tcp://host:port``, ``tls://host:port``, ``host:port`` or a port of
        this machine.
    certificates : tuple of Path, optional
        PEM files of the authority's certificate, of ours and of our key. All traffic is encrypted
        then, and peers without certificates are refused.

    Raises
    ------
    MismatchError
        On entering: if a worker has another version of relsent-ir, or several threads.
    MissingError
        On entering: if Dask is not installed, the scheduler does not answer, or no worker comes.
    UsageError
        If the address cannot be read.
    """

    local = False

    def __init__(self, address: str, certificates: tuple[Path, Path, Path] | None = None) -> None:
        self._address = _address(address, tls=certificates is not None)
        self._certificates = certificates

    def map(self, make: Callable[[], Callable[[T], R]], items: Iterable[T]) -> Iterator[R]:
        """Map the function on the workers; see `Executor.map`."""
        try:
            packed = pickle.dumps(make)
        except (pickle.PicklingError, AttributeError, TypeError) as error:
            raise UsageError(
                f"cannot be given to a worker: {error}", fix="use one process"
            ) from error
        key = blake2b(packed, digest_size=12).hexdigest()
        source = iter(items)
        waiting: deque[Any] = deque()
        client = self._client
        try:
            while True:
                room = AHEAD * max(1, self._workers()) - len(waiting)
                for item in islice(source, max(0, room)):
                    name = f"relsent-{token_hex(8)}"
                    waiting.append(client.submit(_work, key, packed, item, pure=False, key=name))
                if not waiting:
                    return
                yield self._result(waiting[0])
                waiting.popleft().release()
        finally:
            with suppress(Exception):  # the scheduler may be gone
                client.cancel(list(waiting))

    def close(self) -> None:
        """Let go of the scheduler."""
        if client := self.__dict__.pop("_client", None):
            with suppress(Exception):  # it may be gone
                client.close(timeout=1)

    def __enter__(self) -> "Dask":
        assert self._client
        return self

    @cached_property
    def _client(self) -> Any:
        try:
            distributed: Any = import_module("distributed")
        except ImportError as error:
            raise MissingError(
                "Dask is not installed", fix="pip install 'relsent-ir[cluster]'"
            ) from error
        security = None
        if self._certificates:
            authority, certificate, key = map(str, self._certificates)
            security = distributed.Security(
                tls_ca_file=authority,
                tls_client_cert=certificate,
                tls_client_key=key,
                require_encryption=True,
            )
        logging.getLogger("distributed").setLevel(logging.CRITICAL)  # what it says, we say
        try:
            client = distributed.Client(
                self._address, security=security, timeout=_TIMEOUT, set_as_default=False
            )
        except (OSError, ValueError) as error:  # a timeout is an OSError
            raise MissingError(
                f"no scheduler answers at {self._address}",
                fix="dask scheduler --host 127.0.0.1 starts one",
            ) from error
        try:
            self._check(client)
        except BaseException:
            client.close(timeout=1)
            raise
        return client

    def _workers(self) -> int:
        return len(self._client.nthreads())

    def _result(self, future: Any) -> Any:
        distributed: Any = import_module("distributed")
        seen = monotonic()
        try:
            while True:
                try:
                    return future.result(timeout=_LOOK)
                except TimeoutError:
                    if self._workers():
                        seen = monotonic()
                    elif monotonic() - seen > WAIT:
                        problem = f"no worker is left at {self._address}"
                        raise MissingError(problem, fix=self._how()) from None
        except distributed.KilledWorker as error:
            raise MissingError(
                f"workers ended again and again over the same work: {error.task}",
                fix="they may have had too little memory: give them more, or use fewer a machine",
            ) from None
        except (distributed.CancelledError, distributed.comm.CommClosedError) as error:
            raise MissingError(f"the scheduler at {self._address} is gone") from error

    def _check(self, client: Any) -> None:
        with suppress(TimeoutError):
            client.wait_for_workers(1, timeout=WAIT)
        if not client.nthreads():
            raise MissingError(f"no worker came to {self._address}", fix=self._how())
        for worker, threads in client.nthreads().items():
            if threads != 1:
                raise MismatchError(
                    f"has {threads} threads", where=worker, fix="start it with --nthreads 1"
                )
        for worker, version in client.run(_version).items():
            if version != __version__:
                raise MismatchError(
                    f"has relsent-ir {version}, this is {__version__}",
                    where=worker,
                    fix="install the same on all machines",
                )

    def _how(self) -> str:
        return f"dask worker {self._address} --nthreads 1 --nworkers 2 starts two"


def _work(key: str, packed: bytes, item: Any) -> Any:
    """Do one item, in the worker, by a function that is made unless it is cached."""
    if key not in _functions:
        while len(_functions) >= _CACHED:
            _functions.popitem(last=False)
        _functions[key] = pickle.loads(packed)()  # noqa: S301 (as all that Dask brings)
    _functions.move_to_end(key)
    return _functions[key](item)


def _version() -> str:
    return __version__


def _address(given: str, *, tls: bool) -> str:
    scheme, _, place = given.rpartition("://")
    host, _, port = place.rpartition(":")
    if not port.isdigit() or scheme not in ("", "tcp", "tls"):
        raise UsageError(
            f"cannot read --scheduler {given}", fix="host:port, or a port of this machine"
        )
    if (scheme == "tls") > tls:
        raise UsageError("tls:// needs --tls-ca, --tls-cert and --tls-key")
    return f"{'tls' if tls else 'tcp'}://{host or _LOOPBACK}:{port}"
