"""``relsent-ir fuse``."""

import gzip
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from relsent_ir.cli.verbs.evaluate import fuse as command
from relsent_ir.errors import InputError, MismatchError, OutputError, UsageError
from relsent_ir.trec import read_run


@pytest.fixture(autouse=True)
def files(tmp_path, monkeypatch) -> None:
    """Two runs of one topic; the ranks in the files are all wrong."""
    monkeypatch.chdir(tmp_path)
    Path("a").write_text("1 Q0 y 1 5 x\n1 Q0 x 2 9 x\n1 Q0 z 3 1 x\n")
    Path("b").write_text("1 Q0 w 1 0.25 x\n1 Q0 y 2 0.5 x\n")


def _run(*arguments: str) -> Result:
    return CliRunner().invoke(command, arguments, catch_exceptions=False)


def _fused(*arguments: str) -> dict[str, float]:
    result = _run(*arguments, "--output", "out")
    hits = read_run("out")["1"]
    assert (result.exit_code, result.output) == (0, f"out: 1 topic, {len(hits)} hits\n")
    return dict(zip(hits.ids.tolist(), hits.scores.tolist(), strict=True))


def test_reciprocal_ranks_by_default():
    """Y is second and first; --runs takes several, may be left out, or repeated."""
    expected = {"y": 1 / 62 + 1 / 61, "x": 1 / 61, "w": 1 / 62, "z": 1 / 63}
    for arguments in (("--runs", "a", "b"), ("--runs", "a", "--runs=b")):
        assert _fused(*arguments) == pytest.approx(expected)
    assert _fused("--runs", "a", "b", "--rrf.k", "1")["y"] == pytest.approx(1 / 3 + 1 / 2)


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (("--method", "interpolation"), {"x": 4.5, "y": 2.75, "z": 0.5, "w": 0.125}),
        (("--method", "interpolation", "--alpha", "1"), {"x": 9, "y": 5, "z": 1, "w": 0}),
        (("--method", "average"), {"x": 4.5, "y": 2.75, "z": 0.5, "w": 0.125}),
        (("--method", "normalize"), {"y": 1.5, "x": 1, "w": 0, "z": 0}),
        (("--method", "normalize", "--weights", "3,1"), {"x": 3, "y": 2.5, "w": 0, "z": 0}),
        (("--method", "average", "--k", "2"), {"x": 4.5, "y": 2.75}),
        (("--method", "average", "--depth", "1"), {"x": 4.5, "y": 0.25}),
    ],
)
def test_methods(arguments, expected):
    """Each by hand; scores that tie are written a hair apart, in our order."""
    found = _fused("--runs", "a", "b", *arguments)
    assert found == pytest.approx(expected)
    assert list(found) == list(expected)


def test_outputs():
    """The tag is in each line; .gz packs; fusion takes two; a path under a file, a full disk."""
    assert _run("--runs", "a", "b", "--output", "new/out.gz", "--runtag", "mine").exit_code == 0
    lines = gzip.decompress(Path("new/out.gz").read_bytes()).decode().splitlines()
    assert [line.split()[-1] for line in lines] == ["mine"] * 4
    with pytest.raises(UsageError, match="fusion of 1 run"):
        _run("--runs", "a", "--output", "out")
    with pytest.raises(OutputError, match="a/out: cannot be written"):
        _run("--runs", "a", "b", "--output", "a/out")
    if Path("/dev/full").exists():
        with pytest.raises(OutputError, match="No space left"):
            _run("--runs", "a", "b", "--output", "/dev/full")


def test_bad_input():
    """Runs that cannot be read or do not belong together leave what was there."""
    Path("out").write_text("old")
    Path("other").write_text("2 Q0 a 1 1 x\n")
    Path("nan").write_text("1 Q0 a 1 nan x\n")
    for kind, problem, run in (
        (InputError, "nothing: there is no such file", "nothing"),
        (InputError, "nan:1: the score is no finite number", "nan"),
        (MismatchError, r"a \(such as topic 1\) and other \(such as topic 2\)", "other"),
    ):
        with pytest.raises(kind, match=problem):
            _run("--runs", "a", run, "--output", "out")
    assert Path("out").read_text() == "old"


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        (("--alpha", "0.5"), "--alpha needs --method interpolation"),
        (("--method", "average", "--rrf.k", "60"), "--rrf.k needs --method rrf"),
        (("--weights", "1,1"), "--weights needs --method normalize"),
        (("--method", "normalize", "--weights", "1"), "1 weights for 2 runs"),
        (("--method", "normalize", "--weights", "1;1"), "--weights 1;1"),
        (("--method", "normalize", "--weights", "1,nan"), "--weights 1,nan"),
        (("--method", "interpolation", "--alpha", "2"), "--alpha 2.0"),
        (("--runtag", "my run"), "run tag"),
    ],
)
def test_flags_that_do_not_fit(arguments, problem):
    """Silently ignored flags would be misunderstood results."""
    with pytest.raises(UsageError, match=problem):
        _run("--runs", "a", "b", "--output", "out", *arguments)


@pytest.mark.parametrize("arguments", [("--runs", "a", "b"), ("--output", "out")])
def test_usage(arguments):
    """What click refuses by itself."""
    assert _run(*arguments).exit_code == 2
