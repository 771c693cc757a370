"""HTTP requests: URLs, downloads, and retries for servers that fail temporarily."""

import http.client
import re
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from email.utils import parsedate_to_datetime
from typing import Any, TypeVar
from urllib.parse import urlsplit, urlunsplit

from relsent_ir import __version__
from relsent_ir.errors import InputError, MissingError, UsageError

T = TypeVar("T")

ATTEMPTS = 5
"""Number of consecutive attempts without progress."""

BACKOFF = 1.0
"""Seconds before the second attempt; each further wait is twice as long."""

TIMEOUT = 30.0
"""Seconds without a byte after which a connection counts as broken."""

CHUNK = 1 << 17
FIX = "fetch the files by hand and name their folder with --from DIR, or a mirror with --url"


PATIENCE = 120.0
"""Largest number of seconds to wait if the server names a time."""


class CutError(Exception):
    """The connection broke or the server is busy: try again.

    `wait` is the number of seconds that the server requests (Retry-After), or 0.
    """

    def __init__(self, problem: str, wait: float = 0.0) -> None:
        super().__init__(problem)
        self.wait = min(wait, PATIENCE)


class RangeError(CutError):
    """The server has no bytes after those received so far."""


class _Redirects(urllib.request.HTTPRedirectHandler):
    """Follow redirects to web addresses only, not to ftp as urllib would, nor from https."""

    def redirect_request(
        self, req: Any, fp: Any, code: Any, msg: Any, headers: Any, newurl: str
    ) -> urllib.request.Request | None:
        scheme = urlsplit(newurl).scheme
        if scheme not in {req.type, "https"}:
            fp.close()
            problem = f"the server redirects to an address of {scheme}"
            raise MissingError(problem, where=shown(req.full_url), fix=FIX)
        return super().redirect_request(req, fp, code, msg, headers, newurl)


def web_folder(url: str) -> str:
    """Check the URL of a folder, and add a slash at its end.

    Raises
    ------
    UsageError
        If it is not an http or https URL.
    """
    try:
        parts = urlsplit(url)
        valid = parts.scheme in {"http", "https"} and parts.hostname and parts.port != 0
    except ValueError:
        valid = False
    if not valid or not re.fullmatch(r"[!-~]+", url):
        raise UsageError(f"--url {url!r} is no web address", fix="such as https://host/folder/")
    return url.rstrip("/") + "/"


def shown(url: str) -> str:
    """Return a URL without its user, query and fragment, which may contain secrets."""
    try:
        parts = urlsplit(url)
        return urlunsplit((parts.scheme, parts.netloc.rpartition("@")[2], parts.path, "", ""))
    except ValueError:
        return "an invalid address"


def get(
    url: str,
    limit: int = 1 << 24,
    *,
    wait: Callable[[], None] = lambda: None,
    check: Callable[[bytes], None] = lambda _page: None,
) -> bytes:
    """Load a small page into memory.

    `wait` is called before each attempt; if `check` raises a `CutError` for a page, the page is
    requested again.

    Raises
    ------
    MissingError
        If the server cannot be reached, does not have the page, or fails repeatedly.
    InputError
        If the page is longer than `limit` bytes.
    """

    def attempt() -> bytes:
        wait()
        with open_url(url, {}) as response:
            page = b"".join(blocks(response, limit + 1))
        if len(page) > limit:
            raise InputError(f"the page is longer than {limit:,} bytes", where=shown(url))
        check(page)
        return page

    return persist(attempt, url, lambda: 0)


def persist(attempt: Callable[[], T], url: str, reached: Callable[[], int]) -> T:
    """Repeat `attempt` until it succeeds, or fails `ATTEMPTS` times without progress."""
    failures, furthest = 0, reached()
    while True:
        try:
            return attempt()
        except CutError as error:
            failures = failures + 1 if reached() <= furthest else 1
            furthest = max(furthest, reached())
            if failures == ATTEMPTS:
                raise MissingError(
                    f"{error}, {ATTEMPTS} times in a row",
                    where=shown(url),
                    fix=f"try again later, or {FIX}",
                ) from error
            pause = error.wait
        time.sleep(max(pause, BACKOFF * 2 ** (failures - 1)))


def open_url(url: str, headers: dict[str, str]) -> http.client.HTTPResponse:
    """Send a request, and wait for the headers of the answer.

    Raises
    ------
    MissingError
        If the server cannot be reached, or refuses.
    CutError
        If it fails temporarily; `RangeError` if it has nothing in the requested range.
    """
    # The scheme was checked by web_folder, or is a constant.
    request = urllib.request.Request(  # noqa: S310
        url, headers={"User-Agent": f"relsent-ir/{__version__}", **headers}
    )
    try:
        response: http.client.HTTPResponse = urllib.request.build_opener(_Redirects).open(
            request, timeout=TIMEOUT
        )
    except urllib.error.HTTPError as error:
        error.close()
        # The server's own message is not used, since it may repeat the URL.
        answer = f"the server answers {error.code} {http.client.responses.get(error.code, '')}"
        if 300 <= error.code < 400:
            answer = f"the server redirects ({error.code}) to what is no address of the web"
        if error.code == 416:
            raise RangeError(answer) from error
        if error.code in {408, 429} or error.code >= 500:
            raise CutError(answer, _retry_after(error.headers["Retry-After"])) from error
        raise MissingError(answer, where=shown(url), fix=FIX) from error
    except urllib.error.URLError as error:
        # Without a connection, waiting would not help, and an offline user should know at once.
        raise MissingError(
            f"the server cannot be reached: {error.reason}", where=shown(url), fix=FIX
        ) from error
    except (http.client.HTTPException, OSError) as error:
        raise CutError(_reason(error)) from error
    except ValueError as error:
        raise MissingError("the server redirects wrongly", where=shown(url), fix=FIX) from error
    return response


def blocks(response: http.client.HTTPResponse, limit: int | None) -> Iterator[bytes]:
    """Read up to `limit` bytes of the body of an answer.

    Raises
    ------
    CutError
        If the connection breaks, or ends before the announced length.
    """
    remaining = limit
    while remaining is None or remaining > 0:
        try:
            block = response.read(CHUNK if remaining is None else min(CHUNK, remaining))
        except (http.client.HTTPException, OSError) as error:
            raise CutError(_reason(error)) from error
        if not block:
            # http.client does not report a body that ends before its announced length.
            if response.length:
                raise CutError("the connection was cut")
            return
        remaining = None if remaining is None else remaining - len(block)
        yield block


def _retry_after(header: str | None) -> float:
    """Read the time to wait that the server requests: seconds, or a date (RFC 9110, 10.2.3)."""
    if header is None:
        return 0.0
    if re.fullmatch(r"\d{1,9}", header):
        return float(header)
    try:
        return max(0.0, parsedate_to_datetime(header).timestamp() - time.time())
    except (ValueError, OverflowError):
        return 0.0


def _reason(error: Exception) -> str:
    if isinstance(error, TimeoutError):
        return f"no answer within {TIMEOUT:g} seconds"
    return f"the connection was cut ({type(error).__name__})"
