"""``relsent-ir encode``, and searching by what it makes."""

import json
import sys
from pathlib import Path
from types import SimpleNamespace

from relsent_ir.cli.main import main
from relsent_ir.datasets import updating
from relsent_ir.datasets.bundled import SAMPLE
from relsent_ir.lucene.read.index import Index
from relsent_ir.lucene.write.indexing import build_index
from relsent_ir.trec.runs import read_run
from tests.dense.tiny import write_model


def run(*arguments: str | Path) -> int:
    """The exit code of a command."""
    return main([str(argument) for argument in arguments])


def test_encoding_and_searching(tmp_path, capsys):
    """Vectors are made once, and searched alone and joined; mistakes have their codes."""
    index, model = tmp_path / "index", write_model(tmp_path / "tiny")
    build_index([(SAMPLE / "sample.xml", "pubmed-xml")], index)
    search = ["search", "--index", index, "--text", "asthma in children", "--json"]
    assert run(*search, "--dense", model) == 5
    assert "relsent-ir encode --index" in capsys.readouterr().err
    assert run("encode", "--index", index, "--model", model, "--json") == 0
    printed = capsys.readouterr()
    (told,) = json.loads(printed.out)["models"]
    assert told["vectors"] == told["new"] > 0
    assert printed.err.count("more than 48 tokens, and are cut") == 1
    assert printed.err.count("\n") == 1
    assert run("encode", "--index", index, "--model", model) == 0
    assert "0 of them new" in capsys.readouterr().out
    assert run("encode", "--index", index) == 0
    assert "nothing to encode" in capsys.readouterr().out
    assert run(*search, "--dense", model, "--hits", "3") == 0
    assert len(json.loads(capsys.readouterr().out)["hits"]) == 3
    output = tmp_path / "run.txt"
    topics = tmp_path / "topics.tsv"
    topics.write_text("1\tasthma in children\n")
    for flags in (
        ["--dense", model, "--dense-fb-docs", "3"],
        ["--fb-preset", "medline", "--hybrid", model, "--dense-fb-docs", "3"],
        ["--hybrid", model, "--hybrid-weight", "0.7"],
    ):
        given = ["search", "--index", index, "--topics", topics, "--output", output]
        assert run(*given, *flags) == 0
        assert len(read_run(output)["1"]) == told["vectors"]
    capsys.readouterr()
    sentences = [*search, "--unit", "sentences", "--ranker", "ranker", "--dense", model]
    assert run(*sentences) == 5
    assert "--unit sentences" in capsys.readouterr().err
    assert run("encode", "--index", index, "--model", model, "--unit", "sentences") == 0
    assert run(*sentences) == 0
    assert "children" in capsys.readouterr().out
    for flags, code, problem in (
        (["--ranker", "ranker", "--dense", model], 0, ""),  # another encoder needs no flag
        (["--ranker", "ranker", "--dense", model, "--dense-fb-docs", "3"], 2, "needs --hybrid"),
        (["--dense", model, "--rm3"], 2, "exclude each other"),
        (["--dense-fb-docs", "3"], 2, "needs --dense or --hybrid"),
        (["--dense", tmp_path / "none"], 4, "no such folder"),
    ):
        assert run(*search, *flags) == code
        assert problem in capsys.readouterr().err
    for flags, code, problem in (
        (["--model", tmp_path / "none"], 4, "no such folder"),
        (["--model", model, "--ids", topics], 2, "needs --import"),
        (["--pooling", "cls"], 2, "--pooling needs --model"),
    ):
        assert run("encode", "--index", index, *flags) == code
        assert problem in capsys.readouterr().err


def test_vectors_follow_the_index(tmp_path, capsys, monkeypatch):
    """What is appended, updated, deleted or tagged is searched at once; only new texts are encoded.

    Where the encoder cannot be opened a warning says what to run, and the index is as it was to be.
    """
    index, model = tmp_path / "index", write_model(tmp_path / "tiny")
    build_index([(SAMPLE / "sample.xml", "pubmed-xml")], index)
    with Index(index) as opened:
        first, second, third = opened.records(opened.ids()[:3])
        count = len(opened)
    assert run("encode", "--index", index, "--model", model) == 0
    assert run("encode", "--index", index, "--model", model, "--unit", "sentences") == 0
    search = ["search", "--index", index, "--text", "lung", "--json", "--dense", model]

    def write(name: str, *lines: str) -> Path:
        (tmp_path / name).write_text("".join(f"{line}\n" for line in lines))
        return tmp_path / name

    def found() -> int:
        capsys.readouterr()
        assert run(*search, "--hits", "999") == 0
        return len(json.loads(capsys.readouterr().out)["hits"])

    changed = first.to_json().replace(first.title, "The lung and the heart")
    added = second.to_json().replace(f'"{second.id}"', '"new1"')
    more = write("more.jsonl", changed, added)
    capsys.readouterr()
    assert run("index", "--input", more, "--index", index, "--append", "--json") == 0
    told = json.loads(capsys.readouterr().out)["encoded"]
    with Index(index, "sentences") as opened:
        every = len(opened)
        of_new = sum(name.startswith("new1.") for name in opened.ids())
    assert [(one["unit"], one["vectors"], one["new"]) for one in told] == [
        ("abstracts", count + 1, 2), ("sentences", every, of_new + 1)  # the changed title
    ]  # fmt: skip
    assert found() == count + 1
    assert run("index", "--index", index, "--delete", third.id) == 0
    assert f"{count} abstracts have vectors of 24 numbers" in capsys.readouterr().out
    assert found() == count

    def update(folder: Path, **_: object) -> SimpleNamespace:
        another = write("another.jsonl", third.to_json())
        built = build_index([(another, "jsonl")], folder, append=True)
        fetched = SimpleNamespace(files=(), new=1, note="")
        return SimpleNamespace(built=built, fetched=fetched)

    monkeypatch.setattr(updating, "update_index", update)
    assert run("update", "--index", index, "--threads", "2") == 0
    assert f"{count + 1} abstracts have vectors" in capsys.readouterr().out
    assert found() == count + 1
    assert run("index", "--index", index, "--moves") == 0
    assert "sentences tagged" in capsys.readouterr().out
    assert found() == count + 1
    assert run("encode", "--index", index, "--unit", "sentences") == 0
    assert "nothing to encode" in capsys.readouterr().out
    monkeypatch.setitem(sys.modules, "tokenizers", None)
    assert run("index", "--index", index, "--delete", "new1") == 0
    printed = capsys.readouterr()
    assert printed.out == f"{index}: 1 deleted\n"
    assert printed.err.count("vectors are of what it held before") == 2
    assert f"relsent-ir encode --index {index} --unit sentences" in printed.err
