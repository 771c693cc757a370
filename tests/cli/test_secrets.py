"""The key and the address of a user are in no stream, log or file, whatever a server answers."""

import json
import logging
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler
from typing import Any

import pytest

from relsent_ir.datasets import web
from tests.serving import served

SECRETS = {"NCBI_API_KEY": "k3y5ecret", "NCBI_EMAIL": "me5ecret@example.org"}
SEARCH = json.dumps({"esearchresult": {"count": "2", "idlist": ["1", "2"]}})
Failure = tuple[int, str, dict[str, str], str]
"""Status, reason, headers and body; {path} is the path that was asked for, with all parameters."""

STATUSES: list[Failure] = [
    (status, "{path}", {"Retry-After": "0"}, "{path}")
    for status in (204, 400, 401, 403, 404, 408, 410, 414, 416, 418, 429, 500, 502, 503, 504)
]
REDIRECTS: list[Failure] = [
    (status, "Moved", {"Location": place}, "")
    for status, place in (
        (301, "ftp://u:{path}@example.org{path}"),
        (302, "file://{path}"),
        (302, "{path}"),  # for ever
        (303, "http://127.0.0.1:9{path}"),
        (307, "http://[{path}"),
        (308, "//127.0.0.1:9/{path}"),
    )
]
ANSWERS: list[Failure] = [
    (200, "OK", {}, body)
    for body in (
        "",
        "{path}",
        "[" * 100_000,
        '{{"esearchresult": {{"ERROR": "{path}"}}}}',
        '{{"esearchresult": {{"error": ["{path}"]}}}}',
        '{{"esearchresult": {{"count": "{path}", "idlist": []}}}}',
        '{{"esearchresult": {{"count": "3", "idlist": ["{path}"]}}}}',
        "<html>{path}</html>",
    )
] + [
    (200, "OK", {"Content-Length": "99999"}, "{path}"),
    (200, "OK", {"Content-Encoding": "{path}"}, "{path}"),
    (599, "{path}\r\nX: {path}", {"Retry-After": "{path}"}, ""),
]
RECORDS: list[Failure] = [  # of the search: all is well until the records are asked for
    (200, "OK", {}, SEARCH.replace("{", "{{").replace("}", "}}"))
]


@pytest.fixture
def seen(relsent, tmp_path, monkeypatch, caplog) -> Callable[[Failure], str]:
    """Fetch a query from a server that fails; gives all that can be read then."""
    monkeypatch.setattr(web, "BACKOFF", 0.0)
    monkeypatch.chdir(tmp_path)
    caplog.set_level(logging.DEBUG)
    for name, value in SECRETS.items():
        monkeypatch.setenv(name, value)

    def fetch(failure: Failure) -> str:
        status, reason, headers, body = failure
        asked = []

        class Failing(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                asked.append(self.path)
                # as servers decode it: the address as a user would type it
                path = self.path.replace("%40", "@")
                self.send_response(status, reason.format(path=path))
                for name, value in headers.items():
                    self.send_header(name, value.format(path=path))
                self.end_headers()
                self.wfile.write(body.format(path=path).encode())

            def log_message(self, *args: Any) -> None: ...

        with served(Failing) as url:
            ran = relsent("fetch", "pubmed", "--query", "ants", "--url", url)
        assert ran.code
        assert ran.err.count("\n") == 1, ran.err
        assert "Traceback" not in ran.err
        assert all(value in asked[0].replace("%40", "@") for value in SECRETS.values())
        files = [path for path in tmp_path.rglob("*") if path.is_file()]
        texts = [path.read_text(errors="replace") for path in files]
        said = "\n".join([ran.out, ran.err, caplog.text, *map(str, files), *texts])
        return said.replace("%40", "@")

    return fetch


@pytest.mark.parametrize("failure", [*STATUSES, *REDIRECTS, *ANSWERS, *RECORDS])
def test_secrets(seen, failure):
    """An answer that gives all parameters back betrays none."""
    text = seen(failure)
    assert not [value for value in SECRETS.values() if value in text], text


@pytest.mark.parametrize("failure", [STATUSES[4], REDIRECTS[3]])
def test_planted(seen, failure, monkeypatch):
    """The test finds them where an address is shown whole."""
    monkeypatch.setattr(web, "shown", str)
    assert all(value in seen(failure) for value in SECRETS.values())
