"""Two names."""

import re
from urllib.parse import quote_plus

import pytest
from starlette.testclient import TestClient

import relsent_ir as rir
from relsent_ir.relations import open_ranker
from relsent_ir.relations.finding import Finder
from relsent_ir.relations.pairs import rank_pairs

A, B = "women", "infection"


def test_sentences(client: TestClient) -> None:
    """They are those of `relate`, with what was searched; both names are marked, each its way."""
    collection: rir.Collection = client.app.state.shelf.library.collection  # type: ignore[attr-defined]
    pair = next(rank_pairs(Finder(collection.indexes), open_ranker(), [(A, B)], 10))
    found = client.get("/api/names", params={"a": A, "b": B}).json()
    assert [hit["id"] for hit in found["hits"]] == pair.hits.ids.tolist()
    assert (found["sentences"], found["records"]) == (pair.sentences, pair.records)
    assert [one["name"] for one in found["searched"][0]] == [form.name for form in pair.forms[0]]
    page = client.get("/names", params={"a": A, "b": B}).text
    assert (
        page.count('<mark class="one"') == page.count('<mark class="other"') == len(pair.hits) + 1
    )


@pytest.mark.parametrize("way", [{"group": "record"}, {"directed": "true"}])
def test_ways(client: TestClient, way: dict[str, str]) -> None:
    """Whatever the address may say of how they are ranked is heeded."""
    collection: rir.Collection = client.app.state.shelf.library.collection  # type: ignore[attr-defined]
    settings = rir.Relations(group=way.get("group"), directed="directed" in way)
    expected = collection.relate(A, B, settings, 10)
    found = client.get("/api/names", params={"a": A, "b": B, **way}).json()
    assert [hit["id"] for hit in found["hits"]] == expected.ids.tolist()
    records = [hit["record"] for hit in found["hits"]]
    assert len(set(records)) < len(records) or "group" in way


def test_why(client: TestClient) -> None:
    """The score is the sum of the features, of which the weightiest are shown."""
    hit = client.get("/api/names", params={"a": A, "b": B}).json()["hits"][0]
    found = client.get("/api/why/names", params={"a": A, "b": B, "id": hit["id"]}).json()
    assert found["features"]
    assert client.get("/why/names", params={"a": A, "b": B, "id": "90000002.1"}).status_code in (
        200,
        404,
    )


def test_entity(client: TestClient) -> None:
    """The terms are those of `entity`; each leads to its sentence and to both names."""
    collection: rir.Collection = client.app.state.shelf.library.collection  # type: ignore[attr-defined]
    expected = collection.entity(A, 5)
    found = client.get("/api/entity", params={"name": A, "terms": 5}).json()
    assert [(t["name"], t["sentence"]["id"]) for t in found["terms"]] == [
        (t.name, t.id) for t in expected
    ]
    assert found["terms"]
    assert (found["names"][0], found["note"]) == (A, "")
    page = client.get("/entity", params={"name": A, "terms": 5}).text
    for term in expected:
        record, _, n = term.id.rpartition(".")
        assert f"/abstract?id={record}&amp;at={n}&amp;q={A}+" in page
        assert f"/names?a={A}&amp;b={quote_plus(term.name)}" in page
    ids = re.findall(r'<li class="hit" id="(g\d-\d)"', page)
    assert re.findall(r'class="chip" href="#(.+?)"', page) == ids  # the terms, at the head
    assert len(set(ids)) == len(expected)
    assert "<h1" not in client.get("/entity").text
    assert client.get("/entity?name=%3F").status_code == 400
    assert client.get("/api/entity?name=xylophone").json()["terms"] == []


def test_odd_names(client: TestClient) -> None:
    """A name without a letter is refused; one name alone finds nothing; neither shows the form."""
    assert client.get("/names?a=%3F&b=women").status_code == 400
    assert "No sentence was found" not in client.get("/names?a=women").text
    assert "No sentence was found" in client.get("/names?a=women&b=xylophone").text
    assert client.get("/names?a=women&b=xylophone").status_code == 200
    assert client.get("/why/names?a=women&b=xylophone&id=90000002.1").status_code == 404


@pytest.mark.parametrize("literal", [True, False])
def test_abbreviations(client: TestClient, literal: bool) -> None:
    """They are looked for unless that is not wanted."""
    asked = {"a": "urinary tract infection", "b": "women", "literal": literal}
    names = [one["name"] for one in client.get("/api/names", params=asked).json()["searched"][0]]
    assert names[0] == "urinary tract infection"
    if literal:
        assert len(names) == 1
