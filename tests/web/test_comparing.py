"""Runs side by side."""

from pathlib import Path

import pytest
from starlette.testclient import TestClient

import relsent_ir as rir
from relsent_ir.errors import InputError, UsageError
from relsent_ir.web import Settings
from relsent_ir.web.settings import MEASURES, Measured


def test_table(client: TestClient, folder: Path) -> None:
    """All topics with both values, those that gain most first; the comparison is `compare`'s."""
    runs = {name: rir.read_run(folder / f"{name}.txt") for name in ("bm25", "rm3")}
    qrels = rir.read_qrels(folder / "qrels.txt")
    found = client.get("/api/runs").json()
    assert found["request"] == {"a": "bm25", "b": "rm3", "measure": "map", "sort": "gain"}
    assert found["runs"] == ["bm25", "rm3"]
    values = rir.evaluate(qrels, runs, list(MEASURES))
    for row in found["topics"]:
        assert row["a"] == values["bm25"].topics[row["topic"]]["map"]
        assert row["b"] == values["rm3"].topics[row["topic"]]["map"]
    gains = [row["b"] - row["a"] for row in found["topics"]]
    assert gains == sorted(gains, reverse=True)
    assert found["comparison"] == rir.compare(qrels, runs, list(MEASURES)).to_json()
    assert [r["topic"] for r in client.get("/api/runs?sort=topic").json()["topics"]] == sorted(
        values["bm25"].topics
    )
    losses = client.get("/api/runs?sort=loss&measure=P_10").json()["topics"]
    assert losses[0]["b"] - losses[0]["a"] == min(row["b"] - row["a"] for row in losses)


def test_odd_runs(client: TestClient, evil: TestClient) -> None:
    """A run with itself is nothing to compare; one that is not there is told."""
    found = client.get("/api/runs?a=rm3&b=rm3").json()
    assert found["comparison"] is None
    assert client.get("/runs?a=rm3&b=rm3").status_code == 200
    for page in ("/runs?a=none", "/runs/topic?id=none", "/runs/topic?id=001&b=none"):
        assert client.get(page).status_code == 404
    assert "given no runs" in evil.get("/runs").text
    assert '"/runs"' not in evil.get("/").text


def test_a_topic(client: TestClient, folder: Path) -> None:
    """Each hit has its judgement and its rank in the other run."""
    runs = {name: rir.read_run(folder / f"{name}.txt") for name in ("bm25", "rm3")}
    grades = rir.read_qrels(folder / "qrels.txt")["001"]
    found = client.get("/api/runs/topic?id=001").json()
    assert [side["run"] for side in found["sides"]] == ["bm25", "rm3"]
    other = runs["rm3"]["001"].ids.tolist()
    for hit, name in zip(found["sides"][0]["hits"], runs["bm25"]["001"].ids, strict=False):
        assert hit["id"] == name
        assert hit["grade"] == grades.get(name)
        assert hit["elsewhere"] == (other.index(name) + 1 if name in other else None)
    page = client.get("/runs/topic?id=001").text
    assert "✔ relevant" in page
    assert "/why?q=" in page
    assert client.get("/runs/topic?id=001&page=2").status_code == 200


def test_hits_of_another_collection(folder: Path, client: TestClient, tmp_path: Path) -> None:
    """They are shown by their ids."""
    (tmp_path / "strange.txt").write_text("001 Q0 elsewhere 1 2.0 x\n001 Q0 90000002 2 1.0 x\n")
    library = client.app.state.shelf.library  # type: ignore[attr-defined]
    known, files = library.measured, (tmp_path / "strange.txt", folder / "rm3.txt")
    library.measured = Measured.read(Settings(runs=files, qrels=folder / "qrels.txt"))
    try:
        page = client.get("/runs/topic?id=001").text
    finally:
        library.measured = known
    assert "elsewhere is not in this collection" in page


def test_files(folder: Path, tmp_path: Path) -> None:
    """Two runs of one name, or no run, are refused when the server is started."""
    run, qrels = folder / "bm25.txt", folder / "qrels.txt"
    with pytest.raises(UsageError, match="two runs have one name"):
        Measured.read(Settings(runs=(run, run), qrels=qrels))
    with pytest.raises(InputError):
        Measured.read(Settings(runs=(tmp_path / "none.txt",), qrels=qrels))
    assert Measured.read(Settings()) is None
