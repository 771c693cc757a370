"""``python -m recipes tagger`` and ``chunker``."""

import json
from pathlib import Path

import pytest

from recipes import chunker, tagger
from recipes.__main__ import main
from recipes.treebank import TreeSentence
from relsent_ir import models

BANK = [
    TreeSentence("1", ("The", "cat", "runs"), ("DT", "NN", "VBZ"), ("B-NP", "I-NP", "O")),
    TreeSentence("2", ("A", "dog", "sleeps"), ("DT", "NN", "VBZ"), ("B-NP", "I-NP", "O")),
] * 5


def test_train() -> None:
    """A tagger of two sentences knows them, and guesses an unseen verb by its ending."""
    model = tagger.train(BANK)
    found = model.tag([["The", "dog", "barks"], []])
    assert found == [["DT", "NN", "VBZ"], []]


PHRASES = [
    TreeSentence("1", ("The", "cat", "runs"), ("DT", "NN", "VBZ"), ("B-NP", "I-NP", "O")),
    TreeSentence("2", ("Dogs", "sleep", "."), ("NNS", "VBP", "."), ("B-NP", "O", "O")),
] * 5


def test_train_chunker() -> None:
    """Phrases follow the tags, and none begins with I-NP."""
    model = chunker.train(PHRASES)
    assert model.chunk([["A", "mouse", "eats"]], [["DT", "NN", "VBZ"]]) == [["B-NP", "I-NP", "O"]]
    odd = model.chunk([["cat", "The"], []], [["NN", "DT"], []])
    assert odd[1] == []
    assert "".join(chunk[0] for chunk in odd[0]).find("OI") < 0


LINES = "# d\nThe\tDT\tB-NP\ncat\tNN\tI-NP\nruns\tVBZ\tO\n\n" * 4


def test_recipes(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Both are learned from a treebank, and measured on one if it is given."""
    bank = tmp_path / "bank.tsv"
    bank.write_text(LINES, encoding="utf-8")
    for name, measures in (("tagger", ["accuracy"]), ("chunker", ["precision", "recall", "f1"])):
        output = tmp_path / name
        paths = ["--input", str(bank), "--test", str(bank), "--output", str(output)]
        assert main([name, *paths]) == 0
        first, *rest = capsys.readouterr().out.splitlines()
        assert first == f"{output}: {name} from 4 sentences"
        assert [line.split()[0] for line in rest] == measures
        facts = json.loads((output / "model.json").read_text())
        assert facts["kind"] == name
        assert facts["command"] == f"python -m recipes {name}"
        assert (facts["data"]["sentences"], facts["test"][measures[-1]]) == (4, 1)
        assert models.load(output, name)


def test_faults(tmp_path, monkeypatch, capsys):
    """No data, no file, or no treebank: one line and its exit code."""
    monkeypatch.delenv("RELSENT_DATA", raising=False)
    bad = tmp_path / "bad.tsv"
    bad.write_text("{}\n", encoding="utf-8")
    for options, code, problem in (
        ([], 3, "RELSENT_DATA is not set"),
        (["--input", str(bad)], 4, "bad.tsv:1: not a token"),
        (["--input", str(tmp_path / "none")], 4, "no such file"),
    ):
        assert main(["tagger", "--output", str(tmp_path / "m"), *options]) == code
        told = capsys.readouterr().err
        assert problem in told
        assert told.count("\n") == 1
