"""Derived data: arrays that are built from an index once, stored beside it, and memory-mapped.

Each has a folder in ``DIR/derived/NAME/`` whose name is a digest of its inputs: the contents of the
index (of both, where both are read), the settings, and the edition of the builder, a number that is
raised whenever formats or formulas change. A changed index gets a new folder, and those of its
older contents are removed. All may be deleted at any time. Derived data of a read-only index are
stored in a cache of the user's: see `set_cache`.
"""

import hashlib
import json
import logging
import os
import secrets
import shutil
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from tempfile import TemporaryFile
from typing import Any, Final, Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

from relsent_ir.errors import InputError, RelsentError
from relsent_ir.files import cache_home, output_errors
from relsent_ir.models import Stored, check_folder, load_folder, save_folder
from relsent_ir.models.arrays import take_space

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


class Contents(Protocol):
    """The source of derived data: an open index, or both indexes of a collection."""

    @property
    def folder(self) -> Path:
        """The collection's folder."""
        ...

    @property
    def unit(self) -> str:
        """Which of the two indexes it is, or ``both``."""
        ...

    @property
    def content(self) -> str:
        """A short digest of its contents."""
        ...

    def is_current(self) -> bool:
        """Tell whether the index on disk is still the open one."""
        ...


class OpenIndex(Contents, Protocol):
    """An open index, with what reading postings needs."""

    reader: Any

    def call(self, method: str, *arguments: Any) -> Any:
        """Call a static method of our Java classes; fail if the index is closed meanwhile."""
        ...

    def id_lines(self) -> bytes:
        """Return all ids in Lucene's order, a line each."""
        ...


def open_derived(
    source: Contents,
    name: str,
    settings: Mapping[str, Any],
    build: Callable[[], Arrays],
    read: Callable[[Stored], T],
    *,
    edition: int = 1,
) -> T:
    """Read derived data of an index; build them first if they are missing (`Derived.open`)."""
    return Derived(source, name, settings, edition).open(build, read)


