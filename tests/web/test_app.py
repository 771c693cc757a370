"""The application: who is answered, with which headers, and what goes wrong."""

import json
import logging
from pathlib import Path

import pytest
from starlette.testclient import TestClient

import relsent_ir as rir
from relsent_ir.web import Settings, create_app, reading
from relsent_ir.web.guard import HEADERS

PAGES = ("/", "/?q=women", "/question", "/names", "/runs", "/api", "/nothing", "/abstract?id=no")


@pytest.mark.parametrize("page", [*PAGES, "/static/style.css", "/openapi.json", "/health"])
def test_asked_from_elsewhere_and_again(client: TestClient, page: str) -> None:
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
    """Only the names that it is called by are answered; which one is refused is told."""
    for host, status in (
        ("127.0.0.1", 200), ("localhost:99", 200), ("[::1]:80", 200), ("evil.example", 400),
        ("127.0.0.1.evil.example", 400), ("", 400),
    ):  # fmt: skip
        assert client.get("/health", headers={"Host": host}).status_code == status, host
    answer = client.get("/?q=women", headers={"Host": "my.machine:8000"})
    assert answer.text == (
        "this server does not answer to 'my.machine' (serve --allow-host my.machine)\n"
    )


@pytest.mark.parametrize("page", ["/", "/api/search?q=women", "/health", "/static/style.css"])
def test_head(client: TestClient, page: str) -> None:
    """It is GET without the body."""
    got, head = client.get(page), client.head(page)
    assert (head.status_code, head.content) == (200, b"")
    told = [{k: v for k, v in a.headers.items() if k != "content-length"} for a in (got, head)]
    assert told[0] == told[1]


def test_headers(client: TestClient) -> None:
    """Of other sites only links are answered; what the browser has is not made again."""
    for site, dest, status in (
        ("cross-site", "document", 200), ("cross-site", "empty", 403), ("same-site", "image", 403),
        ("same-origin", "empty", 200), ("none", "document", 200), ("cross-site", "iframe", 403),
    ):  # fmt: skip
        headers = {"Sec-Fetch-Site": site, "Sec-Fetch-Dest": dest}
        assert client.get("/?q=women", headers=headers).status_code == status, (site, dest)
    first = client.get("/?q=women")
    again = client.get("/?q=women", headers={"If-None-Match": first.headers["ETag"]})
    assert (again.status_code, again.content) == (304, b"")
    other = client.get("/?q=men", headers={"If-None-Match": first.headers["ETag"]})
    assert other.status_code == 200


def test_a_token(folder: Path) -> None:
    """It is asked for once, leaves the address, and is kept where scripts cannot read it."""
    app = create_app(rir.open_collection(folder / "sample"), Settings(token="secret words"))
    with TestClient(app, base_url="http://localhost") as client:
        for page in ("/", "/?token=other", "/api/search?q=women", "/openapi.json"):
            assert client.get(page).status_code == 401, page
        assert client.get("/health").status_code == 200
        bearer = {"Authorization": "Bearer secret words"}
        assert client.get("/api/search?q=women", headers=bearer).status_code == 200
        asked = {"q": "women", "token": "secret words"}
        welcome = client.get("/", params=asked, follow_redirects=False)
        assert (welcome.status_code, welcome.headers["Location"]) == (303, "/?q=women")
        assert "HttpOnly; Path=/; SameSite=strict" in welcome.headers["Set-Cookie"]
        assert client.get("/?q=women").status_code == 200
    app = create_app(rir.open_collection(folder / "sample"), Settings(token="secret words"))
    with TestClient(app, base_url="https://localhost:8443") as client:
        away = client.get(
            "https://localhost:8443//evil.example/?token=secret+words", follow_redirects=False
        )
        assert away.headers["Location"] == "/evil.example/"
        other = away.headers["Set-Cookie"]
        assert other.startswith("relsent-ir-8443=")
        assert other.endswith("; Secure")
        assert welcome.headers["Set-Cookie"].startswith("relsent-ir-http=")


