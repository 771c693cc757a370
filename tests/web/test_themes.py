"""The map of themes."""

from html import escape
from types import SimpleNamespace

import pytest
from starlette.testclient import TestClient

from relsent_ir.errors import InputError
from relsent_ir.themes import ThemeFinder, draw_map, map_themes
from relsent_ir.web import themes
from relsent_ir.web.requests import address


@pytest.fixture
def drawn(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> SimpleNamespace:
    """A map that is made up."""
    theme = SimpleNamespace(
        kernel="90000002",
        name="women, <b>",
        terms=("women", "<b>"),
        own=1234,
        records=("90000002",),
    )
    found = SimpleNamespace(themes=(theme,), coverage=0.5)
    monkeypatch.setattr(themes, "map_themes", lambda *_, **__: found)
    monkeypatch.setattr(themes, "draw_map", lambda *_: "<svg><circle/></svg>")
    client.app.state.shelf.library._opened.pop("map", None)  # type: ignore[attr-defined]
    return found


def test_one_theme_is_found_in_advance(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    """What the first takes into memory is laid to no reader: the finder has found one."""
    library = client.app.state.shelf.library  # type: ignore[attr-defined]
    asked: list[str] = []
    monkeypatch.setattr(ThemeFinder, "find", lambda _, topics, *__, **___: asked.extend(topics))
    finder = library._opened.pop("theme_finder")
    try:
        assert library.theme_finder is not finder
        assert library.theme_finder is library.theme_finder
    finally:
        library._opened["theme_finder"] = finder
    assert asked == [""]


def test_the_samples_map(client: TestClient) -> None:
    """It is `map_themes`', drawn by `draw_map`."""
    library = client.app.state.shelf.library  # type: ignore[attr-defined]
    library._opened.pop("map", None)
    client.get("/themes")
    library._opened["map"].result(600)
    found = map_themes(library.indexes, threads=1)
    page = client.get("/themes").text
    assert f"{len(found.themes)} themes hold" in page
    links = [address("/", [("q", " ".join(t.terms)), ("unit", "abstracts")]) for t in found.themes]
    assert draw_map(found, links) in page
    assert page.count('<a href="/?q=') > 2 * len(found.themes)
    assert all(escape(theme.name) in page for theme in found.themes)


def test_a_map(client: TestClient, drawn: SimpleNamespace) -> None:
    """It is drawn once, aside; then it has each theme with its terms and its kernel."""
    assert client.get("/themes").status_code == 200
    library_ = client.app.state.shelf.library  # type: ignore[attr-defined]
    library_._opened["map"].result(60)
    page = client.get("/themes").text
    assert "1 themes hold 50 % of the records" in page
    assert "<svg><circle/></svg>" in page
    assert "women, &lt;b&gt;</a>" in page
    assert 'href="/?q=women+%3Cb%3E&amp;unit=abstracts"' in page
    assert "1,234 records, such as" in page
    assert "http-equiv" not in page


def test_while_it_is_drawn(client, drawn, monkeypatch):
    """The page says so, and has a link to look again; by itself it moves nobody's reading."""
    library_ = client.app.state.shelf.library  # type: ignore[attr-defined]
    waiting = SimpleNamespace(done=lambda: False)
    monkeypatch.setitem(library_._opened, "map", waiting)
    page = client.get("/themes").text
    assert "is being drawn" in page
    assert '<a href="/themes">Reload</a>' in page
    assert "http-equiv" not in page


def test_no_map(client, drawn, monkeypatch):
    """A collection that cannot be mapped."""

    def fails(*_: object, **__: object) -> None:
        raise InputError("no record has a term", where="/secret")

    monkeypatch.setattr(themes, "map_themes", fails)
    client.get("/themes")
    library_ = client.app.state.shelf.library  # type: ignore[attr-defined]
    with pytest.raises(InputError):
        library_._opened["map"].result(60)
    page = client.get("/themes").text
    assert "There is no map: no record has a term." in page
    assert "secret" not in page
