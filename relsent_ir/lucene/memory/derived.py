"""Derived data: arrays that are made from an index once, kept beside it, and mapped into memory.

They are in ``DIR/derived/NAME/``, each in a folder that is named by all that it is made of: what
the index holds (both indexes, where both are read), the settings, and the edition of its builder,
a number that is raised whenever its formats or formulas change. A changed index gets a new folder,
and those of what it held before are removed. All may be deleted at any time. Those of an index that
cannot be written to are in a folder of the user's: see `relsent_ir.files.set_cache`.
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

from relsent_ir import files
from relsent_ir.engines import need_folder
from relsent_ir.errors import InputError, RelsentError
from relsent_ir.files import output_errors
from relsent_ir.models import Stored, check_folder, load_folder, save_folder
from relsent_ir.models.arrays import take_space

try:
    import fcntl
except ImportError:  # Windows has other locks; two builders there do the work twice
    fcntl = None  # type: ignore[assignment]

FOLDER: Final = "derived"
_LOCK: Final = ".lock"
_MEND: Final = "delete the folder"


T = TypeVar("T")
Arrays = Mapping[str, NDArray[Any]]

_log = logging.getLogger(__name__)


class Contents(Protocol):
    """The source of derived data: an open index, or both of a collection.

    Attributes
    ----------
    folder : Path
        The collection's folder.
    unit : str
        Which of the two indexes it is, or ``both``.
    """

    folder: Path
    unit: str

    @property
    def content(self) -> str:
        """A short digest of all that it holds."""

    def is_current(self) -> bool:
        """Tell whether what is on disk is still what is open."""


class OpenIndex(Contents, Protocol):
    """An open index, as much of it as postings are read from."""

    reader: Any

    def call(self, method: str, *arguments: Any) -> Any:
        """Call a static method of ours; an index that is closed meanwhile is an error."""
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
    """Read what was derived from an index; derive it first if it is not there: `Derived.open`."""
    return Derived(source, name, settings, edition).open(build, read)


class Derived:
    """Arrays that are derived from an index in one way.

    Parameters
    ----------
    source : Contents
        All that is read of the collection: an `Index`, or both `Indexes`.
    name : str
        What it is; a folder's name.
    settings : mapping of str to JSON value
        All that it depends on besides, digests of models too; kept in its ``model.json``.
    edition : int
        Of the builder: another one whenever it would make other arrays of the same.
    """

    def __init__(
        self, source: Contents, name: str, settings: Mapping[str, Any], edition: int = 1
    ) -> None:
        self.source = source
        self.name = name
        self.settings = settings
        self.edition = edition

    def open(self, build: Callable[[], Arrays], read: Callable[[Stored], T]) -> T:
        """Read it; build it first if it is not there.

        Of several processes that want the same at once, one builds and the others wait for it.
        What is read was written whole.

        Parameters
        ----------
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
        need_folder(self.source.folder)
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
        """Tell whether it is there, as `open` would read it."""
        return self._path().is_dir()

    def older(self) -> list[Stored]:
        """Return what was derived in the same way from what the index held before.

        To be called by what builds: it is removed then, but what is mapped of it stays readable.
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
        """Return the file that a build may keep its progress in, so that another goes on with it.

        Whoever has built removes it.
        """
        path = self._path()
        return path.with_name(f".{path.name}.{kind}")

    def scratch(self, dtype: Any, size: int) -> NDArray[Any]:
        """Return an array to build in, in a file beside what is built, which ends with the array.

        Raises
        ------
        OutputError
            If there is no space for it.
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
        """Where it is, or would be."""
        leaf = _leaf(self.source.content, self.edition, self.settings)
        return derived_place(self.source.folder, self.name, leaf)

    def _facts(self) -> dict[str, Any]:
        """Return what is stored beside the arrays: the settings, and what the name is made of."""
        source = self.source
        origin = {"unit": source.unit, "content": source.content, "edition": self.edition}
        return {**self.settings, "derived": {**origin, "settings": list(self.settings)}}

    def _clear(self, folder: Path) -> None:
        """Remove what was derived from older contents, and what killed processes left behind.

        An index may have been opened before it changed: who has it open still removes nothing of
        those who have opened it since.
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
                    shutil.rmtree(away)  # nobody finds half of it

    def _read(self, path: Path, read: Callable[[Stored], T]) -> T:
        try:
            return read(load_folder(path, trusted=True))
        except InputError as error:
            raise InputError(error.problem, where=error.where, fix=_MEND) from error
        except (KeyError, ValueError) as error:
            problem = f"the derived data ({self.name}) are damaged: {error}"
            raise InputError(problem, where=path, fix=_MEND) from error


class Spool:
    """A long array that is written piece by piece, to a file beside what is built of it."""

    def __init__(self, folder: Path, dtype: Any) -> None:
        self._folder = folder
        self._dtype = np.dtype(dtype)
        self._size = 0
        with output_errors(folder):
            self._file = TemporaryFile(dir=folder)  # noqa: SIM115 (`array` closes it)

    def add(self, piece: NDArray[Any]) -> None:
        """Write a piece."""
        with output_errors(self._folder):
            self._file.write(np.ascontiguousarray(piece, self._dtype).data)
        self._size += len(piece)

    def array(self) -> NDArray[Any]:
        """Return the whole; nothing can be written any more, and the file ends with the array."""
        with output_errors(self._folder), self._file as file:
            file.flush()
            if not self._size:
                return np.empty(0, self._dtype)
            return np.memmap(file, self._dtype, "r", shape=(self._size,))


def derived_place(folder: Path, name: str, leaf: str) -> Path:
    """Return where a folder of derived data is, or would be: beside a collection, or in the cache.

    Parameters
    ----------
    folder : Path
        The collection's folder.
    name, leaf : str
        What is derived, and the name of the one that is wanted.
    """
    folders = [home / name for home in _homes(folder)]
    there = (place for place in folders if (place / leaf).is_dir())
    return (next(there, None) or next(filter(_writable, folders), folders[0])) / leaf


def _homes(folder: Path) -> list[Path]:
    """Return the folders that may hold what is derived from a collection, the best one first."""
    mark = _digest(str(folder.resolve()))
    if files.chosen_cache is not None:
        return [files.chosen_cache / mark]
    return [folder / FOLDER, files.cache_home() / mark]


def _writable(folder: Path) -> bool:
    while not folder.exists() and folder != folder.parent:
        folder = folder.parent
    return not folder.is_dir() or os.access(folder, os.W_OK)  # what is in the way is told later


def check_derived(folder: Path, contents: Mapping[str, str]) -> tuple[int, int]:
    """Check all that was derived from a collection: its checksums, and the names of the folders.

    Beside it, in the user's cache and in that of `files.set_cache`.

    Parameters
    ----------
    folder : Path
    contents : mapping of unit to str
        What the indexes hold: `Contents.content`.

    Returns
    -------
    (int, int)
        How many are of these contents, and how many of older ones.

    Raises
    ------
    InputError
        If one is damaged, or has the name of another.
    """
    homes = {folder / FOLDER: None} | dict.fromkeys(_homes(folder))
    # In a folder of its name, or in one of several of that name.
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
    """Return what lies in the folders of a folder, ``NAME/…``, of any contents and settings."""
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
    """Return what the name of stored data is made of; None of an earlier version's."""
    origin = stored.facts.get("derived")
    readable = isinstance(origin, dict) and isinstance(origin.get("settings"), list)
    return origin if readable else None


def _leaf(content: Any, edition: Any, settings: Mapping[str, Any]) -> str:
    """Return the name of a folder, of which the first half is another when the content is."""
    return f"{_digest(content, edition)}-{_digest(settings)}"


def _digest(*facts: object) -> str:
    return hashlib.blake2b(json.dumps(facts).encode(), digest_size=6).hexdigest()


@contextmanager
def _locked(folder: Path) -> Iterator[None]:
    """Be the only one to write in a folder; the lock goes with the process that holds it."""
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
