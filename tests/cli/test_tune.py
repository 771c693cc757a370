"""``relsent-ir tune``, and running a verb again and again from Python."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from relsent_ir.lucene.read.search import Searcher
from relsent_ir.trec import read_run

Relsent = Callable[..., Any]


def evaluated(relsent: Relsent, index: Path, *flags: object) -> dict[str, float]:
    """Each topic's AP after a search with these flags."""
    search = ("search", "--index", index, "--topics", "topics/sample.tsv", "--output", "one.txt")
    assert relsent(*search, *flags).code == 0
    ran = relsent("evaluate", "qrels/sample.txt", "one.txt", "-m", "map", "-q")
    rows = [line.split() for line in ran.out.splitlines()]
    return {topic: float(value) for _, topic, value in rows if topic != "all"}


def test_folds(relsent, sample_indexes, here):
    """Each fold's choice is the best over the other topics; its score is that of a plain search."""
    search = ("search", "--index", sample_indexes, "--topics", "topics/sample.tsv", "--rocchio")
    ran = relsent(
        "tune", "--qrels", "qrels/sample.txt", "--grid", "fb-terms=2,20", "beta=0.5,2",
        "--folds", 4, "--output", "tuned.txt", "--json", "--", *search,
    )  # fmt: skip
    assert ran.code == 0, ran.err
    found = json.loads(ran.out)
    assert (found["settings"], found["topics"], len(found["folds"])) == (4, 8, 4)
    scores = {
        (m, beta): evaluated(relsent, sample_indexes, "--rocchio", "--fb-terms", m, "--beta", beta)
        for m in (2, 20)
        for beta in (0.5, 2)
    }
    given = evaluated(relsent, sample_indexes, "--rocchio")
    run = read_run("tuned.txt")
    assert sorted(run) == sorted(given)
    for fold in found["folds"]:
        train = [topic for topic in given if topic not in fold["topics"]]
        means = {s: sum(of[topic] for topic in train) / len(train) for s, of in scores.items()}
        chosen = (fold["setting"]["--fb-terms"], fold["setting"]["--beta"])
        assert fold["train"] == pytest.approx(max(means.values()), abs=6e-5)
        assert means[chosen] == pytest.approx(max(means.values()), abs=6e-5)
        test = [scores[chosen][topic] for topic in fold["topics"]]
        assert fold["test"] == pytest.approx(sum(test) / len(test), abs=6e-5)
    assert found["mean"] == pytest.approx(sum(fold["test"] for fold in found["folds"]) / 4)
    # Eight topics in four folds: the mean over folds is the mean over topics of the written run.
    ran = relsent("evaluate", "qrels/sample.txt", "tuned.txt", "-m", "map")
    assert float(ran.out.split()[-1]) == pytest.approx(found["mean"], abs=6e-5)
    assert found["untuned"] == pytest.approx(sum(given.values()) / 8, abs=6e-5)


def test_splits_and_table(relsent, sample_indexes, here):
    """Random splits and random settings; the table shows train, test and untuned side by side."""
    search = ("search", "--index", sample_indexes, "--topics", "topics/sample.tsv", "--bm25")
    command = (
        "tune", "--qrels", "qrels/sample.txt", "--measure", "ndcg_cut.10", "--grid", "k1=0.5:2",
        "b=0.2:0.9", "--random", 3, "--train", 6, "--splits", 5, "--seed", 2, "--", *search,
    )  # fmt: skip
    ran = relsent(*command)
    assert ran.code == 0, ran.err
    lines = ran.out.splitlines()
    assert lines[0] == "ndcg_cut_10, 3 settings, 8 topics"
    assert lines[2].split() == ["split", "train", "test", "untuned", "chosen"]
    assert len(lines) == 3 + 5 + 2
    assert lines[-1].startswith("test: mean 0.")
    assert "untuned" in lines[-1]
    assert relsent(*command).out == ran.out


