"""Searching in memory gives Lucene's hits and Lucene's scores, on whatever collection."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from relsent_ir.errors import MismatchError, OutputError, UsageError
from relsent_ir.hits import Run
from relsent_ir.lucene.analyzers import Analysis
from relsent_ir.lucene.commits import Facts, read_commits
from relsent_ir.lucene.documents import MoveTagger
from relsent_ir.lucene.memory import matrix, postings
from relsent_ir.lucene.memory.postings import fits, has_postings, open_postings
from relsent_ir.lucene.read.filters import Filters
from relsent_ir.lucene.read.index import Index
from relsent_ir.lucene.read.search import Searcher
from relsent_ir.methods import BM25, QueryLikelihood
from relsent_ir.moves import MOVES
from relsent_ir.records import Mesh, Record, Section, Sentence
from tests.lucene.writing import RecordWriter

WORDS = ["mucus", "sodium", "the", "airway", "lung", "naïve", "dose"]
MODELS = (BM25(), BM25(1.2, 0.75), BM25(0, 1), BM25(2, 0), QueryLikelihood(), QueryLikelihood(3))
FIELDS = (
    None,
    {"title": 2.5},
    {"title": 1.0, "abstract": 1.0},
    {"title": 2.0, "abstract": 0.3, "mesh": 1.0},
    {"title": 0.0, "abstract": 0.7},
)

texts = st.lists(st.sampled_from(WORDS), max_size=60).map(" ".join)
ids = st.sampled_from([f"r{number}" for number in range(9)] + ["Ä", "a", "é.1"])
records = st.builds(
    lambda name, title, text, year: Record(
        name,
        title,
        sections=(Section(text),) if text else (),
        mesh=(Mesh(title.title()),) if year == "1990" else (),
        year=year,
    ),
    ids,
    texts,
    texts,
    st.sampled_from(["", "1990", "2001"]),
)
writes = st.lists(st.lists(st.one_of(records, ids), max_size=8), min_size=1, max_size=4)
"""For each commit, the records that are added or replaced, and the ids that are deleted."""
weights = st.one_of(st.just(0.0), st.floats(2**-20, 2**10, width=32))
topics = st.lists(st.one_of(texts, st.dictionaries(st.sampled_from([*WORDS, "qqq"]), weights)))


def tag(record: Record) -> list[Sentence]:
    """Give sentences moves, one after the other."""
    return [
        Sentence(s.record, s.n, s.text, MOVES[s.n % len(MOVES)], 0.5)
        for s in record.sentences()
        if s.n
    ]


def write(folder: Path, commits: list[list[Record | str]]) -> None:
    """Write a collection: each commit adds, replaces and deletes."""
    tagger = MoveTagger("turns", tag)
    for changes in commits:
        before = read_commits(folder)
        facts = before.facts if before else Facts(Analysis.choose(), moves="turns")
        with RecordWriter(folder, facts, before, tagger) as writer:
            for change in changes:
                if isinstance(change, Record):
                    writer.add(change)
                else:
                    writer.delete(change)
            writer.commit(facts)


def both(index: Index, asked: Mapping[str, Any], k: int, **how: Any) -> tuple[Run, Run]:
    """Search by each engine."""
    found = [
        Searcher(index, engine=engine, **how).search(asked, k) for engine in ("lucene", "matrix")
    ]
    return found[0], found[1]


@settings(
    max_examples=int(os.environ.get("RELSENT_EXAMPLES", "6")),
    deadline=None,
    suppress_health_check=list(HealthCheck),
)
@given(commits=writes, asked=topics, k=st.sampled_from([1, 2, 5, 1000]))
def test_hits_are_lucenes(commits: list[list[Record | str]], asked: list[Any], k: int) -> None:
    """Ids, order and scores are the same: models, fields, filters, weights, ties, deletions."""
    run = {str(number): topic for number, topic in enumerate(asked)}
    filters = Filters(years=(1990, 1995)), Filters(moves=(MOVES[0], MOVES[1]))
    with TemporaryDirectory() as temporary:
        folder = Path(temporary)
        whole = Record("z", "dose", sections=(Section("dose"),), mesh=(Mesh("Dose"),))
        write(folder, [[whole, *commits[0]], *commits[1:]])  # so that there are all fields
        with Index(folder) as abstracts, Index(folder, "sentences") as sentences:
            for model in MODELS:
                for fields in FIELDS:
                    lucenes, ours = both(abstracts, run, k, model=model, fields=fields)
                    assert ours == lucenes
                for index, some in zip((abstracts, sentences), filters, strict=True):
                    lucenes, ours = both(index, run, k, model=model)
                    assert ours == lucenes
                    lucenes, ours = both(index, run, k, model=model, filters=some)
                    assert ours == lucenes


@pytest.fixture(scope="module")
def many(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """More documents than a window or the room for hits holds, 9,000 of them equal."""
    folder = tmp_path_factory.mktemp("many")
    chance = np.random.default_rng(4)
    mixed = [
        Record(f"m{n}", " ".join(chance.choice(WORDS, size=chance.integers(1, 90))))
        for n in range(3000)
    ]
    equal = [Record(f"e{n}", "mucus and sodium") for n in range(9000)]
    rare: list[Record | str] = [Record("x", "mucus " * 70_000), "e7", "e8000", *mixed[:5]]
    write(folder, [[*equal, *mixed], rare])
    return folder


@pytest.fixture
def index(many: Path) -> Iterator[Index]:
    """Its abstracts."""
    with Index(many) as opened:
        yield opened


@pytest.mark.parametrize("k", [1, 100, 1000, 5000, 8997, 8998, 10_000, 2**40])
def test_many_hits(index: Index, k: int) -> None:
    """The best are kept through windows and ties; a term may occur more often than 65,535 times."""
    asked: dict[str, Any] = {
        "1": "mucus",
        "2": "lung dose dose naïve",
        "3": "sodium airway",
        "4": {"mucus": 0.0, "lung": 1.5},
        "5": "zyzzyva",
    }
    for model in MODELS[::4]:
        lucenes, ours = both(index, asked, k, model=model)
        assert ours == lucenes
    assert open_postings(index).counts.dtype == np.int32


@pytest.fixture(scope="module")
def skewed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Index]:
    """Five windows of documents whose words are as frequent as those of a language, some equal."""
    chance = np.random.default_rng(7)
    shares = 1 / np.arange(1, 61)
    names, shares = [f"w{n}" for n in range(60)], shares / shares.sum()
    texts = [" ".join(chance.choice(names, chance.integers(1, 40), p=shares)) for _ in range(9_000)]
    folder = tmp_path_factory.mktemp("skewed")
    doubled = [Record(f"d{n}", text) for n, text in enumerate([*texts, *texts])]
    write(folder, [[*doubled], ["d7", "d9007", *(Record(f"n{n}", "w0 w59") for n in range(200))]])
    with Index(folder) as opened:
        yield opened


skewed_words = st.integers(0, 61).map(lambda n: f"w{n}")


@settings(
    max_examples=int(os.environ.get("RELSENT_EXAMPLES", "40")),
    deadline=None,
    suppress_health_check=list(HealthCheck),
)
@given(
    asked=st.one_of(
        st.lists(skewed_words, min_size=1, max_size=20).map(" ".join),
        st.dictionaries(skewed_words, weights, min_size=1, max_size=20),
    ),
    k=st.integers(1, 100),
    model=st.sampled_from(MODELS),
)
def test_bounds_lose_nothing(skewed: Index, asked: Any, k: int, model: Any) -> None:
    """Few hits are the first of all documents' scores, ties at the cut too, and Lucene's."""
    every, few = (
        Searcher(skewed, model, engine="matrix").search({"": asked}, many)[""]
        for many in (len(skewed), k)
    )
    assert few == every.head(k)
    assert few == Searcher(skewed, model, engine="lucene").search({"": asked}, k)[""]


def test_ids_of_many_documents(index: Index, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where an array of all ids would be large, those of hits are the same without it."""
    found = open_postings(index)
    places = np.array([5, 0, 5, len(found.ids) - 1])
    expected = found.named(places).tolist()
    monkeypatch.setattr(postings, "_FEW", 0)
    assert found.named(places).tolist() == expected == [found.ids[i] for i in places.tolist()]


