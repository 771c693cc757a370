"""Running a verb again and again: its flags, its run, and what cannot be run so."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from relsent_ir.cli.runner import Runner
from relsent_ir.errors import UsageError
from relsent_ir.trec import read_run


def test_run(relsent: Callable[..., Any], sample_indexes: Path, here: Path) -> None:
    """A setting's flags come after the arguments; nothing is printed; the run is the verb's."""
    arguments = ["--index", str(sample_indexes), "--topics", "topics/sample.tsv", "--json"]
    found = Runner("search", arguments).run({"--hits": 3.0, "--k1": 1.5}, Path("one.txt"))
    ran = relsent("search", *arguments, "--hits", 3, "--k1", 1.5, "--output", "two.txt")
    assert ran.code == 0
    expected = read_run("two.txt")
    assert list(found) == list(expected)
    for topic, hits in expected.items():
        assert found[topic].ids.tolist() == hits.ids.tolist()
        assert len(hits) <= 3


def test_flags() -> None:
    """Whole numbers and others are told apart; what is no number is refused."""
    runner = Runner("search", [])
    assert runner.whole("--hits")
    assert not runner.whole("--rocchio.alpha")
    with pytest.raises(UsageError, match="--runtag of search is no number"):
        runner.whole("--runtag")
    with pytest.raises(UsageError, match="search has no flag --nothing"):
        runner.whole("--nothing")


def test_verbs_without_runs() -> None:
    """A verb must exist and write a run, and the run's place is not the user's."""
    for verb, arguments, said in (
        ("nothing", [], "no verb nothing"),
        ("stats", [], "stats writes no run"),
        ("search", ["--output=x.txt"], "leave --output of search out"),
    ):
        with pytest.raises(UsageError, match=said):
            Runner(verb, arguments)
