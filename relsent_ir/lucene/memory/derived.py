"""Derived data: arrays computed once from an index, stored beside it and mapped into memory.

They are in ``DIR/derived/NAME/``, each in a folder whose name is a digest of all that they depend
on: the content of the index (or of both indexes), the settings, and the edition of the builder, a
number that is raised when its formats or formulas change. A changed index gets a new folder, and
folders of its earlier content are removed. All of them may be deleted at any time. If the index
cannot be written to, they are in a folder of the user: see `relsent_ir.files.set_cache`.
"""

import hashlib
import json
import logging
import os
import secrets
import shutil
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryFile
from typing import Any, Final, Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

from relsent_ir import files
from relsent_ir.engines import need_folder
from relsent_ir.errors import InputError, RelsentError
from relsent_ir.files import output_errors
from relsent_ir.models import Stored, check_folder, load_folder, save_folder
from relsent_ir.models.folders import take_space

try:
    import fcntl
except ImportError:  # Windows has other locks; there, two builders both do the work
    fcntl = None  # type: ignore[assignment]

FOLDER: Final = "derived"
_LOCK: Final = ".lock"
_MEND: Final = "delete the folder"


T = TypeVar("T")
Arrays = Mapping[str, NDArray[Any]]

_log = logging.getLogger(__name__)


class Contents(Protocol):
    """The source of derived data: an open index, or both indexes of a collection.

    Attributes
    ----------
    folder : Path
        The folder of the collection.
    unit : str
        The unit of the index, or ``both``.
    """

    folder: Path
    unit: str

    @property
    def content(self) -> str:
        """A short digest of the whole content."""

    def is_current(self) -> bool:
        """Return whether the open content is still the current one on disk."""


class OpenIndex(Contents, Protocol):
    """An open index, with the methods needed to read its postings."""

    reader: Any

    def call(self, method: str, *arguments: Any) -> Any:
        """Call one of our static methods; raise an error if the index is closed meanwhile."""
        ...

    def id_lines(self) -> bytes:
        """Return all ids in Lucene's order, one to a line."""
        ...


