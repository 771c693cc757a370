"""The application: who is answered, with which headers, and what goes wrong."""

import json
import logging

import pytest
from starlette.testclient import TestClient

from relsent_ir.web import reading
from relsent_ir.web.guard import HEADERS

PAGES = ("/", "/?q=women", "/question", "/names", "/runs", "/api", "/nothing", "/abstract?id=no")


@pytest.mark.parametrize("page", [*PAGES, "/static/style.css", "/openapi.json", "/health"])
def test_headers(client: TestClient, page: str) -> None:
    """Every answer, an error too, has the headers that bind a browser."""
    answer = client.get(page)
    for name, value in HEADERS.items():
        assert answer.headers[name] == value
    policy = answer.headers["Content-Security-Policy"]
    assert "unsafe" not in policy
    assert "http" not in policy


@pytest.mark.parametrize("page", PAGES)
def test_nothing_from_elsewhere(client: TestClient, page: str) -> None:
    """No page loads anything from another server, or has a script or style of its own in it."""
    text = client.get(page).text
    assert 'src="http' not in text
    assert "<style" not in text
    assert " style=" not in text
    assert "<script>" not in text
    assert "onclick" not in text


def test_hosts(client: TestClient) -> None:
    """Only the names that it is called by are answered, with any port."""
    for host, status in (
        ("127.0.0.1", 200), ("localhost:99", 200), ("[::1]:80", 200), ("evil.example", 400),
        ("127.0.0.1.evil.example", 400), ("", 400),
    ):  # fmt: skip
        assert client.get("/health", headers={"Host": host}).status_code == status, host


def test_health_and_readiness(client: TestClient) -> None:
    """It lives at once, and is ready when all is open."""
    assert client.get("/health").json() == {"status": "ok"}
    answer = client.get("/ready")
    assert (answer.status_code, answer.json()) == (200, {"status": "ready"})
    client.app.state.library.opened.clear()  # type: ignore[attr-defined]
    assert client.get("/ready").status_code == 503
    client.app.state.library.opened.set()  # type: ignore[attr-defined]


def test_static_files(client: TestClient) -> None:
    """They may be kept for ever, since their addresses change; nothing outside can be read."""
    page = client.get("/").text
    address = page.split('href="/static/style.css?v=')[1].split('"')[0]
    answer = client.get(f"/static/style.css?v={address}")
    assert "immutable" in answer.headers["Cache-Control"]
    for path in ("/static/../app.py", "/static/%2e%2e/app.py", "/static/..%2f..%2fapi.py",
                 "/static//etc/passwd", "/static/%00", "/static/"):  # fmt: skip
        assert client.get(path).status_code in (404, 405), path


def test_only_reading(client: TestClient) -> None:
    """Nothing can be sent."""
    assert client.post("/").status_code == 405
    assert client.delete("/abstract?id=90000002").status_code == 405


def test_limits(client: TestClient) -> None:
    """What is too long, too deep or no number is refused in a line."""
    for page, named in (
        (f"/?q={'x' * 1001}", "q"), ("/?q=a&page=101", "page"), ("/?q=a&page=0", "page"),
        ("/?q=a&from=x", "from"), ("/?q=a&move=NONE", "0"), ("/abstract", "id"),
        (f"/names?a={'x' * 201}&b=y", "a"), ("/?unit=books", "unit"),
    ):  # fmt: skip
        answer = client.get(page)
        assert answer.status_code == 422, page
        assert f"<p>{named[:1].upper()}{named[1:]}: " in answer.text, answer.text
    assert client.get("/api/search?q=a&page=101").json()["error"].startswith("page: ")


def test_backwards_years(client: TestClient) -> None:
    """Years that no record can have are told, with what to write."""
    answer = client.get("/?q=women&from=2000&to=1990")
    assert answer.status_code == 400
    assert "No year from 2000 to 1990" in answer.text


def test_banner(client: TestClient, evil: TestClient) -> None:
    """Invented records say so; others do not."""
    assert "These records are <strong>invented</strong>" in client.get("/").text
    assert "invented" not in evil.get("/").text


def test_a_mistake_of_ours(
    client: TestClient, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """It is a page without a traceback; the log has it."""

    def fails(*_: object) -> float:
        raise ZeroDivisionError("secret")

    monkeypatch.setattr(reading, "record_of", fails)
    answer = client.get("/abstract?id=90000002")
    assert answer.status_code == 500
    assert "secret" not in answer.text
    assert answer.headers["X-Frame-Options"] == "DENY"
    assert (
        client.get("/api/abstract?id=90000002").json()["error"].startswith("something went wrong")
    )
    assert any(record.exc_info for record in caplog.records)


def test_access_log(client: TestClient, caplog: pytest.LogCaptureFixture) -> None:
    """A line of JSON for each request, without what was asked."""
    with caplog.at_level(logging.INFO, "relsent_ir.web.access"):
        client.get("/?q=a+private+matter")
    (record,) = (r for r in caplog.records if r.name == "relsent_ir.web.access")
    line = json.loads(record.getMessage())
    assert (line["method"], line["path"], line["status"]) == ("GET", "/", 200)
    assert line["ms"] > 0
    assert "private" not in record.getMessage()


def test_no_path_of_this_machine(client: TestClient, folder: object) -> None:
    """No answer names a folder of the server."""
    for page in (*PAGES, "/api/abstract?id=no", "/why?q=x&id=no", "/?q=a&type=none"):
        assert str(folder) not in client.get(page).text
