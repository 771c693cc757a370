"""What is seen, for other programs."""

import csv
import re
from io import StringIO
from pathlib import Path

from starlette.testclient import TestClient

from relsent_ir.trec import read_run


def test_every_form(client: TestClient, tmp_path: Path) -> None:
    """The ten hits of the page, in their order, in each form."""
    asked = "q=women+infection&rank=bm25&page=2"
    hits = client.get(f"/api/search?{asked}").json()["hits"]
    ids = [hit["id"] for hit in hits]
    assert client.get(f"/export/json?{asked}").json() == hits
    rows = list(csv.DictReader(StringIO(client.get(f"/export/csv?{asked}").text)))
    assert [row["id"] for row in rows] == ids
    assert [row["rank"] for row in rows] == [str(n) for n in range(11, 21)]
    (tmp_path / "run").write_text(client.get(f"/export/run?{asked}").text)
    assert read_run(tmp_path / "run")["1"].ids.tolist() == ids
    records = len(dict.fromkeys(name.split(".")[0] for name in ids))
    assert client.get(f"/export/ris?{asked}").text.count("TY  - JOUR") == records
    assert client.get(f"/export/bibtex?{asked}").text.count("@article{") == records


def test_links_and_unknown_forms(client: TestClient) -> None:
    """The page offers what it shows; an unknown form is refused as JSON is."""
    found = client.get("/api/search?q=women&rank=bm25").json()["found"]
    page = client.get("/?q=women&rank=bm25&page=2").text
    assert f'href="/export/bibtex?q=women&amp;rank=bm25&amp;n={found}" download' in page
    answer = client.get("/export/pdf?q=women")
    assert (answer.status_code, answer.json()["error"][:6]) == (422, "form: ")


def test_as_many_as_there_are(client: TestClient) -> None:
    """A search's hits up to a thousand, in its order; each record of them once in BibTeX."""
    asked = "q=women+infection+trial&rank=bm25"
    found = client.get(f"/api/search?{asked}").json()["found"]
    assert 40 < found < 1000
    hits = client.get(f"/export/json?{asked}&n=1000").json()
    assert [hit["rank"] for hit in hits] == list(range(1, found + 1))
    text = client.get(f"/export/bibtex?{asked}&n=1000").text
    keys = re.findall(r"^@article\{(.+),$", text, re.MULTILINE)
    assert len(keys) == len(set(keys)) == len({hit["record"] for hit in hits})
    assert text.count("{") == text.count("}")


def test_a_basket(client: TestClient) -> None:
    """Sentences and abstracts by their ids, in the reader's order; unknown ones are left out."""
    ids = ["90000003", "90000002.2", "nothing", "90000003"]
    kept = client.get("/api/basket", params={"id": ids}).json()["hits"]
    assert [hit["id"] for hit in kept] == ids[:2]
    assert [hit["id"] for hit in client.get("/export/json", params={"id": ids}).json()] == ids[:2]
    page = client.get("/basket", params={"id": ids}).text
    assert "/export/ris?id=90000003&amp;id=90000002.2" in page
    assert "It is empty" in client.get("/basket").text
