"""The verbs of the learned ranker, on the sample."""

import json

import pytest

from relsent_ir.feedback import Engine
from relsent_ir.lucene.read.search import Searcher
from relsent_ir.trec import evaluate, read_qrels, read_run


@pytest.fixture(scope="module")
def trained(tmp_path_factory):
    """Where the model that the first test trains is, for the others."""
    return tmp_path_factory.mktemp("ranker") / "model"


@pytest.fixture
def model(relsent, here, sample_indexes, trained):
    """A ranker learned from the sample's judgements."""
    if not trained.exists():
        flags = ("--topics", "topics/sample.tsv", "--qrels", "qrels/sample.txt")
        ran = relsent("train", "ranker", "--index", sample_indexes, *flags, "--output", trained)
        assert ran.code == 0, ran.err
        assert ": 31 features of 8 groups, from 8 of 8 topics" in ran.out
        assert " from 8 of 8 topics" in ran.out
        assert ran.out.endswith(f'\nmethod: Ranker(model="{trained}")\n')
    return trained


def test_search(relsent, here, sample_indexes, model):
    """A run of both stages is above the preset alone, on the topics that were learned from."""
    common = ("search", "--index", sample_indexes, "--topics", "topics/sample.tsv", "--output")
    assert relsent(*common, "preset.txt", "--fb-preset", "medline").code == 0
    assert relsent(*common, "ranked.txt", "--ranker", model).code == 0
    values = []
    for run in ("preset.txt", "ranked.txt"):
        of = evaluate(read_qrels("qrels/sample.txt"), read_run(run), ["map"])
        values.append(of.summary["map"])
    assert values[1] >= values[0]
    assert relsent(*common, "same.txt", "--settings", model).code == 0
    assert (here / "same.txt").read_text() == (here / "ranked.txt").read_text()
    again = ("rerank", "--index", sample_indexes, "--topics", "topics/sample.tsv")
    assert (
        relsent(*again, "--run", "preset.txt", "--model", model, "--output", "again.txt").code == 0
    )
    one, two = read_run("ranked.txt"), read_run("again.txt")
    assert all(one[topic].ids.tolist() == two[topic].ids.tolist() for topic in one)


@pytest.mark.parametrize("unit", ["abstracts", "sentences"])
def test_processes(relsent, here, sample_indexes, monkeypatch, unit):
    """Two processes write the run that one writes, to the byte, and warn once."""
    monkeypatch.setattr("relsent_ir.searching.RANKED_APART_MIN", 1)
    common = ("search", "--index", sample_indexes, "--topics", "topics/sample.tsv", "--unit", unit)
    for threads in (1, 2):
        more = ("--ranker", "ranker", "--threads", threads, "--output", f"{threads}.txt")
        ran = relsent(*common, *more)
        assert ran.code == 0, ran.err
        assert ran.err.count("warning") == ran.err.count("the ranker ranks without") <= 1
    assert (here / "1.txt").read_bytes() == (here / "2.txt").read_bytes()


def test_preset_is_its_flags(relsent, here, sample_indexes):
    """The preset is the same as its flags, and a flag that is given wins."""
    common = ("search", "--index", sample_indexes, "--topics", "topics/sample.tsv", "--output")
    flags = "--rocchio --k1 1.2 --b 0.75 --fb-terms 50 --fb-docs 20 --beta 4 --fb-weighting ltn"
    more = "--fb-doc-weights rank --fb-max-df 0.2"
    relsent(*common, "a.txt", "--fb-preset", "medline")
    relsent(*common, "b.txt", *flags.split(), *more.split())
    relsent(*common, "c.txt", "--fb-preset", "medline-plain")
    relsent(*common, "d.txt", "--fb-preset", "medline-plain", "--fb-selective")
    relsent(*common, "e.txt", "--fb-preset", "medline", "--fb-terms", 5)
    a, b, c, d, e = ((here / f"{name}.txt").read_text() for name in "abcde")
    assert a == d
    assert b == c
    assert len({a, b, e}) == 3


