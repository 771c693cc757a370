"""The table for users of Pyserini and PyTerrier: each line of ours works as it stands."""

import json
import re
import shlex
from pathlib import Path

import pytest

import relsent_ir as rir
from relsent_ir.cli.main import main
from relsent_ir.trec import write_run

TOOLS = Path(__file__).parents[1] / "docs" / "tools.md"


def _lines() -> list[str]:
    """Give the right column of the table."""
    text = TOOLS.read_text("utf-8")
    table = text[text.index("## From Pyserini and PyTerrier") : text.index("## Pyserini\n")]
    return re.findall(r"^\|.*\| `([^`]+)` \|$", table, re.MULTILINE)


def test_every_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """In their order, in a folder with documents, topics, judgements and a run."""
    monkeypatch.chdir(tmp_path)
    Path("docs").mkdir()
    texts = {"d1": "Ants at work.", "d2": "Ants and bees in a nest.", "d3": "Bees fly to work."}
    documents = [json.dumps({"id": name, "contents": text}) for name, text in texts.items()]
    Path("docs/all.jsonl").write_text("\n".join(documents) + "\n")
    Path("t.tsv").write_text("1\tants at work\n2\tbees fly\n")
    Path("q.txt").write_text("1 0 d1 1\n2 0 d3 1\n")
    names: dict[str, object] = {"rir": rir}
    lines = _lines()
    assert len(lines) == 11
    for line in lines:
        if line.startswith("relsent-ir "):
            if "m.tsv" in line:
                write_run("m.tsv", rir.read_run("r.txt"), output_format="msmarco")
            assert main(shlex.split(line)[1:]) == 0, line
            continue
        names.setdefault("cf", rir.open_collection("ix"))
        names |= {"topics": rir.read_topics("t.tsv"), "qrels": rir.read_qrels("q.txt")}
        assert eval(line, names) is not None, line
    runs = {name: rir.read_run(name) for name in ("r.txt", "p.txt", "a.txt")}
    assert runs["r.txt"] == runs["p.txt"]
    assert next(iter(runs["a.txt"]["1"].ids)) == "d1"
