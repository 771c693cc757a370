"""``relsent-ir similar``."""

import json

import pytest

from relsent_ir.lucene.read.index import Index
from relsent_ir.trec import read_run


@pytest.fixture
def pmid(sample_indexes):
    """Some article of the sample."""
    with Index(sample_indexes) as index:
        return sorted(index.ids())[0]


@pytest.mark.parametrize("method", ["neighbours", "pmra", "bm25", "more-like-this", "ltc.atn"])
def test_readable(relsent, sample_indexes, pmid, method):
    """The article, then rank, id, score, title of others and where they were printed."""
    flags = ("--index", sample_indexes, "--pmid", pmid, "--method", method, "--hits", 3)
    ran = relsent("similar", *flags)
    assert ran.code == 0
    head, *lines = ran.out.splitlines()
    assert head.startswith(f"{pmid}  ")
    hits = [line.split()[1] for line in lines[::2]]
    assert 0 < len(hits) <= 3
    assert pmid not in hits
    found = json.loads(relsent("similar", *flags, "--json").out)
    assert found["topic"] == pmid
    assert [row["id"] for row in found["hits"]] == hits


def test_run_of_topics(relsent, sample_indexes, pmid, tmp_path):
    """Topics whose ids are articles give a run that our reader reads."""
    topics = tmp_path / "topics.tsv"
    topics.write_text(f"{pmid}\tread past\n")
    run = tmp_path / "run.txt"
    flags = ("--index", sample_indexes, "--topics", topics, "--output", run, "--json")
    ran = relsent("similar", *flags)
    assert json.loads(ran.out)["topics"] == 1
    assert pmid not in read_run(run)[pmid].ids


@pytest.mark.parametrize("flags", ["--method pmra --lambda 0.03 --mu 0.02"])
def test_every_way(relsent, sample_indexes, pmid, flags):
    """What the paper did, and pmra's rates, change what is found."""
    common = ("similar", "--index", sample_indexes, "--pmid", pmid, "--hits", 9, "--json")
    ran = relsent(*common, *flags.split())
    assert ran.code == 0, ran.err
    method = flags.split()[1]
    assert json.loads(ran.out) != json.loads(relsent(*common, "--method", method).out)


@pytest.mark.parametrize(
    ("flags", "code", "said"),
    [
        ((), 2, "--pmid or --topics"),
        (("--pmid", "nobody"), 4, "nobody"),
        (("--pmid", "1", "--method", "bliss"), 2, "no method 'bliss'"),
        (("--pmid", "1", "--method", "bm25", "--mu", "0.02"), 2, "--mu needs --method pmra"),
        (("--pmid", "1", "--k1", "2"), 2, "--k1 needs --method bm25 or more-like-this"),
        (("--pmid", "1", "--b", "0.1", "--method", "pmra"), 2, "--b needs --method bm25"),
    ],
)
def test_mistakes(refused, sample_indexes, flags, code, said):
    """One line and the exit code."""
    refused(code, said, "similar", "--index", sample_indexes, *flags)
