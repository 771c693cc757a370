"""The page of argumentative feedback, from small invented collections in the place of real ones."""

import random
import re
from pathlib import Path

import pytest

from relsent_ir.feedback.sources import Tags
from relsent_ir.lucene.read.index import Index
from relsent_ir.methods import BM25, RM3, Rocchio
from relsent_ir.trec import read_cystic_fibrosis_qrels, read_topics
from relsent_ir.tuning import Tuned, select
from relsent_ir.tuning.selection import Split
from reproduce import Request, reproduce
from reproduce.ruch_2006 import run as ruch_2006
from reproduce.ruch_2006 import systems as feedback_peers
from reproduce.ruch_2006.systems import NAME, Bench, Remembering, Shuffled, System, methods

SUBJECTS = (
    "ant nest queen larva colony soldier",
    "bee hive honey wax swarm drone",
    "wasp sting venom paper stripe comb",
    "fly egg wing eye maggot leg",
)
WORDS = [f"{first}{last}" for first in ("cold", "warm", "old", "late") for last in "abcdefghijklm"]
RECORDS, QUERIES = 60, 8


def text_of(number: int) -> str:
    """Four sentences, one of each move, half of them on the record's subject."""
    chance = random.Random(number)
    subject = SUBJECTS[number % 4].split()
    two = [" ".join([*chance.sample(subject, 3), *chance.sample(WORDS, 4)]) for _ in range(4)]
    return (
        f"We aimed to study {two[0]}. The method was {two[1]} in all cases. "
        f"The mean of {two[2]} was 3.5 (p < 0.05). We conclude that {two[3]} matters."
    )


