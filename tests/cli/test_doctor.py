"""``relsent-ir doctor`` and ``demo``."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from relsent_ir import datasets
from relsent_ir.cli import doctor
from relsent_ir.errors import MissingError
from relsent_ir.lucene import jvm


def test_all_is_well(relsent: Callable[..., object]):
    """Every check has a line."""
    ran = relsent("doctor")
    assert ran.code == 0
    assert [line.split()[:2] for line in ran.out.splitlines()] == [
        ["ok", name]
        for name in ("Python", "packages", "Java", "Lucene", "data", "models", "rerankers", "disk")
    ]
    assert json.loads(relsent("doctor", "--json").out)["Lucene"]["ok"] is True


def test_what_is_missing(relsent: Callable[..., object], monkeypatch: pytest.MonkeyPatch):
    """It is marked, and the exit code is 3."""

    def none() -> None:
        raise MissingError("no Java 21 or newer")

    monkeypatch.setattr(jvm, "find_java", none)
    ran = relsent("doctor")
    assert ran.code == 3
    assert "MISSING Java       no Java 21 or newer\n" in ran.out
    assert ran.err == "relsent-ir: error: not everything is here: Java\n"


def test_a_missing_package(relsent: Callable[..., object], monkeypatch: pytest.MonkeyPatch):
    """It is named, and the other checks still run."""
    monkeypatch.setattr(doctor, "PACKAGES", ("numpy", "nosuchthing"))
    ran = relsent("doctor", "--json")
    told = json.loads(ran.out)
    assert ran.code == 3
    assert not told["packages"]["ok"]
    assert "nosuchthing" in told["packages"]["found"]
    assert told["Lucene"]["ok"]


def test_demo_with_the_sample(relsent: Callable[..., object], here: Path):
    """From nothing to a table of figures, and again from what is there."""
    ran = relsent("demo", "--sample", "--json")
    told = json.loads(ran.out)
    assert (told["collection"], told["records"], told["topics"]) == ("sample", 58, 8)
    assert all(0.4 < row["map"] < 1 for row in told["runs"].values())
    assert Path("runs/sample.bm25.txt").exists()
    lines = relsent("demo", "--sample").out.splitlines()
    assert lines[0] == "sample: 58 records, 8 topics, top 1000"
    assert lines[2].split() == ["MAP", "P@10", "nDCG@10", "R@100"]
    assert lines[3].startswith("BM25 (k1 0.9, b 0.4)")


def test_demo_without_data_and_network(
    relsent: Callable[..., object], here: Path, monkeypatch: pytest.MonkeyPatch
):
    """The sample takes the collection's place, and it is said."""

    def offline(*_: object, **__: object) -> None:
        raise MissingError("the server cannot be reached", where="https://example.org")

    monkeypatch.setattr(datasets, "fetch", offline)
    ran = relsent("demo")
    assert "Using the bundled sample" in ran.err
    assert ran.out.startswith("sample: 58 records")


def test_demo_elsewhere(relsent: Callable[..., object], tmp_path, monkeypatch: pytest.MonkeyPatch):
    """Without the sample's topics it says where to run."""
    monkeypatch.chdir(tmp_path)
    ran = relsent("demo", "--sample")
    assert ran.code == 3
    assert "topics/sample.tsv" in ran.err


def test_demo_with_the_real_collection(
    relsent: Callable[..., object], here: Path, data: Path, monkeypatch: pytest.MonkeyPatch
):
    """Cystic fibrosis is taken from RELSENT_DATA."""
    told = json.loads(relsent("demo", "--json").out)
    assert (told["collection"], told["records"], told["topics"]) == ("cystic-fibrosis", 1239, 100)
    assert told["runs"]["BM25 (k1 0.9, b 0.4)"]["map"] == pytest.approx(0.291, abs=0.003)
