"""An abstract that is read, and the sentences related to its own."""

from pathlib import Path
from threading import Event

import pytest
from starlette.testclient import TestClient

import relsent_ir as rir
from relsent_ir.citation.similar import find_similar
from relsent_ir.lucene.write.indexing import build_index
from relsent_ir.records import Record, Section
from relsent_ir.related import score_pairs
from relsent_ir.related.features import Sentences
from relsent_ir.related.reranker import weightiest
from relsent_ir.web import Settings, create_app
from relsent_ir.web.library import Library
from tests.invented import index_of

RECORD = "90000002"


@pytest.fixture
def library(client: TestClient) -> Library:
    """What the page reads."""
    found: Library = client.app.state.shelf.library  # type: ignore[attr-defined]
    return found


def test_related_sentences(client: TestClient, library: Library) -> None:
    """Under each sentence stands what is worth showing, and nothing twice on the page."""
    found = client.get(f"/api/abstract?id={RECORD}").json()
    near = {
        line["id"]: client.get(f"/api/related?id={line['id']}&near=true").json()
        for line in found["sentences"]
    }
    texts = {line["id"]: line["text"] for line in found["sentences"]}
    run = library.matcher.related(texts, 12, without_own=True)
    expected = library.showing.choose(texts, run, 3)
    for name, hits in expected.items():
        shown = near[name]["hits"]
        assert [hit["id"] for hit in shown] == hits.ids.tolist()
        # JSON has six digits of a score
        assert [hit["score"] for hit in shown] == pytest.approx(hits.scores.tolist(), rel=1e-5)
    every = [hit["id"] for one in near.values() for hit in one["hits"]]
    assert every
    assert len(set(every)) == len(every)


def test_the_others_do_not_wait(client: TestClient) -> None:
    """What was chosen with the first sentence of an abstract is given though slow pages wait."""
    client.get(f"/api/related?id={RECORD}.1&near=true")
    slow, go = client.app.state.work._slow.executor, Event()  # type: ignore[attr-defined]
    held = [slow.submit(go.wait, 60) for _ in range(slow._max_workers)]
    try:
        found = client.get(f"/api/related?id={RECORD}.2&near=true")
        assert not any(one.done() for one in held)
        assert found.status_code == 200
    finally:
        go.set()


def test_the_sentence_that_led_there(client: TestClient, library: Library) -> None:
    """It has three related sentences in any case: those above the cut, then its next best."""
    texts = {s.id: s.text for s in library.indexes.parts([RECORD])[RECORD]}
    run = library.matcher.related(texts, 12, without_own=True)
    filled = 0
    for name in texts:
        close = client.get(f"/api/related?id={name}&near=true").json()
        three = client.get(f"/api/related?id={name}&near=true&led=true").json()
        assert close["less"] == three["less"] == len(close["hits"])
        assert three["hits"][: close["less"]] == close["hits"]
        assert [hit["rank"] for hit in three["hits"]] == [1, 2, 3]
        shown = {hit for of in library.shown(RECORD).values() for hit in of.ids}
        rest = [hit for hit in run[name].ids.tolist() if hit not in shown]
        less = [hit["id"] for hit in three["hits"][three["less"] :]]
        assert less == rest[: len(less)]
        filled += bool(less)
        page = client.get(f"/related?id={name}&near=true&led=true&part=1").text
        assert page.count("Less closely related:") == bool(less)
    assert filled
    page = client.get(f"/abstract?id={RECORD}&at=2").text
    assert page.count("led=true") == 1
    assert f"id={RECORD}.2&amp;near=true&amp;led=true" in page


def test_the_page(client: TestClient) -> None:
    """Sentences by move with a legend, those without a script too; where each leads is kept."""
    page = client.get(f"/abstract?id={RECORD}&at=2").text
    assert (
        page.count('<li id="s')
        == len(client.get(f"/api/abstract?id={RECORD}").json()["sentences"]) - 1
    )
    for move in ("Purpose", "Methods", "Results", "Conclusion"):
        assert f">{move}</span>" in page
    assert page.count("data-near=") == page.count('<li id="s') + 1
    part = client.get(f"/related?id={RECORD}.2&part=1").text
    near = part.split('<ol class="near"')[1].split('href="')[1].split('"')[0].replace("&amp;", "&")
    assert f"from={RECORD}" in near
    there = client.get(near.split("#")[0]).text
    assert "← Related to:" in there
    assert f'href="/abstract?id={RECORD}&amp;at=' in there


def test_similar_articles(client: TestClient, library: Library) -> None:
    """They are those of the default method."""
    found = client.get(f"/api/similar?id={RECORD}").json()["hits"]
    expected = find_similar(library.indexes, [RECORD], k=5)[RECORD].ids.tolist()
    assert [one["id"] for one in found] == expected