def test_threads_and_batches(index: Index) -> None:
    """Neither changes the hits, nor do topics of both kinds in any order."""
    asked: dict[str, Any] = {f"{n}": WORDS[n % 7] for n in range(50)}
    asked |= {f"w{n}": {WORDS[n % 7]: 1.0 + n, "dose": 0.5} for n in range(0, 50, 3)}
    asked = dict(sorted(asked.items()))
    seen: list[tuple[int, int | None]] = []
    searcher = Searcher(index, engine="matrix")
    one = searcher.search(asked, 100)
    two = searcher.search(
        asked, 100, threads=3, batch_size=7, progress=lambda *step: seen.append(step)
    )
    assert list(two) == list(asked)
    assert one == two == Searcher(index, engine="lucene").search(asked, 100)
    assert seen[-1] == (len(asked), len(asked))
    assert searcher.search({}) == {}


def test_weights_that_lucene_refuses(index: Index) -> None:
    """They are refused in the same words; a NUL in a term, no letter, or -0.0, does no harm."""
    for engine in ("lucene", "matrix"):
        searcher = Searcher(index, engine=engine)
        for weight in (-1.0, 3.4e38, 1e300, float("inf"), float("nan")):
            with pytest.raises(UsageError, match=r"the weight .* of term 'mucus' \(from 0 to"):
                searcher.search({"1": {"mucus": weight}})
        with pytest.raises(UsageError, match=r"the weight 3.4e\+38 of field 'contents'"):
            Searcher(index, engine=engine, fields={"contents": 3.4e38})
        assert len(searcher.search({"1": {"muc\0us": 1.0, "lung\0": 1.0}})["1"]) in (0, 1000)
    minus = {"mucu": -0.0}, {"lung": 1.0, "mucu": -0.0}, {"nosuchterm": -0.0}, {"lung": 1e30}
    for bag in (*minus, {"": 1.0}, {"": 2.0, "mucu": 1.0, "\0": 1.0}, {"mucu": 1.0, "": 2.0}):
        topics = dict.fromkeys(map(str, range(matrix.FEW)), bag)
        runs = [Searcher(index, engine=engine).search(topics, 9) for engine in ("lucene", "matrix")]
        assert runs[0] == runs[1]


