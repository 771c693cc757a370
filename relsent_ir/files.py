"""Files for all readers and writers: gzip or plain to read, whole or not at all to write.

Reading turns every fault into an `InputError` that names the file, wherever the bytes are used
(also in an XML parser). Writing turns every fault into an `OutputError` and leaves an existing file
unchanged.
"""

import atexit
import errno
import glob
import gzip
import hashlib
import io
import os
import secrets
import shutil
import stat
import sys
import tempfile
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext, suppress
from contextvars import ContextVar
from functools import cache
from pathlib import Path
from typing import IO, Any, BinaryIO, Self, TextIO, cast

from relsent_ir.errors import InputError, OutputError, UsageError

try:
    import fcntl
except ImportError:  # on Windows, unfinished files of killed processes stay
    fcntl = None  # type: ignore[assignment]

LARGEST_TEXT = 1 << 28
"""Size in bytes, unpacked, up to which a text is read whole: topics, questions, word lists."""

LARGEST_RATIO = 200
"""How many times its size a file over `_UNSUSPECTED` may unpack to; text reaches 3 to 20 times."""

_UNSUSPECTED = 1 << 25
_BUFFER = 1 << 17
_told: ContextVar[Callable[[int], None] | None] = ContextVar("told", default=None)


def open_bytes(
    path: str | Path, *, empty: bool = False, most: int | None = None
) -> "io.BufferedReader[Any]":
    """Open a file for reading; unpack it if its first bytes are gzip's, whatever its name.

    All readers of the package open files here. The bytes that come out are limited by
    `LARGEST_RATIO` and by `most`.

    Parameters
    ----------
    path : str or Path
        ``-`` is standard input.
    empty : bool
        Accept an empty file too.
    most : int, optional
        Largest number of bytes that the file may hold, unpacked.

    Raises
    ------
    InputError
        If there is no such file, or it is a folder, empty or unreadable; and from any later read,
        if the file turns out to be truncated, damaged or too large.
    """
    if not isinstance(path, str | Path):
        raise UsageError(f"not a path: {path!r:.60}", fix="pass a str or a pathlib.Path")
    file = io.BufferedReader(_Guarded(Path(path), most), _BUFFER)
    try:
        if not empty and not file.peek(1):
            raise InputError("the file is empty", where=path)
    except BaseException:
        file.close()
        raise
    return file


@contextmanager
def tell_bytes(tell: Callable[[int], None]) -> Iterator[None]:
    """Report the bytes read, before unpacking, of each file that is opened in the block."""
    token = _told.set(tell)
    try:
        yield
    finally:
        _told.reset(token)


@contextmanager
def open_text(path: str | Path) -> Iterator[TextIO]:
    r"""Open a UTF-8 text file as `open_bytes` does; drop a byte order mark, read CRLF as ``\n``.

    The file may have at most `LARGEST_TEXT` bytes.

    Raises
    ------
    InputError
        As `open_bytes`, and if a line is not UTF-8.
    """
    source = open_bytes(path, most=LARGEST_TEXT)
    with source as file, io.TextIOWrapper(file, encoding="utf-8-sig") as text:
        try:
            yield text
        except UnicodeDecodeError as error:
            raise InputError(
                "not UTF-8", where=_first_bad_line(Path(path)), fix="convert the file to UTF-8"
            ) from error


@contextmanager
def atomic_writer(path: str | Path) -> Iterator[TextIO]:
    r"""Write a UTF-8 text file with ``\n`` line ends, as `atomic_bytes` does.

    It is gzipped if its name ends in ``.gz``; equal texts give equal bytes.
    """
    with atomic_bytes(path) as file:
        stream: IO[bytes] = file
        if Path(path).suffix == ".gz":
            stream = cast(IO[bytes], gzip.GzipFile("", "wb", 6, file, mtime=0))
        with io.TextIOWrapper(stream, encoding="utf-8", newline="\n") as text:
            yield text


@contextmanager
def atomic_bytes(path: str | Path) -> Iterator[BinaryIO]:
    """Write a file whole or not at all; create missing folders of its path.

    The bytes go to a hidden file in the same folder, which is renamed to `path` when the block ends
    without an error, and deleted otherwise. Devices and pipes (``/dev/stdout``) and standard output
    (``-``) are written directly.

    Raises
    ------
    OutputError
        If the file cannot be written: no permission, no space, a folder in the way.
    """
    target = Path(path)
    with output_errors(path):
        if str(path) == "-":
            sys.stdout.flush()
            with os.fdopen(os.dup(1), "wb") as file:
                yield cast(BinaryIO, file)
            return
        if target.is_dir():
            raise OutputError("this is a folder", where=path, fix="name a file in it")
        if target.exists() and not target.is_file():
            with target.open("wb") as file:
                yield cast(BinaryIO, file)
            return
        target = real_path(target)  # replace the file that a link points to
        target.parent.mkdir(parents=True, exist_ok=True)
        with unfinished(target) as beside:
            with beside.open("wb") as file:
                yield file
            if target.exists():
                beside.chmod(stat.S_IMODE(target.stat().st_mode))
            beside.replace(target)


