"""Verbs that write a run, asked once: their settings, their runs, and what cannot be tuned."""

from pathlib import Path

import pytest

from relsent_ir.api import open_collection
from relsent_ir.cli.verbs.rerank import Reranking
from relsent_ir.cli.verbs.search import Searching
from relsent_ir.cli.verbs.tune import Tunable
from relsent_ir.errors import UsageError
from relsent_ir.trec import read_run, read_topics

SEARCH = ["--index", "x", "--topics", "topics/sample.tsv"]


def test_run(relsent, sample_indexes, here, capsys):
    """A setting's flags win over the arguments; nothing is printed; the run is the verb's."""
    arguments = ["--index", str(sample_indexes), "--topics", "topics/sample.tsv", "--json"]
    with Tunable("search", [*arguments, "--k1", "2"]) as tunable:
        found = tunable.run({"--hits": 3.0, "--k1": 1.5})
    assert capsys.readouterr().out == ""
    assert [path.name for path in here.rglob("*.txt")] == ["sample.txt"]  # no run is written
    ran = relsent("search", *arguments, "--hits", 3, "--k1", 1.5, "--output", "two.txt")
    assert ran.code == 0
    expected = read_run("two.txt")
    assert list(found) == list(expected)
    for topic, hits in expected.items():
        assert found[topic].ids.tolist() == hits.ids.tolist()
        assert len(hits) <= 3


def test_what_is_shared(sample_indexes, here):
    """The collection is opened once for all settings, and closed with the request."""
    arguments = ["--index", str(sample_indexes), "--topics", "topics/sample.tsv"]
    with Tunable("search", arguments) as tunable:
        request = tunable.request
        assert isinstance(request, Searching)
        tunable.run({})
        engine = request._engine
        tunable.run({"--hits": 3.0})
        assert request._engine is engine
        assert engine.index.reader.getRefCount() == 1
    assert engine.index.reader.getRefCount() == 0


def test_scores_are_shared(relsent, sample_indexes, here, monkeypatch):
    """Mixtures, sums and depths that were scored before are not scored again."""
    arguments = ["--index", str(sample_indexes), "--topics", "topics/sample.tsv"]
    assert relsent("search", *arguments, "--hits", 20, "--output", "run.txt").code == 0
    with Tunable("rerank", [*arguments, "--run", "run.txt", "--model", "I1.5"]) as tunable:
        request = tunable.request
        assert isinstance(request, Reranking)
        for depth in (5.0, 10.0):
            tunable.run({"--depth": depth})
        monkeypatch.setattr(request.reranker("I1.5"), "score", None)
        for setting in ({"--depth": 5.0, "--interpolate": 0.5}, {"--depth": 10.0}):
            assert tunable.run(setting).keys() == request.inputs[1].keys()
        tunable.run({"--depth": 10.0, "--aggregate": "mean:2"})


def test_verbs(relsent, here):
    """Who only writes runs needs --output of users; a verb must exist and write a run."""
    Path("a.txt").write_text("1 Q0 x 1 2.5 a\n")
    Path("b.txt").write_text("1 Q0 y 1 1.5 b\n")
    ran = relsent("fuse", "--runs", "a.txt", "b.txt")
    assert (ran.code, "Missing option '--output'" in ran.err) == (2, True)
    with Tunable("fuse", ["--runs", "a.txt", "b.txt"]) as tunable:
        assert tunable.run({"--k": 1.0})["1"].ids.tolist() == ["x"]
    for verb, arguments, said in (
        ("nothing", [], "no verb nothing"),
        ("stats", [], "stats writes no run"),
        ("search", ["--output=x.txt"], "leave --output of search out"),
    ):
        with pytest.raises(UsageError, match=said):
            Tunable(verb, arguments)


def test_verbs_with_sub_words(sample_indexes):
    """A verb that needs no sub-word is run with and without one; one that writes no run is none."""
    arguments = ["--index", str(sample_indexes), "--model", "I1.5", "--pmid", "90000031"]
    with Tunable("related", arguments) as short, Tunable("related", ["match", *arguments]) as long:
        assert short.flags.values("--depth", "5").whole
        found = [tunable.run({"--hits": 2.0}) for tunable in (short, long)]
    assert [len(hits) for hits in found[0].values()] == [2] * len(found[0])
    assert [hits.ids.tolist() for hits in found[0].values()] == [
        hits.ids.tolist() for hits in found[1].values()
    ]
    with pytest.raises(UsageError, match="related writes no run"):
        Tunable("related", ["score"])


@pytest.mark.parametrize(
    ("verb", "arguments", "setting"),
    [
        ("similar", ["--pmid", "90000031"], {"--method": "pmra", "--mu": 0.02}),
        ("themes", ["--pmid", "90000031"], {"--size": 5.0, "--max-iterations": 7}),
        ("answer", ["--question", "Does vitamin D prevent asthma?"], {"--b": 0.9}),
        ("relate", ["--entity", "TNF-alpha", "--entity", "NF-kappa B"], {"--model": "paper"}),
    ],
)
def test_every_verb(sample_indexes, here, verb, arguments, setting):
    """The verbs of single methods are tuned too."""
    if verb == "answer":
        Path("q.tsv").write_text(f"1\t{arguments[1]}\n")
        arguments = ["--topics", "q.tsv"]
    with Tunable(verb, ["--index", str(sample_indexes), *arguments]) as tunable:
        first, second = tunable.run({"--hits": 3.0}), tunable.run({"--hits": 3.0, **setting})
    assert list(first) == list(second)
    assert any(first[t].scores.tolist() != second[t].scores.tolist() for t in first)


