"""``relsent-ir search`` and ``explain``."""

import gzip
import json
from pathlib import Path

import pytest

from relsent_ir.trec import read_run

TOPICS = "topics/sample.tsv"


def test_a_run_is_written(relsent, here, sample_indexes):
    """Six columns for every topic, ranks from 1, the tag; told in a line; it can be measured."""
    ran = relsent(
        "search", "--index", sample_indexes, "--topics", TOPICS, "--output", "run.txt",
        "--bm25", "--k1", 0.9, "--b", 0.4, "--hits", 5, "--runtag", "mine",
    )  # fmt: skip
    assert (ran.code, ran.out, ran.err) == (0, "", "run.txt: 8 topics, 40 hits\n")
    lines = [line.split() for line in Path("run.txt").read_text().splitlines()]
    assert len(lines) == 40
    assert {(line[1], line[5]) for line in lines} == {("Q0", "mine")}
    assert [line[3] for line in lines[:5]] == ["1", "2", "3", "4", "5"]
    measured = relsent("evaluate", "qrels/sample.txt", "run.txt", "-m", "map", "--json")
    assert json.loads(measured.out)["num_q"] == 8


def test_msmarco_and_gzip(relsent, here, sample_indexes):
    """The other form has three columns; a name in .gz packs."""
    search = ["search", "--index", sample_indexes, "--topics", TOPICS, "--hits", 3, "--output"]
    relsent(*search, "run.tsv", "--output-format", "msmarco")
    assert Path("run.tsv").read_text().splitlines()[0].split("\t")[2] == "1"
    counts = json.loads(relsent(*search, "run.txt.gz", "--json").out)
    assert counts == {"output": "run.txt.gz", "topics": 8, "hits": 24}
    assert gzip.decompress(Path("run.txt.gz").read_bytes()).count(b"\n") == 24


def test_remove_query(relsent, here, sample_indexes):
    """A topic that is a record does not find itself, and still gets all its hits."""
    Path("topics.tsv").write_text("90000031\tvitamin D and asthma attacks in children\n")
    search = ["search", "--index", sample_indexes, "--topics", "topics.tsv", "--hits", 3]
    relsent(*search, "--output", "with.txt")
    relsent(*search, "--output", "without.txt", "--remove-query")
    found = list(read_run("with.txt")["90000031"].ids)
    assert found[0] == "90000031"
    kept = list(read_run("without.txt")["90000031"].ids)
    assert kept[:2] == found[1:]
    assert len(kept) == 3


def test_sentences_for_a_question(relsent, here, sample_indexes):
    """They come in the ranker's order, without titles; words, and --bm25, have BM25's."""
    search = ("search", "--index", sample_indexes, "--unit", "sentences", "--hits", 3, "--json")

    def ids(*more: object) -> list[str]:
        return [hit["id"] for hit in json.loads(relsent(*search, *more).out)["hits"]]

    asked = "--text", "Does vitamin D prevent asthma attacks?"
    ranked = ids(*asked)
    assert ranked == ids(*asked, "--ranker", "ranker")
    assert ranked[0] == "90000031.6"
    assert ids(*asked, "--bm25")[0] == "90000031.0"
    assert ids("--text", "vitamin D asthma attacks")[0] == "90000031.0"


def test_max_passage(relsent, here, sample_indexes):
    """A sentence run becomes a record run: the best sentence's score, each record once."""
    search = ["search", "--index", sample_indexes, "--topics", TOPICS, "--unit", "sentences"]
    relsent(*search, "--output", "s.txt")
    relsent(*search, "--output", "r.txt", "--max-passage", "--max-passage-hits", 4)
    for qid, records in read_run("r.txt").items():
        sentences = read_run("s.txt")[qid]
        best: dict[str, float] = {}
        for name, score in zip(sentences.ids, sentences.scores, strict=True):
            best.setdefault(name.rpartition(".")[0], score)
        assert len(records) == 4
        assert {n: best[n] for n in records.ids} == pytest.approx(
            dict(zip(records.ids, records.scores, strict=True)), abs=1e-5
        )


