"""Files of a fetched archive, without unpacking it."""

import lzma
import tarfile
import zipfile
import zlib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final

from relsent_ir.errors import InputError

_PACKING: Final = (zlib.error, lzma.LZMAError)


def members(archive: Path) -> Iterator[tuple[str, bytes]]:
    """Yield name and content of each file of a gzipped tar archive or a zip archive.

    Raises
    ------
    InputError
        If it is neither, or damaged.
    """
    try:
        if zipfile.is_zipfile(archive):
            with zipfile.ZipFile(archive) as zipped:
                for entry in zipped.infolist():
                    if not entry.is_dir():
                        yield entry.filename, zipped.read(entry)
        else:
            with tarfile.open(archive, "r:gz") as tar:
                for member in tar:
                    if member.isfile() and (content := tar.extractfile(member)):
                        yield member.name, content.read()
    except (tarfile.TarError, zipfile.BadZipFile, EOFError, OSError, *_PACKING) as e:
        raise InputError(f"the archive is damaged: {e}", where=archive, fix="remove it") from e


def input_of(archive: Path, texts: Mapping[str, bytes], name: str) -> bytes:
    """Return a file among the files of an archive.

    Raises
    ------
    InputError
        If it is missing.
    """
    if name not in texts:
        raise InputError(f"there is no {name} in it", where=archive)
    return texts[name]
