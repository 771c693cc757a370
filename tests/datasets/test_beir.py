"""Fetching a collection of BEIR, and indexing a folder of its form; the files are invented."""

import hashlib
import json
import zipfile
from pathlib import Path

import pytest

from relsent_ir.cli.main import main
from relsent_ir.datasets import beir, fetch
from relsent_ir.errors import InputError
from relsent_ir.trec import read_qrels, read_topics

FILES = {
    "corpus.jsonl": [
        {
            "_id": "4983",
            "title": "Tea and sleep",
            "text": "Tea keeps people awake.",
            "metadata": {},
        },
        {"_id": "MED-2", "title": "", "text": "Coffee is drunk in the morning.", "metadata": {}},
    ],
    "queries.jsonl": [
        {"_id": "q1", "text": "Does tea disturb sleep?", "metadata": {}},
        {"_id": "q2", "text": "Who drinks coffee?", "metadata": {}},
    ],
}
QRELS = {"test": "q1\t4983\t2\n", "train": "q2\tMED-2\t1\n"}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with the archive, whose sum is made the right one."""
    place = tmp_path / "mirror" / "scifact.zip"
    place.parent.mkdir()
    with zipfile.ZipFile(place, "w") as packed:
        for name, rows in FILES.items():
            packed.writestr(f"scifact/{name}", "".join(json.dumps(row) + "\n" for row in rows))
        for split, lines in QRELS.items():
            packed.writestr(f"scifact/qrels/{split}.tsv", f"query-id\tcorpus-id\tscore\n{lines}")
    digest = hashlib.md5(place.read_bytes(), usedforsecurity=False).hexdigest()
    monkeypatch.setitem(beir.SUMS, "scifact", digest)
    monkeypatch.delenv("RELSENT_DATA", raising=False)
    return place.parent


def test_fetch(folder: Path, tmp_path: Path) -> None:
    """Topics of a split are those that it judges; a second time nothing is new."""
    fetched = fetch("beir:scifact", source=folder, output=tmp_path)
    assert fetched.files == (tmp_path / "collections" / "beir-scifact" / "corpus.jsonl",)
    assert fetched.new == 1
    assert read_topics(tmp_path / "topics" / "beir-scifact-test.tsv") == {
        "q1": "Does tea disturb sleep?"
    }
    assert read_qrels(tmp_path / "qrels" / "beir-scifact-train.txt") == {"q2": {"MED-2": 1}}
    assert set(fetched.qrels.values()) == {1}
    assert fetch("beir:scifact", source=folder, output=tmp_path).new == 0
    assert sorted(path.name for path in (tmp_path / "collections").iterdir()) == [
        "beir-scifact",
        "originals",
    ]


def test_index(folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Of a folder of BEIR's form the corpus is indexed, not the queries."""
    with zipfile.ZipFile(folder / "scifact.zip") as packed:
        packed.extractall(tmp_path)
    whole = tmp_path / "scifact"
    flags = ["--index", str(tmp_path / "ix"), "--collection", "Beir"]
    assert main(["index", "--input", str(whole), *flags]) == 0
    assert "2 records" in capsys.readouterr().out
    assert main(["index", "--input", str(folder), *flags]) == 4
    assert "there is no corpus.jsonl" in capsys.readouterr().err


def test_another_archive(folder: Path, tmp_path: Path) -> None:
    """A file with another sum is refused."""
    (folder / "scifact.zip").write_bytes(b"PK")
    with pytest.raises(InputError, match="sum"):
        fetch("beir:scifact", source=folder, output=tmp_path)