def test_topics(relsent, here, sample_indexes):
    """A topic that is a record is dropped; without a run they are shown one after another."""
    Path("topics.tsv").write_text("90000031\tvitamin D and asthma attacks in children\n")
    search = ["search", "--index", sample_indexes, "--topics", "topics.tsv", "--unit", "sentences"]
    relsent(*search, "--max-passage", "--output", "with.txt")
    relsent(*search, "--max-passage", "--output", "without.txt", "--remove-query")
    found = list(read_run("with.txt")["90000031"].ids)
    assert found[0] == "90000031"
    assert list(read_run("without.txt")["90000031"].ids) == found[1:]
    search = ["search", "--index", sample_indexes, "--topics", TOPICS, "--hits", 2]
    asked = [line.split("\t") for line in Path(TOPICS).read_text().splitlines()]
    lines = relsent(*search).out.splitlines()
    assert [line for line in lines if line[:1].isdigit()] == ["  ".join(topic) for topic in asked]
    told = [json.loads(line) for line in relsent(*search, "--json").out.splitlines()]
    assert [[of["topic"], of["query"]] for of in told] == asked
    assert all(len(of["hits"]) == 2 for of in told)


def test_the_run_is_the_same_however_it_is_searched(relsent, here, sample_indexes):
    """Threads, batches, engines and more hits than there are documents do not change a byte."""
    search = ["search", "--index", sample_indexes, "--topics", TOPICS, "--output"]
    assert relsent(*search, "a.txt", "--threads", 1, "--batch-size", 1).code == 0
    assert relsent(*search, "b.txt", "--threads", 3, "--batch-size", 5).code == 0
    assert relsent(*search, "c.txt", "--hits", 10**12).code == 0
    assert Path("a.txt").read_bytes() == Path("b.txt").read_bytes() == Path("c.txt").read_bytes()
    for expanding in ([], ["--rm3"], ["--rocchio"], ["--qld", "--year", "1990:"]):
        for engine in ("lucene", "matrix"):
            ran = relsent(*search, engine, "--engine", engine, *expanding)
            assert (ran.code, ran.err.count("\n")) == (0, 1)
        assert Path("lucene").read_bytes() == Path("matrix").read_bytes()


def test_long_runs_are_written_by_several_processes(relsent, here, sample_indexes, monkeypatch):
    """Bytes, counts and errors are those of one process; what fails leaves no file."""
    monkeypatch.setattr("relsent_ir.searching.HITS_APART_MIN", 1)
    monkeypatch.setattr("relsent_ir.searching.SEARCHED", 2)
    search = ["search", "--index", sample_indexes, "--topics", TOPICS, "--json", "--hits", 7]
    for more in ([], ["--rm3"], ["--year", "2000:", "--output-format", "msmarco"]):
        ran = [relsent(*search, *more, "--threads", n, "--output", f"{n}.gz") for n in (1, 3)]
        assert Path("1.gz").read_bytes() == Path("3.gz").read_bytes()
        assert ran[0].out.replace("1.gz", "3.gz") == ran[1].out
        assert [one.err for one in ran] == ["", ""]
    lines = [f"{number}\tfever" for number in range(9)]
    Path("odd.tsv").write_text("\n".join([*lines, "#9\tfever"]))
    odd = [*search[:4], "odd.tsv", "--threads", 2, "--output", "odd.txt"]
    ran = relsent(*odd)
    assert (ran.code, Path("odd.txt").exists()) == (4, False), ran.err
    assert "topic id #9" in ran.err
    assert not list(here.glob(".odd*"))


def test_topics_in_trec_form(relsent, here, sample_indexes):
    """Another field of the topic can be searched; both forms of a topic give the same run."""
    Path("topics.sgml").write_text(
        "<top>\n<num> Number: 01\n<title> asthma\n<desc> Description:\nfalls in old age\n</top>\n"
    )
    Path("topics.jsonl").write_text('{"id": "01", "title": "falls in old age"}\n')
    search = ["search", "--index", sample_indexes, "--output"]
    flags = ["--topics", "topics.sgml", "--topics-format", "trec", "--topics-field", "desc"]
    assert relsent(*search, "a.txt", *flags).code == 0
    assert relsent(*search, "b.txt", "--topics", "topics.jsonl").code == 0
    assert Path("a.txt").read_text() == Path("b.txt").read_text() != ""
    assert set(read_run("a.txt")) == {"01"}


