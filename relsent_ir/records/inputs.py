"""The files that ``--input`` names: files and folders, in any mixture of formats."""

import logging
from collections.abc import Iterable, Iterator
from pathlib import Path

from relsent_ir.errors import InputError
from relsent_ir.files import input_errors, standard_input
from relsent_ir.records.detect import detect_format, require_format
from relsent_ir.records.reading import check_format

_LOG = logging.getLogger("relsent_ir")
_NAMED = 3


def list_inputs(
    paths: Iterable[str | Path],
    format: str | None = None,  # noqa: A002  (as in `read_records`)
) -> tuple[list[tuple[Path, str]], list[Path]]:
    """Find the files that hold records.

    Parameters
    ----------
    paths : iterable of str or Path
        Files, and folders: of these the files at any depth, sorted by path, but for hidden ones.
        ``-`` is standard input.
    format : str, optional
        The format of every file; found out file by file if not given.

    Returns
    -------
    files : list of (Path, str)
        Each file with its format, once, even if it is reached twice.
    skipped : list of Path
        The files in folders that hold no records. One warning counts and names them.

    Raises
    ------
    UsageError
        There is no such format.
    InputError
        A file or folder cannot be read; a named file, or a whole folder, holds no records.
    """
    if format is not None:
        check_format(format)
    files: dict[tuple[int, int], tuple[Path, str]] = {}
    skipped: dict[tuple[int, int], Path] = {}
    for path in map(Path, paths):
        if str(path) == "-":
            path = standard_input()
        with input_errors(path):
            for file, name in _formats(path, format):
                if name:
                    files.setdefault(_identity(file), (file, name))
                else:
                    skipped.setdefault(_identity(file), file)
    left_out = list(skipped.values())
    if left_out:
        names = ", ".join(map(str, left_out[:_NAMED])) + (", …" if len(left_out) > _NAMED else "")
        _LOG.warning("skipped %d files that hold no records: %s", len(left_out), names)
    return list(files.values()), left_out


def _formats(path: Path, forced: str | None) -> list[tuple[Path, str | None]]:
    """Give each file that a path names, with its format."""
    if not path.is_dir():
        return [(path, forced or require_format(path))]
    formats = [(file, forced or detect_format(file)) for file in _files_under(path)]
    if not any(name for _, name in formats):
        raise InputError(
            "no file in this folder holds records", where=path, fix="name the records' folder"
        )
    return formats


def _files_under(folder: Path, above: frozenset[tuple[int, int]] = frozenset()) -> Iterator[Path]:
    """Yield the files of a folder at any depth, links followed, hidden ones left out."""
    if _identity(folder) in above:
        return  # a link to a folder that holds it
    for member in sorted(folder.iterdir()):
        if member.name.startswith("."):
            continue
        if member.is_dir():
            yield from _files_under(member, above | {_identity(folder)})
        elif member.is_file() or not member.exists():  # to read a dead link is an error
            yield member


def _identity(path: Path) -> tuple[int, int]:
    status = path.stat()
    return status.st_dev, status.st_ino
