"""A question."""

import pytest
from starlette.testclient import TestClient

import relsent_ir as rir
from relsent_ir.answers import searching
from relsent_ir.answers.language import parse
from relsent_ir.answers.model import default_model
from relsent_ir.answers.pooling import pool

QUESTION = "Do prophylactic antibiotics prevent recurrent urinary tract infection in women?"


def test_answers(client: TestClient) -> None:
    """The abstracts, their sentences and what they say together are those of the answers."""
    collection: rir.Collection = client.app.state.shelf.library.collection  # type: ignore[attr-defined]
    model = default_model()
    expected = searching.search(collection.indexes, {"": QUESTION}, model, depth=10)[""]
    found = client.get("/api/question", params={"q": QUESTION}).json()
    assert [one["record"]["id"] for one in found["records"]] == [one.record.id for one in expected]
    assert [one["lacks"] for one in found["records"]] == [one.lacks for one in expected]
    slots = [{s["slot"]: s["id"] for s in one["hits"]} for one in found["records"]]
    assert slots == [
        {s: a.id for s in ("finding", "conclusion") if (a := one.of(s))} for one in expected
    ]
    pooled = pool(parse(QUESTION), expected, model.stopwords)
    assert found["pooled"]["kind"] == "yes/no"
    assert [one["id"] for one in found["pooled"]["quotes"]] == [q.id for q in pooled.quotes]
    assert found["slot"] == model.slot(parse(QUESTION))


@pytest.mark.parametrize("stage", ["lay", "bm25", "medline", "ranker"])
def test_first_stages(client: TestClient, stage: str) -> None:
    """The abstracts are those that the first stage of the address finds."""
    collection: rir.Collection = client.app.state.shelf.library.collection  # type: ignore[attr-defined]
    query = {"q": "pain in women after infection", "first_stage": stage}
    expected = collection.answer(query["q"], rir.Answers(first_stage=stage), 10)
    found = client.get("/api/question", params=query).json()
    assert {one["record"]["id"] for one in found["records"]} == {h.record.id for h in expected}


def test_the_page(client: TestClient) -> None:
    """Missing words come first in each abstract; what they say together is before all."""
    page = client.get("/question", params={"q": QUESTION}).text
    assert page.index('<p class="pooled">') < page.index('<ol class="hits">')
    lacking = page.split('<li class="hit">')[2]
    assert lacking.lstrip().startswith('<p class="lacks"><strong>Not mentioned</strong> <em>')
    assert page.count('<span class="move results">') > 3
    assert 'class="slot"' not in page  # a sentence's move says as much
    pairs = [hit.count('class="sentence small') for hit in page.split('<li class="hit">')]
    assert 2 in pairs
    assert 1 <= page.count("the likelier answer") <= pairs.count(2)


def test_why(client: TestClient) -> None:
    """The features set a sentence apart from the others of its abstract."""
    one = client.get("/api/question", params={"q": QUESTION}).json()["records"][0]["hits"][0]
    asked = {"q": QUESTION, "id": one["id"], "slot": one["slot"]}
    found = client.get("/api/why/answer", params=asked).json()
    assert 0 < found["values"]["probability"] <= 1
    weights = [abs(weight) for _, weight in found["features"]]
    assert weights == sorted(weights, reverse=True)
    title = f"{one['id'].rpartition('.')[0]}.0"
    assert client.get("/api/why/answer", params={**asked, "id": title}).json()["features"] == []


def test_nothing(client: TestClient) -> None:
    """Without a question there is the form; without hits it is said."""
    assert '<ol class="hits"' not in client.get("/question").text
    assert "Nothing was found" in client.get("/question?q=xylophones").text
    page = client.get("/question?q=Do+xylophones+cure+women?").text
    assert "<strong>Nothing found.</strong>" in page
    assert "probability" not in page
    assert "likelier" not in page
    assert client.get("/question?q=women&from=2100").text.count("Nothing was found") == 1
