"""``relsent-ir stats``, against counts made by hand."""

import json
from pathlib import Path

from relsent_ir.lucene.read.index import Index
from relsent_ir.records import Record, Section, read_records


def test_json_counts(relsent, here, sample_indexes):
    """The statistics of both indexes, the analysis, and what is said of the whole."""
    told = json.loads(relsent("stats", "--index", sample_indexes, "--json").out)
    for unit in ("abstracts", "sentences"):
        with Index(sample_indexes, unit) as index:
            assert told[unit] == index.statistics()
    assert told["index"] == str(sample_indexes)
    assert (told["stemmer"], told["stopwords"], told["sources"]) == ("porter", 33, 1)
    assert (told["finished"], told["skipped"]) == (True, 0)
    assert told["without_year"] == sum(not one.year for one in read_records("sample.xml"))


def test_text_says_the_same(relsent, sample_indexes):
    """Names and values in two columns, the two indexes one after the other."""
    told = json.loads(relsent("stats", "--index", sample_indexes, "--json").out)
    ran = relsent("stats", "--index", sample_indexes)
    assert (ran.code, ran.err) == (0, "")
    lines = [line.split() for line in ran.out.splitlines()]
    assert ["documents", str(told["sentences"]["documents"])] in lines
    assert lines.index(["abstracts"]) < lines.index(["sentences"])
    assert relsent("stats", "--index", "none").code == 4


def test_ids_of_records_that_are_ids_of_sentences(relsent, here):
    """`index` warns of them, `stats` lists them; a run's unit tells which it means."""
    records = [
        Record("10", "Lung", sections=(Section("Mucus rose. Sodium fell."),)),
        Record("10.2", "Heart", sections=(Section("Rhythm changed."),)),
    ]
    Path("in.jsonl").write_text("".join(record.to_json() + "\n" for record in records))
    ran = relsent("index", "--input", "in.jsonl", "--index", "idx")
    assert "also ids of sentences: 1, such as 10.2 (stats lists them)" in ran.err
    assert relsent("stats", "--index", "idx").out.endswith(" ids of sentences\n  10.2\n")
    assert json.loads(relsent("stats", "--index", "idx", "--json").out)["ambiguous"] == ["10.2"]
    search = ("search", "--index", "idx", "--json")
    for unit, text in (("abstracts", "heart"), ("sentences", "sodium")):
        (hit,) = json.loads(relsent(*search, "--unit", unit, "--text", text).out)["hits"]
        assert hit["id"] == "10.2"
        assert hit["text"] == {"heart": "Heart", "sodium": "Sodium fell."}[text]
    shown = json.loads(relsent("show", "10.2", "--index", "idx", "--format", "json").out)
    assert shown["id"] == "10.2"
    shown = json.loads(
        relsent("show", "10.1", "10.2", "--index", "idx", "--json").out.splitlines()[1]
    )
    assert (shown["id"], shown["sentence"]) == ("10", "10.2")
    Path("topics.tsv").write_text("1\theart and sodium\n")
    for ids in (["10", "10.2"], ["10.0", "10.2"]):
        lines = [f"1 Q0 {name} {n} {9 - n} x\n" for n, name in enumerate(ids, 1)]
        Path("run.txt").write_text("".join(lines))
        options = ("--index", "idx", "--topics", "topics.tsv", "--json")
        told = json.loads(relsent("rerank", "--run", "run.txt", "--model", "D", *options).out)
        texts = {hit["id"]: hit["text"] for hit in told["hits"]}
        assert texts["10.2"] == ("Heart" if "10" in ids else "Sodium fell.")
    explained = {}
    for unit in ("abstracts", "sentences"):
        options = ("--id", "10.2", "--text", "sodium rhythm", "--model", "I1.5", "--json")
        told = json.loads(relsent("explain", "--index", "idx", "--unit", unit, *options).out)
        explained[unit] = told["sentence"]
    assert explained == {"abstracts": "10.2.1", "sentences": "10.2"}
