"""What a text in the box is taken for: words, a strategy, a question, an id; misspelt words."""

from pathlib import Path

import pytest
from markupsafe import escape
from starlette.testclient import TestClient

import relsent_ir as rir
from relsent_ir.records import Record
from relsent_ir.web import Settings, create_app
from relsent_ir.web.wording import is_question
from tests.invented import index_of


def test_other_spellings(tmp_path: Path) -> None:
    """They are searched and told, unless the address says as written; so is what is meant."""
    titles = (*["Tumour of ants."] * 2, *["Tumor of bees."] * 3, *["Metformin, wasps."] * 25)
    titles += ("Metformina, hornets.",)
    records = [Record(str(n), f"{title}", pmid=str(7000 + n)) for n, title in enumerate(titles)]
    index_of(tmp_path, records)
    app = create_app(rir.open_collection(tmp_path / "index"), Settings())
    with TestClient(app, base_url="http://localhost") as client:
        asked = {"q": "tumour", "unit": "abstracts"}
        answer = client.get("/api/search", params=asked).json()
        assert (answer["found"], len(answer["hits"])) == (5, 5)
        (other,) = answer["others"]
        assert (other["written"], other["other"], other["kind"]) == ("tumour", "tumor", "spelling")
        assert "written=true" in other["address"]
        page = client.get("/", params=asked).text
        assert "Also searched: tumor" in page
        alone = client.get(other["address"].replace("/?", "/api/search?")).json()
        assert (alone["found"], alone["others"]) == (2, [])
        assert "Also searched" not in client.get(other["address"]).text
        answer = client.get("/api/search", params={"q": "metfromin", "unit": "abstracts"}).json()
        (other,) = answer["others"]
        assert (other["kind"], other["other"]) == ("corrected", "metformin")
        assert (answer["request"]["q"], answer["found"]) == ("metformin", 25)
        assert client.get("/api/facets", params={"q": "metfromin"}).json()["found"] == 25
        assert len(client.get("/export/json?q=metfromin&n=30").json()) == 25
        assert "nothing here has <em>metfromin</em>" in client.get("/?q=metfromin").text
        assert "no word like <em>metfromin</em>" in client.get(other["address"]).text
        answer = client.get("/api/search?q=metfromin+xmetfromin&unit=abstracts").json()
        assert answer["request"]["q"] == "metformin xmetfromin"  # whole words alone
        # What a few have is searched: most rare words are right.
        answer = client.get("/api/search?q=metformina&unit=abstracts").json()
        assert [(one["kind"], one["other"]) for one in answer["others"]] == [("meant", "metformin")]
        assert client.get(answer["others"][0]["address"]).text.count('<li class="hit"') == 10
        assert "Did you mean" in client.get("/?q=metformina").text
        page = client.get("/?q=7003", follow_redirects=False)
        assert (page.status_code, page.headers["location"]) == (303, "/abstract?id=3")
        assert client.get("/api/search?q=7003").json()["record"] == "3"
        assert client.get("/?q=7003&written=true", follow_redirects=False).status_code == 200


@pytest.mark.parametrize(
    ("text", "became"),
    [
        ('antibiotic*[tiab] NOT "in children"[ti]', ""),
        ("exp Infections/ or antibiotic*.ti,ab.", "Infections[mh] OR antibiotic*[tiab]"),
        ("Female[mh] AND 2000:2020[dp]", ""),
        ("2001:2010[dp]", ""),
    ],
)
def test_a_strategy(client: TestClient, text: str, became: str) -> None:
    """A text that looks like one is heeded, all of it is found, and its words are one step away."""
    answer = client.get("/api/search", params={"q": text}).json()
    index = client.app.state.shelf.library.indexes.index("abstracts")  # type: ignore[attr-defined]
    passing = rir.Filters(strategy=text).passing(index).sum()
    assert answer["found"] == passing > 0
    (told,) = answer["others"]
    assert (told["kind"], told["other"]) == ("heeded", became)
    assert (answer["request"]["strategy"], answer["request"]["unit"]) == (text, "abstracts")
    page = client.get("/", params={"q": text}).text
    assert "Taken for a strategy" in page
    assert f'value="{escape(text)}"' in page
    assert "chip on" not in page
    assert page.count('<li class="hit"') == min(passing, 10)
    assert len(client.get("/export/json", params={"q": text, "n": 99}).json()) == passing
    words = client.get(told["address"]).text
    assert "Taken for a strategy" not in words
    sentences = {"q": answer["request"]["q"], "strategy": text, "unit": "sentences"}
    assert client.get("/api/search", params=sentences).json()["found"] > 0


