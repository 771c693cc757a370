"""Download a file: checked against a sum, resumed after a cut, never half-written.

A file grows as ``.NAME.part`` beside its final place (hidden, so that nobody indexes it), with
what the server calls this version of it (ETag or Last-Modified) in ``.NAME.part.version``. The
next attempt, or the next run, asks for the rest of that version only (RFC 9110, 13.1.5 and 14.2).
"""

import http.client
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from relsent_ir.datasets.checksum import Check
from relsent_ir.datasets.web import CutError, RangeError, blocks, open_url, persist
from relsent_ir.errors import InputError, OutputError
from relsent_ir.typing import Progress

"""Called with the bytes done so far and in all (None if not known)."""

HEADER = re.compile(r"[ -~]+")
"""What can be sent in a header."""


def part_of(tick: Progress, before: int, total: int | None) -> Progress:
    """Make the callback for one of several files, when `before` bytes of `total` are done."""
    return lambda done, _total: tick(before + done, total)


@contextmanager
def writing(path: Path) -> Iterator[None]:
    """Turn the system's errors into an `OutputError` about `path`."""
    try:
        yield
    except OSError as error:
        reason = error.strerror or str(error)
        raise OutputError(
            f"cannot be written: {reason}", where=path, fix="choose another folder with --output"
        ) from error


def download(
    url: str, path: Path, checksum: Check, tick: Progress = lambda _done, _total: None
) -> bool:
    """Bring the file at `url` to `path`, unless it is there already.

    Parameters
    ----------
    url : str
        An http or https address.
    path : Path
        Where the file goes; it appears there only when it is whole and its sum is right.
    checksum : Check
        Its sum.
    tick : callable
        Called with the bytes received so far and in all (None if the server does not say).

    Returns
    -------
    bool
        Whether something was fetched.

    Raises
    ------
    MissingError
        If the server cannot be reached, does not have the file, or keeps failing.
    InputError
        If the sum is wrong; the partial file is then deleted.
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
                    where=url,
                    fix="try again, or name a mirror with --url",
                )
        part.replace(path)
        version.unlink(missing_ok=True)
    return True


def _receive(url: str, part: Path, version: Path, size: int | None, tick: Progress) -> None:
    """Append to `part` what is missing of it; start over if the server's file has changed."""
    known = version.read_text("latin-1") if version.is_file() else ""
    if not HEADER.fullmatch(known):
        known = ""
    done = _size(part) if known else 0
    headers = {"Range": f"bytes={done}-", "If-Range": known} if done else {}
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
                version.write_text(_version(response), "latin-1")
            tick(done, total)
            # One byte more than the size proves the file wrong; an endless answer must end.
            for block in blocks(response, None if size is None else size + 1 - done):
                file.write(block)
                done += len(block)
                tick(done, total)


def _version(response: http.client.HTTPResponse) -> str:
    """Give what an If-Range header may hold: a strong ETag, else the date, else nothing."""
    tag = str(response.headers["ETag"] or "")
    return tag if tag.startswith('"') else str(response.headers["Last-Modified"] or "")


def _size(path: Path) -> int:
    return path.stat().st_size if path.is_file() else 0
