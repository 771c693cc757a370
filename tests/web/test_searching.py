"""The search page."""

import re
import sys

import pytest
from starlette.testclient import TestClient

import relsent_ir as rir
from relsent_ir.hits import Hits, Run
from relsent_ir.web import searching

QUERY = "antibiotics prevent infection in women"


def _ids(client: TestClient, query: str, **more: object) -> list[str]:
    found = client.get("/api/search", params={"q": query, **more})
    return [hit["id"] for hit in found.json()["hits"]]


def test_orders(client: TestClient) -> None:
    """BM25's are the searcher's, ten a page; a ranker orders the first hundred."""
    collection: rir.Collection = client.app.state.shelf.library.collection  # type: ignore[attr-defined]
    expected = collection.search(QUERY, 20, unit="sentences").ids.tolist()
    assert _ids(client, QUERY, rank="bm25") == expected[:10]
    assert _ids(client, QUERY, rank="bm25", page=2) == expected[10:]
    page = client.get("/", params={"q": QUERY, "rank": "bm25", "page": 2}).text
    assert '<ol class="hits" start="11">' in page
    assert "page=3" in page
    assert 'rel="prev" href="/?q=antibiotics+prevent+infection+in+women&amp;rank=bm25"' in page
    collection: rir.Collection = client.app.state.shelf.library.collection  # type: ignore[attr-defined]
    first = Run({"": collection.search(QUERY, 100, unit="abstracts")})
    expected = collection.rerank(first, {"": QUERY}, "I1.5", depth=100)[""].ids.tolist()[:10]
    assert _ids(client, QUERY, unit="abstracts") == expected
    assert _ids(client, QUERY, unit="abstracts", rank="bm25") == first[""].ids.tolist()[:10]
    page = client.get("/", params={"q": QUERY}).text
    assert 'value="model" checked' in page
    assert 'value="bm25" checked' in client.get("/", params={"q": QUERY, "rank": "bm25"}).text


def test_pages_of_one_search(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    """Other pages and exports of a search take what it found; the last searches are remembered."""
    library = client.app.state.shelf.library  # type: ignore[attr-defined]
    searched = []
    original = library.collection.search

    def search(text: str, *given: object, **more: object) -> object:
        searched.append(text)
        return original(text, *given, **more)

    monkeypatch.setattr(library.collection, "search", search)
    asked = {"q": "cranberry capsules for women", "unit": "abstracts"}
    first = _ids(client, asked["q"], unit="abstracts")
    assert client.get("/export/csv", params={**asked, "n": 10}).text.count("\n") == len(first) + 1
    assert _ids(client, asked["q"], unit="abstracts", sort="date") != first
    assert _ids(client, asked["q"], unit="abstracts") == first
    assert searched == [asked["q"]] * 2
    monkeypatch.setattr(sys.modules[type(library).__module__], "CACHED", 1)
    for word in ("capsules", "women"):
        _ids(client, word, unit="abstracts")
    assert len(library.cache) == 1


def test_a_method_of_the_address(client: TestClient) -> None:
    """What ranks is written as in Python, and stays in the address of the next page."""
    collection: rir.Collection = client.app.state.shelf.library.collection  # type: ignore[attr-defined]
    method = "BM25(k1=1.5) >> RM3(fb_docs=3)"
    asked = {"rank": "bm25", "method": method}
    expected = collection.search(QUERY, method, 10, unit="sentences").ids.tolist()
    assert _ids(client, QUERY, **asked) == expected != _ids(client, QUERY, rank="bm25")
    page = client.get("/", params={"q": QUERY, **asked}).text
    assert "method=BM25%28k1%3D1.5%29+%3E%3E+RM3%28fb_docs%3D3%29&amp;page=2" in page
    answer = client.get("/api/search", params={"q": "x", "method": 'Rerank("/etc/passwd")'})
    assert (answer.status_code, "no method" in answer.text) == (400, True)


def test_without_a_ranker(evil: TestClient) -> None:
    """There is no switch."""
    assert 'name="rank"' not in evil.get("/?q=mice").text


def test_filters(client: TestClient) -> None:
    """Moves, years and publication types narrow the hits; moves only those of sentences."""
    params = {"q": QUERY, "move": "RESULTS", "rank": "bm25"}
    found = client.get("/api/search", params=params).json()["hits"]
    assert {hit["sentence"]["move"] for hit in found} == {"RESULTS"}
    params = {"q": QUERY, "from": 2005, "to": 2015, "type": "randomized controlled trial"}
    found = client.get("/api/search", params=params).json()["hits"]
    assert found
    assert all(2005 <= int(hit["year"]) <= 2015 for hit in found)
    assert all("Randomized Controlled Trial" in hit["publication_types"] for hit in found)
    assert _ids(client, QUERY, unit="abstracts", move="RESULTS") == _ids(
        client, QUERY, unit="abstracts"
    )
    page = client.get("/", params=params).text
    assert '<details class="filters" open>' in page
    assert "<option selected>randomized controlled trial</option>" in page


def test_words_that_are_marked(client: TestClient) -> None:
    """By their stems, in whole sentences that lead to their abstract, there lit."""
    page = client.get("/?q=preventing+infections&rank=bm25").text
    assert re.search(r'<mark title="infect">infection</mark>', page)
    link = page.split('<p class="sentence"><a href="')[1].split('"')[0].replace("&amp;", "&")
    number = link.rpartition("#s")[2]
    abstract = client.get(link.split("#")[0]).text
    assert re.search(rf'<li id="s{number}" class="line-of \w+ lit" aria-current="true">', abstract)
    assert "← Found for:" in abstract


def test_nothing_found(client: TestClient) -> None:
    """It is said why."""
    page = client.get("/?q=xylophone").text
    assert "Nothing was found. This collection has no word like <em>xylophon</em>" in page
    assert "with these filters" in client.get("/?q=women&from=1800&to=1801").text
    assert "Nothing was found" in client.get("/?q=%3F%3F").text
    assert "Sentences, in their context" in client.get("/?q=++").text


def test_pubmed(client: TestClient, evil: TestClient) -> None:
    """A record whose source gave a PMID has a link; an id in digits is none."""
    assert 'href="https://pubmed.ncbi.nlm.nih.gov/9000' in client.get("/?q=women").text
    assert "pubmed" not in evil.get("/abstract?id=none").text


def test_few_sentences_of_a_record_come_first() -> None:
    """Two of the first five at most; the others follow, and nothing is lost."""
    hits = Hits.ranked(["a.1", "a.2", "a.3", "b.1", "c.1", "a.4", "d.1", "e.1"], range(8, 0, -1))
    assert searching._spread(hits).ids.tolist() == [
        *["a.1", "a.2", "b.1", "c.1", "d.1"],
        *["a.3", "a.4", "e.1"],
    ]
    assert searching._spread(hits[:3]).ids.tolist() == ["a.1", "a.2", "a.3"]
