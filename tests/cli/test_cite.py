"""``relsent-ir cite``."""

import json

import pytest

from relsent_ir.trec import read_run

TEXT = "Reading past the text: sentences of articles in a search engine"


def test_readable(relsent, sample_indexes):
    """Rank, id, score, title; the same as JSON."""
    ran = relsent("cite", "--index", sample_indexes, "--text", TEXT, "--hits", 2)
    assert ran.code == 0, ran.err
    found = json.loads(
        relsent("cite", "--index", sample_indexes, "--text", TEXT, "--hits", 2, "--json").out
    )
    shown = [line.split() for line in ran.out.splitlines()]
    assert [words[1] for words in shown if words[0] in ("1", "2")] == [
        hit["id"] for hit in found["hits"]
    ]


def test_articles(relsent, sample_indexes, tmp_path):
    """An article stands under its title, without itself; a run is written of topics."""
    ran = relsent("cite", "--index", sample_indexes, "--pmid", "90000031", "--json")
    found = json.loads(ran.out)
    assert found["topic"] == "90000031"
    assert "90000031" not in [hit["id"] for hit in found["hits"]]
    assert (
        found["query"] == "Does vitamin D prevent asthma attacks in children? A randomised trial."
    )
    (tmp_path / "topics.tsv").write_text(f"a\t{TEXT}\n")
    flags = ("--topics", tmp_path / "topics.tsv", "--output", tmp_path / "run.txt")
    assert relsent("cite", "--index", sample_indexes, *flags).code == 0
    assert list(read_run(tmp_path / "run.txt")) == ["a"]


def test_outside(relsent, sample_indexes):
    """Works outside the collection, with how many of the nearest refer to each."""
    flags = ("cite", "--index", sample_indexes, "--text", TEXT, "--outside")
    found = json.loads(relsent(*flags, "--json").out)
    counts = [work["cited_by_nearest"] for work in found["works"]]
    assert counts == sorted(counts, reverse=True)
    assert all(count > 1 for count in counts)
    ran = relsent(*flags)
    assert ran.code == 0
    assert len(ran.out.splitlines()) == max(len(counts), 1)


@pytest.mark.parametrize(
    ("flags", "told"),
    [
        ("", "give --text, --pmid or --topics"),
        ("--text ants --pmid 1", "exclude each other"),
        ("--pmid 12", "12"),
        ("--text ants --nearest -1", "nearest"),
        ("--text ants --outside --votes 2", "exclude each other"),
    ],
)
def test_mistakes(relsent, sample_indexes, flags, told):
    """One line each."""
    ran = relsent("cite", "--index", sample_indexes, *flags.split())
    assert (ran.code in (2, 4), told in ran.err, ran.err.count("\n")) == (True, True, 1)
