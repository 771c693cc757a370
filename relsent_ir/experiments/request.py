"""What an experiment is asked for, where its data are, and what it gives back."""

import os
from dataclasses import dataclass, field
from pathlib import Path

from relsent_ir.errors import MissingError
from relsent_ir.typing import Progress


def silent(_done: int, _total: int | None) -> None:
    """Show no progress."""


@dataclass(frozen=True)
class Request:
    """How an experiment is to be run.

    Attributes
    ----------
    full : bool
        Also what takes long, such as ablations, and the texts that the page only names.
    example : Path or None
        A file of the user's with texts that may not be in the repository.
    indexes : Path
        The folder in which collections' indexes are, or are built.
    progress : callable
        Gets what is done and the total, or None.
    """

    full: bool = False
    example: Path | None = None
    indexes: Path = Path("indexes")
    progress: Progress = silent


class Steps:
    """Counts what an experiment has done, where nobody knows how much there is.

    Parameters
    ----------
    request : Request
        Whose progress is told.
    """

    def __init__(self, request: Request) -> None:
        self._progress, self._done = request.progress, 0

    def __call__(self) -> None:
        """Tell of one more step."""
        self._done += 1
        self._progress(self._done, None)


@dataclass(frozen=True)
class Page:
    """What an experiment found.

    Attributes
    ----------
    text : str
        The page, in Markdown.
    plots : dict of str to bytes
        SVG files by name, which the text refers to as NAME.svg.
    texts : str
        What may not be in the repository, such as sentences; "" if there is nothing.
    """

    text: str
    plots: dict[str, bytes] = field(default_factory=dict)
    texts: str = ""


def data_path(*parts: str) -> Path:
    """A file or folder below the folder that the environment variable RELSENT_DATA names.

    Raises
    ------
    MissingError
        If the variable is not set, or the file is not there.
    """
    folder = os.environ.get("RELSENT_DATA")
    if not folder:
        raise MissingError(
            "the collections are missing: RELSENT_DATA is not set",
            fix="set it to the folder that holds them",
        )
    path = Path(folder, *parts)
    if not path.exists():
        raise MissingError("the collection is missing", where=path)
    return path