def test_shared_stages(relsent, sample_indexes, here, monkeypatch):
    """Settings of feedback share their first search: one for all of them."""
    searched: list[bool] = []
    original = Searcher.search

    def search(self: Searcher, topics: Any, *rest: Any, **named: Any) -> Any:
        searched.append(all(isinstance(topic, str) for topic in topics.values()))
        return original(self, topics, *rest, **named)

    monkeypatch.setattr(Searcher, "search", search)
    ran = relsent(
        "tune", "--qrels", "qrels/sample.txt", "--grid", "fb-docs=1,2,3", "--folds", 2, "--",
        "search", "--index", sample_indexes, "--topics", "topics/sample.tsv", "--rocchio",
    )  # fmt: skip
    assert ran.code == 0, ran.err
    assert searched.count(True) == 1
    assert searched.count(False) == 4


def test_only_topics_with_judgements(relsent, sample_indexes, here):
    """Only topics of both sides count; -l is that of evaluate."""
    lines = Path("topics/sample.tsv").read_text().splitlines()
    judged = [line.partition("\t")[0] for line in lines]
    Path("some.tsv").write_text("".join(f"{line}\n" for line in lines[:4]) + "none\tasthma\n")
    tune = ("tune", "--qrels", "qrels/sample.txt", "--grid", "k1=0.5,1.5", "--folds", 2, "--json")
    search = ("search", "--index", sample_indexes, "--topics", "some.tsv")
    found = json.loads(relsent(*tune, "--", *search).out)
    assert found["topics"] == 4
    assert {topic for fold in found["folds"] for topic in fold["topics"]} == set(judged[:4])
    Path("some.tsv").write_text("none\tasthma\n")
    ran = relsent(*tune, "--", *search)
    assert (ran.code, ran.err.count("\n")) == (5, 1)
    assert "no topic has judgements" in ran.err
    tune = ("tune", "--qrels", "qrels/sample.txt", "--grid", "k1=0.5,1.5", "--folds", 2, "--json")
    search = ("search", "--index", sample_indexes, "--topics", "topics/sample.tsv")
    assert json.loads(relsent(*tune, "--", *search).out)["mean"] > 0
    assert json.loads(relsent(*tune, "-l", 9, "--", *search).out)["mean"] == 0


@pytest.mark.parametrize(
    ("grid", "rest", "settings"),
    [
        ("fb-weighting=tf,ltn,bm25 fb-terms=5,10", "--rocchio", 6),
        ("argumentative=CONCLUSION,TITLE+MESH=2", "--rocchio", 2),
        ("argumentative.MESH=0,1 argumentative.TITLE=0,1", "--rm3", 4),
    ],
)
def test_flags_of_moves_and_texts(relsent, sample_indexes, here, grid, rest, settings):
    """Parts of records and names of weightings are tuned like numbers."""
    search = ("search", "--index", sample_indexes, "--topics", "topics/sample.tsv", *rest.split())
    ran = relsent(
        "tune", "--qrels", "qrels/sample.txt", "--grid", *grid.split(), "--folds", 2, "--json",
        "--", *search,
    )  # fmt: skip
    assert ran.code == 0, ran.err
    found = json.loads(ran.out)
    assert found["settings"] == settings
    assert all(0 < fold["test"] <= 1 for fold in found["folds"])


def test_weights_of_runs(relsent, sample_indexes, here):
    """The weights of fused runs are tuned, each run by its number."""
    search = ("search", "--index", sample_indexes, "--topics", "topics/sample.tsv")
    assert relsent(*search, "--output", "a.txt").code == 0
    assert relsent(*search, "--rm3", "--output", "b.txt").code == 0
    ran = relsent(
        "tune", "--qrels", "qrels/sample.txt", "--grid", "weights.1=1", "weights.2=0.5,1,2",
        "--folds", 2, "--", "fuse", "--runs", "a.txt", "b.txt", "--method", "normalize",
    )  # fmt: skip
    assert ran.code == 0, ran.err
    assert "--weights.1 1 --weights.2" in ran.out