def test_all_relatives(client: TestClient) -> None:
    """A sentence's own page has them all, ten a page, whether above the cut or not."""
    first = client.get(f"/api/related?id={RECORD}.3").json()
    second = client.get(f"/api/related?id={RECORD}.3&page=2").json()
    scores = [near["score"] for near in first["hits"] + second["hits"]]
    assert len(scores) == 20
    assert scores == sorted(scores, reverse=True)
    assert "page=2" in client.get(f"/related?id={RECORD}.3").text


def test_why(client: TestClient, library: Library) -> None:
    """Two related sentences share words, and their features are those of the model."""
    near = client.get(f"/api/related?id={RECORD}.3").json()
    other = near["hits"][0]
    found = client.get("/api/why/related", params={"from": f"{RECORD}.3", "to": other["id"]}).json()
    said = near["sentence"]["text"]
    model = library.matcher.model
    expected = weightiest(model, Sentences.from_texts([said, other["text"]], model.stopwords), 1)
    assert [tuple(one) for one in found["features"]] == [
        (name, pytest.approx(weight)) for name, weight in expected
    ]
    score = score_pairs(library.matcher.model, [(said, other["text"])])[0]
    assert found["values"] == {"score": pytest.approx(score, rel=1e-5)}
    assert found["plain"].startswith(("Both say *", "No word is the same"))
    page = client.get("/why/related", params={"from": f"{RECORD}.3", "to": other["id"]}).text
    assert page.count("<rect") == len(expected)


def test_why_a_hit(client: TestClient) -> None:
    """What a score is made of; an unknown id is told."""
    hit = client.get("/api/search?q=women+infection&rank=bm25").json()["hits"][0]
    asked = {"q": "women infection", "id": hit["id"], "rank": "bm25"}
    found = client.get("/api/why", params=asked).json()
    assert sum(weight for _, weight in found["features"]) == pytest.approx(hit["score"], abs=1e-4)
    found = client.get("/api/why", params={**asked, "rank": "model"}).json()
    assert found["method"] == "learned order"
    assert found["features"]
    part = client.get("/why", params={**asked, "part": 1}).text
    assert part.lstrip().startswith("<section")
    for page in (
        "/abstract?id=1", "/abstract?id=", f"/related?id={RECORD}", f"/related?id={RECORD}.99",
        f"/related?id={RECORD}.x", "/theme?id=1", f"/why?q=x&id={RECORD}.99",
        f"/why/related?from={RECORD}.1&to=1.1", f"/abstract?id={RECORD}&from=1.1",
    ):  # fmt: skip
        assert client.get(page).status_code == 404, page
        assert client.get(f"/api{page}").status_code == 404, page


def test_a_record_without_anything(evil: TestClient) -> None:
    """Neither title nor abstract: the page says so."""
    page = evil.get("/abstract?id=none").text
    assert "(without a title)" in page
    assert "This record has no abstract." in page
    assert "It shares no term" in evil.get("/theme?id=none").text


def test_a_record_without_a_title(tmp_path: Path) -> None:
    """Its first sentence stands for it, but not in a citation."""
    record = Record("1", "", sections=(Section("Mice ran far. They slept."),))
    index_of(tmp_path, [record])
    app = create_app(rir.open_collection(tmp_path / "index"), Settings(name="A & B"))
    with TestClient(app, base_url="http://localhost") as client:
        page = client.get("/abstract?id=1").text
        found = client.get("/?q=mice&unit=abstracts").text
    assert '<h1 id="s0">Mice ran far.</h1>' in page
    assert "<title>Mice ran far. · A &amp; B</title>" in page  # as the server is told to call it
    assert 'data-copy=". [1]"' in page or 'data-copy="[1]"' in page
    assert "without a title" not in page + found


def test_theme(client: TestClient) -> None:
    """Terms that lead to a search, and records other than the kernel."""
    found = client.get(f"/api/theme?id={RECORD}").json()
    assert found["terms"]
    assert RECORD not in [one["id"] for one in found["records"]]
    assert (
        f'href="/?q={found["terms"][0].replace(" ", "+")}&amp;unit=abstracts"'
        in client.get(f"/theme?id={RECORD}").text
    )


@pytest.mark.parametrize("sections", [(), (Section("Mice ran far away."),), (Section("Of the."),)])
def test_hardly_any_record(tmp_path: Path, sections: tuple[Section, ...]) -> None:
    """A collection of one record, with or without sentences, is shown without company."""
    line = Record("1", "Mice" if sections else "", sections=sections, year="1999").to_json()
    (tmp_path / "r.jsonl").write_text(line + "\n")
    build_index([(tmp_path / "r.jsonl", "jsonl")], tmp_path / "index")
    app = create_app(rir.open_collection(tmp_path / "index"))
    with TestClient(app, base_url="http://localhost") as client:
        for page in ("/?q=mice", "/abstract?id=1", "/api/abstract?id=1", "/theme?id=1",
                     "/question?q=mice", "/names?a=mice&b=far", "/api/theme?id=1"):  # fmt: skip
            assert client.get(page).status_code == 200, page
        assert client.get("/ready").status_code in (200, 503)
