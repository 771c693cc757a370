"""Tests of requests to servers that fail in passing, and of addresses."""

from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from typing import Any

import pytest

from relsent_ir.datasets import web
from relsent_ir.datasets.web import ATTEMPTS, get, web_folder
from relsent_ir.errors import InputError, MissingError, UsageError


def test_the_waits_double(site: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Back-off: 1, 2, 4, 8 seconds."""
    waits: list[float] = []
    monkeypatch.setattr(web, "BACKOFF", 1.0)
    monkeypatch.setattr(web.time, "sleep", waits.append)
    site.faults = [500] * ATTEMPTS
    with pytest.raises(MissingError):
        get(site.url)
    assert waits == [1, 2, 4, 8]


def test_endless_answers(site: Any) -> None:
    """A circle of redirects ends; a page is read up to a limit."""
    site.redirects = {"/a": site.url + "a"}
    with pytest.raises(MissingError, match="302"):
        get(site.url + "a")
    site.pages["/"] = b"12345"
    site.faults = ["cut"]
    assert get(site.url, limit=5) == b"12345"
    with pytest.raises(InputError, match="longer than 4 bytes"):
        get(site.url, limit=4)


@pytest.mark.parametrize(
    ("given", "folder"),
    [("https://host/x", "https://host/x/"), ("http://host:80/x//", "http://host:80/x/")],
)
def test_a_web_folder_ends_with_one_slash(given: str, folder: str) -> None:
    """Names are appended to it."""
    assert web_folder(given) == folder


@pytest.mark.parametrize(
    "url",
    [
        "file:///etc",
        "ftp://host/x",
        "host/x",
        "http://",
        "http://h:99999/",
        "http://[/",
        "http://h/ä",
        "http://h/ x",
        "",
    ],
)
def test_what_is_no_web_address_is_a_usage_error(url: str) -> None:
    """Only http and https, with a host."""
    with pytest.raises(UsageError, match="no web address"):
        web_folder(url)


@pytest.mark.parametrize(
    ("header", "least", "most"),
    [
        ("7", 7, 7),
        ("9999", web.PATIENCE, web.PATIENCE),
        ("in a minute", 20, 60),
        ("Mon, 02 Jan 2023 03:04:05 GMT", 0, 0),
        ("soon", 0, 0),
        ("", 0, 0),
    ],
)
def test_a_server_says_how_long_to_wait(site, monkeypatch, header, least, most):
    """Retry-After, in seconds or as a date; no longer than we have patience for."""
    slept: list[float] = []
    monkeypatch.setattr(web.time, "sleep", slept.append)
    site.pages["/a"] = b"here"
    if header == "in a minute":
        header = format_datetime(datetime.now(UTC) + timedelta(seconds=60), usegmt=True)
    site.patience = header
    site.faults = [429, 503]
    assert web.get(site.url + "a") == b"here"
    assert len(slept) == 2
    assert all(least <= seconds <= most for seconds in slept)