def test_short_addresses(client: TestClient) -> None:
    """What a form sends for nothing leaves the address, in parts of pages too."""
    asked = "/?q=women&unit=sentences&from=&to=1990&type=&journal="
    assert client.get(asked, follow_redirects=False).headers["Location"] == "/?q=women&to=1990"
    part = client.get(f"{asked}&part=1", follow_redirects=False).headers["Location"]
    assert part == "/?q=women&to=1990&part=1"


def test_health_and_readiness(client: TestClient) -> None:
    """It lives at once, and is ready when all is open."""
    assert client.get("/health").json() == {"status": "ok"}
    answer = client.get("/ready")
    assert (answer.status_code, answer.json()) == (200, {"status": "ready"})
    client.app.state.shelf.library.opened.clear()  # type: ignore[attr-defined]
    assert client.get("/ready").status_code == 503
    client.app.state.shelf.library.opened.set()  # type: ignore[attr-defined]


def test_static_files(client: TestClient) -> None:
    """They may be kept for ever, since their addresses change; nothing outside can be read."""
    page = client.get("/").text
    address = page.split('href="/static/style.css?v=')[1].split('"')[0]
    answer = client.get(f"/static/style.css?v={address}")
    assert "immutable" in answer.headers["Cache-Control"]
    for path in ("/static/../app.py", "/static/%2e%2e/app.py", "/static/..%2f..%2fapi.py",
                 "/static//etc/passwd", "/static/%00", "/static/"):  # fmt: skip
        assert client.get(path).status_code in (404, 405), path


def test_limits(client: TestClient) -> None:
    """What is too long, too deep or no number is refused in a line."""
    for page, named in (
        (f"/?q={'x' * 1001}", "q"), ("/?q=a&page=101", "page"), ("/?q=a&page=0", "page"),
        ("/?q=a&from=x", "from"), ("/?q=a&move=NONE", "0"), ("/abstract", "id"),
        (f"/names?a={'x' * 201}&b=y", "a"), ("/?unit=books", "unit"),
    ):  # fmt: skip
        answer = client.get(page)
        assert answer.status_code == 422, page
        assert f">{named[:1].upper()}{named[1:]}: " in answer.text, answer.text
    assert client.get("/api/search?q=a&page=101").json()["error"].startswith("page: ")


def test_errors_in_the_form(client: TestClient) -> None:
    """Years that none can have are told, what could be read stays; nothing can be sent."""
    answer = client.get("/?q=women&from=2000&to=1990")
    assert answer.status_code == 400
    assert (
        '<p class="trouble" role="alert">No year from 2000 to 1990. Put the earlier year first.</p>'
        in answer.text
    )
    assert 'value="women"' in answer.text
    assert 'value="2000"' in answer.text
    assert "Nothing was found" not in answer.text
    page = client.get("/?q=women&from=x&to=1990&unit=abstracts").text
    assert 'value="women"' in page
    assert 'value="1990"' in page
    assert 'value="abstracts" checked' in page
    assert ">From: " in page
    names = client.get("/names?a=%3F&b=women").text
    assert 'value="women"' in names
    assert "neither letter nor digit" in names
    assert client.post("/").status_code == 405
    assert client.delete("/abstract?id=90000002").status_code == 405


def test_pages(client: TestClient, evil: TestClient, folder: object) -> None:
    """Invented records say so, others do not; no answer names a folder of the server."""
    assert "These records are <strong>invented</strong>" in client.get("/").text
    assert "invented" not in evil.get("/").text
    for page in (*PAGES, "/api/abstract?id=no", "/why?q=x&id=no", "/?q=a&type=none"):
        assert str(folder) not in client.get(page).text


def test_a_mistake_of_ours(client, monkeypatch, caplog):
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
