"""Fetch files from a folder or the web: with checksums, resumable, several at a time.

A file being downloaded grows as ``.NAME.part`` beside its final place (hidden, so that it is not
indexed); ``.NAME.part.version`` has the server's name for its version (ETag or Last-Modified). The
next attempt, or the next run, only requests the rest of this version (RFC 9110, 13.1.5 and 14.2).
"""

import gzip
import hashlib
import re
import shutil
import zlib
from collections.abc import Callable, Sequence
from concurrent.futures import FIRST_EXCEPTION, ThreadPoolExecutor, wait
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from threading import Lock

from relsent_ir.datasets.web import CutError, RangeError, blocks, open_url, persist, shown
from relsent_ir.errors import InputError
from relsent_ir.files import atomic_bytes, output_errors
from relsent_ir.typing import Progress


class Check:
    """A test of whether a file is complete; subclasses describe the problem."""

    size: int | None = None
    """The size of the file in bytes, if it is known."""

    def problem(self, path: Path) -> str | None:
        """Return the problem with the file, or None if it is complete and unchanged.

        Raises
        ------
        OSError
            If the file cannot be read.
        """
        raise NotImplementedError

    def holds(self, path: Path) -> bool:
        """Return whether there is a complete and unchanged file at `path`."""
        return path.is_file() and self.problem(path) is None


@dataclass(frozen=True, slots=True)
class Checksum(Check):
    """The checksum of a complete and unchanged file.

    Attributes
    ----------
    algorithm : str
        "sha256" or "md5".
    digest : str
        The digest in lower-case hexadecimal.
    size : int, optional
        The size in bytes.
    """

    algorithm: str
    digest: str
    size: int | None = None

    def problem(self, path: Path) -> str | None:
        """Return the difference, or None if the file is complete and unchanged."""
        size = path.stat().st_size
        if self.size is not None and size != self.size:
            return f"the file has {size:,} bytes where {self.size:,} are expected"
        with path.open("rb") as file:
            digest = hashlib.file_digest(
                file, lambda: hashlib.new(self.algorithm, usedforsecurity=False)
            ).hexdigest()
        if digest != self.digest:
            return f"its {self.algorithm} sum is {digest} where {self.digest} is expected"
        return None


class Gzipped(Check):
    """Check a gzipped file without a published checksum by the checksum inside it."""

    def problem(self, path: Path) -> str | None:
        """Return the error of unpacking the file, or None if it can be unpacked to its end."""
        try:
            with gzip.open(path) as file:
                while file.read(1 << 20):
                    pass
        except (EOFError, zlib.error, gzip.BadGzipFile) as error:
            return f"the file cannot be unpacked to its end ({error})"
        return None


HEADER = re.compile(r"[ -~]+")
"""Characters that are allowed in a header."""


def part_of(tick: Progress, before: int, total: int | None) -> Progress:
    """Return the callback for one of several files, after `before` bytes of `total`."""
    return lambda done, _total: tick(before + done, total)


def writing(path: Path) -> AbstractContextManager[None]:
    """Turn errors of the operating system into an `OutputError` about `path`."""
    return output_errors(path, "choose another folder with --output")


def download(
    url: str, path: Path, checksum: Check, tick: Progress = lambda _done, _total: None
) -> bool:
    """Download the file at `url` to `path`, unless it exists.

    Parameters
    ----------
    url : str
        An http or https address.
    path : Path
        The place of the file, where it appears only if it is complete and its checksum is right.
    checksum : Check
        The checksum of the file.
    tick : callable
        Called with the number of bytes received and the total (None if the server does not say).

    Returns
    -------
    bool
        Whether the file was downloaded.

    Raises
    ------
    MissingError
        If the server cannot be reached, does not have the file, or fails repeatedly.
    InputError
        If the checksum is wrong; the partial file is then deleted.
    OutputError
        If the file cannot be written.
    """
    part = path.with_name(f".{path.name}.part")
    version = path.with_name(f".{path.name}.part.version")
    with writing(path):
        if checksum.holds(path):
            return False
        if not checksum.holds(part):
            persist(
                lambda: _receive(url, part, version, checksum.size, tick), url, lambda: _size(part)
            )
            problem = checksum.problem(part)
            if problem:
                part.unlink()
                version.unlink(missing_ok=True)
                raise InputError(
                    f"{problem}; the partial file was deleted",
                    where=shown(url),
                    fix="try again, or name a mirror with --url",
                )
        part.replace(path)
        version.unlink(missing_ok=True)
    return True


