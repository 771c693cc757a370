"""``relsent-ir doctor`` and ``demo``."""

import json
import shlex
import shutil
from pathlib import Path

import pytest

from relsent_ir import datasets, models
from relsent_ir.cli.verbs import doctor
from relsent_ir.errors import MissingError
from relsent_ir.lucene import jvm


def test_all_is_well(relsent):
    """Every check has a line."""
    ran = relsent("doctor")
    assert ran.code == 0
    marks = {mark: set() for mark in ("ok", "--")}
    for line in ran.out.splitlines():
        marks[line.split()[0]].add(line.split()[1])
    assert marks["ok"] >= {"Python", "packages", "Java", "Lucene", "models", "rerankers", "disk"}
    assert marks["--"] <= {"data", "encoders", "clusters"}  # which nothing needs
    assert json.loads(relsent("doctor", "--json").out)["Lucene"]["ok"] is True


def test_what_is_missing(relsent, monkeypatch):
    """It is marked, and the exit code is 3."""

    def none() -> None:
        raise MissingError("no Java 21 or newer")

    monkeypatch.setattr(jvm, "find_java", none)
    ran = relsent("doctor")
    assert ran.code == 3
    assert "MISSING Java       no Java 21 or newer\n" in ran.out
    assert ran.err == "relsent-ir: error: not everything is here: Java\n"


def test_a_missing_package(relsent, monkeypatch):
    """It is named, and the other checks still run."""
    monkeypatch.setattr(doctor, "PACKAGES", ("numpy", "nosuchthing"))
    ran = relsent("doctor", "--json")
    told = json.loads(ran.out)
    assert ran.code == 3
    assert not told["packages"]["ok"]
    assert "nosuchthing" in told["packages"]["found"]
    assert told["Lucene"]["ok"]


def test_an_index(relsent, sample_indexes, tmp_path):
    """With --index its files are read; one bit that is wrong is one line, exit code 4."""
    ran = relsent("doctor", "--index", sample_indexes)
    assert ran.out.startswith(f"ok      {sample_indexes}: abstracts and sentences are sound")
    assert json.loads(relsent("doctor", "--index", sample_indexes, "--json").out)["ok"] is True
    shutil.copytree(sample_indexes, tmp_path / "index")
    path = max((tmp_path / "index" / "abstracts").iterdir(), key=lambda file: file.stat().st_size)
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 1
    path.write_bytes(data)
    ran = relsent("doctor", "--index", tmp_path / "index")
    assert (ran.code, ran.out, ran.err.count("\n")) == (4, "", 1)
    assert "abstracts: the index is damaged" in ran.err


def test_a_model(relsent, here):
    """With --model it is read, and the method that it is is shown; a model of before has none."""
    shutil.copytree(models.packaged("ranker"), "m")
    said = "ok      m: a model of kind ranker-linear"
    assert relsent("doctor", "--model", "m").out == f'{said}: Ranker(model="m")\n'
    assert json.loads(relsent("doctor", "--model", "m", "--json").out) == {
        "model": "m",
        "ok": True,
        "kind": "ranker-linear",
        "method": 'Ranker(model="m")',
    }
    facts = json.loads(Path("m/model.json").read_text())
    del facts["method"]
    Path("m/model.json").write_text(json.dumps(facts))
    assert relsent("doctor", "--model", "m").out == f"{said}\n"
    Path("m/weights.npy").write_bytes(b"")
    ran = relsent("doctor", "--model", "m")
    assert (ran.code, ran.out, ran.err.count("\n")) == (4, "", 1)
    Path("m/model.json").write_text(json.dumps({**facts, "kind": "unheard-of", "arrays": {}}))
    ran = relsent("doctor", "--model", "m")
    assert (ran.code, ran.err.count("\n")) == (3, 1)
    assert "m: a model of kind unheard-of, which is not installed" in ran.err


def test_demo_with_the_sample(relsent, here):
    """From nothing to a table of figures, and again from what is there."""
    ran = relsent("demo", "--sample", "--json")
    told = json.loads(ran.out)
    assert (told["collection"], told["records"], told["topics"]) == ("sample", 58, 8)
    assert all(0.4 < row["map"] < 1 for row in told["runs"].values())
    assert told["answers"][0]["id"] == "90000003"
    assert [hit["record"] for hit in told["related"]] == ["90000037"] * 3  # on the same subject
    assert Path("runs/sample.bm25.txt").exists()
    lines = relsent("demo", "--sample").out.splitlines()
    assert lines[0] == "sample: 58 records, 8 topics"
    assert sum(line.startswith("BM25") for line in lines) == 3


def test_what_the_demo_says_works(relsent, here):
    """Its last lines are commands that can be typed as they stand."""
    lines = relsent("demo", "--sample").out.splitlines()
    commands = [line.split("#")[0] for line in lines if line.startswith("  ")]
    commands = [shlex.split(line) for line in commands if "relsent-ir " in line]
    names = ["answer", "search", "compare", "index", "serve", "--help"]
    assert [words[1] for words in commands] == names
    commands = [words for words in commands if words[1] != "serve"]  # which has no end
    assert all(Path(words[0]).name == "relsent-ir" for words in commands)
    assert [relsent(*words[1:]).code for words in commands] == [0] * 5


def test_demo_without_data_and_network(relsent, here, monkeypatch):
    """The sample takes the collection's place, and it is said."""
    whole = datasets.fetch

    def offline(name: str, **more: object) -> datasets.Fetched:
        if name == "sample":
            return whole(name)
        raise MissingError("the server cannot be reached", where="https://example.org")

    monkeypatch.setattr(datasets, "fetch", offline)
    ran = relsent("demo")
    assert "Using the bundled sample" in ran.err
    assert ran.out.startswith("sample: 58 records")


def test_demo_elsewhere(relsent, tmp_path, monkeypatch):
    """The sample comes with the package: it needs no checkout."""
    monkeypatch.chdir(tmp_path)
    assert relsent("demo", "--sample").code == 0
    assert Path("topics/sample.tsv").read_text().startswith("001\t")


@pytest.mark.slow
def test_demo_with_the_real_collection(relsent, here, data, monkeypatch):
    """Cystic fibrosis is taken from RELSENT_DATA."""
    told = json.loads(relsent("demo", "--json").out)
    assert (told["collection"], told["records"], told["topics"]) == ("cystic-fibrosis", 1239, 100)
    assert told["runs"]["BM25"]["map"] == pytest.approx(0.291, abs=0.003)


def test_without_an_extra(relsent, monkeypatch):
    """What vectors need may be missing: nothing else needs it."""
    monkeypatch.setattr("relsent_ir.cli.verbs.doctor.find_spec", lambda name: None)
    ran = relsent("doctor")
    assert ran.code == 0
    assert "not installed: onnxruntime, onnx, tokenizers; for vectors: pip install" in ran.out
