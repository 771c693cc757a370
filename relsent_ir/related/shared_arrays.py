"""Arrays shared with worker processes through memory-mapped files."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
from numpy.typing import NDArray

from relsent_ir import models
from relsent_ir.errors import InputError, OutputError
from relsent_ir.executor import SERIAL, Executor


@dataclass(frozen=True)
class Arrays:
    """Arrays by name, which cross to other processes by path.

    Attributes
    ----------
    folder : Path or None
        Where their files are; None if they stay in this process.
    kept : dict of str to ndarray
        If they do.
    """

    folder: Path | None
    kept: Mapping[str, NDArray[Any]] = field(default_factory=dict)

    def read(self) -> Mapping[str, NDArray[Any]]:
        """Return them, mapped into memory.

        Raises
        ------
        InputError
            If the folder is not to be seen from here.
        """
        if self.folder is None:
            return self.kept
        found = {path.stem: read_array(path) for path in sorted(self.folder.glob("*.npy"))}
        if not found:
            raise InputError(
                "a worker cannot see this folder",
                where=self.folder,
                fix="name one that all machines share",
            )
        return found


@dataclass(frozen=True)
class Shelf:
    """Arrays that are there while a block of code runs, and who works on them."""

    executor: Executor
    arrays: Arrays
    _numbers: Iterator[int] = field(default_factory=count)

    def put(self, array: NDArray[Any]) -> "Path | NDArray[Any]":
        """Show an array to who works: they get it by `look`."""
        if self.arrays.folder is None:
            return array
        path = self.arrays.folder / "given" / f"{next(self._numbers)}.npy"
        _write(path, array)
        path.with_name(f"{int(path.stem) - 2}.npy").unlink(missing_ok=True)  # nobody wants it now
        return path


def look(given: "Path | NDArray[Any]") -> NDArray[Any]:
    """Read what `Shelf.put` gave."""
    return read_array(given) if isinstance(given, Path) else given


def read_array(path: Path) -> NDArray[Any]:
    """Map an array of a file.

    Raises
    ------
    InputError
        If it is not there, or cannot be read.
    """
    try:
        return np.asarray(models.read_array(path))
    except FileNotFoundError as error:
        raise InputError("cannot be read: it is not there", where=path) from error


def _write(path: Path, array: NDArray[Any]) -> None:
    try:
        path.parent.mkdir(exist_ok=True)
        np.save(path, array, allow_pickle=False)
    except OSError as error:
        raise OutputError(f"cannot be written: {error.strerror or error}", where=path) from error


@dataclass(frozen=True)
class Workshop:
    """Somewhere to work on large arrays.

    Attributes
    ----------
    executor : Executor
    folder : Path or None
        What all who work can see; None if only this process does.
    """

    executor: Executor = SERIAL
    folder: Path | None = None

    @contextmanager
    def shelf(self, arrays: Mapping[str, NDArray[Any]]) -> Iterator[Shelf]:
        """Show arrays to who works, until the end of the block.

        Raises
        ------
        OutputError
            If they cannot be written.
        """
        if self.folder is None:
            yield Shelf(self.executor, Arrays(None, arrays))
            return
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            place = TemporaryDirectory(dir=self.folder.absolute(), prefix=".work-")
        except OSError as error:
            problem = f"cannot be written: {error.strerror}"
            raise OutputError(problem, where=self.folder) from error
        with place as name:
            for called, array in arrays.items():
                _write(Path(name, f"{called}.npy"), array)
            yield Shelf(self.executor, Arrays(Path(name)))
