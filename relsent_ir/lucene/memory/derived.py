"""Derived data: arrays that are made from an index once, kept beside it, and mapped into memory.

They are in ``DIR/derived/NAME/``, each in a folder that is named by what the index holds, by this
version of the package and by the settings that they were made with. A changed index gets a new
folder, and those of what it held before are removed. All may be deleted at any time. Those of an
index that cannot be written to are in a folder of the user's: see `set_cache`.
"""

import hashlib
import json
import logging
import os
import shutil
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from tempfile import TemporaryFile
from typing import Any, Final, Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

from relsent_ir import __version__
from relsent_ir.errors import InputError, OutputError, RelsentError
from relsent_ir.models import Stored, check_folder, load_folder, save_folder

try:
    import fcntl
except ImportError:  # Windows has other locks; two builders there do the work twice
    fcntl = None  # type: ignore[assignment]

FOLDER: Final = "derived"
_LOCK: Final = ".lock"
_MEND: Final = "delete the folder"

_cache: Path | None = None

T = TypeVar("T")
Arrays = Mapping[str, NDArray[Any]]

_log = logging.getLogger(__name__)


class Holder(Protocol):
    """An open index, as much of it as is asked here."""

    @property
    def folder(self) -> Path:
        """The collection's folder."""
        ...

    @property
    def content(self) -> str:
        """A short name of all that it holds."""
        ...


class OpenIndex(Holder, Protocol):
    """An open index, as much of it as postings are read from."""

    unit: str
    reader: Any

    def id_lines(self) -> bytes:
        """Return all ids in Lucene's order, a line each."""
        ...


def open_derived(
    index: Holder,
    name: str,
    settings: Mapping[str, Any],
    build: Callable[[], Arrays],
    read: Callable[[Stored], T],
) -> T:
    """Read what was derived from an index; derive it first if it is not there.

    Of several processes that want the same at once, one builds and the others wait for it. What is
    read was written whole.

    Parameters
    ----------
    index : Index
    name : str
        What it is; a folder's name.
    settings : mapping of str to JSON value
        All that it depends on besides the index; kept in its ``model.json``.
    build : callable
        Gives the arrays.
    read : callable
        Makes of them what is wanted. Its KeyError and ValueError say that they are damaged.

    Raises
    ------
    InputError
        If it is damaged, or `build` says so.
    OutputError
        If it cannot be written.
    """
    path, content = _place(index, name, settings)
    folder = path.parent
    if path.is_dir():
        try:
            return _read(path, name, read)
        except InputError:
            if path.is_dir():
                raise
    with _locked(folder):
        if not path.is_dir():
            arrays = build()
            _remove_stale(folder, content)
            save_folder(path, name, settings, arrays)
        return _read(path, name, read)


def set_cache(folder: Path | None) -> None:
    """Choose where derived data are kept from now on; None is beside their index.

    Where an index cannot be written to they are kept in ``$XDG_CACHE_HOME/relsent-ir``
    (``~/.cache/relsent-ir``).
    """
    global _cache
    _cache = folder


def _homes(folder: Path) -> list[Path]:
    """The folders that may hold what is derived from a collection, the one to prefer first."""
    mark = _digest(str(folder.resolve()))
    if _cache is not None:
        return [_cache / mark]
    base = os.environ.get("XDG_CACHE_HOME") or "~/.cache"
    return [folder / FOLDER, Path(base).expanduser() / "relsent-ir" / mark]


def _writable(folder: Path) -> bool:
    while not folder.exists() and folder != folder.parent:
        folder = folder.parent
    return not folder.is_dir() or os.access(folder, os.W_OK)  # what is in the way is told later


def older(index: Holder, name: str, settings: Mapping[str, Any]) -> list[Stored]:
    """What was derived, by the same settings and version, from what an index held before.

    To be asked by what builds: it is removed then, but what is mapped of it stays readable.
    """
    path, _ = _place(index, name, settings)
    found = []
    for other in sorted(path.parent.glob(f"*-{_digest(settings)}")):
        with suppress(RelsentError):
            stored = load_folder(other)
            if stored.facts.get("version") == __version__:
                found.append(stored)
    return found


