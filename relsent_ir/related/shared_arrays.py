"""Arrays shared with worker processes through memory-mapped files."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from numpy.typing import NDArray

from relsent_ir import models
from relsent_ir.errors import InputError
from relsent_ir.executor import SERIAL, Executor
from relsent_ir.files import output_errors


@dataclass(frozen=True)
class SharedArrays:
    """Arrays by name, which cross to other processes by path.

    Attributes
    ----------
    folder : Path or None
        The folder of their files; None if they stay in this process.
    local : dict of str to ndarray
        The arrays that stay in this process.
    """

    folder: Path | None
    local: Mapping[str, NDArray[Any]] = field(default_factory=dict)

    def read(self) -> Mapping[str, NDArray[Any]]:
        """Return the arrays, mapped into memory.

        Raises
        ------
        InputError
            If the folder cannot be seen from here.
        """
        if self.folder is None:
            return self.local
        arrays = {path.stem: receive(path) for path in sorted(self.folder.glob("*.npy"))}
        if not arrays:
            raise InputError(
                "a worker cannot see this folder",
                where=self.folder,
                fix="name one that all machines share",
            )
        return arrays

    def send(self, array: NDArray[Any]) -> "Path | NDArray[Any]":
        """Return an array in the form that `receive` takes; only the last two remain."""
        if self.folder is None:
            return array
        folder = self.folder / "sent"
        number = 1 + max((int(path.stem) for path in folder.glob("*.npy")), default=-1)
        path = folder / f"{number}.npy"
        _write(path, array)
        path.with_name(f"{number - 2}.npy").unlink(missing_ok=True)
        return path


def receive(sent: "Path | NDArray[Any]") -> NDArray[Any]:
    """Return the array of `SharedArrays.send`; map the one of a file into memory.

    Raises
    ------
    InputError
        If the file is not there, or cannot be read.
    """
    if not isinstance(sent, Path):
        return sent
    try:
        return models.read_array(sent)
    except FileNotFoundError as error:
        raise InputError("cannot be read: it is not there", where=sent) from error


def _write(path: Path, array: NDArray[Any]) -> None:
    with output_errors(path):
        path.parent.mkdir(exist_ok=True)
        models.write_array(path, array)


@dataclass(frozen=True)
class Workers:
    """An executor, and the folder through which it shares arrays.

    Attributes
    ----------
    executor : Executor
    folder : Path or None
        A folder that all workers see; None if they are in this process.
    """

    executor: Executor = SERIAL
    folder: Path | None = None

    @contextmanager
    def sharing(self, arrays: Mapping[str, NDArray[Any]]) -> Iterator[SharedArrays]:
        """Share arrays with the workers until the end of the block.

        Raises
        ------
        OutputError
            If they cannot be written.
        """
        if self.folder is None:
            yield SharedArrays(None, arrays)
            return
        with output_errors(self.folder):
            self.folder.mkdir(parents=True, exist_ok=True)
            place = TemporaryDirectory(dir=self.folder.absolute(), prefix=".work-")
        with place as folder:
            for name, array in arrays.items():
                _write(Path(folder, f"{name}.npy"), array)
            yield SharedArrays(Path(folder))
