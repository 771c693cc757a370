"""Where a collection's files come from: a folder on this machine, or the web."""

import shutil
from dataclasses import dataclass
from pathlib import Path

from relsent_ir.datasets.checksum import Check
from relsent_ir.datasets.download import download, writing
from relsent_ir.errors import InputError
from relsent_ir.files import atomic_bytes
from relsent_ir.typing import Progress


@dataclass(frozen=True, slots=True)
class Origin:
    """The folder that files are copied from, or else the web address that they are fetched from.

    Attributes
    ----------
    web : str
        Ends with a slash.
    folder : Path, optional
        If given, the web is not used.
    """

    web: str
    folder: Path | None = None

    def bring(self, name: str, path: Path, checksum: Check, tick: Progress) -> bool:
        """Bring the file `name` to `path`; give False if it is there, whole and unchanged.

        Raises
        ------
        MissingError
            If the web cannot be reached, or does not have the file.
        InputError
            If the folder does not have the file, or its sum is wrong.
        OutputError
            If the file cannot be written.
        """
        if self.folder is None:
            return download(self.web + name, path, checksum, tick)
        return _copy(self.folder / name, path, checksum)


def _copy(source: Path, path: Path, checksum: Check) -> bool:
    with writing(path):
        if checksum.holds(path):
            return False
    try:
        problem = checksum.problem(source)
    except OSError as error:
        raise InputError(
            f"cannot read: {error.strerror or error}", where=source, fix="see docs/collections.md"
        ) from error
    if problem:
        raise InputError(problem, where=source, fix="take the collection's own file, unchanged")
    with source.open("rb") as content, atomic_bytes(path) as copy:
        shutil.copyfileobj(content, copy, 1 << 20)
    return True
