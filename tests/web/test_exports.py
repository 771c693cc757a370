"""What is seen, for other programs."""

import csv
from io import StringIO
from pathlib import Path

from starlette.testclient import TestClient

from relsent_ir.trec import read_run


def test_every_form(client: TestClient, tmp_path: Path) -> None:
    """The ten hits of the page, in their order, in each form."""
    asked = "q=women+infection&rank=bm25&page=2"
    hits = client.get(f"/api/search?{asked}").json()
    ids = [hit["id"] for hit in hits["hits"]]
    assert client.get(f"/export/json?{asked}").json() == hits
    rows = list(csv.DictReader(StringIO(client.get(f"/export/csv?{asked}").text)))
    assert [row["id"] for row in rows] == ids
    assert [row["rank"] for row in rows] == [str(n) for n in range(11, 21)]
    (tmp_path / "run").write_text(client.get(f"/export/run?{asked}").text)
    assert read_run(tmp_path / "run")["1"].ids.tolist() == ids
    records = len(dict.fromkeys(name.split(".")[0] for name in ids))
    assert client.get(f"/export/ris?{asked}").text.count("TY  - JOUR") == records
    assert client.get(f"/export/bibtex?{asked}").text.count("@article{") == records


def test_links_to_them(client: TestClient) -> None:
    """The page offers what it shows."""
    page = client.get("/?q=women&rank=bm25&page=2").text
    assert 'href="/export/ris?q=women&amp;rank=bm25&amp;page=2" download' in page


def test_an_unknown_form(client: TestClient) -> None:
    """It is refused as JSON is."""
    answer = client.get("/export/pdf?q=women")
    assert (answer.status_code, answer.json()["error"][:6]) == (422, "form: ")