def test_learned_parts(relsent, sample_indexes, here):
    """Each part's weight is climbed to on the training topics; search alone cannot learn."""
    search = ("search", "--index", sample_indexes, "--topics", "topics/sample.tsv", "--rocchio")
    learn = ("--argumentative", "learn")
    ran = relsent(
        "tune", "--qrels", "qrels/sample.txt", "--folds", 2, "--json", "--", *search, *learn
    )
    assert ran.code == 0, ran.err
    for fold in json.loads(ran.out)["folds"]:
        assert set(fold["setting"]) == {
            f"--argumentative.{part}"
            for part in ["PURPOSE", "METHODS", "RESULTS", "CONCLUSION", "TITLE", "MESH", "DOCUMENT"]
        }
    ran = relsent(*search, *learn, "--output", "one.txt")
    assert (ran.code, "needs judgements" in ran.err) == (2, True)


@pytest.mark.parametrize(
    ("flags", "verb", "said"),
    [
        ("--grid k1", "search", "cannot read --grid k1"),
        ("--grid k1=x", "search", "cannot read the values 'x'"),
        ("--grid k1=1:2", "search", "draw with --random"),
        ("--grid fb-docs=1.5", "search", "whole numbers"),
        ("--grid k7=1", "search", "search has no flag --k7"),
        ("--grid runtag=1", "search", "search has no flag --runtag that could be tuned"),
        ("--folds 2", "search", "nothing to tune"),
        ("--grid k1=1 --random 2 --ascend", "search", "exclude each other"),
        ("--grid k1.PURPOSE=1", "search", "--k1 has no parts"),
        ("--grid k1=1", "stats", "stats writes no run"),
        ("--grid k1=1", "look", "no verb look"),
        ("--grid k1=1 --folds 3 --train 2", "search", "exclude each other"),
        ("--grid k1=1 --splits 2", "search", "--splits needs --train"),
        ("--grid k1=1 --train 2 --output x.txt", "search", "--train and --output exclude"),
        ("--grid k1=1 --measure all_trec", "search", "name one"),
        ("--grid k1=1 --measure mapp", "search", "no measure mapp"),
        ("--grid k1=1 --folds 9", "search", "9 folds of 8 topics"),
    ],
)
def test_mistakes(refused, sample_indexes, here, flags, verb, said):
    """One line and exit code 2."""
    rest = ("--index", sample_indexes, "--topics", "topics/sample.tsv")
    refused(2, said, "tune", "--qrels", "qrels/sample.txt", *flags.split(), "--", verb, *rest)


def test_mistakes_of_the_verb(relsent, sample_indexes, here):
    """What the verb cannot do is told as it tells it; tune keeps the runs to itself."""
    tune = ("tune", "--qrels", "qrels/sample.txt", "--grid", "k1=1", "--", "search")
    index = ("--index", sample_indexes, "--topics", "topics/sample.tsv")
    ran = relsent(*tune, *index, "--output", "x.txt")
    assert (ran.code, "leave --output of search out" in ran.err) == (2, True)
    ran = relsent(*tune, *index, "--no-such-flag")
    assert (ran.code, "No such option" in ran.err) == (2, True)
    ran = relsent(*tune, "--index", "nowhere", "--topics", "topics/sample.tsv")
    assert (ran.code, "there is no index" in ran.err) == (4, True)
    ran = relsent("tune", "--qrels", "none.txt", "--grid", "k1=1", "--", "search", *index)
    assert ran.code == 4


def test_a_corner_of_the_grid(relsent, sample_indexes, here):
    """Where most folds choose an end of three values or more, a line says so."""
    search = ("search", "--index", sample_indexes, "--topics", "topics/sample.tsv", "--bm25")
    tune = ("tune", "--qrels", "qrels/sample.txt", "--folds", 2)
    ran = relsent(*tune, "--grid", "k1=0,0.001,0.002", "--", *search)
    assert "--k1: 2 of 2 folds chose 0, the end of its grid (try values beyond it)" in ran.err
    assert "the end" not in relsent(*tune, "--grid", "k1=0,0.9", "--", *search).err
