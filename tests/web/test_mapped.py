"""The map of themes."""

from types import SimpleNamespace

import pytest
from starlette.testclient import TestClient

from relsent_ir import themes
from relsent_ir.errors import InputError
from relsent_ir.web import library, mapped


@pytest.fixture
def drawn(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> SimpleNamespace:
    """Themes that can be mapped, by a map that is made up."""
    theme = SimpleNamespace(
        kernel="90000002",
        name="women, <b>",
        terms=("women", "<b>"),
        own=1234,
        records=("90000002",),
    )
    found = SimpleNamespace(themes=(theme,), coverage=0.5)
    monkeypatch.setattr(themes, "map_themes", lambda *_, **__: found, raising=False)
    monkeypatch.setattr(themes, "draw_map", lambda _: "<svg><circle/></svg>", raising=False)
    monkeypatch.setattr(mapped, "MAPS", True)
    client.app.state.library._opened.pop("map", None)  # type: ignore[attr-defined]
    return found


def test_a_map(client: TestClient, drawn: SimpleNamespace) -> None:
    """It is drawn once, aside; then it has each theme with its terms and its kernel."""
    assert client.get("/themes").status_code == 200
    library_ = client.app.state.library  # type: ignore[attr-defined]
    library_._opened["map"].result(60)
    page = client.get("/themes").text
    assert "1 themes hold 50 % of the records" in page
    assert "<svg><circle/></svg>" in page
    assert "women, &lt;b&gt;</a>" in page
    assert 'href="/?q=women+%3Cb%3E&amp;unit=abstracts"' in page
    assert "1,234 records, such as" in page
    assert "http-equiv" not in page


def test_while_it_is_drawn(
    client: TestClient, drawn: SimpleNamespace, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The page says so, and looks again."""
    library_ = client.app.state.library  # type: ignore[attr-defined]
    waiting = SimpleNamespace(done=lambda: False)
    monkeypatch.setitem(library_._opened, "map", waiting)
    page = client.get("/themes").text
    assert '<meta http-equiv="refresh" content="5">' in page
    assert "is being drawn" in page


def test_no_map(
    client: TestClient, drawn: SimpleNamespace, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A collection that cannot be mapped, and a version that cannot map."""

    def fails(*_: object, **__: object) -> None:
        raise InputError("no record has a term", where="/secret")

    monkeypatch.setattr(themes, "map_themes", fails, raising=False)
    client.get("/themes")
    library_ = client.app.state.library  # type: ignore[attr-defined]
    with pytest.raises(InputError):
        library_._opened["map"].result(60)
    page = client.get("/themes").text
    assert "There is none: no record has a term." in page
    assert "secret" not in page
    monkeypatch.setattr(mapped, "MAPS", False)
    assert client.get("/themes").status_code == 404
    assert (library.MAPS, hasattr(themes, "Theme")) in ((False, True), (True, True))
