"""Work on the workers of a Dask scheduler, as `relsent_ir.processes` works in processes.

What is to be done crosses as pickled code, so scheduler and workers are trusted as a shell is.
Models and collections never cross: callables and items name them by path, and every worker has to
find them there. A worker has one thread, and so one Java of its own.
"""

import logging
import pickle
from collections import OrderedDict, deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from hashlib import blake2b
from itertools import islice
from pathlib import Path
from time import monotonic
from types import ModuleType
from typing import Any, Final, TypeVar

from relsent_ir import __version__
from relsent_ir.errors import MismatchError, MissingError, UsageError

T = TypeVar("T")
R = TypeVar("R")

AHEAD: Final = 2
"""Items that a worker is given at a time: one to work on, one to go on with."""

WAIT: Final = 300.0
"""Seconds without any worker, after which nobody is waited for."""

_LOOK: Final = 2.0  # seconds between two looks whether anybody is left
_TIMEOUT: Final = 30.0
_LOOPBACK: Final = "127.0.0.1"
_KEPT: Final = 2  # callables that a worker keeps: what they have read may be large

_made: OrderedDict[str, Callable[[Any], Any]] = OrderedDict()


@dataclass(frozen=True)
class Certificates:
    """PEM files by which scheduler, workers and we know each other."""

    authority: Path
    certificate: Path
    key: Path


class Cluster:
    """Work on the workers of a scheduler: see `relsent_ir.processes.Spread`.

    Parameters
    ----------
    address : str
        Of the scheduler, as ``tcp://host:port``, ``tls://host:port``, ``host:port`` or a port of
        this machine.
    certificates : Certificates, optional
        All that is said is encrypted, and nobody without them is talked to.

    Raises
    ------
    MismatchError
        If a worker has another version of relsent-ir, or several threads.
    MissingError
        If Dask is not installed, the scheduler does not answer, or no worker comes.
    UsageError
        If the address cannot be read.
    """

    def __init__(self, address: str, certificates: Certificates | None = None) -> None:
        distributed = _dask()
        self._where = _address(address, tls=certificates is not None)
        security = None
        if certificates:
            security = distributed.Security(
                tls_ca_file=str(certificates.authority),
                tls_client_cert=str(certificates.certificate),
                tls_client_key=str(certificates.key),
                require_encryption=True,
            )
        logging.getLogger("distributed").setLevel(logging.CRITICAL)  # what it says, we say
        try:
            self._client = distributed.Client(
                self._where, security=security, timeout=_TIMEOUT, set_as_default=False
            )
        except (OSError, ValueError) as error:  # a timeout is an OSError
            raise MissingError(
                f"no scheduler answers at {self._where}",
                fix="dask scheduler --host 127.0.0.1 starts one",
            ) from error
        try:
            self._check()
        except BaseException:
            self.close()
            raise

    def __call__(self, make: Callable[[], Callable[[T], R]], items: Iterable[T]) -> Iterator[R]:
        """Give what a function makes of each item, in the items' order.

        Raises
        ------
        MissingError
            If one item ends several workers, none is left, or the scheduler is gone.
        UsageError
            If `make` cannot be pickled.
        Exception
            What the function or the items raise.
        """
        try:
            packed = pickle.dumps(make)
        except (pickle.PicklingError, AttributeError, TypeError) as error:
            raise UsageError(
                f"cannot be given to a worker: {error}", fix="use one process"
            ) from error
        key = blake2b(packed, digest_size=12).hexdigest()
        source = iter(items)
        waiting: deque[Any] = deque()
        try:
            while True:
                room = AHEAD * max(1, self.workers) - len(waiting)
                for item in islice(source, max(0, room)):
                    waiting.append(
                        self._client.submit(
                            _work, key, packed, item, pure=False, key=f"relsent-{_mark()}"
                        )
                    )
                if not waiting:
                    return
                yield self._result(waiting[0])
                waiting.popleft().release()
        finally:
            with suppress(Exception):  # the scheduler may be gone
                self._client.cancel(list(waiting))

    @property
    def workers(self) -> int:
        """How many workers there are now."""
        return len(self._client.nthreads())

    def close(self) -> None:
        """Let go of the scheduler."""
        with suppress(Exception):  # it may be gone
            self._client.close(timeout=1)

    def __enter__(self) -> "Cluster":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _result(self, future: Any) -> Any:
        distributed = _dask()
        seen = monotonic()
        try:
            while True:
                try:
                    return future.result(timeout=_LOOK)
                except TimeoutError:
                    if self.workers:
                        seen = monotonic()
                    elif monotonic() - seen > WAIT:
                        raise MissingError(
                            f"no worker is left at {self._where}", fix=_how(self._where)
                        ) from None
        except distributed.KilledWorker as error:
            raise MissingError(
                f"workers ended again and again over the same work: {error.task}",
                fix="they may have had too little memory: give them more, or use fewer a machine",
            ) from None
        except (distributed.CancelledError, distributed.comm.CommClosedError) as error:
            raise MissingError(f"the scheduler at {self._where} is gone") from error

    def _check(self) -> None:
        with suppress(TimeoutError):
            self._client.wait_for_workers(1, timeout=WAIT)
        if not self.workers:
            raise MissingError(f"no worker came to {self._where}", fix=_how(self._where))
        for worker, threads in self._client.nthreads().items():
            if threads != 1:
                raise MismatchError(
                    f"has {threads} threads", where=worker, fix="start it with --nthreads 1"
                )
        for worker, version in self._client.run(_version).items():
            if version != __version__:
                raise MismatchError(
                    f"has relsent-ir {version}, this is {__version__}",
                    where=worker,
                    fix="install the same on all machines",
                )


def _work(key: str, packed: bytes, item: Any) -> Any:
    """Do one item, by a callable that is made where it was not made before."""
    if key not in _made:
        while len(_made) >= _KEPT:
            _made.popitem(last=False)
        _made[key] = pickle.loads(packed)()  # noqa: S301 (as all that Dask brings)
    _made.move_to_end(key)
    return _made[key](item)


def _version() -> str:
    return __version__


def _mark() -> str:
    from secrets import token_hex

    return token_hex(8)


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


def _how(where: str) -> str:
    return f"dask worker {where} --nthreads 1 --nworkers 2 starts two"


def _dask() -> ModuleType:
    try:
        import distributed
    except ImportError as error:
        raise MissingError(
            "Dask is not installed", fix="pip install 'relsent-ir[cluster]'"
        ) from error
    return distributed
