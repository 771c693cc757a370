"""``relsent-ir train related``, ``related score`` and ``rerank``."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from relsent_ir import models
from relsent_ir.cli.main import main
from relsent_ir.lucene.read.index import Index
from relsent_ir.related import score_pairs
from relsent_ir.related.calibration import Calibration
from relsent_ir.trec import read_run
from tests.invented import index_of
from tests.related.conftest import invent

Call = Callable[..., tuple[int, str, str]]

TRAINED = ("train", "related", "--index", "INDEX", "--output", "m")
SCORED = ("related", "score", "--input", "pairs.tsv")


@pytest.fixture(scope="module")
def index(tmp_path_factory) -> Path:
    """The indexes of 60 invented records."""
    folder = tmp_path_factory.mktemp("related")
    return index_of(folder, invent(60))


@pytest.fixture
def call(capsys) -> Call:
    """Run the command line; gives exit code, stdout and stderr."""

    def run(*arguments: object) -> tuple[int, str, str]:
        code = main([str(argument) for argument in arguments])
        return code, *capsys.readouterr()

    return run


def _train(index: Path, output: Path, *more: str) -> tuple[object, ...]:
    return ("train", "related", "--index", index, "--content-share", "1", "--output", output, *more)


def test_train_rerank(index, call, tmp_path):
    """Both verbs in turn."""
    model = tmp_path / "model"
    code, out, err = call(*_train(index, model, "--model", "huber", "--pairs", "90", "--json"))
    assert (code, err) == (0, "")
    assert json.loads(out)["converged"] is True
    topics, run = tmp_path / "topics.tsv", tmp_path / "run.txt"
    topics.write_text("7\tinsulin for diabetic obesity\n8\tnothing\n", encoding="utf-8")
    run.write_text("".join(f"7 Q0 r{i} {i} {99 - i} x\n" for i in range(1, 9)))
    for name in (str(model), "I1.5"):
        code, _, err = call(
            "rerank", "--run", run, "--topics", topics, "--index", index, "--model", name,
            "--depth", 5, "--hits", 5, "--output", tmp_path / "out.txt",
        )  # fmt: skip
        assert (code, err) == (0, f"{tmp_path / 'out.txt'}: 1 topic, 5 hits\n")
        assert sorted(read_run(tmp_path / "out.txt")["7"].ids) == ["r1", "r2", "r3", "r4", "r5"]


def test_score(index, call, tmp_path):
    """A line a pair in their order: score, P, and why."""
    assert call(*_train(index, tmp_path / "m", "--model", "bayes"))[0] == 0
    model = models.load(tmp_path / "m", "related")
    model.calibration = Calibration(0.5, -2.0, 40, np.array([1.0]), 99.0)
    models.save(tmp_path / "calibrated", model)
    pairs = [("Insulin in mice", "insulin"), ("retina", "malaria"), ("insulin", "Insulin in mice")]
    source = tmp_path / "pairs.tsv"
    source.write_text("".join(f"{a}\t{b}\n" for a, b in pairs), encoding="utf-8")
    score = ("related", "score", "--index", index, "--input", source, "--model")
    code, out, err = call(*score, tmp_path / "calibrated")
    assert (code, err) == (0, "")
    rows = [line.split("\t") for line in out.splitlines()]
    expected = score_pairs(model, pairs)
    assert [float(row[0]) for row in rows] == pytest.approx(expected, rel=1e-5)
    with Index(index, "sentences") as opened:
        known = model.calibration.probability(expected, len(opened))
    assert [float(row[1]) for row in rows] == pytest.approx(known, abs=1e-4)
    assert rows[0] == rows[2]
    code, out, _ = call(*score, "I1.5", "--explain")
    rows = [line.split("\t") for line in out.splitlines()]
    assert [row[1] for row in rows] == ["-"] * 3
    assert "*insul* " in rows[0][2]
    assert rows[1][2] == ""
    code, out, _ = call(*score, "I1.5", "--explain", "--json")
    lines = [json.loads(line) for line in out.splitlines()]
    assert [sorted(line) for line in lines] == [["features", "p", "score"]] * 3
    assert lines[0]["features"]["*insul*"] > 0
    for bad, message in (
        ("one\n", ":1: 1 columns"),
        ("a\tb\tc\n", ":1: 3"),
        ("", "the file is empty"),
    ):
        source.write_text(bad)
        code, _, err = call(*score, "I1.5")
        assert code == 4
        assert message in err


def test_help(call):
    """That of the sub-word which is meant where none is named, and the others' names."""
    code, out, _ = call("related", "--help")
    assert code == 0
    for name in ("--candidates", "--without-own", "--year", "all", "score"):
        assert name in out


