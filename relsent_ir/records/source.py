"""The bytes and lines of an input file; gzip is unpacked, whatever the file's name."""

import codecs
import logging
import re
from collections.abc import Iterator
from itertools import chain
from pathlib import Path

from relsent_ir.errors import InputError
from relsent_ir.files import open_bytes

_LOG = logging.getLogger("relsent_ir")

CHUNK = 1 << 16
"""Bytes unpacked at a time."""

MAX_RECORD = 1 << 26
"""Largest size of a record in bytes; MEDLINE's largest have a few million."""

HEAD = 1 << 16
"""Bytes from which the format of a file is recognised."""

BOM = b"\xef\xbb\xbf"
"""The byte order mark that some programs write before UTF-8."""

_WIDE = re.compile(rb"(?:[\t\n\r -~]\0){8}|(?:\0[\t\n\r -~]){8}")
"""UTF-16 without a byte order mark."""

MASK = bytes(byte & 0x7F for byte in range(256))
"""A table for `bytes.translate` that clears the highest bit of every byte."""


def read_chunks(path: Path) -> Iterator[bytes]:
    """Yield the unpacked content of a file in pieces.

    Raises
    ------
    InputError
        If the file cannot be opened or read, or its gzip data are truncated or damaged; all before
        the fault has been yielded by then.
    """
    if path.exists() and not path.is_file() and not path.is_dir():
        raise InputError("is no regular file", where=path, fix="name a file")
    with open_bytes(path, empty=True) as file:
        while chunk := file.read1(CHUNK):
            yield chunk


def read_text_chunks(path: Path) -> Iterator[bytes]:
    """Yield the pieces of `read_chunks`; convert UTF-16, and lines that end in CR alone."""
    chunks = read_chunks(path)
    first = next(chunks, b"")
    while 0 < len(first) < len(BOM) and (more := next(chunks, b"")):
        first += more
    if first.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)) or _WIDE.match(first):
        order = {1: "-le", 0: "-be"}.get(first.find(b"\0", 0, 2), "")
        decoder = codecs.getincrementaldecoder(f"utf-16{order}")()
        try:
            for chunk in chain((first,), chunks):
                yield decoder.decode(chunk).encode()
            decoder.decode(b"", final=True)
        except UnicodeError as error:
            raise InputError("damaged UTF-16", where=path, fix="convert it to UTF-8") from error
    elif b"\r" in first and b"\n" not in first:
        yield from (chunk.replace(b"\r", b"\n") for chunk in chain((first,), chunks))
    elif first:
        yield first
        yield from chunks


def read_whole(path: Path, most: int, problem: str, fix: str) -> bytes:
    """Return the whole unpacked content of a file.

    Parameters
    ----------
    path : Path
    most : int
        Largest number of bytes.
    problem, fix : str
        The error's texts if there are more.

    Raises
    ------
    InputError
        As `read_chunks`, and if the content is longer than `most`.
    """
    chunks: list[bytes] = []
    size = 0
    for chunk in read_text_chunks(path):
        chunks.append(chunk)
        size += len(chunk)
        if size > most:
            raise InputError(problem, where=path, fix=fix)
    return b"".join(chunks)


def read_head(path: Path, *, text: bool = False) -> bytes:
    """Return the beginning of the unpacked content: `HEAD` bytes, or as many as can be read.

    With `text`, return the beginning of the output of `read_text_chunks`.

    Raises
    ------
    InputError
        As `read_chunks`, if not even the first bytes can be read.
    """
    head = b""
    try:
        for chunk in (read_text_chunks if text else read_chunks)(path):
            head += chunk
            if len(head) >= HEAD:
                break
    except InputError:
        if not head:
            raise
    return head[:HEAD]


def read_lines(path: Path, *, mask: bool = False, latin: bool = False) -> Iterator[tuple[int, str]]:
    """Yield the lines of a UTF-8 file without line ends, with their numbers from 1.

    Parameters
    ----------
    path : Path
    mask : bool
        Clear the highest bit of every byte first.
    latin : bool
        Read lines that are not UTF-8 as Windows does (cp1252), with one warning.

    Raises
    ------
    InputError
        As `read_chunks`; also for bytes that are not UTF-8, unless `latin`, and for a line that
        exceeds the largest size of a record.
    """
    number = 0
    warned = False
    for block in _line_blocks(path):
        data = block.translate(MASK) if mask else block
        if not number:
            data = data.removeprefix(BOM)
        bad = None
        try:
            lines = data.decode().split("\n")
        except UnicodeDecodeError as error:
            if latin:
                if not warned:
                    place = number + 1 + data.count(b"\n", 0, error.start)
                    _LOG.warning("%s:%d: not UTF-8: such lines are read as Latin-1", path, place)
                warned = True
                lines = [_latin(line) for line in data.split(b"\n")]
            else:
                bad = data[error.start]
                lines = data[: data.rfind(b"\n", 0, error.start) + 1].decode().split("\n")[:-1]
        for line in lines:
            number += 1
            yield number, line.removesuffix("\r")
        if bad is not None:
            raise InputError(
                f"byte 0x{bad:02X} is not UTF-8",
                where=f"{path}:{number + 1}",
                fix="convert the file to UTF-8, for instance with iconv",
            )


def _latin(line: bytes) -> str:
    try:
        return line.decode()
    except UnicodeDecodeError:
        return line.decode("cp1252", "replace")


def _line_blocks(path: Path) -> Iterator[bytes]:
    """Yield blocks of whole lines, without the line end of the last."""
    parts: list[bytes] = []
    size = 0
    number = 1
    for chunk in read_text_chunks(path):
        head, newline, tail = chunk.rpartition(b"\n")
        if newline:
            yield b"".join((*parts, head))
            parts, size = [], 0
            number += head.count(b"\n") + 1
        parts.append(tail)
        size += len(tail)
        if size > MAX_RECORD:
            raise InputError(
                f"a line is longer than {MAX_RECORD >> 20} MB",
                where=f"{path}:{number}",
                fix="check the file's format",
            )
    if size:
        yield b"".join(parts)
