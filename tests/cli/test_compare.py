"""``relsent-ir compare``."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from relsent_ir.cli.verbs.evaluate import compare as command
from relsent_ir.errors import InputError, MismatchError, UsageError
from relsent_ir.trec import TESTS


@pytest.fixture(autouse=True)
def files(tmp_path, monkeypatch) -> None:
    """Six topics; the baseline finds the one document second, the others first or last."""
    monkeypatch.chdir(tmp_path)
    Path("qrels").write_text("".join(f"{topic} 0 a 1\n" for topic in range(6)))
    for name, order in (("base", "bac"), ("good", "abc"), ("poor", "bca")):
        lines = [f"{t} Q0 {d} 0 {-i} x\n" for t in range(6) for i, d in enumerate(order)]
        Path(name).write_text("".join(lines))


def _run(*arguments: str) -> Result:
    return CliRunner().invoke(command, arguments, catch_exceptions=False)


def test_table():
    """The baseline first, then run by run; by sign each p is 2/64, doubled by Holm.

    All topics differ by the same, so that the intervals have no width.
    """
    result = _run("qrels", "base", "good", "poor", "-m", "recip_rank", "--test", "sign")
    assert result.stdout == (
        "run   measure     mean    difference  95 % interval       won/lost/tied  p(sign)  Holm\n"
        "base  recip_rank  0.5000\n"
        "good  recip_rank  1.0000  +0.5000     +0.5000 to +0.5000  6/0/0          0.0312   0.0625\n"
        "poor  recip_rank  0.3333  -0.1667     -0.1667 to -0.1667  0/6/0          0.0312   0.0625\n"
    )


def test_all_pairs():
    """Each run is compared with all before it; Holm's family is the three."""
    result = _run(
        "qrels", "base", "good", "poor", "-m", "recip_rank", "--test", "sign", "--all-pairs"
    )
    lines = [line.split() for line in result.stdout.splitlines()]
    assert lines[0][:2] == ["run", "less"]
    assert [line[:2] for line in lines[2:]] == [
        ["good", "base"],
        ["poor", "base"],
        ["poor", "good"],
    ]
    assert lines[4][3:] == [
        "0.3333",
        "-0.6667",
        "-0.6667",
        "to",
        "-0.6667",
        "0/6/0",
        "0.0312",
        "0.0938",
    ]
    found = json.loads(
        _run("qrels", "base", "good", "poor", "-m", "recip_rank", "--all-pairs", "--json").stdout
    )
    assert [one["other"] for one in found["comparisons"]] == ["base", "base", "good"]


def test_latex():
    """Systems by measures, the best bold, with letters of the runs below; it excludes JSON."""
    Path("good_$50%").write_text(Path("good").read_text())
    shown = _run(
        "qrels", "base", "good_$50%", "-m", "recip_rank", "--test", "sign", "--latex"
    ).stdout
    assert shown.splitlines() == [
        "% Letters: runs that a mean is above, Holm's p < 0.05 by the sign test of all pairs",
        r"\begin{tabular}{llr}",
        r"\toprule",
        r" & system & recip\_rank \\",
        r"\midrule",
        r"a & base & 0.5000 \\",
        r"b & good\_\$50\% & \textbf{1.0000}$^{a}$ \\",
        r"\bottomrule",
        r"\end{tabular}",
    ]
    with pytest.raises(UsageError, match="exclude each other"):
        _run("qrels", "base", "good", "--latex", "--json")


def test_json():
    """All tests at once, with the numbers in full."""
    flags = [flag for test in TESTS for flag in ("--test", test)]
    found = json.loads(_run("qrels", "base", "good", "-m", "recip_rank", *flags, "--json").stdout)
    assert (found["baseline"], found["num_q"]) == ("base", 6)
    (one,) = found["comparisons"]
    assert one == {
        "run": "good",
        "other": "base",
        "measure": "recip_rank",
        "baseline": 0.5,
        "mean": 1.0,
        "difference": 0.5,
        "low": 0.5,
        "high": 0.5,
        "wins": 6,
        "losses": 0,
        "ties": 0,
        "p": one["p"],
        "holm": one["p"],
    }
    # All differ by the same: t is endless, two of 64 sign patterns are as extreme, and Wilcoxon's
    # tied ranks call for the normal approximation.
    assert (one["p"]["t"], one["p"]["sign"], one["p"]["randomisation"]) == (0, 2 / 64, 2 / 64)
    assert one["p"]["wilcoxon"] == pytest.approx(0.0143, abs=1e-4)


def test_flags():
    """Without flags map by Student's t; one pattern drawn; -M 1 leaves the baseline nothing."""
    head, first, *_ = _run("qrels", "base", "poor").stdout.splitlines()
    assert _run("-m", "map", "qrels", "base", "poor").stdout.splitlines()[:2] == [head, first]
    assert head.split()[-2:] == ["p(t)", "Holm"]
    assert first.split() == ["base", "map", "0.5000"]
    flags = ("--test", "randomisation", "--permutations", "1", "--json")
    found = json.loads(_run("qrels", "base", "good", *flags, "--seed", "3").stdout)
    assert found["comparisons"][0]["p"]["randomisation"] in (0.5, 1.0)
    assert "1.0000  +1.0000" in _run("qrels", "base", "good", "-M1", "-l1").stdout


def test_bad_input():
    """What does not belong together, exist, or compare; a missing topic is a loss, or left out."""
    Path("other").write_text("x Q0 a 1 1 x\n")
    with pytest.raises(MismatchError, match=r"qrels .* and other .* have no topic id in common"):
        _run("qrels", "base", "other")
    with pytest.raises(InputError, match="nothing: there is no such file"):
        _run("qrels", "base", "nothing")
    with pytest.raises(UsageError, match="gm_map has no value for a single topic"):
        _run("qrels", "base", "good", "-m", "gm_map")
    Path("part").write_text("0 Q0 a 1 1 x\n")
    result = _run("qrels", "base", "part")
    assert "1/5/0" in result.stdout
    assert "part: 5 of 6 judged topics have no hits: they count as 0" in result.stderr
    assert "1/0/0" in _run("qrels", "base", "part", "--no-complete").stdout


def test_names():
    """At least one run, and tests that there are; each run has one name."""
    assert _run("qrels", "base").exit_code == 2
    assert _run("qrels", "base", "good", "--test", "anova").exit_code == 2
    for test in TESTS:
        assert _run("qrels", "base", "good", "--test", test).exit_code == 0
    result = _run("qrels", "base", "good", "--names", "BM25,ours")
    assert [line.split()[0] for line in result.stdout.splitlines()] == ["run", "BM25", "ours"]
    with pytest.raises(UsageError, match="2 names for 3 runs"):
        _run("qrels", "base", "good", "poor", "--names", "BM25,ours")