def test_a_failed_search_leaves_the_old_run(relsent, here, sample_indexes):
    """What was there stays, to the byte, and nothing lies beside it."""
    Path("out").mkdir()
    Path("out/run.txt").write_text("old\n")
    Path("bad.tsv").write_text("1\tasthma\n1\tagain\n")
    ran = relsent(
        "search", "--index", sample_indexes, "--topics", "bad.tsv", "--output", "out/run.txt"
    )
    assert ran.code == 4
    assert [path.read_text() for path in Path("out").iterdir()] == ["old\n"]


@pytest.mark.parametrize(
    "flags", [["--rm3"], ["--qld"], ["--fields", "title=2.0", "mesh=0.5"], ["--stopwords", "stop"]]
)
def test_other_rankings_differ(relsent, here, sample_indexes, flags):
    """Each flag reaches the searcher: the run is not that of BM25."""
    Path("stop").write_text("children\nvitamin\nprevent\n")
    search = ["search", "--index", sample_indexes, "--topics", TOPICS, "--output"]
    assert relsent(*search, "bm25.txt").code == 0
    assert relsent(*search, "other.txt", *flags).code == 0
    assert Path("bm25.txt").read_text() != Path("other.txt").read_text()


def test_text(relsent, here, sample_indexes):
    """One text gives a readable list, or JSON with whole texts."""
    search = ["search", "--index", sample_indexes, "--text", "vitamin D asthma", "--hits", 2]
    first, source, sentence, second, *_ = relsent(*search).out.splitlines()
    assert first.split()[:2] == ["1", "90000031"]
    assert source.strip() == "J North Respir Stud, 2016, Randomized Controlled Trial"
    assert sentence.split()[:3] == ["CONCLUSION", "Vitamin", "D"]
    assert second.split()[0] == "2"
    hits = json.loads(relsent(*search, "--unit", "sentences", "--json").out)["hits"]
    assert [hit["rank"] for hit in hits] == [1, 2]
    assert all("itamin D" in hit["text"] and "." in hit["id"] for hit in hits)
    records = relsent(*search, "--unit", "sentences", "--max-passage").out.splitlines()
    assert records[0].split()[1] == "90000031"


@pytest.mark.parametrize(
    ("text", "said"),
    [("", "no word to search for in ''"), ("the", "no word to"), ("zyxw the", "none of the words")],
)
def test_nothing_found(relsent, sample_indexes, text, said):
    """It is said why."""
    ran = relsent("search", "--index", sample_indexes, "--text", text)
    assert (ran.code, ran.out) == (0, "nothing found\n")
    assert said in ran.err


