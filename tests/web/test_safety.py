"""Records that hold markup, links and characters that reorder text do no harm on any page."""

from html.parser import HTMLParser
from urllib.parse import quote

import pytest
from starlette.testclient import TestClient

from tests.web.conftest import EVIL, RECORDS

ID = quote(RECORDS[0].id, safe="")
E = quote(EVIL, safe="")
OUT = ("https://pubmed.ncbi.nlm.nih.gov/", "https://doi.org/", "https://pmc.ncbi.nlm.nih.gov/")
PAGES = (
    "/?q=mice", f"/?q={E}", "/?q=mice&unit=abstracts", f"/?q=mice&journal={E}&type={E}",
    f"/abstract?id={ID}&q=mice&at=1", f"/abstract?id={ID}&q={E}&from={ID}.1", f"/related?id={ID}.1",
    f"/theme?id={ID}", f"/theme?id={ID}&part=1", f"/why?q=mice&id={ID}.1",
    f"/why/related?from={ID}.1&to={ID}.2", "/question?q=Did+mice+run", f"/question?q={E}",
    "/entity?name=mice", f"/entity?name={E}",
    "/names?a=mice&b=far", f"/names?a={E}&b={E}", f"/names?a={quote(chr(34) + '>' + EVIL)}&b=mice",
    f"/why/answer?q=mice&id={ID}.1&slot=finding", f"/why/names?a=mice&b=far&id={ID}.1",
    f"/nothing/{E}", f"/abstract?id={E}", f"/?q=mice&unit={E}", "/abstract?id=../../etc/passwd",
    f"/facets?q=mice&mesh={E}", f"/basket?id={ID}.1&id={ID}&id={E}", f"/similar?id={ID}",
    f"/abstract?id={ID}&back=q%3D{E}", "/?q=mice&sort=date", "/?q=mice&from=x&to=1",
    "/?q=%E2%80%AEmice", "/question?q=mice%E2%81%A6",
)  # fmt: skip


class Seen(HTMLParser):
    """What a browser would make of a page."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.attributes: list[tuple[str, str]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Keep it."""
        self.tags.append(tag)
        self.attributes += [(name, value or "") for name, value in attrs]


@pytest.mark.parametrize("page", PAGES)
def test_pages(evil: TestClient, page: str) -> None:
    """One script, ours; no handler; links only to this site and PubMed; no reordering."""
    answer = evil.get(page)
    assert answer.status_code < 500, answer.text
    seen = Seen()
    seen.feed(answer.text)
    assert seen.tags.count("script") == (0 if "part=1" in page else 1)
    assert "img" not in seen.tags
    for name, value in seen.attributes:
        assert not name.startswith("on"), name
        if name in ("href", "src", "action", "data-later"):
            ours = value.startswith(("/", "#")) and not value.startswith("//")
            assert ours or value.startswith(OUT), value
    assert not any(character in answer.text for character in "\u202e\u202c\u2066\u2069\u200f")


def test_the_way_through(evil: TestClient) -> None:
    """An id of any characters is found by the links that pages make."""
    page = evil.get("/?q=mice").text
    links = [part.split('"')[0] for part in page.split('<p class="sentence"><a href="')[1:]]
    assert len(links) >= 3
    for link in links:
        answer = evil.get(link.replace("&amp;", "&").split("#")[0])
        assert answer.status_code == 200
        assert 'aria-current="true"' in answer.text


def test_json_and_spreadsheets(evil: TestClient) -> None:
    """JSON is JSON to a browser; a cell that looks like a formula is none."""
    answer = evil.get(f"/api/abstract?id={ID}")
    assert answer.headers["Content-Type"] == "application/json"
    assert answer.headers["X-Content-Type-Options"] == "nosniff"
    assert EVIL in answer.json()["sentences"][0]["text"]
    lines = evil.get("/export/csv?q=HYPERLINK").text.splitlines()
    assert lines[1].count("'=") == 4, lines[1]  # id, record, title, text
    assert ",=" not in lines[1]


def test_files_names(evil: TestClient) -> None:
    """What is exported is a file to keep, under a name of ours."""
    answer = evil.get("/export/ris?q=mice")
    assert answer.headers["Content-Disposition"] == 'attachment; filename="hits.ris"'
