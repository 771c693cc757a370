"""What the hits of a search are."""

from collections import Counter

from starlette.testclient import TestClient

import relsent_ir as rir
from relsent_ir.web.facets import _years
from relsent_ir.web.requests import SearchRequest

ASKED = "q=women+infection&rank=bm25"


def test_counts(client: TestClient) -> None:
    """They are those of all hits, and each chip leads to just as many."""
    collection: rir.Collection = client.app.state.shelf.library.collection  # type: ignore[attr-defined]
    hits = collection.search("women infection", 1000, unit="sentences")
    found = client.get(f"/api/search?{ASKED}").json()
    assert found["found"] == len(hits) > 30
    moves = Counter(hit.move for hit in hits if hit.move)
    facets = {facet["field"]: facet["values"] for facet in found["facets"]}
    assert {one["value"]: one["count"] for one in facets["move"]} == moves
    for facet in facets.values():
        for one in facet:
            narrowed = client.get(one["address"].replace("/?", "/api/search?")).json()
            assert narrowed["found"] == one["count"], one
    more = client.get(f"/api/facets?{ASKED}").json()["facets"]
    headings = next(facet["values"] for facet in more if facet["field"] == "heading")
    expected = Counter(mesh for hit in hits for mesh in {m.heading for m in hit.record.mesh})
    assert headings[0]["count"] == max(expected.values())
    narrowed = client.get(headings[0]["address"].replace("/?", "/api/search?")).json()
    assert narrowed["found"] == headings[0]["count"]


def test_spans_of_years() -> None:
    """Many years are put together; all are counted once."""
    counts = {str(year): year - 1960 for year in range(1961, 2020)}
    values = _years(SearchRequest(q="x"), counts, 6)
    assert [one.value for one in values] == [f"{n}–{n + 9}" for n in range(2010, 1950, -10)]
    assert sum(one.count for one in values) == sum(counts.values())
    assert values[0].address == "/?q=x&from=2010&to=2019"
    few = _years(SearchRequest(q="x", page=3), {"2001": 2, "1999": 1}, 6)
    assert [(one.value, one.address) for one in few] == [
        ("2001", "/?q=x&from=2001&to=2001"), ("1999", "/?q=x&from=1999&to=1999")
    ]  # fmt: skip


def test_the_page(client: TestClient) -> None:
    """Counts, moves as chips, what narrows with a way out of it."""
    page = client.get(f"/?{ASKED}&move=RESULTS&from=2005").text
    assert (
        '<a class="chip on" href="/?q=women+infection&amp;from=2005&amp;rank=bm25">Results' in page
    )
    assert (
        '<a class="chip on" href="/?q=women+infection&amp;move=RESULTS&amp;rank=bm25">2005–' in page
    )
    assert "Headings" in client.get(f"/facets?{ASKED}&part=1").text
    assert "nothing to count" in client.get("/facets?q=xylophone").text


def test_newest_first(client: TestClient) -> None:
    """The first thousand by rank, by year; those of a year stay in their order."""
    by_rank = client.get(f"/export/json?{ASKED}&n=1000").json()
    by_date = client.get(f"/export/json?{ASKED}&n=1000&sort=date").json()
    expected = sorted(by_rank, key=lambda hit: hit["year"], reverse=True)
    assert [hit["id"] for hit in by_date] == [hit["id"] for hit in expected]


def test_the_way_back(client: TestClient) -> None:
    """An abstract leads back to the very search, filters, order, page and all."""
    asked = "/?q=women&from=2001&rank=bm25&sort=date&page=2"
    page = client.get(asked).text
    link = page.split('<p class="sentence"><a href="')[1].split('"')[0].replace("&amp;", "&")
    abstract = client.get(link.split("#")[0]).text
    assert f'<a href="{asked.replace("&", "&amp;")}" data-back>← Found for:</a> women' in abstract
    assert "<mark" in abstract
    odd = client.get("/abstract", params={"id": "90000002", "back": "page=x&q=//evil"}).text
    assert "Found for" not in odd
