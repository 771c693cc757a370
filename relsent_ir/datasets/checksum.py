"""What a complete file looks like: its sum, and its size where that is known."""

import gzip
import hashlib
import zlib
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol


class Check(Protocol):
    """What tells whether a file is whole."""

    @property
    def size(self) -> int | None:
        """Its bytes, if they are known."""

    def problem(self, path: Path) -> str | None:
        """Say what is wrong with the file, or None if it is whole and unchanged."""

    def holds(self, path: Path) -> bool:
        """Whether there is a file at `path`, whole and unchanged."""


@dataclass(frozen=True, slots=True)
class Checksum:
    """The sum that a whole and unchanged file has.

    Attributes
    ----------
    algorithm : str
        "sha256" or "md5".
    digest : str
        In hexadecimal, lower case.
    size : int, optional
        In bytes.
    """

    algorithm: str
    digest: str
    size: int | None = None

    def problem(self, path: Path) -> str | None:
        """Say in what the file differs, or None if it is whole and unchanged.

        Raises
        ------
        OSError
            If the file cannot be read.
        """
        size = path.stat().st_size
        if self.size is not None and size != self.size:
            return f"the file has {size:,} bytes where {self.size:,} are expected"
        with path.open("rb") as file:
            found = hashlib.file_digest(
                file, lambda: hashlib.new(self.algorithm, usedforsecurity=False)
            ).hexdigest()
        if found != self.digest:
            return f"its {self.algorithm} sum is {found} where {self.digest} is expected"
        return None

    def holds(self, path: Path) -> bool:
        """Whether there is a file at `path`, whole and unchanged."""
        return path.is_file() and self.problem(path) is None


class Gzipped:
    """Tells whether a gzipped file is whole, of which no sum is published: by the sum inside it."""

    size = None

    def problem(self, path: Path) -> str | None:
        """Say that the file is no gzip file or is cut, or None if it unpacks to its end.

        Raises
        ------
        OSError
            If the file cannot be read.
        """
        try:
            with gzip.open(path) as file:
                while file.read(1 << 20):
                    pass
        except (EOFError, zlib.error, gzip.BadGzipFile) as error:
            return f"the file cannot be unpacked to its end ({error})"
        return None

    def holds(self, path: Path) -> bool:
        """Whether there is a file at `path` that unpacks to its end."""
        return path.is_file() and self.problem(path) is None