def scratch(
    index: Holder, name: str, settings: Mapping[str, Any], dtype: Any, size: int
) -> NDArray[Any]:
    """Give an array to build in, in a file beside what is built, which ends with the array."""
    if not size:
        return np.empty(0, dtype)
    folder = _place(index, name, settings)[0].parent
    try:
        with TemporaryFile(dir=folder) as file:
            return np.memmap(file, dtype, "w+", shape=(size,))
    except OSError as error:
        raise OutputError(f"cannot be written: {error.strerror}", where=folder) from error


class Spool:
    """A long array that is written piece by piece, to a file beside what is built of it.

    Parameters
    ----------
    index, name : Index, str
        As for `open_derived`.
    dtype : dtype
    """

    def __init__(self, index: Holder, name: str, settings: Mapping[str, Any], dtype: Any) -> None:
        self._folder = _place(index, name, settings)[0].parent
        self._dtype = np.dtype(dtype)
        self._size = 0
        with self._told():
            self._file = TemporaryFile(dir=self._folder)  # noqa: SIM115 (`array` closes it)

    def add(self, piece: NDArray[Any]) -> None:
        """Write a piece."""
        with self._told():
            self._file.write(np.ascontiguousarray(piece, self._dtype).data)
        self._size += len(piece)

    def array(self) -> NDArray[Any]:
        """Give the whole; nothing can be written any more, and the file ends with the array."""
        with self._told(), self._file as file:
            file.flush()
            if not self._size:
                return np.empty(0, self._dtype)
            return np.memmap(file, self._dtype, "r", shape=(self._size,))

    @contextmanager
    def _told(self) -> Iterator[None]:
        try:
            yield
        except OSError as error:
            problem = f"cannot be written: {error.strerror}"
            raise OutputError(problem, where=self._folder) from error


def is_derived(index: Holder, name: str, settings: Mapping[str, Any]) -> bool:
    """Whether it is there, as `open_derived` would read it."""
    return _place(index, name, settings)[0].is_dir()


def _place(index: Holder, name: str, settings: Mapping[str, Any]) -> tuple[Path, str]:
    """Where it is, or would be, and how the names of all begin that are of the same content."""
    content = _digest(__version__, index.content)
    leaf = f"{content}-{_digest(settings)}"
    folders = [home / name for home in _homes(index.folder)]
    there = (folder for folder in folders if (folder / leaf).is_dir())
    chosen = next(there, None) or next(filter(_writable, folders), folders[0])
    return chosen / leaf, content


def check_derived(folder: Path) -> int:
    """Compare all that was derived from a collection with its checksums; count the stores.

    Beside it, in the user's cache and in that of `set_cache`.

    Raises
    ------
    InputError
        If one is damaged.
    """
    homes = {folder / FOLDER: None} | dict.fromkeys(_homes(folder))
    stores = [path for home in homes for path in sorted(home.glob("*/*-*")) if path.is_dir()]
    for path in stores:
        try:
            check_folder(load_folder(path))
        except InputError as error:
            raise InputError(error.problem, where=error.where, fix=_MEND) from error
    return len(stores)


def _digest(*facts: object) -> str:
    return hashlib.blake2b(json.dumps(facts).encode(), digest_size=6).hexdigest()


def _read(path: Path, name: str, read: Callable[[Stored], T]) -> T:
    try:
        return read(load_folder(path))
    except InputError as error:
        raise InputError(error.problem, where=error.where, fix=_MEND) from error
    except (KeyError, ValueError) as error:
        problem = f"the derived data ({name}) are damaged: {error}"
        raise InputError(problem, where=path, fix=_MEND) from error


@contextmanager
def _locked(folder: Path) -> Iterator[None]:
    """Be the only one to write in a folder; the lock goes with the process that holds it."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        lock = (folder / _LOCK).open("ab")
    except OSError as error:
        raise OutputError(f"cannot be written: {error.strerror}", where=folder) from error
    with lock:
        if fcntl:
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                _log.warning("%s: waiting for another process that builds it", folder)
                fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def _remove_stale(folder: Path, content: str) -> None:
    """Remove what was derived from another content, and what a killed process left half written."""
    for other in folder.iterdir():
        if other.name != _LOCK and not other.name.startswith(content):
            with suppress(OSError):
                shutil.rmtree(other)