def _receive(url: str, part: Path, version: Path, size: int | None, tick: Progress) -> None:
    """Append the missing bytes to `part`; start again if the file on the server has changed."""
    tag = version.read_text("latin-1") if version.is_file() else ""
    if not HEADER.fullmatch(tag):
        tag = ""
    done = _size(part) if tag else 0
    headers = {"Range": f"bytes={done}-", "If-Range": tag} if done else {}
    try:
        response = open_url(url, headers)
    except RangeError:
        part.unlink()
        raise
    with response:
        if response.status != 206 or not done:
            done = 0
        elif not (response.headers["Content-Range"] or "").startswith(f"bytes {done}-"):
            part.unlink()
            raise CutError("the server sent another part than we asked for")
        total = None if response.length is None else done + response.length
        part.parent.mkdir(parents=True, exist_ok=True)
        with part.open("ab" if done else "wb") as file:
            if not done:
                # For If-Range: a strong ETag, or else the date, or else nothing.
                tag = str(response.headers["ETag"] or "")
                date = str(response.headers["Last-Modified"] or "")
                version.write_text(tag if tag.startswith('"') else date, "latin-1")
            tick(done, total)
            # One byte more than the size suffices to refuse a file; an endless answer must end.
            for block in blocks(response, None if size is None else size + 1 - done):
                file.write(block)
                done += len(block)
                tick(done, total)


def _size(path: Path) -> int:
    return path.stat().st_size if path.is_file() else 0


@dataclass(frozen=True, slots=True)
class Origin:
    """The folder from which files are copied, or the URL from which they are downloaded.

    Attributes
    ----------
    web : str
        A URL that ends with a slash.
    folder : Path, optional
        A local folder; if it is given, the web is not used.
    """

    web: str
    folder: Path | None = None

    def bring(self, name: str, path: Path, checksum: Check, tick: Progress) -> bool:
        """Fetch the file `name` to `path`; return False if a complete and unchanged one exists.

        Raises
        ------
        MissingError
            If the web server cannot be reached, or does not have the file.
        InputError
            If the folder does not have the file, or its checksum is wrong.
        OutputError
            If the file cannot be written.
        """
        if self.folder is None:
            return download(self.web + name, path, checksum, tick)
        return _copy(self.folder / name, path, checksum)

    def bring_all(self, files: Sequence[tuple[str, Path, Check]], tick: Progress) -> list[bool]:
        """Fetch files of known sizes one after another; yield the result of `bring` for each."""
        total, done, new = sum(check.size or 0 for _, _, check in files), 0, []
        for name, path, check in files:
            new.append(self.bring(name, path, check, part_of(tick, done, total)))
            done += check.size or 0
            tick(done, total)
        return new


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


MOST = 4
"""Largest number of connections that we open to a server."""


class _StoppedError(Exception):
    """Another job has failed, or the user has interrupted the work."""


def all_at_once(
    jobs: Sequence[Callable[[Progress], bool]], connections: int, tick: Progress, total: int | None
) -> list[bool]:
    """Run jobs in several threads, and yield their results in order.

    Parameters
    ----------
    jobs : sequence of callable
        Each is called with a callback for the bytes done, in which it may be ended.
    connections : int
        Number of jobs that run at the same time.
    tick : callable
        Called with the bytes done by all jobs and `total`, from one thread at a time.
    total : int, optional

    Raises
    ------
    Exception
        The first that a job raised; the other jobs are ended at their next callback, and can be
        resumed later.
    """
    lock = Lock()
    done = [0] * len(jobs)
    stopped = False

    def run(number: int) -> bool:
        nonlocal stopped

        def report(bytes_done: int, _total: int | None) -> None:
            with lock:
                if stopped:
                    raise _StoppedError
                done[number] = bytes_done
                tick(sum(done), total)

        try:
            report(0, None)
            return jobs[number](report)
        except BaseException:
            stopped = True
            raise

    with ThreadPoolExecutor(connections) as pool:
        futures = [pool.submit(run, number) for number in range(len(jobs))]
        try:
            wait(futures, return_when=FIRST_EXCEPTION)
        finally:
            stopped = True
            pool.shutdown(cancel_futures=True)
    ended = [future for future in futures if not future.cancelled()]
    errors = [error for future in ended if (error := future.exception())]
    for error in errors:
        if not isinstance(error, _StoppedError):
            raise error
    return [future.result() for future in futures]