@dataclass(frozen=True, eq=False)
class Derived:
    """Arrays that are derived from an index by one builder.

    Attributes
    ----------
    source : Contents
        The part of the collection that is read: an `Index`, or both `Indexes`.
    name : str
        The name of the data, which is the name of their folder.
    settings : mapping of str to JSON value
        All else that they depend on, such as digests of models; stored in its ``model.json``.
    edition : int
        The edition of the builder; raise it when the builder would compute other arrays.
    """

    source: Contents
    name: str
    settings: Mapping[str, Any]
    edition: int = 1

    def open(self, build: Callable[[], Arrays], read: Callable[[Stored], T]) -> T:
        """Read the data; compute them first if they are missing.

        If several processes need the same data, one computes them and the others wait. Data that
        are read have always been written completely.

        Parameters
        ----------
        build : callable
            Returns the arrays.
        read : callable
            Makes the object from the arrays; a KeyError or ValueError means that they are damaged.

        Raises
        ------
        InputError
            If the data are damaged, or `build` raises it.
        OutputError
            If the data cannot be written.
        """
        need_folder(self.source.folder)
        path = self._path()
        if path.is_dir():
            try:
                return self._read(path, read)
            except InputError:  # the data may have been removed meanwhile, so take the lock
                if not _writable(path.parent):
                    raise
        with _locked(path.parent):
            if not path.is_dir():
                arrays = build()
                self._clear(path.parent)
                # beside the settings: what the name of the folder depends on
                source, edition = self.source, self.edition
                origin = {"unit": source.unit, "content": source.content, "edition": edition}
                facts = {"derived": {**origin, "settings": list(self.settings)}}
                save_folder(path, self.name, {**self.settings, **facts}, arrays)
            return self._read(path, read)

    def exists(self) -> bool:
        """Return whether the data exist, so that `open` would read them."""
        return self._path().is_dir()

    def older(self) -> list[Stored]:
        """Return the data that the same builder derived from earlier contents of the index.

        Call it in `build`: they are removed afterwards, but what is mapped stays readable.
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
        """Return a file in which an interrupted build can leave its progress for the next one.

        The build removes the file when it has finished.
        """
        path = self._path()
        return path.with_name(f".{path.name}.{kind}")

    def scratch(self, dtype: Any, size: int) -> NDArray[Any]:
        """Return a temporary array for a build, in a file beside the data; it ends with the array.

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
        """Return a long array that is written in pieces."""
        return Spool(self._path().parent, dtype)

    def _path(self) -> Path:
        """Return the folder of the data, whether it exists or not."""
        leaf = _leaf(self.source.content, self.edition, self.settings)
        return derived_place(self.source.folder, self.name, leaf)

    def _clear(self, folder: Path) -> None:
        """Remove data derived from earlier contents, and files of killed processes.

        A process that opened the index before a change does not remove data of processes that
        opened it after the change.
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
                    shutil.rmtree(away)  # after renaming, so that no process finds a part

    def _read(self, path: Path, read: Callable[[Stored], T]) -> T:
        try:
            return read(load_folder(path, trusted=True))
        except InputError as error:
            raise InputError(error.problem, where=error.where, fix=_MEND) from error
        except (KeyError, ValueError) as error:
            problem = f"the derived data ({self.name}) are damaged: {error}"
            raise InputError(problem, where=path, fix=_MEND) from error


class Spool:
    """A long array that is written in pieces, to a file in the folder of the derived data."""

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
        """Return the whole array; no more can be added, and the file is deleted with the array."""
        with output_errors(self._folder), self._file as file:
            file.flush()
            if not self._size:
                return np.empty(0, self._dtype)
            return np.memmap(file, self._dtype, "r", shape=(self._size,))


def derived_place(folder: Path, name: str, leaf: str) -> Path:
    """Return the folder for derived data: beside a collection, or in the cache.

    Parameters
    ----------
    folder : Path
        The folder of the collection.
    name, leaf : str
        The name of the data, and the name of their folder.
    """
    folders = [home / name for home in _homes(folder)]
    there = (place for place in folders if (place / leaf).is_dir())
    return (next(there, None) or next(filter(_writable, folders), folders[0])) / leaf


def _homes(folder: Path) -> list[Path]:
    """Return the folders that may hold derived data of a collection, the preferred one first."""
    mark = _digest(str(folder.resolve()))
    if files.chosen_cache is not None:
        return [files.chosen_cache / mark]
    return [folder / FOLDER, files.cache_home() / mark]


def _writable(folder: Path) -> bool:
    while not folder.exists() and folder != folder.parent:
        folder = folder.parent
    return not folder.is_dir() or os.access(folder, os.W_OK)  # writing then raises an error


def check_derived(folder: Path, contents: Mapping[str, str]) -> tuple[int, int]:
    """Check the checksums and folder names of all data derived from a collection.

    Folders beside it, in the user's cache and in the cache of `files.set_cache` are checked.

    Parameters
    ----------
    folder : Path
    contents : mapping of unit to str
        The contents of the indexes, as `Contents.content`.

    Returns
    -------
    (int, int)
        Numbers of data of these contents and of older contents.

    Raises
    ------
    InputError
        If data are damaged, or their folder has the name of other data.
    """
    homes = {folder / FOLDER: None} | dict.fromkeys(_homes(folder))
    # The data are in the folder of this name, or in one of several folders in it.
    stores = [
        path
        for home in homes
        for path in sorted([*home.glob("*/[!.]*-*"), *home.glob("*/*/[!.]*-*")])
        if path.is_dir()
    ]
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
    """Return the data in all folders ``NAME/…``, of any content and settings."""
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


def _origin(stored: Stored) -> dict[str, Any] | None:
    """Return what the name of stored data depends on; None for data of an older version."""
    origin = stored.facts.get("derived")
    readable = isinstance(origin, dict) and isinstance(origin.get("settings"), list)
    return origin if readable else None


def _leaf(content: Any, edition: Any, settings: Mapping[str, Any]) -> str:
    """Return the name of a folder; its first half changes with the content."""
    return f"{_digest(content, edition)}-{_digest(settings)}"


def _digest(*facts: object) -> str:
    return hashlib.blake2b(json.dumps(facts).encode(), digest_size=6).hexdigest()


@contextmanager
def _locked(folder: Path) -> Iterator[None]:
    """Hold the folder's write lock; the system releases it when the process ends."""
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
