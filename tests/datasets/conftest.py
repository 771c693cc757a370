"""A web server on this machine that can be told to misbehave."""

import hashlib
import socket
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler
from typing import Any

import pytest

from relsent_ir.datasets import web
from tests.serving import served

DATE = "Mon, 02 Jan 2023 03:04:05 GMT"


@dataclass
class Site:
    """What the server has, and how it behaves; the tests change it as they go.

    Attributes
    ----------
    pages : dict
        Path to content.
    redirects : dict
        Path to Location.
    faults : list
        What to do at the next requests, in order: "cut" (send half of what is asked, then hang
        up), "drop" (hang up at once), "slow" (say nothing for a while), a number (answer with
        that status). After the last one the server behaves.
    ranges, validators, weak, lengths : bool
        Whether it honours Range, sends ETag and Last-Modified, a weak ETag, Content-Length.
    patience : str
        What it answers in Retry-After with a status that is an error; nothing if empty.
    shift : int
        How many bytes beside the wanted place a range starts.
    requests : list
        The path and Range header of each request so far.
    """

    pages: dict[str, bytes] = field(default_factory=dict)
    redirects: dict[str, str] = field(default_factory=dict)
    faults: list[Any] = field(default_factory=list)
    ranges: bool = True
    validators: bool = True
    weak: bool = False
    lengths: bool = True
    patience: str = ""
    shift: int = 0
    requests: list[tuple[str, str | None]] = field(default_factory=list)
    url: str = ""
    closing: threading.Event = field(default_factory=threading.Event)

    def tag(self, path: str) -> str:
        """Give the ETag of a page as it is now."""
        return f'"{hashlib.sha256(self.pages[path]).hexdigest()[:16]}"'


@pytest.fixture
def site(monkeypatch: pytest.MonkeyPatch) -> Iterator[Site]:
    """Run the server for one test, which is not to wait for it; `url` ends with a slash."""
    monkeypatch.setattr(web, "BACKOFF", 0)
    monkeypatch.setenv("no_proxy", "127.0.0.1")
    site = Site()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            site.requests.append((self.path, self.headers["Range"]))
            fault = site.faults.pop(0) if site.faults else None
            if fault == "slow":
                site.closing.wait(10)
                return
            if fault == "drop":
                self.connection.shutdown(socket.SHUT_RDWR)
                return
            if isinstance(fault, int):
                self._refuse(fault)
                return
            if self.path in site.redirects:
                self.send_response(302)
                self.send_header("Location", site.redirects[self.path])
                self.end_headers()
                return
            if self.path not in site.pages:
                self.send_error(404)
                return
            self._send(site.pages[self.path], fault)

        def _refuse(self, status: int) -> None:
            self.send_response(status)
            if site.patience:
                self.send_header("Retry-After", site.patience)
            self.send_header("Content-Length", "0")
            self.end_headers()

        def _send(self, page: bytes, fault: Any) -> None:
            tag = site.tag(self.path)
            start = 0
            wanted = self.headers["Range"]
            if wanted and site.ranges and self.headers["If-Range"] in {tag, DATE}:
                start = int(wanted.removeprefix("bytes=").removesuffix("-"))
                if start >= len(page):
                    self.send_error(416)
                    return
                self.send_response(206)
                start += site.shift
                self.send_header("Content-Range", f"bytes {start}-{len(page) - 1}/{len(page)}")
            else:
                self.send_response(200)
            if site.validators:
                self.send_header("ETag", "W/" + tag if site.weak else tag)
                self.send_header("Last-Modified", DATE)
            body = page[start:]
            if site.lengths:
                self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body[: len(body) // 2] if fault == "cut" else body)

        def log_message(self, *args: Any) -> None:
            pass

    with served(Handler) as site.url:
        yield site
        site.closing.set()
