"""The files that ``--input`` names: files and folders, in any mixture of formats."""

import logging
from collections.abc import Iterable, Iterator
from pathlib import Path

from relsent_ir.collection.detect import detect_format, require_format
from relsent_ir.errors import InputError

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
    InputError
        A file or folder cannot be read; a named file, or a whole folder, holds no records.
    """
    files: dict[tuple[int, int], tuple[Path, str]] = {}
    skipped: dict[tuple[int, int], Path] = {}
    for path in map(Path, paths):
        if not path.is_dir():
            name = format or require_format(path)
            files.setdefault(_identity(path), (path, name))
            continue
        guesses = [(file, format or detect_format(file)) for file in _files_under(path)]
        if not any(guess for _, guess in guesses):
            raise InputError(
                "no file in this folder holds records", where=path, fix="name the right folder"
            )
        for file, guess in guesses:
            if guess:
                files.setdefault(_identity(file), (file, guess))
            else:
                skipped.setdefault(_identity(file), file)
    left_out = list(skipped.values())
    if left_out:
        names = ", ".join(map(str, left_out[:_NAMED])) + (", …" if len(left_out) > _NAMED else "")
        _LOG.warning("skipped %d files that hold no records: %s", len(left_out), names)
    return list(files.values()), left_out


def _files_under(folder: Path, above: frozenset[tuple[int, int]] = frozenset()) -> Iterator[Path]:
    """Yield the files of a folder at any depth, links followed, hidden ones left out."""
    if _identity(folder) in above:
        return  # a link to a folder that it is in
    try:
        members = sorted(member for member in folder.iterdir() if member.name[0] != ".")
    except OSError as error:
        raise InputError(
            f"cannot be read ({error.strerror})", where=folder, fix="check its permissions"
        ) from error
    for member in members:
        if member.is_dir():
            yield from _files_under(member, above | {_identity(folder)})
        elif member.is_file() or not member.exists():  # a dead link is an error when it is read
            yield member


def _identity(path: Path) -> tuple[int, int]:
    status = path.stat()
    return status.st_dev, status.st_ino