def test_values(here):
    """Whole numbers, others and texts are told apart; what says nothing of ranking is refused."""
    tunable = Tunable("search", SEARCH)
    assert tunable.flags.values("--hits", "5,10").whole
    assert tunable.flags.values("--rocchio.alpha", "0.5,1").several == (0.5, 1.0)
    assert tunable.flags.values("--fb-weighting", "ltn,bm25").several == ("ltn", "bm25")
    assert tunable.flags.values("--argumentative.PURPOSE", "0,0.5").several == (0.0, 0.5)
    for name, text, said in (
        ("--hits", "1.5", "whole numbers"),
        ("--runtag", "x", "search has no flag --runtag that could be tuned"),
        ("--rm3", "true", "search has no flag --rm3 that could be tuned"),
        ("--nothing", "1", "search has no flag --nothing"),
        ("--hits.x", "1", "--hits has no parts"),
    ):
        with pytest.raises(UsageError, match=said):
            tunable.flags.values(name, text)


def test_flags(here):
    """Parts of a flag become its one value, weights of runs in the order of their numbers."""
    search = Tunable("search", SEARCH)
    setting = {
        "--argumentative.purpose": 0.5,
        "--rocchio.alpha": 1.0,
        "--argumentative.RESULTS": 2.0,
        "--fb-docs": 5.0,
    }
    flags = search.flags.given(setting)
    assert flags == {"--argumentative": "PURPOSE=0.5,RESULTS=2", "--alpha": 1.0, "--fb-docs": 5}
    assert isinstance(flags["--fb-docs"], int)
    whole = {"--argumentative": "TITLE,MESH=2"}
    assert search.flags.given(whole) == whole
    shares = {"--argumentative.TITLE": 0.0, "--argumentative.MESH": 2.0}
    assert search.flags.given(shares) == {"--argumentative": "MESH=2"}
    assert search.flags.given(dict.fromkeys(shares, 0.0)) == {"--argumentative": "DOCUMENT"}
    weights = {f"--weights.{n}": float(n) for n in (10, 2, 1)}
    assert Tunable("fuse", ["--runs", "a", "b"]).flags.given(weights) == {"--weights": "1,2,10"}


def test_settings(relsent, sample_indexes, here):
    """A run's method is stored in one line, and read back for the same run, from Python too."""
    index = ("--index", sample_indexes, "--topics", "topics/sample.tsv")
    flags = ("--k1", 1.2, "--rm3", "--fb-terms", 20, "--save-settings", "m.txt")
    assert relsent("search", *index, *flags, "--output", "a.txt").code == 0
    assert Path("m.txt").read_text() == "BM25(k1=1.2) >> RM3(fb_terms=20)\n"
    again = ("--settings", "m.txt", "--save-settings", "n.txt", "--output", "b.txt")
    assert relsent("search", *index, *again).code == 0
    assert Path("b.txt").read_text() == Path("a.txt").read_text()
    assert Path("n.txt").read_text() == Path("m.txt").read_text()
    with open_collection(sample_indexes) as opened:
        run = opened.search(read_topics(Path("topics/sample.tsv")), Path("m.txt").read_text())
    assert {t: hits.ids.tolist() for t, hits in read_run("a.txt").items()} == {
        t: hits.ids.tolist() for t, hits in run.items()
    }
    one = ("similar", "--index", sample_indexes, "--pmid", "90000031", "--hits", 2)
    by_flags = relsent(*one, "--method", "pmra", "--mu", 0.02, "--save-settings", "s.txt")
    assert Path("s.txt").read_text() == 'Similar(method="pmra", mu=0.02)\n'
    assert relsent(*one, "--settings", "s.txt").out == by_flags.out


@pytest.mark.parametrize(
    ("flags", "code", "said"),
    [
        (("--settings", "BM25()", "--k1", 1), 2, "--settings and --k1 exclude each other"),
        (("--settings", "BM25()", "--fb-preset", "medline"), 2, "--fb-preset and --settings"),
        (("--settings", "BM25(k1=-1)"), 2, "BM25 with k1 -1.0"),
        (("--settings", "RM3() >> Smart('ltc.atn')"), 2, "exclude each other"),
        (("--settings", "none.txt"), 4, "none.txt: there is no such file"),
        (("--settings", "bad.txt"), 2, "cannot read the method"),
        (("--save-settings", "bad.txt/m.txt"), 6, "bad.txt"),
    ],
)
def test_bad_settings(relsent, sample_indexes, here, flags, code, said):
    """One line, and the exit code of its kind."""
    Path("bad.txt").write_bytes(b"\xff\x00")
    ran = relsent("search", "--index", sample_indexes, "--text", "vitamin D", *flags)
    assert (ran.code, ran.out) == (code, "")
    assert said in ran.err