class Derived:
    """Arrays that are derived from an index in one way.

    Parameters
    ----------
    source : Contents
        The part of the collection that the builder reads: an `Index`, or both `Indexes`.
    name : str
        The name of the folder.
    settings : mapping of str to JSON value
        All other inputs, such as digests of models; stored in its ``model.json``.
    edition : int
        Of the builder; raised whenever it would build other arrays from the same inputs.
    """

    def __init__(
        self, source: Contents, name: str, settings: Mapping[str, Any], edition: int = 1
    ) -> None:
        self.source = source
        self.name = name
        self.settings = settings
        self.edition = edition

    def open(self, build: Callable[[], Arrays], read: Callable[[Stored], T]) -> T:
        """Read the arrays; build them first if they are missing.

        If several processes open the same data at once, one builds and the others wait for it.
        A folder that is read was written completely.

        Parameters
        ----------
        build : callable
            Returns the arrays.
        read : callable
            Converts them to the result; its KeyError and ValueError mean that they are damaged.

        Raises
        ------
        InputError
            If the arrays are damaged, or `build` raises it.
        OutputError
            If they cannot be written.
        """
        path = self._path()
        if path.is_dir():
            try:
                return self._read(path, read)
            except InputError:  # it may have been removed meanwhile, which needs the lock
                if not _writable(path.parent):
                    raise
        with _locked(path.parent):
            if not path.is_dir():
                arrays = build()
                self._clear(path.parent)
                save_folder(path, self.name, self._facts(), arrays)
            return self._read(path, read)

    def exists(self) -> bool:
        """Tell whether the arrays are stored already."""
        return self._path().is_dir()

    def older(self) -> list[Stored]:
        """Return data with the same settings that were derived from older contents of the index.

        Call it while building: they are removed afterwards, but mapped arrays stay readable.
        """
        leaf = _digest(self.settings)
        stores = []
        for other in sorted(self._path().parent.glob(f"*-{leaf}")):
            with suppress(RelsentError):
                stored = load_folder(other, trusted=True)
                if (_origin(stored) or {}).get("edition") == self.edition:
                    stores.append(stored)
        return stores

    def beside(self, kind: str) -> Path:
        """Return the file where a build may store its progress, so that a later one continues.

        The build that finishes removes it.
        """
        path = self._path()
        return path.with_name(f".{path.name}.{kind}")

    def scratch(self, dtype: Any, size: int) -> NDArray[Any]:
        """Return a work array in a file beside the result; the file lives as long as the array.

        Raises
        ------
        OutputError
            If the disk has no space for it.
        """
        if not size:
            return np.empty(0, dtype)
        folder = self._path().parent
        with output_errors(folder), TemporaryFile(dir=folder) as file:
            take_space(file, size * np.dtype(dtype).itemsize)
            return np.memmap(file, dtype, "r+", shape=(size,))

    def spool(self, dtype: Any) -> "Spool":
        """Return a long array that is written piece by piece."""
        return Spool(self._path().parent, dtype)

    def _path(self) -> Path:
        """Return the folder where the arrays are, or would be."""
        leaf = _leaf(self.source.content, self.edition, self.settings)
        return derived_place(self.source.folder, self.name, leaf)

    def _facts(self) -> dict[str, Any]:
        """Return the facts to store: the settings, and the parts of the folder's name."""
        source = self.source
        origin = {"unit": source.unit, "content": source.content, "edition": self.edition}
        return {**self.settings, "derived": {**origin, "settings": list(self.settings)}}

    def _clear(self, folder: Path) -> None:
        """Remove data of older contents, and remains of killed processes.

        A process that opened the index before a change removes nothing that processes with the
        changed index have built.
        """
        current = self.source.is_current()
        mine = self._path().name.partition("-")[0]
        for other in folder.iterdir():
            with suppress(OSError):
                if other.name.startswith(".") and other.name != _LOCK:
                    if other.is_dir():
                        shutil.rmtree(other)
                    elif current and not other.name.startswith(f".{mine}-"):
                        other.unlink()
                elif current and other.name != _LOCK and not other.name.startswith(mine):
                    away = other.rename(folder / f".{other.name}.{secrets.token_hex(4)}.old")
                    shutil.rmtree(away)  # renamed first: no process reads half of it

    def _read(self, path: Path, read: Callable[[Stored], T]) -> T:
        try:
            return read(load_folder(path, trusted=True))
        except InputError as error:
            raise InputError(error.problem, where=error.where, fix=_MEND) from error
        except (KeyError, ValueError) as error:
            problem = f"the derived data ({self.name}) are damaged: {error}"
            raise InputError(problem, where=path, fix=_MEND) from error


class Spool:
    """A long array that is written piece by piece to a temporary file."""

    def __init__(self, folder: Path, dtype: Any) -> None:
        self._folder = folder
        self._dtype = np.dtype(dtype)
        self._size = 0
        with output_errors(folder):
            self._file = TemporaryFile(dir=folder)  # noqa: SIM115 (`array` closes it)

    def add(self, piece: NDArray[Any]) -> None:
        """Append a piece."""
        with output_errors(self._folder):
            self._file.write(np.ascontiguousarray(piece, self._dtype).data)
        self._size += len(piece)

    def array(self) -> NDArray[Any]:
        """Close the spool and return the whole array; the file lives as long as the array."""
        with output_errors(self._folder), self._file as file:
            file.flush()
            if not self._size:
                return np.empty(0, self._dtype)
            return np.memmap(file, self._dtype, "r", shape=(self._size,))


def set_cache(folder: Path | None) -> None:
    """Set the folder of derived data from now on; None stores them beside their index.

    Those of a read-only index are stored in ``$XDG_CACHE_HOME/relsent-ir`` then
    (``~/.cache/relsent-ir``).
    """
    global _cache
    _cache = folder


