"""``relsent-ir relate``."""

import json
from pathlib import Path

import pytest

from relsent_ir.lucene.write.indexing import build_index
from relsent_ir.records import Record, Section

TEXTS = {
    "a": ("Abc1 activates Xyz9 in liver.", 2),
    "b": ("Abc1, a large kinase, may not activate Xyz9.", 1),
    "c": ("Abc1 was measured, and so was the amount of old Xyz9.", 0),
}


@pytest.fixture(autouse=True)
def files(tmp_path, monkeypatch) -> None:
    """Candidates; no data folder."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("RELSENT_DATA", raising=False)
    rows = [
        {
            "group": group,
            "id": name,
            "text": text,
            "e1": [0, 4],
            "e2": [text.index("Xyz9"), text.index("Xyz9") + 4],
            "grade": grade,
        }
        for group in ("g", "h")
        for name, (text, grade) in TEXTS.items()
    ]
    lines = "".join(json.dumps(row) + "\n" for row in rows)
    Path("in.jsonl").write_text(lines, encoding="utf-8")
    Path("bad.jsonl").write_text("no JSON\n", encoding="utf-8")


def test_run(relsent):
    """Topics are the groups, of the package's model; --hits cuts, --json reports."""
    ran = relsent("relate", "--input", "in.jsonl", "--output", "out.run", "--runtag", "x")
    assert (ran.code, ran.out) == (0, "out.run: 2 topics, 6 hits\n")
    rows = [line.split() for line in Path("out.run").read_text().splitlines()]
    assert [(row[0], row[3]) for row in rows] == [(t, str(n)) for t in "gh" for n in (1, 2, 3)]
    assert {row[5] for row in rows} == {"x"}
    assert rows[0][2] == "a"
    ran = relsent("relate", "--input", "in.jsonl", "--output", "o", "--hits", "1", "--json")
    assert json.loads(ran.out) == {"output": "o", "topics": 2, "hits": 2}


@pytest.fixture
def index(tmp_path) -> Path:
    """The index of one record."""
    text = "The new odd factor (NOF) binds Xyz9. Xyz9, a kinase, was not seen near NOF."
    record = Record("001", "", sections=(Section(text),))
    Path("rec.jsonl").write_text(record.to_json() + "\n", encoding="utf-8")
    build_index([(tmp_path / "rec.jsonl", "jsonl")], tmp_path / "index")
    return tmp_path / "index"


def test_index(relsent, index):
    """The sentences that mention both, with names, pattern and simplified form."""
    arguments = ("relate", "--entity", "new odd factor", "--entity", "xyz9", "--index", index)
    ran = relsent(*arguments)
    assert ran.code == 0
    head = "new odd factor searched as: new odd factor; NOF (short form, 1 record)\n"
    assert ran.out.startswith(f"{head}xyz9 searched as: xyz9\n")
    assert "2 sentences of 1 records mention both" in ran.out
    assert "; group: G1; pattern: X ACT Y; " in ran.out
    found = json.loads(relsent(*arguments, "--json", "--output", "r").out)
    assert found["names"] == [["new odd factor", "NOF"], ["xyz9"]]
    assert found["searched"][0][1] == {"name": "NOF", "origin": "short form", "records": 1}
    assert (found["sentences"], found["records"]) == (2, 1)
    first = found["hits"][0]
    assert first["id"] == "001.1"
    assert (first["group"], first["pattern"]) == ("G1", "X ACT Y")
    assert first["level"] in ("original", "simplified", "combined")
    assert first["sentence"]["marks"][1] == [31, 35, "xyz9"]
    assert len(Path("r").read_text().splitlines()) == 2


def test_no_sentence(relsent, index):
    """Why there is none is said; a common word is hinted at, and the nearest spelling."""
    ran = relsent("relate", "--entity", "xyz9", "--entity", "Xyz9", "--index", index)
    assert "mention both ('xyz9' and 'Xyz9' are names of one entity)" in ran.out
    ran = relsent("relate", "--entity", "zzz", "--entity", "qqq", "--index", index)
    assert ran.code == 0
    assert "0 sentences of 0 records mention both (no sentence has both: zzz in 0" in ran.out
    ran = relsent("relate", "--entity", "the", "--entity", "NOF", "--index", index)
    assert ran.code == 0
    assert "'the' is a common word, which the index leaves out: give a longer name" in ran.out
    ran = relsent("relate", "--entity", "fatcor", "--entity", "NOF", "--index", index, "--json")
    assert "fatcor is written like factor (" in json.loads(ran.out)["note"]


