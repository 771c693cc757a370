"""``relsent-ir search`` with feedback and SMART weights, as a user meets it."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from relsent_ir.feedback import FeedbackSearcher
from relsent_ir.feedback.sources import MoveSentences, Tags
from relsent_ir.lucene.read.index import Index
from relsent_ir.lucene.read.search import Searcher
from relsent_ir.methods import Rocchio
from relsent_ir.trec import read_run, read_topics

Relsent = Callable[..., Any]
TEXT = "asthma in children"


def search(relsent: Relsent, index: Path, *flags: object) -> dict[str, Any]:
    """Search one text; what the verb prints as JSON."""
    ran = relsent("search", "--index", index, "--text", TEXT, "--json", *flags)
    assert ran.code == 0, ran.err
    found: dict[str, Any] = json.loads(ran.out)
    return found


def test_rocchio_run(relsent, sample_indexes, here):
    """Anserini's names of flags set what they say; the run is the library's."""
    topics = Path("topics/sample.tsv")
    flags = ["--fb-terms", 5, "--fb-docs", 3, "--rocchio.alpha", 0.5]
    flags += ["--beta", 1.5, "--gamma", 0.1]
    for extra, source in (([], None), (["--argumentative", "CONCLUSION=2,PURPOSE"], "moves")):
        ran = relsent(
            "search", "--index", sample_indexes, "--topics", topics, "--output", "run.txt",
            "--rocchio", *flags, *extra,
        )  # fmt: skip
        assert (ran.code, ran.out) == (0, "")
        with Index(sample_indexes) as index:
            moves = {"CONCLUSION": 2.0, "PURPOSE": 1.0}
            engine = FeedbackSearcher(
                Searcher(index),
                index,
                Rocchio(5, 3, 0.5, 1.5, 0.1),
                MoveSentences(Tags(index), moves) if source else None,
            )
            expected = engine.search(read_topics(topics), 1000)
        found = read_run("run.txt")
        for qid, hits in expected.items():
            assert found[qid].ids.tolist() == hits.ids.tolist()


@pytest.mark.parametrize(
    "flags",
    [
        "--rm3 --argumentative CONCLUSION",
        "--rocchio --fb-weighting bm25 --fb-doc-weights rank --fb-max-df 0.5",
        "--smart ltc.atn",
        "--smart ltc.atn --candidates 5",
        "--smart ltc.atn --candidates 9 --qld",
        "--smart ltc.atn --fb-preset medline",
        "--smart dtu.dtn --slope 0.2 --pivot 100 --rocchio --fb-weighting dtu --unscaled",
        "--unit sentences --rocchio",
    ],
)
def test_every_way(relsent, sample_indexes, flags):
    """Each way of searching finds something, best first."""
    hits = search(relsent, sample_indexes, "--hits", 5, *flags.split())["hits"]
    scores = [hit["score"] for hit in hits]
    assert 1 <= len(scores) <= 5
    assert scores == sorted(scores, reverse=True)


def test_explain(relsent, sample_indexes, here):
    """Each term's weight is the sum of its parts, and new ones name where they are from."""
    flags = ("--rocchio", "--argumentative", "CONCLUSION", "--explain")
    found = search(relsent, sample_indexes, *flags)["expanded"]
    terms = found["terms"]
    assert {"asthma", "children"} <= {term["term"] for term in terms if term["topic"]}
    for term in terms:
        assert term["weight"] == pytest.approx(term["topic"] + term["feedback"], rel=1e-5)
        assert bool(term["from"]) == bool(term["feedback"])
    ran = relsent("search", "--index", sample_indexes, "--text", TEXT, *flags)
    lines = ran.out.splitlines()
    assert lines[0].startswith("expanded topic")
    assert lines[1].split() == ["term", "weight", "topic", "feedback", "from"]
    shown = lines[2 + len(terms) + 1 :]
    assert sum(line[:4].strip().isdigit() for line in shown) == 10
    topics = ("--topics", "topics/sample.tsv", "--output", "run.txt")
    ran = relsent("search", "--index", sample_indexes, *topics, "--json", *flags)
    expanded = json.loads(ran.out)["expanded"]
    assert list(expanded) == list(read_topics("topics/sample.tsv"))


@pytest.mark.parametrize(
    ("flags", "gamma"),
    [("--rocchio-use-negative", "0.15"), ("--rocchio-use-negative --gamma 0.3", "0.3")],
)
def test_negative_feedback(relsent, sample_indexes, here, flags, gamma):
    """Pyserini's flag is its gamma, unless one is given."""
    found = search(relsent, sample_indexes, "--rocchio", "--explain", *flags.split())
    assert found == search(relsent, sample_indexes, "--rocchio", "--explain", "--gamma", gamma)
    assert found != search(relsent, sample_indexes, "--rocchio", "--explain")


def test_nothing_to_expand_with(relsent, sample_indexes):
    """A text that finds nothing is told so, and is searched as it is."""
    ran = relsent(
        "search", "--index", sample_indexes, "--text", "zyzzyva", "--rocchio", "--explain"
    )
    assert ran.code == 0
    assert "no feedback: nothing was found" in ran.out
    reordered = ("--smart", "ltc.atn", "--candidates", "5")
    ran = relsent("search", "--index", sample_indexes, "--text", "zyzzyva", *reordered)
    assert ran.code == 0, ran.err


@pytest.mark.parametrize(
    ("flags", "said"),
    [
        ("--rocchio --rm3", "exclude each other"),
        ("--rocchio --fields title=1", "work in `contents` only"),
        ("--smart ltc.atn --fields title=1", "--smart and --fields exclude each other"),
        ("--argumentative CONCLUSION", "--argumentative needs --rocchio or --rm3"),
        ("--related I1.5", "--related needs --ranker"),
        ("--rocchio --argumentative RESULT", "no move 'RESULT'"),
        ("--rocchio --argumentative RESULTS=x", "cannot read --argumentative 'RESULTS=x'"),
        ("--rocchio --argumentative RESULTS=0", "is not above 0"),
        ("--rocchio --argumentative RESULTS --unit sentences", "needs the unit abstracts"),
        ("--explain", "--explain needs"),
        ("--candidates 5", "--candidates needs --smart"),
        ("--smart ltc.atn --rocchio --candidates 5", "--smart of candidates and --rocchio exclude"),
        ("--fb-docs 5", "--fb-docs needs --rm3 or --rocchio"),
        ("--rm3 --rocchio.gamma 0.15", "--gamma needs --rocchio"),
        ("--rocchio --original-query-weight 0.7", "--original-query-weight needs --rm3"),
        ("--slope 0.2", "--slope needs --smart"),
        ("--rocchio --slope 0.2", "--rocchio with slope needs the letter u"),
        ("--smart ltc.atn --pivot 9", "--smart with pivot needs the letter u"),
        ("--smart ltc", "no weighting scheme 'ltc'"),
        ("--rocchio --fb-docs 0", "--fb-docs 0 (1 or more)"),
        ("--rm3 --fb-terms 0", "--fb-terms 0 (1 or more)"),
        ("--rocchio --fb-weighting bm24", "no term weighting 'bm24'"),
        ("--rocchio --fb-max-df 0", "above 0, at most 1"),
    ],
)
def test_mistakes(refused, sample_indexes, flags, said):
    """A mistake is one line that says what, and exit code 2."""
    refused(2, said, "search", "--index", sample_indexes, "--text", TEXT, *flags.split())
