"""Extract files from an untrusted tar archive, or copy them from a folder."""

import filecmp
import gzip
import os
import shutil
import tarfile
import tempfile
import zlib
from collections.abc import Callable, Collection, Iterator, Mapping
from functools import partial
from pathlib import Path, PurePosixPath
from typing import IO

from relsent_ir.datasets.download import writing
from relsent_ir.errors import InputError
from relsent_ir.files import open_bytes

MEMBERS = 10_000
"""More members than any known archive has."""

BYTES = 1 << 32
"""More bytes than any known archive has (OHSUMED: 0.4 GB)."""

Members = Iterator[tuple[str, Callable[[], IO[bytes] | None]]]


def extract(
    source: Path, scratch: Path, places: Mapping[str, Path], optional: Collection[str] = ()
) -> dict[Path, bool]:
    """Extract the requested files from an archive or a folder: all of them, or none.

    Only regular files are extracted from an archive, and only to the paths in `places`, so that no
    path, link or device of the archive itself is ever created.

    Parameters
    ----------
    source : Path
        A gzipped tar file, or a folder, which is searched recursively and whose files may be
        gzipped.
    scratch : Path
        A folder on the same file system as the places, for unfinished files.
    places : mapping from str to Path
        The names of the requested files, without folders, and the path for each. Of several files
        with the same name, the first is used.
    optional : collection of str
        Names of files that may be missing.

    Returns
    -------
    dict from Path to bool
        The files that were found, and whether each is new or has changed.

    Raises
    ------
    InputError
        If a file is missing; if the archive is damaged, too large, or has a member with a path
        outside its folder.
    OutputError
        If a file cannot be written.
    """
    members = _folder(source, places) if source.is_dir() else _archive(source)
    with writing(scratch):
        scratch.mkdir(parents=True, exist_ok=True)
    with writing(scratch / source.name), tempfile.TemporaryDirectory(dir=scratch) as folder:
        taken: dict[Path, Path] = {}
        try:
            for name, content in members:
                place = places.get(name)
                if place is None or place in taken:
                    continue
                taken[place] = Path(folder) / name
                stream = content()
                assert stream is not None  # of a regular file
                with stream, taken[place].open("wb") as copy:
                    shutil.copyfileobj(stream, copy, 1 << 20)
        except (tarfile.TarError, EOFError, gzip.BadGzipFile, zlib.error) as error:
            raise InputError(
                f"the archive is damaged: {error}", where=source, fix="fetch it again"
            ) from error
        missing = [name for name in places if places[name] not in taken and name not in optional]
        if missing:
            raise InputError(f"there is no {' and no '.join(missing)} in it", where=source)
        changed = {}
        for place, file in taken.items():
            # An index also compares the times of its source files: keep an identical file.
            changed[place] = not (place.is_file() and filecmp.cmp(file, place, shallow=False))
            if changed[place]:
                with writing(place):
                    place.parent.mkdir(parents=True, exist_ok=True)
                    file.replace(place)
        return changed


def _archive(source: Path) -> Members:
    size = 0
    with tarfile.open(source, "r:gz") as tar:
        for number, member in enumerate(tar):
            size += member.size
            if number >= MEMBERS or size > BYTES:
                raise InputError(
                    f"more than {MEMBERS:,} members or {BYTES:,} bytes unpacked", where=source
                )
            path = PurePosixPath(member.name)
            if path.is_absolute() or ".." in path.parts:
                raise InputError(
                    f"the member {member.name!r} wants to leave the folder; nothing was unpacked",
                    where=source,
                    fix="do not trust this archive",
                )
            if member.isfile():
                yield path.name, partial(tar.extractfile, member)


def _folder(source: Path, places: Mapping[str, Path]) -> Members:
    for folder, folders, names in os.walk(source):
        folders.sort()
        for name in sorted(names):
            path = Path(folder, name)
            if name.removesuffix(".gz") in places and path.is_file():
                yield name.removesuffix(".gz"), partial(open_bytes, path)