def test_many_pairs(relsent, index):
    """A table of the best sentences, names marked; topics of the run are the pairs' numbers."""
    Path("pairs.tsv").write_text("NOF\txyz9\nzzz\txyz9\n", encoding="utf-8")
    arguments = ("relate", "--pairs", "pairs.tsv", "--index", index, "--output", "r")
    table = relsent(*arguments).out.splitlines()
    assert table[0].split() == ["pair", "sentences", "records", "P", "says", "best", "sentence"]
    assert table[1].startswith("NOF + xyz9")
    assert table[1].endswith("The new odd factor ([NOF]) binds [Xyz9].")
    assert table[2].split()[:5] == ["zzz", "+", "xyz9", "0", "0"]
    assert table[2].endswith("no sentence has both: zzz in 0 sentences, xyz9 in 2 sentences")
    assert {line.split()[0] for line in Path("r").read_text().splitlines()} == {"1"}
    Path("names.txt").write_text("NOF\nkinase\n", encoding="utf-8")
    made = relsent("relate", "--entity", "xyz9", "--with", "names.txt", "--index", index, "--json")
    pairs = json.loads(made.out)["pairs"]
    assert [(row["pair"], row["sentences"]) for row in pairs] == [
        ("xyz9 + NOF", 2),
        ("xyz9 + kinase", 1),
    ]


def test_the_papers_model(relsent):
    """It comes with the package too, by its name; a folder of that name goes before."""
    for model, name in ((), "a"), (("--model", "paper"), "b"):
        assert relsent("relate", *model, "--input", "in.jsonl", "--output", name).code == 0
    assert Path("a").read_text() != Path("b").read_text()
    Path("paper").mkdir()
    ran = relsent("relate", "--model", "paper", "--input", "in.jsonl", "--output", "c")
    assert ran.code == 4


def test_synonyms_and_groups(relsent, index):
    """Synonyms of a file are searched; of a record only its best sentence is shown."""
    Path("names.tsv").write_text("odd thing\tNOF\n", encoding="utf-8")
    ran = relsent(
        *("relate", "--entity", "odd thing", "--entity", "xyz9", "--index", index),
        *("--synonyms", "names.tsv", "--group", "record", "--json"),
    )
    found = json.loads(ran.out)
    assert found["names"][0] == ["odd thing", "NOF"]
    assert (found["sentences"], len(found["hits"])) == (2, 1)


@pytest.mark.parametrize(
    ("arguments", "code", "problem"),
    [
        (("relate",), 2, "give --index and two --entity, or --input"),
        (("relate", "--entity", "a", "--index", "x"), 2, "two --entity"),
        (("relate", "--entity", "a", "--entity", "-", "--index", "x"), 2, "nor digit"),
        (("relate", "--input", "in.jsonl"), 2, "--input needs --output"),
        (("relate", "--pairs", "no.tsv", "--entity", "a", "--index", "x"), 2, "none and --pairs"),
        (("relate", "--pairs", "p", "--with", "q", "--index", "x"), 2, "exclude each other"),
        (("relate", "--pairs", "no.tsv", "--index", "x"), 4, "no such file"),
        (
            ("relate", "--input", "in.jsonl", "--output", "o", "--literal"),
            2,
            "--input and --literal exclude",
        ),
        (("relate", "--entity", "a", "--entity", "b", "--index", "x"), 4, "there is no index"),
        (("relate", "--input", "no.jsonl", "--output", "o"), 4, "no such file"),
        (("relate", "--input", "bad.jsonl", "--output", "o"), 4, "bad.jsonl:1: this is no JSON"),
        (
            ("relate", "--input", "in.jsonl", "--output", "o", "--model", "no"),
            4,
            "no: no such model",
        ),
        (("relate", "--input", "in.jsonl", "--output", "."), 6, "this is a folder"),
    ],
)
def test_faults(refused, arguments, code, problem):
    """Each mistake is one line and its exit code."""
    refused(code, problem, *arguments)


def test_filters(relsent, sample_indexes):
    """Sentences that do not pass are not found; candidates of a file take no filters."""
    asked = ("relate", "--entity", "TNF-alpha", "--entity", "NF-kappa B", "--index", sample_indexes)
    assert relsent(*asked, "--year", "2008").out.count("90000001.") == 2
    assert "0 sentences of 0 records" in relsent(*asked, "--year", "1900:1901").out
    assert relsent("relate", "--input", "x", "--output", "y", "--year", "2008").code == 2
