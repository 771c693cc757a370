"""``relsent-ir evaluate``."""

import gzip
import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from relsent_ir.cli.verbs.evaluate import command
from relsent_ir.errors import InputError, MismatchError, RelsentError, UsageError

QRELS = "1 0 a 1\n1 0 b 0\n2 0 c 2\n3 0 a 1\n"
RUN = "1 Q0 b 1 2.0 x\n1 Q0 a 2 1.0 x\n2 Q0 c 1 3.0 x\n9 Q0 c 1 3.0 x\n"


@pytest.fixture(autouse=True)
def files(tmp_path, monkeypatch) -> None:
    """Judgements of three topics, and a run that misses one and has one more."""
    monkeypatch.chdir(tmp_path)
    Path("qrels").write_text(QRELS)
    Path("run").write_text(RUN)


def _run(*arguments: str) -> Result:
    return CliRunner().invoke(command, arguments, catch_exceptions=False)


def _fails(kind: type[RelsentError], problem: str, *arguments: str) -> None:
    with pytest.raises(kind, match=problem) as caught:
        _run(*arguments)
    assert "\n" not in str(caught.value)


def test_layout_of_trec_eval():
    """Name in 22 columns, topic and value between tabs, four decimals; counts are whole."""
    result = _run("qrels", "run", "-m", "P.1", "-m", "map", "-m", "num_q")
    assert result.stdout == (
        "num_q                 \tall\t3\n"
        "map                   \tall\t0.5000\n"
        "P_1                   \tall\t0.3333\n"
    )


def test_topics_that_one_side_lacks_are_counted():
    """Missing ones count as 0, or are left out; both are said on stderr."""
    result = _run("qrels", "run", "-m", "map")
    assert _run("-m", "map", "qrels", "run").stdout == result.stdout  # as trec_eval has it
    assert result.stderr == (
        "run: 1 of 3 judged topics have no hits: they count as 0\n"
        "run: 1 of 3 topics have no judgements: they are ignored\n"
    )
    result = _run("--no-complete", "qrels", "run", "-m", "map")
    assert result.stdout == "map                   \tall\t0.7500\n"
    assert "they are left out" in result.stderr


def test_flags_of_trec_eval():
    """trec_eval's measures without -m; -q prints topics first; -l2 and -M1."""
    names = [line.split()[0] for line in _run("qrels", "run").stdout.splitlines()]
    assert names[:5] == ["num_q", "num_ret", "num_rel", "num_rel_ret", "map"]
    assert names[-1] == "P_1000"
    assert len(names) == 29
    lines = _run("-q", "qrels", "run", "-m", "map", "-m", "num_q").stdout.splitlines()
    assert [line.split() for line in lines] == [
        ["map", "1", "0.5000"],
        ["map", "2", "1.0000"],
        ["map", "3", "0.0000"],
        ["num_q", "all", "3"],
        ["map", "all", "0.5000"],
    ]
    assert json.loads(_run("-l2", "qrels", "run", "-mnum_rel", "--json").stdout)["num_rel"] == 1
    assert json.loads(_run("-M1", "qrels", "run", "-mnum_ret", "--json").stdout)["num_ret"] == 2


def test_json():
    """Measures by trec_eval's names, then num_q; with -q the topics too."""
    text = _run("qrels", "run", "-m", "P.1,2", "-m", "map", "--json").stdout
    assert list(json.loads(text).items()) == [
        ("map", 0.5), ("P_1", pytest.approx(1 / 3)), ("P_2", pytest.approx(1 / 3)), ("num_q", 3),
    ]  # fmt: skip
    text = _run("qrels", "run", "-m", "num_rel", "-q", "--json").stdout
    assert json.loads(text) == {
        "num_rel": 3,
        "num_q": 3,
        "topics": {"1": {"num_rel": 1}, "2": {"num_rel": 1}, "3": {"num_rel": 1}},
    }


def test_several_runs():
    """One block a run, with its name where trec_eval prints the run's tag."""
    Path("run.gz").write_bytes(gzip.compress(b"1 Q0 a 1 1 x\n"))
    result = _run("-c", "qrels", "run", "run.gz", "-m", "map")
    assert [line.split()[-1] for line in result.stdout.splitlines()] == [
        "run", "0.5000", "run.gz", "0.3333",
    ]  # fmt: skip
    found = json.loads(_run("qrels", "run", "run.gz", "-m", "map", "--json").stdout)
    assert [(one["run"], one["num_q"]) for one in found["runs"]] == [("run", 3), ("run.gz", 3)]
    shown = _run("-m", "map", "-c", "qrels", "run", "run.gz", "--latex").stdout.splitlines()
    assert shown[4:6] == [r"run & \textbf{0.5000} \\", r"run.gz & 0.3333 \\"]


def test_bad_input():
    """What trec_eval would take or crash on is refused in one line."""
    Path("other").write_text("01 0 a 1\n")
    Path("twice").write_text("1 Q0 a 1 2 x\n1 Q0 a 2 1 x\n")
    Path("nan").write_text("1 Q0 a 1 nan x\n")
    Path("words").write_text("1 0 a relevant\n")
    Path("empty").touch()
    Path("cut.gz").write_bytes(gzip.compress(RUN.encode() * 99)[:60])
    _fails(MismatchError, r"other \(such as topic 01\) and run \(such as topic 1\)", "other", "run")
    _fails(InputError, "twice:2: document a is in line 1 already", "qrels", "twice")
    _fails(InputError, "nan:1: the score is no finite number", "qrels", "nan")
    _fails(InputError, "words:1: the grade relevant", "words", "run")
    _fails(InputError, "empty: the file is empty", "qrels", "empty")
    _fails(InputError, r"cut\.gz: the gzip data end too early", "qrels", "cut.gz")
    _fails(InputError, "nothing: there is no such file", "nothing", "run")
    _fails(InputError, r"\.: is a folder", "qrels", ".")
    _fails(UsageError, r"no measure Map \(did you mean map, ", "qrels", "run", "-m", "Map")


@pytest.mark.parametrize(
    "arguments", [("qrels",), ("qrels", "run", "-l", "0"), ("qrels", "run", "-M", "x")]
)
def test_usage(arguments):
    """Missing arguments and numbers out of range are click's usage errors."""
    assert _run(*arguments).exit_code == 2
