"""``relsent-ir rerank`` with any reranker, also one of another package; ``explain --model``."""

import json
import re
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from relsent_ir import models
from relsent_ir.trec import read_run

SEARCH = ("search", "--topics", "topics/sample.tsv")

TOY = '''
"""A reranker in a dozen lines."""

from relsent_ir.hits import Hits


class Longest:
    """The longest records first."""

    def __init__(self, name):
        self.name = name

    def rerank(self, collection, run, topics, *, progress=None):
        length = lambda name: len(collection[name].abstract)
        return {t: Hits.ranked(h.ids, [length(name) for name in h.ids]) for t, h in run.items()}


def words(query, texts):
    """As many words as each text shares with the query."""
    return [len({*query.split()} & {*text.split()}) for text in texts]


class Words(Longest):
    """The same in a class."""

    def rerank(self, query, texts):
        return words(query, texts)
'''


@pytest.fixture
def toy(tmp_path, monkeypatch) -> Iterator[None]:
    """Another package, as pip would have put it onto the path."""
    folder = tmp_path / "site"
    (folder / "toy_ranker-1.0.dist-info").mkdir(parents=True)
    (folder / "toy_ranker.py").write_text(TOY)
    (folder / "toy_ranker-1.0.dist-info" / "METADATA").write_text(
        "Name: toy-ranker\nVersion: 1.0\n"
    )
    (folder / "toy_ranker-1.0.dist-info" / "entry_points.txt").write_text(
        "[relsent_ir.rerankers]\nlongest = toy_ranker:Longest\n"
        "words = toy_ranker:words\nworded = toy_ranker:Words\n"
    )
    monkeypatch.syspath_prepend(str(folder))
    models.plugins.cache_clear()
    yield
    models.plugins.cache_clear()


@pytest.fixture
def bm25(relsent, sample_indexes, here) -> Path:
    """A first run over the sample."""
    assert (
        relsent(*SEARCH, "--index", sample_indexes, "--hits", 20, "--output", "bm25.txt").code == 0
    )
    return Path("bm25.txt")


def _rerank(index: Path, *more: object) -> tuple[object, ...]:
    return (
        "rerank", "--run", "bm25.txt", "--topics", "topics/sample.tsv", "--index", index,
        "--output", "out.txt", *more,
    )  # fmt: skip


def test_another_package(toy, relsent, sample_indexes, bm25, here):
    """A toy reranker goes through rerank, tune and compare; doctor says where it is from."""
    ran = relsent(*_rerank(sample_indexes, "--model", "longest", "--depth", 5, "--json"))
    assert ran.code == 0, ran.err
    told = json.loads(ran.out)
    assert told["topics"] == 8
    first, found = read_run("bm25.txt"), read_run("out.txt")
    for topic, hits in found.items():
        assert set(hits.ids[:5]) == set(first[topic].ids[:5])
        assert hits.ids[5:].tolist() == first[topic].ids[5:].tolist()
    ran = relsent(
        "tune", "--qrels", "qrels/sample.txt", "--grid", "interpolate=0,1", "--folds", 2, "--json",
        "--", *_rerank(sample_indexes, "--model", "longest")[:7],  "--model", "longest",
    )  # fmt: skip
    assert ran.code == 0, ran.err
    assert json.loads(ran.out)["settings"] == 2
    ran = relsent("compare", "qrels/sample.txt", "bm25.txt", "out.txt", "--json")
    assert ran.code == 0, ran.err
    assert "longest (of toy-ranker)" in relsent("doctor").out
    for name in ("words", "worded"):  # of a query and texts
        ran = relsent(*_rerank(sample_indexes, "--model", name, "--output", f"{name}.txt"))
        assert ran.code == 0, ran.err
    assert read_run("words.txt") == read_run("worded.txt") != first
    ran = relsent(*SEARCH, "--index", sample_indexes, "--hits", 20, "--rerank", "longest",
                  "--depth", 5, "--output", "one.txt")  # fmt: skip
    assert ran.code == 0, ran.err
    assert read_run("one.txt") == found