@contextmanager
def unfinished(target: Path, *, folder: bool = False) -> Iterator[Path]:
    """Create a file or folder beside a target, to be renamed to it, or removed after the block.

    Those of killed processes are removed too: the lock of each ends with its process.
    """
    name = f".{target.name[:100]}."
    if fcntl:
        for other in target.parent.glob(f"{glob.escape(name)}{'[0-9a-f]' * 8}.tmp"):
            with suppress(OSError), locked(other):
                shutil.rmtree(other) if other.is_dir() else other.unlink()
    beside = target.parent / f"{name}{secrets.token_hex(4)}.new"  # .tmp as soon as it is locked
    if folder:
        beside.mkdir()
    else:
        beside.touch(exist_ok=False)
    try:
        with locked(beside, needed=folder):
            beside = beside.rename(beside.with_suffix(".tmp"))
            yield beside
    finally:
        if folder:
            shutil.rmtree(beside, ignore_errors=True)
        else:
            with suppress(OSError):
                beside.unlink(missing_ok=True)


@contextmanager
def locked(path: Path, *, needed: bool = True) -> Iterator[None]:
    """Hold the lock of a file or folder, on systems that have locks.

    Raises
    ------
    OSError
        If another process holds it, or the file system has no locks; never unless `needed`.
    """
    if fcntl is None:
        yield
        return
    handle = os.open(path, os.O_RDONLY)
    try:
        with nullcontext() if needed else suppress(OSError):
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        yield
    finally:
        os.close(handle)


def real_path(path: Path) -> Path:
    """Follow links; raise OSError for a link to itself (Python 3.11 raises RuntimeError)."""
    try:
        return path.resolve()
    except RuntimeError as error:
        raise OSError(errno.ELOOP, os.strerror(errno.ELOOP), str(path)) from error


@cache
def standard_input() -> Path:
    """Copy standard input to a file that can be read repeatedly and is deleted at exit."""
    folder = Path(tempfile.mkdtemp(prefix="relsent-ir-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    path = folder / "standard-input"
    with path.open("wb") as file:
        shutil.copyfileobj(sys.stdin.buffer, file)
    return path


chosen_cache: Path | None = None
"""The folder of derived data; None for beside their index, or else in `cache_home`."""


def set_cache(folder: Path | None) -> None:
    """Choose the folder of derived data from now on; with None they are stored beside their index.

    Where an index cannot be written to, they are stored in ``$XDG_CACHE_HOME/relsent-ir``
    (``~/.cache/relsent-ir``).
    """
    global chosen_cache
    chosen_cache = folder


def cache_home() -> Path:
    """Return the user's cache folder, in ``$XDG_CACHE_HOME`` or ``~/.cache``.

    Raises
    ------
    RuntimeError
        If the user has no home folder.
    """
    return Path(os.environ.get("XDG_CACHE_HOME") or "~/.cache").expanduser() / "relsent-ir"


def sha256(path: Path) -> str:
    """Return the checksum of a file's bytes, in hex digits.

    Raises
    ------
    OSError
        If the file cannot be read.
    """
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def file_facts(path: Path) -> dict[str, str]:
    """Return the name and the checksum of a file from which a model was trained."""
    return {"name": path.name, "sha256": sha256(path)}


@contextmanager
def input_errors(path: str | Path) -> Iterator[None]:
    """Turn errors of reading a file or folder into an `InputError`."""
    try:
        yield
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
    except IsADirectoryError as error:
        raise InputError("is a folder", where=path, fix="name a file") from error
    except OSError as error:
        raise InputError(
            f"cannot be read ({error.strerror or error})", where=path, fix="check its permissions"
        ) from error


@contextmanager
def output_errors(path: str | Path, fix: str | None = None) -> Iterator[None]:
    """Turn errors of writing a file or folder into an `OutputError`."""
    try:
        yield
    except OSError as error:
        problem = f"cannot be written: {error.strerror or error}"
        raise OutputError(problem, where=path, fix=fix) from error


class Closing:
    """Close a resource at the end of a ``with`` block."""

    def close(self) -> None:
        """Release what is open: nothing, unless a subclass says what."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class _Guarded(io.RawIOBase):
    """Read the unpacked bytes of a file; faults are raised as `InputError`."""

    def __init__(self, path: Path, most: int | None) -> None:
        self._path = path
        self._given = 0
        self._most = most or sys.maxsize
        with input_errors(path):
            self._file = (standard_input() if str(path) == "-" else path).open("rb")
            self._stream: IO[bytes] = self._file
            self._tell = _told.get()
            if self._file.peek(2)[:2] == b"\x1f\x8b":
                packed = os.fstat(self._file.fileno()).st_size
                self._most = min(self._most, max(_UNSUSPECTED, LARGEST_RATIO * packed))
                self._stream = cast(IO[bytes], gzip.GzipFile(fileobj=self._file))

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: "memoryview | bytearray") -> int:  # type: ignore[override]
        with input_errors(self._path):  # before damaged bytes, read1 still returns the sound ones
            data: bytes = self._stream.read1(len(buffer))  # type: ignore[attr-defined]
        self._given += len(data)
        if self._tell:
            self._tell(self._file.tell())
        if self._given > self._most:
            raise InputError(
                f"it holds more than {self._most >> 20:,} MB",
                where=self._path,
                fix="unpack or split it, if it is what you mean",
            )
        buffer[: len(data)] = data
        return len(data)

    def close(self) -> None:
        if hasattr(self, "_file"):
            self._file.close()
        super().close()


def _first_bad_line(path: Path) -> str:
    """Return the place of the first line that is not UTF-8, as ``file:line``."""
    if path.is_file():
        with open_bytes(path) as file:
            for number, line in enumerate(file, 1):
                try:
                    line.decode()
                except UnicodeDecodeError:
                    return f"{path}:{number}"
    return str(path)
