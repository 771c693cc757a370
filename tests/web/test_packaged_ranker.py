"""The page with the ranker that comes with the package, which orders abstracts alone."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from starlette.testclient import TestClient

import relsent_ir as rir
from relsent_ir.hits import Run
from relsent_ir.web import Settings
from tests.web.conftest import SECONDS, served_client

QUERY = "antibiotics prevent infection in women"


@pytest.fixture(scope="module")
def ranked(folder: Path) -> Iterator[TestClient]:
    """The sample's page with the ranker."""
    yield from served_client(folder / "sample", Settings(ranker="ranker", seconds=SECONDS))


def test_abstracts(ranked: TestClient) -> None:
    """Their order is the ranker's, and each score is accounted for by its features."""
    collection: rir.Collection = ranked.app.state.shelf.library.collection  # type: ignore[attr-defined]
    first = Run({"": collection.search(QUERY, 100, unit="abstracts")})
    expected = collection.rerank(first, {"": QUERY}, "ranker", depth=100)[""]
    found = ranked.get("/api/search", params={"q": QUERY, "unit": "abstracts"}).json()
    assert found["ranked"] == "model"
    assert [hit["id"] for hit in found["hits"]] == expected.ids.tolist()[:10]
    assert [hit["rank"] for hit in found["hits"]] == list(range(1, 11))
    asked = {"q": QUERY, "unit": "abstracts", "rank": "model", "id": expected.ids[0]}
    why = ranked.get("/api/why", params=asked).json()
    assert why["method"] == "learned order"
    assert len(why["features"]) == 12
    assert "learned order of abstracts" in ranked.get("/", params=asked).text


def test_sentences(ranked: TestClient) -> None:
    """They stay in BM25's order, and so are explained, whatever is asked for."""
    found = ranked.get("/api/search", params={"q": QUERY, "rank": "model"}).json()
    plain = ranked.get("/api/search", params={"q": QUERY, "rank": "bm25"}).json()
    assert found["ranked"] == "bm25"
    assert found["hits"] == plain["hits"]
    assert 'value="bm25" checked' in ranked.get("/", params={"q": QUERY}).text
    asked = {"q": QUERY, "rank": "model", "id": found["hits"][0]["id"]}
    assert ranked.get("/api/why", params=asked).json()["method"] == "BM25"
