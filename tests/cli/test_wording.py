"""``search --text``: a text is read as people write."""

import json
from pathlib import Path

import pytest

from relsent_ir.records import Record, Section
from tests.invented import index_of

TITLES = (*["Tumour of ants."] * 2, *["Tumor of bees."] * 3, *["Metformin in wasps."] * 25)


@pytest.fixture(scope="module")
def folder(tmp_path_factory) -> Path:
    """An index of records with both spellings, and a word that is easily misspelt."""
    path = tmp_path_factory.mktemp("wording")
    records = [
        Record(str(n), title, sections=(Section(f"{title} {title}"),), pmid=str(7000 + n))
        for n, title in enumerate(TITLES)
    ]
    return index_of(path, records)


def test_alternatives(relsent, folder):
    """Other spellings are searched and told; quotation marks and a flag leave them out."""
    search = ("search", "--index", folder)
    found = json.loads(relsent(*search, "--text", "tumour", "--json").out)
    assert len(found["hits"]) == 5
    assert found["alternatives"] == [{"written": "tumour", "other": "tumor", "kind": "spelling"}]
    shown = relsent(*search, "--text", "tumour").out
    told = "also searched: tumor (spelling of tumour); --as-written leaves this out"
    assert shown.splitlines()[0] == told
    for text, flags in (('"tumour"', ()), ("tumour", ("--as-written",))):
        ran = relsent(*search, "--text", text, "--json", *flags)
        one = json.loads(ran.out)
        assert len(one["hits"]) == 2
        assert "alternatives" not in one
    ranked = ("--unit", "sentences", "--ranker", "ranker")
    found = json.loads(relsent(*search, "--text", "tumour", "--json", *ranked).out)
    assert len({hit["id"].partition(".")[0] for hit in found["hits"]}) == 5
    explained = relsent(*search, "--text", "tumour bees", "--rm3", "--explain", "--json")
    assert "tumor" in explained.out


def test_without_alternatives(relsent, folder, tmp_path, sample_indexes):
    """A bag of words gives the same bytes with what looks for alternatives and without it."""
    texts = ("bees and wasps", "wasps of ants", "children with asthma", "vitamin D", "zzz", "a*b")
    flags = (
        (),
        ("--unit", "sentences"),
        ("--qld", "--mu", "500"),
        ("--rm3",),
        ("--fb-preset", "medline"),
    )
    ranked = (("--unit", "sentences", "--ranker", "ranker"),)
    for index in (folder, sample_indexes):
        for text in texts:
            for some in (*flags, *(ranked if text == texts[2] else ())):
                search = ("search", "--index", index, "--text", text, "--json", *some)
                one, other = relsent(*search), relsent(*search, "--as-written")
                assert (one.out, one.err) == (other.out, other.err), (text, some)
    topics = tmp_path / "topics.tsv"
    topics.write_text("1\ttumour\n2\t7003\n3\tmetfromin\n")
    run = tmp_path / "run.txt"
    ran = relsent("search", "--index", folder, "--topics", topics, "--output", run)
    assert ran.err == f"{run}: 3 topics, 2 hits\n"
    assert [line.split()[0] for line in run.read_text().splitlines()] == ["1", "1"]


def test_misspelt(relsent, folder):
    """A rare word beside a near frequent one is warned of."""
    ran = relsent("search", "--index", folder, "--text", "metfromin in wasps")
    assert "did you mean metformin? Few abstracts have metfromin" in ran.err
    ran = relsent("search", "--index", folder, "--text", "metfromin in wasps", "--as-written")
    assert ran.err == ""


def test_a_record(relsent, folder):
    """A PMID alone is its record, or its sentences; not with --as-written."""
    search = ("search", "--index", folder, "--text", " 7003 ", "--json")
    assert [hit["id"] for hit in json.loads(relsent(*search).out)["hits"]] == ["3"]
    hits = json.loads(relsent(*search, "--unit", "sentences").out)["hits"]
    assert [hit["id"] for hit in hits] == ["3.0", "3.1", "3.2"]
    assert json.loads(relsent(*search, "--as-written").out)["hits"] == []
    ran = relsent("search", "--index", folder, "--query", "ants", "--as-written")
    assert "--as-written" in ran.err
    assert ran.code == 2