def test_explain(relsent, sample_indexes, model):
    """It tells a record's rank, and what features add; hits are shown with a sentence each."""
    flags = ("--index", sample_indexes, "--id", "90000002", "--text", "recurrent infection")
    ran = relsent("explain", "--ranker", model, *flags)
    assert ran.code == 0
    assert "\nrank: " in ran.out
    assert "  medline\n" in ran.out or "  words-20\n" in ran.out
    found = json.loads(relsent("explain", "--ranker", model, *flags, "--json").out)
    assert found["values"]["rank"].split()[1] == "of"
    ran = relsent("search", "--index", sample_indexes, "--ranker", model, "--text", "infection")
    assert ran.code == 0
    assert ran.out.splitlines()[0].split()[0] == "1"


def test_features(relsent, here, sample_indexes):
    """The file has the features' names, and a line for each candidate."""
    flags = ("--topics", "topics/sample.tsv", "--qrels", "qrels/sample.txt", "--depth", 5)
    ran = relsent("features", "--index", sample_indexes, *flags, "--output", "f.txt")
    assert ran.code == 0
    lines = (here / "f.txt").read_text().splitlines()
    assert lines[0] == "# 1 bm25: BM25, k1 0.9, b 0.4"
    assert sum(" qid:" in line for line in lines) == 40


@pytest.mark.parametrize(
    ("arguments", "code", "told"),
    [
        (["--topics", "topics/sample.tsv"], 2, "--topics needs --qrels"),
        ([], 2, "no judgements"),
        (["--from-references", "--from-titles"], 2, "--from-references and --from-titles exclude"),
        (["--from-references", "--run", "a=b"], 2, "--from-references and --run exclude"),
        (["--topics", "topics/sample.tsv", "--qrels", "none.txt"], 5, "nothing is judged relevant"),
        (["--topics", "topics/sample.tsv", "--qrels", "else.txt"], 5, "no topic is judged"),
        (["--topics", "topics/sample.tsv", "--qrels", "away.txt"], 5, "is in the index"),
        (
            ["--topics", "topics/sample.tsv", "--qrels", "qrels/sample.txt", "--run", "a=nan.txt"],
            4,
            "nan.txt",
        ),
        (
            ["--topics", "topics/sample.tsv", "--qrels", "qrels/sample.txt", "--run", "nan.txt"],
            2,
            "dense",
        ),
    ],
)
def test_bad_input(refused, here, sample_indexes, arguments, code, told):
    """Each mistake is one line."""
    topic = (here / "topics/sample.tsv").read_text().split()[0]
    (here / "none.txt").write_text(f"{topic} 0 90000002 0\n")
    (here / "else.txt").write_text("nobody 0 90000002 1\n")
    (here / "away.txt").write_text(f"{topic} 0 nowhere 1\n")
    (here / "nan.txt").write_text(f"{topic} Q0 90000002 1 nan x\n")
    refused(code, told, "train", "ranker", "--index", sample_indexes, *arguments, "--output", "m")
    assert not (here / "m").exists()


@pytest.mark.parametrize(
    ("flags", "told"),
    [
        (["--ranker", "ranker", "--rm3"], "--ranker and --rm3 exclude each other"),
        (["--run", "a=b"], "--run needs --ranker"),
        (["--fb-preset", "medline", "--rm3"], "--fb-preset and --rm3 exclude each other"),
    ],
)
def test_flags_that_exclude_each_other(refused, sample_indexes, flags, told):
    """The first stage of a ranker is its own."""
    refused(2, told, "search", "--index", sample_indexes, "--text", "ant", *flags)


def test_tune_and_compare(relsent, here, sample_indexes, model):
    """Flags are tuned over a ranker, rankers are chosen among, and compare takes their runs."""
    common = ("--index", sample_indexes, "--topics", "topics/sample.tsv")
    assert relsent("search", *common, "--output", "bm25.txt").code == 0
    tune = ("tune", "--qrels", "qrels/sample.txt", "--folds", 2, "--json", "--output", "tuned.txt")
    rerank = ("rerank", *common, "--run", "bm25.txt", "--model", model)
    ran = relsent(*tune, "--grid", "interpolate=0,0.5,1", "--", *rerank)
    assert ran.code == 0, ran.err
    found = json.loads(ran.out)
    assert found["settings"] == 3
    assert all(fold["train"] >= 0 for fold in found["folds"])
    plain = relsent(*rerank, "--interpolate", 1, "--output", "plain.txt")
    assert plain.code == 0, plain.err
    tuned, alone = read_run("tuned.txt"), read_run("plain.txt")
    for fold in found["folds"]:
        if fold["setting"] == {"--interpolate": 1.0}:
            for topic in fold["topics"]:
                assert tuned[topic].ids.tolist() == alone[topic].ids.tolist()
    search = ("search", *common, "--ranker", "ranker")
    ran = relsent(*tune, "--grid", f"ranker=ranker,{model}", "--", *search)
    assert ran.code == 0, ran.err
    assert json.loads(ran.out)["settings"] == 2
    ran = relsent("compare", "qrels/sample.txt", "bm25.txt", "tuned.txt", "--json")
    assert ran.code == 0, ran.err


