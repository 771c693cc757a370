"""``relsent-ir encode``, and searching by what it makes."""

import json
from pathlib import Path

import pytest

from relsent_ir.cli.main import main
from relsent_ir.datasets.bundled import SAMPLE
from relsent_ir.lucene.write.indexing import build_index
from relsent_ir.trec.runs import read_run
from tests.dense.tiny import write_model


def run(*arguments: str | Path) -> int:
    """The exit code of a command."""
    return main([str(argument) for argument in arguments])


def test_encoding_and_searching(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
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
    assert "more than 48 tokens, and are cut" in printed.err
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
        ["--hybrid", model, "--hybrid-by", "rrf"],
    ):
        given = ["search", "--index", index, "--topics", topics, "--output", output]
        assert run(*given, *flags) == 0
        assert len(read_run(output)["1"]) == told["vectors"]
    capsys.readouterr()
    for flags, code, problem in (
        (["--dense", model, "--rm3"], 2, "exclude each other"),
        (["--dense-fb-docs", "3"], 2, "needs --dense or --hybrid"),
        (["--hybrid", model, "--dense-fb-weight", "0.3"], 2, "needs --dense-fb-docs"),
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