def test_stopwords(index, call, tmp_path):
    """Words of a file are no features, and the model remembers them."""
    (tmp_path / "stop.txt").write_text("insulin\nglucose\n", encoding="utf-8")
    code, *_ = call(
        *_train(index, tmp_path / "m", "--model", "bayes", "--stopwords", tmp_path / "stop.txt")
    )
    assert code == 0
    model = models.load(tmp_path / "m", "related")
    assert model.stopwords == ("glucose", "insulin")
    assert score_pairs(model, [("insulin", "insulin")])[0] == 0


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (("train", "related", "--index", "missing", "--output", "m"), 4, "there is no index"),
        (("train", "related", "--index", "INDEX", "--output", "full"), 6, "holds something else"),
        (("train", "related", "--index", "INDEX", "--output", "m", "--pairs", "0"), 2, "--pairs"),
        (("train", "related", "--index", "INDEX", "--output", "m", "--model", "x"), 2, "--model"),
        (("train", "related", "--index", "INDEX", "--output", "m", "--stopwords", "no"), 4, "no:"),
        ((*TRAINED, "--model", "bayes", "--tune-on", "glucose"), 2, "there is no λ0 to tune"),
        ((*TRAINED, "--lambda0", "1e-3", "--tune-on", "glucose"), 2, "there is no λ0 to tune"),
        ((*SCORED, "--index", "INDEX", "--model", "I9"), 2, "no formula 'I9'"),
        ((*SCORED, "--index", "INDEX", "--model", "full"), 4, "this is no model"),
        ((*SCORED, "--index", "missing", "--model", "D"), 4, "there is no index"),
        (("related", "scor"), 2, "scor"),
    ],
)
def test_mistakes(arguments, code, message, index, call, tmp_path, monkeypatch):
    """One line that names the mistake, and the exit code of its kind."""
    monkeypatch.chdir(tmp_path)
    Path("full").mkdir()
    Path("full/file").write_text("x")
    Path("pairs.tsv").write_text("a cell\ta gene\n")
    found, _, err = call(*(str(index) if a == "INDEX" else a for a in arguments))
    assert (found, "Traceback" in err, Path("m").exists()) == (code, False, False)
    assert message in err


def test_killed_training_leaves_no_model(index, tmp_path):
    """A training process that is killed while it saves leaves no folder of the model's name."""
    code = (
        "import sys, time\n"
        "from relsent_ir import models\n"
        "save = models.folders.write_array\n"
        "def slow(path, *a, **k):\n"
        "    save(path, *a, **k); print('saving', flush=True); time.sleep(60)\n"
        "models.folders.write_array = slow\n"
        "from relsent_ir.cli.main import main\n"
        "main(sys.argv[1:])\n"
    )
    arguments = map(str, _train(index, tmp_path / "m", "--model", "bayes"))
    with subprocess.Popen(
        [sys.executable, "-c", code, *arguments], stdout=subprocess.PIPE, env=os.environ
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"saving\n"
        time.sleep(0.1)
        process.send_signal(signal.SIGKILL)
    assert not (tmp_path / "m").exists()