def derived_place(folder: Path, name: str, leaf: str) -> Path:
    """Return where a folder of derived data is, or would be: beside a collection, or in the cache.

    Parameters
    ----------
    folder : Path
        The collection's folder.
    name, leaf : str
        The names of the data and of their folder.
    """
    folders = [home / name for home in _homes(folder)]
    existing = (place for place in folders if (place / leaf).is_dir())
    return (next(existing, None) or next(filter(_writable, folders), folders[0])) / leaf


def _homes(folder: Path) -> list[Path]:
    """Return the possible folders of a collection's derived data, the preferred one first."""
    mark = _digest(str(folder.resolve()))
    if _cache is not None:
        return [_cache / mark]
    return [folder / FOLDER, cache_home() / mark]


def _writable(folder: Path) -> bool:
    while not folder.exists() and folder != folder.parent:
        folder = folder.parent
    return not folder.is_dir() or os.access(folder, os.W_OK)  # a file in the way fails later


def check_derived(folder: Path, contents: Mapping[str, str]) -> tuple[int, int]:
    """Check the checksums and folder names of all derived data of a collection.

    Data beside it, in the user's cache and in that of `set_cache` are checked.

    Parameters
    ----------
    folder : Path
    contents : mapping of unit to str
        The digests of the indexes: `Contents.content`.

    Returns
    -------
    (int, int)
        How many are of these contents, and how many of older ones.

    Raises
    ------
    InputError
        If data are damaged, or their folder has another name than their inputs give.
    """
    homes = {folder / FOLDER: None} | dict.fromkeys(_homes(folder))
    stores = [path for home in homes for path in _stores(home)]
    current = 0
    for path in stores:
        try:
            stored = load_folder(path, trusted=True)
            check_folder(stored)
        except InputError as error:
            raise InputError(error.problem, where=error.where, fix=_MEND) from error
        origin = _origin(stored)
        if origin is not None:
            settings = {name: stored.facts.get(name) for name in origin["settings"]}
            leaf = _leaf(origin.get("content"), origin.get("edition"), settings)
            if leaf != path.name:
                raise InputError("it was made of something else", where=path, fix=_MEND)
            current += contents.get(origin.get("unit", "")) == origin.get("content")
    return current, len(stores) - current


def derived_stores(source: Contents, name: str) -> list[Stored]:
    """Return all data in the folders below ``NAME/``, of any contents and settings."""
    paths = [
        path for home in _homes(source.folder) for path in sorted((home / name).glob("*/[!.]*-*"))
    ]
    stores = []
    for path in paths:
        with suppress(RelsentError):
            stored = load_folder(path, trusted=True)
            if _origin(stored):
                stores.append(stored)
    return stores


def _stores(home: Path) -> list[Path]:
    """Return the folders of all derived data, one or two levels below a folder."""
    paths = [*home.glob("*/[!.]*-*"), *home.glob("*/*/[!.]*-*")]
    return sorted(path for path in paths if path.is_dir())


def _origin(stored: Stored) -> dict[str, Any] | None:
    """Return the parts of the folder name of stored data; None for an earlier version's data."""
    origin = stored.facts.get("derived")
    readable = isinstance(origin, dict) and isinstance(origin.get("settings"), list)
    return origin if readable else None


def _leaf(content: Any, edition: Any, settings: Mapping[str, Any]) -> str:
    """Return the name of a folder; its first half depends on the content, not on the settings."""
    return f"{_digest(content, edition)}-{_digest(settings)}"


def _digest(*facts: object) -> str:
    return hashlib.blake2b(json.dumps(facts).encode(), digest_size=6).hexdigest()


@contextmanager
def _locked(folder: Path) -> Iterator[None]:
    """Hold the lock for writing in a folder; it is released when its process ends."""
    with output_errors(folder):
        folder.mkdir(parents=True, exist_ok=True)
        lock = (folder / _LOCK).open("ab")
    with lock:
        if fcntl:
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                _log.warning("%s: waiting for another process that builds it", folder)
                fcntl.flock(lock, fcntl.LOCK_EX)
        yield