@pytest.fixture(scope="module")
def collections(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data folder as the experiment expects it."""
    folder = tmp_path_factory.mktemp("ruch")
    cystic_fibrosis, lists = folder / "cystic-fibrosis", folder / "lists"
    cystic_fibrosis.mkdir()
    lists.mkdir()
    (lists / "smart-571.txt").write_text("a\nthe\nof\nwas\nin\n")
    for year in range(74, 80):
        lines = [
            f"PN {year}{n:03}\nRN {n:05}\nTI On {SUBJECTS[n % 4].split()[n % 6]}.\n"
            f"AB {text_of(n)}\n\n"
            for n in range(1 + year - 74, RECORDS + 1, 6)
        ]
        (cystic_fibrosis / f"cf{year}").write_text("".join(lines))
    queries = []
    for query in range(QUERIES):
        relevant = [n for n in range(1, RECORDS + 1) if n % 4 == query % 4]
        pairs = " ".join(f"{n} 1000" for n in relevant)
        words = SUBJECTS[query % 4].split()[query // 4 : query // 4 + 2]
        queries.append(
            f"QN {query + 1:05}\nQU {' '.join(words)}\nNR {len(relevant):05}\nRD {pairs}\n\n"
        )
    (cystic_fibrosis / "cfquery").write_text("".join(queries))
    return folder


@pytest.fixture
def small(collections, monkeypatch, tmp_path, roughly) -> Path:
    """The invented collections instead of the real ones, and few settings."""
    monkeypatch.setenv("RELSENT_DATA", str(collections))
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(ruch_2006, "M", (5,))
    monkeypatch.setattr(ruch_2006, "K", (3,))
    for name, settings in (("RM3S", RM3), ("ANSERINI", Rocchio)):
        monkeypatch.setattr(feedback_peers, name, [settings(5, 3)])
    monkeypatch.setattr(feedback_peers, "DRAWN", 3)
    return collections


def write_ohsumed(collections: Path) -> None:
    """Put the same records and topics where `fetch ohsumed` puts its own."""
    for name in ("collections/ohsumed", "topics", "qrels"):
        Path(name).mkdir(parents=True)
    records = [
        f".I {n}\n.U\n8800{n:04}\n.S\nJ Insects 8803; 4(6):491-5\n.M\nInsects.\n"
        f".T\nOn insects.\n.P\nJOURNAL ARTICLE.\n.W\n{text_of(n)}\n.A\nRossi AB.\n"
        for n in range(1, RECORDS + 1)
    ]
    Path("collections/ohsumed/ohsumed.88-91").write_text("".join(records))
    topics = read_topics(collections / "cystic-fibrosis" / "cfquery")
    lines = [f"OHSU{topic}\t{text}\n" for topic, text in topics.items()]
    Path("topics/ohsumed.tsv").write_text("".join(lines))
    qrels = read_cystic_fibrosis_qrels(collections / "cystic-fibrosis" / "cfquery")
    Path("qrels/ohsumed-88-91.txt").write_text(
        "".join(f"OHSU{t} 0 8800{int(n):04} 1\n" for t, grades in qrels.items() for n in grades)
    )


def test_page(small: Path, tmp_path: Path) -> None:
    """All parts are there, and the same command runs on OHSUMED once it was fetched."""
    steps: list[int] = []
    request = Request(
        indexes=tmp_path / "indexes", progress=lambda done, _total: steps.append(done)
    )
    path = reproduce("ruch-2006", request, tmp_path / "results")
    page = path.read_text(encoding="utf-8")
    for title in ("With the S-stemmer", "Does the paper", "Beside Anserini's"):
        assert f"## {title}" in page
    for row in ("| none | 86.6% |", "| CONCLUSION | 97.0% |", "| METHODS | – |"):
        assert page.count(row) == 2
    assert "| Anserini's RM3, tuned" in page
    for words in ("with titles and headings", "moves assigned"):
        assert words in page
    assert "`relsent-ir fetch ohsumed`" in page
    assert (tmp_path / "results" / "ruch-2006-topics.svg").exists()
    assert "(ruch-2006-topics.svg)" in page
    assert steps == list(range(1, len(steps) + 1))

    write_ohsumed(small)
    again = reproduce("ruch-2006", Request(indexes=request.indexes), tmp_path / "again")
    text = again.read_text(encoding="utf-8")
    assert (request.indexes / NAME).is_dir()
    ours = text.partition("## OHSUMED")[2]
    assert ours.count("| none | 86.6% |") == 2
    assert re.search(r"^\| CONCLUSION \| 97.0% \| 0.550 \| 0.500 \| [0-9.]+% ", ours, re.M)
    assert "fetch ohsumed" not in ours


def test_equal_budgets() -> None:
    """The peers and ours that is tuned try equally many settings, all different."""
    by_name = methods()
    tuned = [by_name[name] for name in (*feedback_peers.PEERS, feedback_peers.OURS)]
    assert [len(set(settings)) for settings in tuned] == [128] * 3
    assert by_name[feedback_peers.OURS] == methods()[feedback_peers.OURS]


def test_bench(small: Path, tmp_path: Path) -> None:
    """A system is measured once, and feedback reads the first hits of one search."""
    folder = ruch_2006.collection_index(Request(indexes=tmp_path), "cystic-fibrosis")
    path = small / "cystic-fibrosis" / "cfquery"
    bench = Bench(folder, read_topics(path), read_cystic_fibrosis_qrels(path))
    system = System(BM25(), Rocchio(5, 3), "CONCLUSION")
    assert bench.values(system) is bench.values(system)
    assert bench.score(system) == {t: v["map"] for t, v in bench.values(system).items()}
    split = Split(("1", "2"), ("3", "4"))
    tuned: Tuned[System] = select([system], bench.score, [split])
    measured = bench.values(system)
    assert bench.tested(tuned, "num_rel") == [sum(measured[t]["num_rel"] for t in ("3", "4"))]
    assert isinstance(bench.source("CONCLUSION"), Remembering)


def test_shuffled_moves(small: Path, tmp_path: Path) -> None:
    """Each abstract keeps its moves, on other sentences; titles keep theirs."""
    folder = ruch_2006.collection_index(Request(indexes=tmp_path), "cystic-fibrosis")
    with Index(folder) as index:
        tags = Tags(index)
        ids = index.ids()
        real, dealt = tags.of(ids), Shuffled(index, tags).of(ids)
        assert real != dealt
        assert dealt == Shuffled(index, tags).of(ids)
        for before, after in zip(real, dealt, strict=True):
            assert [s[0] for s in before] == [s[0] for s in after]
            assert before[0] == after[0]
            assert sorted(s[1:] for s in before) == sorted(s[1:] for s in after)