def test_flags(relsent, sample_indexes, bm25):
    """What is reordered, what is written, and how; 0 leaves the order as it is."""
    index = sample_indexes
    assert relsent(*_rerank(index, "--model", "I1.5", "--hits", 3)).code == 0
    best = read_run("out.txt")
    assert {len(hits) for hits in best.values()} == {3}
    assert relsent(*_rerank(index, "--model", "I1.5")).code == 0
    assert read_run("out.txt")["001"].ids[:3].tolist() == best["001"].ids.tolist()
    assert relsent(*_rerank(index, "--model", "I1.5", "--interpolate", 0)).code == 0
    first = read_run("bm25.txt")
    assert [h.ids.tolist() for h in read_run("out.txt").values()] == [
        h.ids.tolist() for h in first.values()
    ]
    assert relsent(*_rerank(index, "--model", "I1.5", "--aggregate", "decay:0.5")).code == 0
    assert set(read_run("out.txt")["001"].ids) == set(first["001"].ids)
    for name in ("answers", "pmra", "themes", "ltc.atn"):
        ran = relsent(*_rerank(index, "--model", name))
        assert ran.code == 0, ran.err
        assert set(read_run("out.txt")["001"].ids) == set(first["001"].ids)


@pytest.mark.slow
@pytest.mark.parametrize("model", ["ranker", "answers", "I1.5", "pmra", "ltc.atn"])
def test_processes(model, relsent, sample_indexes, bm25):
    """Two processes write the run that one writes, to the byte, a model of a folder's too."""
    more = ("--model", model, "--depth", 15)
    assert relsent(*_rerank(sample_indexes, *more)).code == 0
    alone = Path("out.txt").read_bytes()
    ran = relsent(*_rerank(sample_indexes, *more, "--threads", 2))
    assert ran.code == 0, ran.err
    assert Path("out.txt").read_bytes() == alone


def test_processes_of_a_folder(relsent, sample_indexes, bm25):
    """A model by a relative path is opened in other processes, too; one that is none is told."""
    shutil.copytree(models.packaged("answers"), "mine")
    assert relsent(*_rerank(sample_indexes, "--model", "./mine")).code == 0
    alone = Path("out.txt").read_bytes()
    assert relsent(*_rerank(sample_indexes, "--model", "./mine", "--threads", 2)).code == 0
    assert Path("out.txt").read_bytes() == alone
    Path("mine/model.json").unlink()
    ran = relsent(*_rerank(sample_indexes, "--model", "./mine", "--threads", 2))
    assert ran.code != 0
    assert len(ran.err.splitlines()) == 1


@pytest.mark.parametrize(
    ("flags", "code", "message"),
    [
        (("--model", "I4"), 2, "or one of answers, pmra, ranker, A, D, "),
        (("--model", str(models.packaged("moves"))), 5, "of kind moves-crf, which does not rerank"),
        (("--model", "pmra", "--aggregate", "best"), 2, "scores no sentences"),
        (("--model", "D", "--aggregate", "worst"), 2, "no way to aggregate sentences: 'worst'"),
        (("--model", "D", "--interpolate", "2"), 2, "--interpolate"),
        (("--model", "D", "--depth", "0"), 2, "--depth"),
    ],
)
def test_mistakes(flags, code, message, refused, sample_indexes, bm25):
    """One line each."""
    refused(code, message, *_rerank(sample_indexes, *flags))


def test_explain(relsent, sample_indexes, bm25):
    """The sentence that decides, as text and as JSON; a model that does not say is refused."""
    name = read_run("bm25.txt")["001"].ids[0]
    text = Path("topics/sample.tsv").read_text().splitlines()[0].split("\t")[1]
    asked = ("explain", "--index", sample_indexes, "--id", name, "--text", text, "--model")
    ran = relsent(*asked, "I1.5")
    assert ran.code == 0, ran.err
    assert ran.out.startswith(f"{name}.")
    assert "[" in ran.out
    found = json.loads(relsent(*asked, "I1.5", "--json").out)
    assert found["sentence"].startswith(f"{name}.")
    assert found["features"]
    assert re.search(r"probability: [01]\.\d{4}", relsent(*asked, "answers").out)
    assert relsent(*asked, "pmra").code == 5
