"""An executor that works on the workers of a Dask scheduler.

Workers run pickled code, so scheduler and workers need the same trust as a shell. Models and
collections are passed as paths, which every worker must be able to open. A worker has one thread,
and therefore a Java of its own. `distributed.Client.get_executor` submits all items at once; this
module submits only as many as the workers need.
"""

import logging
import pickle
from collections import OrderedDict, deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from functools import cached_property
from hashlib import blake2b
from importlib import import_module
from itertools import islice
from pathlib import Path
from secrets import token_hex
from time import monotonic
from typing import Any, Final, Self, TypeVar

from relsent_ir import __version__
from relsent_ir.errors import MismatchError, MissingError, UsageError
from relsent_ir.executor import AHEAD, Executor
from relsent_ir.lazy import needed

T = TypeVar("T")
R = TypeVar("R")

WAIT: Final = 300.0
"""Seconds without any worker after which waiting for a result ends."""

_LOOK: Final = 2.0  # seconds between two checks that a worker is left
_TIMEOUT: Final = 30.0
_LOOPBACK: Final = "127.0.0.1"
_CACHED: Final = 2  # functions cached by a worker: their models may be large

_functions: OrderedDict[str, Callable[[Any], Any]] = OrderedDict()


class Dask(Executor):
    """Work on the workers of a Dask scheduler; connect on entering or at the first map.

    Parameters
    ----------
    address : str
        The scheduler's address: ``tcp://host:port``, ``tls://host:port``, ``host:port`` or a port
        of this machine.
    certificates : tuple of Path, optional
        PEM files of the authority's certificate, our certificate and our key. With them, all
        traffic is encrypted and peers without certificates are refused.

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
        self._fix = f"dask worker {self._address} --nthreads 1 --nworkers 2 starts two"

    def map(self, make: Callable[[], Callable[[T], R]], items: Iterable[T]) -> Iterator[R]:
        """Map the function on the workers; see `Executor.map`."""
        try:
            packed = pickle.dumps(make)
        except (pickle.PicklingError, AttributeError, TypeError) as error:
            raise UsageError(
                f"a worker cannot receive the work: {error}", fix="use one process"
            ) from error
        key = blake2b(packed, digest_size=12).hexdigest()
        source = iter(items)
        waiting: deque[Any] = deque()
        client = self._client
        try:
            while True:
                room = AHEAD * max(1, len(self._client.nthreads())) - len(waiting)
                for item in islice(source, max(0, room)):
                    name = f"relsent-{token_hex(8)}"
                    waiting.append(client.submit(_work, key, packed, item, pure=False, key=name))
                if not waiting:
                    return
                yield self._result(waiting[0])
                waiting.popleft().release()
        finally:
            with suppress(Exception):  # the scheduler may have ended
                client.cancel(list(waiting))

    def close(self) -> None:
        """Disconnect from the scheduler."""
        if client := self.__dict__.pop("_client", None):
            with suppress(Exception):  # the scheduler may have ended
                client.close(timeout=1)

    def __enter__(self) -> Self:
        assert self._client
        return self

    @cached_property
    def _client(self) -> Any:
        distributed = needed("distributed", "Dask", "'relsent-ir[cluster]'")
        security = None
        if self._certificates:
            authority, certificate, key = map(str, self._certificates)
            security = distributed.Security(
                tls_ca_file=authority,
                tls_client_cert=certificate,
                tls_client_key=key,
                require_encryption=True,
            )
        logging.getLogger("distributed").setLevel(logging.CRITICAL)  # our errors say the same
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

    def _result(self, future: Any) -> Any:
        distributed: Any = import_module("distributed")
        worked = monotonic()
        try:
            while True:
                try:
                    return future.result(timeout=_LOOK)
                except TimeoutError:
                    if len(self._client.nthreads()):
                        worked = monotonic()
                    elif monotonic() - worked > WAIT:
                        problem = f"no worker is left at {self._address}"
                        raise MissingError(problem, fix=self._fix) from None
        except distributed.KilledWorker as error:
            raise MissingError(
                f"workers ended again and again over the same work: {error.task}",
                fix="give the workers more memory, or start fewer on each machine",
            ) from None
        except (distributed.CancelledError, distributed.comm.CommClosedError) as error:
            raise MissingError(f"the scheduler at {self._address} is gone") from error

    def _check(self, client: Any) -> None:
        with suppress(TimeoutError):
            client.wait_for_workers(1, timeout=WAIT)
        if not client.nthreads():
            raise MissingError(f"no worker came to {self._address}", fix=self._fix)
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


def _work(key: str, packed: bytes, item: Any) -> Any:
    """Process one item in the worker, with the cached function or a new one."""
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