def test_runs_as_evidence(relsent, here, sample_indexes, tmp_path):
    """A ranker that was learned with a run takes it in both verbs, and says what it lacks."""
    common = ("--index", sample_indexes, "--topics", "topics/sample.tsv")
    relsent("search", *common, "--output", "qld.txt", "--qld")
    relsent("search", *common, "--output", "first.txt", "--fb-preset", "medline")
    judged = ("--qrels", "qrels/sample.txt", "--output", tmp_path / "m")
    ran = relsent("train", "ranker", *common, *judged, "--run", "other=qld.txt")
    assert ran.code == 0, ran.err
    one = relsent(
        *("search", *common, "--ranker", tmp_path / "m", "--run", "other=qld.txt"),
        *("--output", "one.txt"),
    )
    rerank = ("rerank", *common, "--run", "first.txt", "--output", "two.txt", "--model")
    two = relsent(*rerank, tmp_path / "m", "--evidence", "other=qld.txt")
    assert (one.code, two.code) == (0, 0), one.err + two.err
    assert "ranks without" not in two.err
    both = read_run("one.txt"), read_run("two.txt")
    assert all(hits.ids.tolist() == both[1][topic].ids.tolist() for topic, hits in both[0].items())
    without = relsent(*rerank, tmp_path / "m")
    assert "ranks without run:other" in without.err
    (here / "nobody.txt").write_text("nobody Q0 90000002 1 1 x\n")
    for model, evidence, code, told in (
        (tmp_path / "m", "dense=qld.txt", 5, "was not learned with a run dense"),
        (tmp_path / "m", "other=nobody.txt", 5, "the run other has none of the topics"),
        (tmp_path / "m", "qld.txt", 2, "write --evidence dense=FILE"),
        ("I1.5", "other=qld.txt", 4, "I1.5"),
    ):
        ran = relsent(*rerank, model, "--evidence", evidence)
        assert ran.code == code, ran.err
        assert told in ran.err
        assert len(ran.err.strip().splitlines()) == 1


@pytest.mark.parametrize(("flags", "expected"), [(["--as-written"], 3), ([], 4)])
def test_one_engine_and_three_searches(
    relsent, sample_indexes, model, monkeypatch, flags, expected
):
    """Showing the hits of a text makes one engine, and their evidence searches nothing again.

    Unless the text is taken as it is written, one search more reads abbreviations in first hits.
    """
    engines, searches = [], []
    made, searched = Engine.__init__, Searcher.search

    def make(self, *given, **named):
        engines.append(self)
        made(self, *given, **named)

    def search(self, *given, **named):
        searches.append(self)
        return searched(self, *given, **named)

    monkeypatch.setattr(Engine, "__init__", make)
    monkeypatch.setattr(Searcher, "search", search)
    text = ("--text", "salt in the sweat of children")
    ran = relsent("search", "--index", sample_indexes, "--ranker", model, *text, *flags)
    assert ran.code == 0, ran.err
    assert (len(engines), len(searches)) == (1, expected)


def test_folds_run_is_measured(relsent, here, sample_indexes):
    """The figure that training prints is that of the run that it wrote."""
    common = ("--index", sample_indexes, "--topics", "topics/sample.tsv")
    learn = ("train", "ranker", *common, "--qrels", "qrels/sample.txt", "--output", "learned")
    ran = relsent(*learn, "--folds", 2, "--folds-run", "folds.txt")
    assert ran.code == 0, ran.err
    ap = evaluate(read_qrels("qrels/sample.txt"), read_run("folds.txt"), ["map"]).summary["map"]
    assert f"; MAP of folds.txt {ap:.4f}" in ran.out + ran.err
