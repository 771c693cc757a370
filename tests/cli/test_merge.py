"""``merge``, and ``index --delete``."""

import json
from pathlib import Path

import pytest


@pytest.fixture
def indexes(relsent, here) -> tuple[str, str]:
    """Two that overlap."""
    for name, ids in (("a", "012"), ("b", "234")):
        lines = [json.dumps({"id": one, "title": f"Ants {name}{one}"}) for one in ids]
        Path(f"{name}.jsonl").write_text("\n".join(lines))
        assert relsent("index", "--input", f"{name}.jsonl", "--index", name).code == 0
    return "a", "b"


def test_merge_and_delete(relsent, indexes):
    """Each record once, the last one's; then some go, by ids and by a file of them."""
    ran = relsent("merge", *indexes, "--output", "all")
    assert ran.out == "all: 5 records; 1 that a later index had again\n"
    assert "Ants b2" in relsent("show", "2", "--index", "all").out
    Path("ids.txt").write_text("0\n4\n")
    ran = relsent("index", "--index", "all", "--delete", "1", "ids.txt")
    assert ran.out == "all: 3 deleted\n"
    found = json.loads(relsent("search", "--index", "all", "--text", "ants", "--json").out)
    assert sorted(hit["id"] for hit in found["hits"]) == ["2", "3"]
    again = relsent("index", "--index", "all", "--delete", "1", "2", "ids.txt")
    assert (again.code, again.out) == (0, "all: 1 deleted, 3 not there\n")
    again = relsent("index", "--index", "all", "--delete", "1", "--json")
    assert json.loads(again.out) == {"index": "all", "deleted": 0, "absent": 1}


def test_mistakes(refused, indexes):
    """What does not go together, what is not there."""
    for arguments, code, said in (
        (("index", "--index", "a", "--delete", "1", "--append"), 2, "--delete takes records"),
        (("merge", "a", "--output", "c"), 2, "two indexes or more"),
        (("merge", "a", "b", "--output", "a"), 6, "an index of its own"),
        (("index", "--shards", "a", "b", "--index", "s"), 5, "relsent-ir merge makes one"),
    ):
        refused(code, said, *arguments)


def test_three_mixed_exports(relsent, here):
    """A table, references and JSON lines that overlap: each record once, the newest."""
    Path("a.csv").write_text("pmid,title,doi\n1,Old ants,10.1/a\n2,Bees,10.1/b\n")
    Path("b.ris").write_text(
        "TY  - JOUR\nAN  - 2\nTI  - New bees\nVL  - 4\nER  - \n"
        "TY  - JOUR\nAN  - 3\nTI  - Wasps\nER  - \n"
    )
    Path("c.jsonl").write_text('{"PMID": "1", "Title": "New ants", "Arm": "B"}\n')
    names = ("a.csv", "b.ris", "c.jsonl")
    for name in names:
        assert relsent("index", "--input", name, "--index", f"{name}.ix").code == 0
    merged = relsent("merge", *(f"{name}.ix" for name in names), "--output", "all")
    assert merged.out == "all: 3 records; 2 that a later index had again\n"
    lines = relsent("show", "1", "2", "3", "--index", "all", "--json").out.splitlines()
    shown = {record["id"]: record for record in map(json.loads, lines)}
    assert {name: record["title"] for name, record in shown.items()} == {
        "1": "New ants",
        "2": "New bees",
        "3": "Wasps",
    }
    assert (shown["1"]["own"], shown["2"]["volume"]) == ([["Arm", "B"]], "4")
