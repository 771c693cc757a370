"""The bytes and lines of an input file, unpacked if it is gzipped, whatever its name."""

import gzip
import zlib
from collections.abc import Iterator
from pathlib import Path

from relsent_ir.errors import InputError

CHUNK = 1 << 15
"""Bytes that are unpacked at a time."""

MAX_RECORD = 1 << 26
"""Bytes that a record may have; MEDLINE's longest have a few million."""

HEAD = 1 << 16
"""Bytes by which a file's format is recognised."""

BOM = b"\xef\xbb\xbf"
"""The mark that some programs write before UTF-8."""

MASK = bytes(byte & 0x7F for byte in range(256))
"""A table for `bytes.translate` that clears the highest bit of every byte."""

_GZIP = b"\x1f\x8b"


def read_chunks(path: Path) -> Iterator[bytes]:
    """Yield the unpacked content of a file, piece by piece.

    Raises
    ------
    InputError
        The file cannot be opened or read, or its gzip data are cut off or damaged; everything
        up to that place has been yielded.
    """
    if path.exists() and not path.is_file():
        kind = "a folder" if path.is_dir() else "no regular file"
        raise InputError(f"is {kind}", where=path, fix="name a file")
    try:
        with path.open("rb") as file:
            packed = file.peek(2).startswith(_GZIP)
            stream = gzip.GzipFile(fileobj=file) if packed else file
            while chunk := stream.read1(CHUNK):
                yield chunk
    except EOFError as error:
        raise InputError(
            "the gzip data end too early", where=path, fix="fetch or copy the file again"
        ) from error
    except (gzip.BadGzipFile, zlib.error) as error:
        raise InputError(
            f"the gzip data are damaged ({error})", where=path, fix="fetch or copy the file again"
        ) from error
    except FileNotFoundError as error:
        raise InputError("there is no such file", where=path, fix="check the path") from error
    except OSError as error:
        raise InputError(
            f"cannot be read ({error.strerror or error})", where=path, fix="check its permissions"
        ) from error


def read_head(path: Path) -> bytes:
    """Give the beginning of the unpacked content: `HEAD` bytes, or all if there are fewer."""
    head = b""
    for chunk in read_chunks(path):
        head += chunk
        if len(head) >= HEAD:
            break
    return head[:HEAD]


def read_lines(path: Path, *, mask: bool = False) -> Iterator[tuple[int, str]]:
    """Yield the lines of a UTF-8 file with their numbers, from 1, without their ends.

    Parameters
    ----------
    path : Path
    mask : bool
        Clear the highest bit of every byte first.

    Raises
    ------
    InputError
        As `read_chunks`; also bytes that are not UTF-8, and a line that is longer than a record
        may be.
    """
    number = 0
    for block in _line_blocks(path):
        data = block.translate(MASK) if mask else block
        if not number:
            data = data.removeprefix(BOM)
        try:
            lines = data.decode().split("\n")
        except UnicodeDecodeError as error:
            bad_line = number + 1 + data.count(b"\n", 0, error.start)
            raise InputError(
                f"byte 0x{data[error.start]:02X} is not UTF-8",
                where=f"{path}:{bad_line}",
                fix="convert the file to UTF-8, for instance with iconv",
            ) from error
        for line in lines:
            number += 1
            yield number, line.removesuffix("\r")


def _line_blocks(path: Path) -> Iterator[bytes]:
    """Yield runs of whole lines, without the last line's end."""
    parts: list[bytes] = []
    size = 0
    for chunk in read_chunks(path):
        head, newline, tail = chunk.rpartition(b"\n")
        if newline:
            yield b"".join((*parts, head))
            parts, size = [], 0
        parts.append(tail)
        size += len(tail)
        if size > MAX_RECORD:
            raise InputError(
                f"a line is longer than {MAX_RECORD >> 20} MB", where=path, fix="break it up"
            )
    if size:
        yield b"".join(parts)