def test_auto(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It takes the matrix for many topics: at once if the postings are there, or after many."""
    write(tmp_path, [[Record("1", "mucus"), Record("2", "lung")]])
    made = []
    original = matrix.Matrix.search
    monkeypatch.setattr(
        matrix.Matrix, "search", lambda self, *a: made.append(len(a[0])) or original(self, *a)
    )
    asked = {str(n): "mucus" for n in range(matrix.FEW)}
    few = dict(list(asked.items())[1:])
    with Index(tmp_path) as index:
        searcher = Searcher(index)
        for _ in range(matrix.MANY // matrix.FEW - 1):
            searcher.search(asked)
        assert not made
        assert not has_postings(index)
        searcher.search(asked)
        assert made == [matrix.FEW]
        searcher.search(few, 1)
        Searcher(index, engine="lucene").search(asked)
        assert made == [matrix.FEW]
        searcher.search({"1": "mucus"}, 2)  # of all documents none can be passed over
        assert made == [matrix.FEW, 1]
    with Index(tmp_path) as index:
        assert has_postings(index)
        Searcher(index).search(asked)
        assert made == [matrix.FEW, 1, matrix.FEW]
        monkeypatch.setenv(postings.LIMIT_VARIABLE, "0m")
        assert not fits(index)
        Searcher(index).search(asked)
        assert made == [matrix.FEW, 1, matrix.FEW]
        with pytest.raises(MismatchError, match=r"over the limit.*RELSENT_POSTINGS"):
            Searcher(index, engine="matrix").search(few)
    write(tmp_path, [[Record("3", "mucus")]])
    with Index(tmp_path) as index:
        assert not has_postings(index)


def test_nowhere_to_write(tmp_path: Path) -> None:
    """Where the postings cannot be kept, auto searches with Lucene, and matrix says why not."""
    write(tmp_path, [[Record("1", "mucus")]])
    (tmp_path / "derived").write_text("in the way")
    asked = {str(n): "mucus" for n in range(matrix.MANY)}
    with Index(tmp_path) as index:
        assert len(Searcher(index).search(asked)["7"]) == 1
        with pytest.raises(OutputError, match="cannot be written"):
            Searcher(index, engine="matrix").search(asked)
        with pytest.raises(UsageError, match=r"no engine 'x'.*auto, lucene, matrix"):
            Searcher(index, engine="x")


SEARCH = """
import json, sys
from pathlib import Path
from relsent_ir.lucene.read.index import Index
from relsent_ir.lucene.read.search import Searcher

with Index(Path(sys.argv[1])) as index:
    run = Searcher(index, engine=sys.argv[2]).search(json.loads(sys.argv[3]), int(sys.argv[4]))
print(json.dumps({topic: list(hits) for topic, hits in run.items()}))
"""


@pytest.mark.slow
@pytest.mark.parametrize("k", [10, 300])
def test_postings_that_are_too_many_for_the_heap(tmp_path: Path, k: int) -> None:
    """At eight bytes each they do not fit in an eighth of 64 MB, and are read from the files."""
    random = Random(0)
    words = [f"w{number}" for number in range(400)]
    texts = (" ".join(random.choices(words, k=200)) for _ in range(7500))
    write(tmp_path, [[Record(str(n), sections=(Section(text),)) for n, text in enumerate(texts)]])
    topics = json.dumps({str(n): " ".join(random.sample(words, 4)) for n in range(40)})
    with Index(tmp_path) as index:
        assert 8 * len(open_postings(index).documents) > 64 * 2**20 / 8
    runs = set()
    for heap, engine in (("64m", "matrix"), ("64m", "lucene"), ("1g", "matrix")):
        script = [sys.executable, "-c", SEARCH, str(tmp_path), engine, topics, str(k)]
        environment = {**os.environ, "RELSENT_HEAP": heap}
        ran = subprocess.run(script, env=environment, capture_output=True, text=True, check=True)
        runs.add(ran.stdout)
    assert len(runs) == 1