@pytest.mark.parametrize(
    ("arguments", "code", "line"),
    [
        ([], 2, "give either --topics or --text"),
        (["--topics", TOPICS, "--output", "r", "--format", "csv"], 2, "--format csv shows hits"),
        (["--text", "x", "--json", "--format", "csv"], 2, "--json and --format csv exclude"),
        (["--text", "x", "--topics", TOPICS], 2, "give either"),
        (["--text", "x", "--bm25", "--qld"], 2, "exclude each other"),
        (["--text", "x", "--smart", "ltc.atn", "--qld"], 2, "--qld and --smart exclude"),
        (["--text", "x", "--smart", "ltc.atn", "--bm25"], 2, "--bm25 and --smart exclude"),
        (["--text", "x", "--max-passage-hits", "5"], 2, "--max-passage-hits needs --max-passage"),
        (["--text", "x", "--k1", "1_0"], 2, "'1_0' is no number"),
        (["--text", "x", "--hits", "1_0"], 2, "'1_0' is no number"),
        (["--text", "x", "--fields", "title=1_0"], 2, "cannot read --fields 'title=1_0'"),
        (["--text", "x", "--fields", "title=1e38"], 2, "the weight 1e+38 of field 'title'"),
        (["--topics", TOPICS, "--output", "loop"], 6, "loop: cannot be written: Too many levels"),
        (["--text", "x", "--rm3", "--fields", "title=1"], 2, "work in `contents` only"),
        (["--text", "x", "--fields", "title=high"], 2, "cannot read --fields 'title=high'"),
        (["--text", "x", "--fields", "nose=1"], 2, "no field 'nose'"),
        (["--text", "x", "--rm3", "--argumentative", "MESH=1,mesh=2"], 2, "MESH twice"),
        (["--text", "x", "--fields", "title=nan"], 2, "--fields {"),
        (["--text", "x", "--output", "r"], 2, "--text and --output exclude"),
        (["--text", "x", "--max-passage"], 2, "needs the unit sentences"),
        (["--text", "x", "--k1", "nan"], 2, "--k1 nan"),
        (["--text", "x", "--b", "2"], 2, "--b 2.0 (from 0 to 1)"),
        (["--text", "x", "--rm3", "--fb-docs", "0"], 2, "--fb-docs 0"),
        (["--text", "x", "--rm3", "--fb-terms", "9999999999"], 2, "--fb-terms 9999999999"),
        (["--text", "x", "--stopwords", "none"], 4, "none: "),
        (["--topics", TOPICS, "--topics-format", "x", "--output", "r"], 2, "no topics format x"),
        (["--topics", TOPICS, "--topics-field", "desc", "--output", "r"], 2, "no topic has"),
        (["--topics", "sample.xml", "--output", "r"], 4, "sample.xml:1: "),
        (["--topics", TOPICS, "--output", "r", "--runtag", "a b"], 2, "run tag"),
        (["--text", "x", "--k1", "-1"], 2, "--k1 -1.0 (0 or more)"),
        (["--topics", "none.tsv", "--output", "r"], 4, "none.tsv"),
        (["--topics", "topics", "--output", "r"], 4, "is a folder"),
        (["--topics", TOPICS, "--output", "sample.xml/r"], 6, "cannot be written"),
        (["--topics", TOPICS, "--output", "/dev/full"], 6, "No space left"),
    ],
)
def test_bad_searches(refused, here, sample_indexes, arguments, code, line):
    """One line and the code of its kind."""
    Path("loop").symlink_to("loop")
    refused(code, line, "search", "--index", sample_indexes, *arguments)


def test_explain_sentences_and_parameters(relsent, sample_indexes):
    """Sentences and other k1 and b are explained as they are searched."""
    flags = ["--index", sample_indexes, "--unit", "sentences", "--text", "vitamin D asthma"]
    flags += ["--k1", 2, "--b", 0, "--json"]
    (best, *_) = json.loads(relsent("search", *flags).out)["hits"]
    told = json.loads(relsent("explain", *flags, "--id", best["id"]).out)
    assert float(told["explanation"].split()[0]) == pytest.approx(best["score"], abs=1e-4)


def test_explain(relsent, sample_indexes):
    """The terms as they were analysed, and Lucene's sum, which is the score of the search."""
    explain = ["explain", "--index", sample_indexes, "--text", "asthma attacks"]
    ran = relsent(*explain, "--id", "90000031", "--json")
    told = json.loads(ran.out)
    assert told["terms"] == ["asthma", "attack"]
    shown = relsent("search", "--index", sample_indexes, "--text", "asthma attacks", "--json")
    hits = {hit["id"]: hit["score"] for hit in json.loads(shown.out)["hits"]}
    assert float(told["explanation"].split()[0]) == pytest.approx(hits["90000031"], abs=1e-4)
    assert relsent(*explain, "--id", "90000031").out.startswith("terms: asthma attack\n")
    missing = relsent(*explain, "--id", "7")
    assert missing.code == 4
    assert "no document '7' among the abstracts" in missing.err
