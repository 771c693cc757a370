"""``relsent-ir benchmark``."""

import json

import pytest

from relsent_ir.lucene.write.indexing import build_index
from relsent_ir.records import Record, Section


def make(folder, references):
    """Index records with these references."""
    folder.mkdir()
    source = folder / "records.jsonl"
    records = [
        Record(f"{i}", f"Title {i}.", sections=(Section("Ants sleep."),), references=tuple(of))
        for i, of in enumerate(references, 100)
    ]
    source.write_text("".join(record.to_json() + "\n" for record in records))
    build_index([(source, "jsonl")], folder / "index")
    return folder / "index"


@pytest.fixture
def index(tmp_path):
    """Six records, five of which share two references; one cites itself, and one twice."""
    lists = [["1", "2"], ["1", "2", "101"], ["1", "2", "2"], ["1", "2"], ["1", "2", "3"], []]
    return make(tmp_path / "good", lists)


def test_files_and_report(relsent, index, tmp_path):
    """Sets are written, and what was left out is told."""
    small = ("--queries", 1, "--sets", 2, "--relevant", 4)
    ran = relsent("benchmark", "citations", "--index", index, "--output", tmp_path / "b", *small)
    assert ran.code == 0
    assert "2 sets of 1 topics, of 5 candidates" in ran.out
    assert "left out: 1 duplicates, 1 of a record to itself" in ran.out
    assert (tmp_path / "b" / "qrels.set2.txt").read_text().count(" 0 ") == 4
    assert json.loads((tmp_path / "b" / "summary.json").read_text())["plan"]["min_shared"] == 2


def test_json_and_seed(relsent, index, tmp_path):
    """The summary as one object; the same seed gives the same files."""
    flags = ("--queries", 2, "--sets", 2, "--relevant", 2, "--seed", 3, "--json")
    first, second = (
        relsent("benchmark", "citations", "--index", index, "--output", tmp_path / name, *flags)
        for name in "ab"
    )
    assert json.loads(first.out)["candidates"] == 5
    for name in ("topics.set1.tsv", "qrels.set2.txt"):
        assert (tmp_path / "a" / name).read_text() == (tmp_path / "b" / name).read_text()
    assert second.code == 0


def test_too_few(relsent, index, tmp_path):
    """One line with the number found, exit code 5, nothing written."""
    ran = relsent("benchmark", "citations", "--index", index, "--output", tmp_path / "b")
    assert ran.code == 5
    assert ran.err.count("\n") == 1
    assert "0 records can be topics with 10 others that share 2 references" in ran.err
    assert not (tmp_path / "b").exists()


@pytest.mark.parametrize("variant", ["coupling", "co-citation", "links"])
def test_no_references(relsent, tmp_path, variant):
    """A collection without references: one line."""
    index = make(tmp_path / "none", [[], []])
    flags = ("--output", tmp_path / "b", "--variant", variant)
    ran = relsent("benchmark", "citations", "--index", index, *flags)
    assert ran.code == 5
    assert "none of the 2 records has references" in ran.err


def test_links(relsent, tmp_path):
    """Direct links need but one; what is not in the collection is no target."""
    index = make(tmp_path / "linked", [["101", "999"], ["102"], ["100"]])
    flags = ("--variant", "links", "--queries", 1, "--sets", 3, "--relevant", 2)
    out = tmp_path / "b"
    ran = relsent("benchmark", "citations", "--index", index, "--output", out, *flags)
    assert ran.code == 0
    assert "999" not in "".join(path.read_text() for path in out.glob("qrels*"))


@pytest.mark.parametrize(
    ("flags", "code"),
    [(("--queries", 0), 2), (("--variant", "bliss"), 2), (("--relevant", 2, "--least", 3), 2)],
)
def test_bad_flags(relsent, index, tmp_path, flags, code):
    """Values that make no sense."""
    ran = relsent("benchmark", "citations", "--index", index, "--output", tmp_path / "b", *flags)
    assert ran.code == code
    assert ran.err.count("\n") == 1


def test_bad_places(relsent, index, tmp_path):
    """No index; a file where the folder should be."""
    assert relsent("benchmark", "citations", "--index", tmp_path, "--output", tmp_path / "b").code
    blocked = tmp_path / "file"
    blocked.write_text("")
    ran = relsent("benchmark", "citations", "--index", index, "--output", blocked)
    assert (ran.code, ran.err.count("\n")) == (6, 1)
