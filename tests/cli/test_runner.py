"""Running a verb again and again: its flags, its run, and what cannot be run so."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from relsent_ir.cli.verbs.tune import Runner
from relsent_ir.errors import UsageError
from relsent_ir.trec import read_run


def test_run(relsent: Callable[..., Any], sample_indexes: Path, here: Path) -> None:
    """A setting's flags come after the arguments; nothing is printed; the run is the verb's."""
    arguments = ["--index", str(sample_indexes), "--topics", "topics/sample.tsv", "--json"]
    with Runner("search", arguments) as runner:
        found = runner.run({"--hits": 3.0, "--k1": 1.5})
    assert [path.name for path in here.rglob("*.txt")] == ["sample.txt"]  # no run is written
    ran = relsent("search", *arguments, "--hits", 3, "--k1", 1.5, "--output", "two.txt")
    assert ran.code == 0
    expected = read_run("two.txt")
    assert list(found) == list(expected)
    for topic, hits in expected.items():
        assert found[topic].ids.tolist() == hits.ids.tolist()
        assert len(hits) <= 3


def test_what_is_kept(relsent: Callable[..., Any], sample_indexes: Path, here: Path) -> None:
    """The collection is opened once for all calls, and closed with the runner."""
    arguments = ["--index", str(sample_indexes), "--topics", "topics/sample.tsv"]
    with Runner("search", arguments) as runner:
        runner.run({})
        (engine,) = runner.cached.engines.values()
        runner.run({"--hits": 3.0})
        assert list(runner.cached.engines.values()) == [engine]
        assert engine.index.reader.getRefCount() == 1
    assert engine.index.reader.getRefCount() == 0


def test_output_is_required_of_users(relsent: Callable[..., Any], here: Path) -> None:
    """A verb that only writes runs needs --output, except where its run is taken."""
    Path("a.txt").write_text("1 Q0 x 1 2.5 a\n")
    Path("b.txt").write_text("1 Q0 y 1 1.5 b\n")
    ran = relsent("fuse", "--runs", "a.txt", "b.txt")
    assert (ran.code, "Missing option '--output'" in ran.err) == (2, True)
    with Runner("fuse", ["--runs", "a.txt", "b.txt"]) as runner:
        assert runner.run({"--k": 1.0})["1"].ids.tolist() == ["x"]


def test_verbs_with_sub_words(relsent: Callable[..., Any], sample_indexes: Path) -> None:
    """A verb that needs no sub-word is run with and without one; one that writes no run is none."""
    arguments = ["--index", str(sample_indexes), "--model", "I1.5", "--pmid", "90000031"]
    with Runner("related", arguments) as short, Runner("related", ["match", *arguments]) as long:
        assert short.values("--depth", "5").whole
        found = [runner.run({"--hits": 2.0}) for runner in (short, long)]
    assert [len(hits) for hits in found[0].values()] == [2] * len(found[0])
    assert [hits.ids.tolist() for hits in found[0].values()] == [
        hits.ids.tolist() for hits in found[1].values()
    ]
    with pytest.raises(UsageError, match="related writes no run"):
        Runner("related", ["evaluate"])


def test_values() -> None:
    """Whole numbers, others and texts are told apart; what says nothing of ranking is refused."""
    runner = Runner("search", [])
    assert runner.values("--hits", "5,10").whole
    assert runner.values("--rocchio.alpha", "0.5,1").several == (0.5, 1.0)
    assert runner.values("--fb-weighting", "ltn,bm25").several == ("ltn", "bm25")
    assert runner.values("--boost.PURPOSE", "0,0.5").several == (0.0, 0.5)
    with pytest.raises(UsageError, match="whole numbers"):
        runner.values("--hits", "1.5")
    with pytest.raises(UsageError, match="--runtag of search says nothing"):
        runner.values("--runtag", "x")
    with pytest.raises(UsageError, match="search has no flag --nothing"):
        runner.values("--nothing", "1")
    with pytest.raises(UsageError, match="--hits has no parts"):
        runner.values("--hits.x", "1")


def test_flags() -> None:
    """Parts of a flag become its one value, weights of runs in the order of their numbers."""
    search, fuse = Runner("search", []), Runner("fuse", [])
    setting = {"--boost.purpose": 0.5, "--rocchio.alpha": 1.0, "--boost.RESULTS": 2.0}
    assert search.flags(setting) == ["--rocchio.alpha", "1", "--boost", "PURPOSE=0.5,RESULTS=2"]
    assert search.flags({"--argumentative": "TITLE,MESH=2"}) == ["--argumentative", "TITLE,MESH=2"]
    shares = {"--argumentative.TITLE": 0.0, "--argumentative.MESH": 2.0}
    assert search.flags(shares) == ["--argumentative", "MESH=2"]
    assert search.flags(dict.fromkeys(shares, 0.0)) == ["--argumentative", "DOCUMENT"]
    weights = {f"--weights.{n}": float(n) for n in (10, 2, 1)}
    assert fuse.flags(weights) == ["--weights", "1,2,10"]


def test_verbs_without_runs() -> None:
    """A verb must exist and write a run, and the run's place is not the user's."""
    for verb, arguments, said in (
        ("nothing", [], "no verb nothing"),
        ("stats", [], "stats writes no run"),
        ("search", ["--output=x.txt"], "leave --output of search out"),
    ):
        with pytest.raises(UsageError, match=said):
            Runner(verb, arguments)
