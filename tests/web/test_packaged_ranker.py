"""The page with the ranker that comes with the package, of abstracts and of sentences."""

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
    text = ranked.get("/", params=asked).text
    assert "learned order" in text
    assert "learned order of abstracts" not in text


def test_sentences(ranked: TestClient) -> None:
    """They come as `search --unit sentences --ranker` has them, without titles; why is BM25's."""
    collection: rir.Collection = ranked.app.state.shelf.library.collection  # type: ignore[attr-defined]
    expected = collection.search(QUERY, rir.Ranker(), 10, unit="sentences").hits
    found = ranked.get("/api/search", params={"q": QUERY, "rank": "model"}).json()
    assert found["ranked"] == "model"
    assert [hit["id"] for hit in found["hits"]] == expected.ids.tolist()
    assert not any(hit["id"].endswith(".0") for hit in found["hits"])
    plain = ranked.get("/api/search", params={"q": QUERY, "rank": "bm25"}).json()
    assert plain["ranked"] == "bm25"
    assert plain["hits"] != found["hits"]
    asked = {"q": QUERY, "rank": "model", "id": found["hits"][0]["id"]}
    assert ranked.get("/api/why", params=asked).json()["method"] == "BM25"


def test_sentences_by_a_method(ranked: TestClient) -> None:
    """A method that is asked for searches them itself."""
    asked = {"q": QUERY, "rank": "model", "method": "QueryLikelihood()"}
    assert ranked.get("/api/search", params=asked).json()["ranked"] == "bm25"