def test_what_is_no_strategy(client: TestClient) -> None:
    """A quoted phrase is offered as one, and what cannot be read: there the mistake is told."""
    asked = {"q": 'the "second" antibiotic "in women" with infection', "unit": "abstracts"}
    answer = client.get("/api/search", params=asked).json()
    assert answer["found"] > 10
    assert "search this as a strategy" in client.get("/", params=asked).text
    none = client.get("/", params={"q": "xylophones[tiab] AND women"}).text
    assert "Nothing was found by this strategy" in none
    assert client.get("/api/search", params={"q": "a", "strategy": "(a"}).status_code == 400
    joker = client.get("/", params={"q": "women AND child?"}, follow_redirects=False)
    assert joker.status_code == 200  # no question
    assert "Taken for a strategy" not in joker.text


@pytest.mark.parametrize(
    ("text", "mistake"),
    [
        ("infection[foo]", "there is no tag [foo]"),
        ("infection AND women[edat]", "[edat] is not heeded"),
        ("TS=women AND WC=infection", "has no meaning here"),
        ("women AND infection?", 'Ovid\'s "?" for a letter or none is not heeded'),
    ],
)
def test_a_refused_strategy(client: TestClient, text: str, mistake: str) -> None:
    """Its words are searched, and what is wrong is told until the words are asked for."""
    answer = client.get("/api/search", params={"q": text}).json()
    assert answer["hits"]
    (told,) = (one for one in answer["others"] if one["kind"] == "refused")
    assert mistake in told["other"]
    page = client.get("/", params={"q": text}).text
    assert f"No strategy: {escape(told['other'])}. " in page
    page = client.get(told["address"])
    assert page.status_code == 200
    assert "No strategy" not in page.text
    assert '<li class="hit"' in page.text


def test_a_question(client: TestClient) -> None:
    """The page asks abstracts, with a way to its words; a statement is offered as a question."""
    asked = {"q": "Do antibiotics prevent infection?", "from": "1990", "rank": "model"}
    page = client.get("/", params=asked, follow_redirects=False)
    assert page.status_code == 303
    assert page.headers["location"] == "/question?q=Do+antibiotics+prevent+infection%3F&from=1990"
    asking = client.get("/", params=asked).text
    assert "search for its words" in asking
    words = client.get("/", params={"q": asked["q"], "written": "true"})
    assert words.url.path == "/"
    assert '<li class="hit"' in words.text
    assert client.get("/api/search", params=asked).json()["hits"]
    (offer, *_) = client.get("/api/search?q=Antibiotics+prevent+infection").json()["others"]
    assert (offer["kind"], offer["address"]) == (
        "question", "/question?q=Antibiotics+prevent+infection"
    )  # fmt: skip
    assert "Ask this as a question" in client.get("/?q=Antibiotics+prevent+infection").text


@pytest.mark.parametrize(
    ("text", "asks"),
    [
        ("do antibiotics prevent infection", True),
        ("What causes night blindness", True),
        ("what causes pain", False),  # too short to be sure
        ("IS 6110 typing of strains", False),
        ("who classification of tumours", False),
        ("antibiotics prevent infection in women", False),
        ("does* AND zinc AND common colds", False),
    ],
)
def test_a_question_without_its_mark(text: str, asks: bool) -> None:
    """It is told by its beginning, where that is sure."""
    assert is_question(text) is asks


def test_an_unknown_doi(client: TestClient) -> None:
    """Its parts are not searched as words, unless that is asked for; a known one is opened."""
    page = client.get("/?q=10.1000/182").text
    assert "This collection has no record with the id <em>10.1000/182</em>" in page
    assert client.get("/?q=10.5555/relsent.90000022").url.path == "/abstract"
