"""What experiments read is brought from public sources; those here are invented, on a mirror."""

import gzip
import hashlib
import json
from collections.abc import Iterator
from functools import partial
from http.server import BaseHTTPRequestHandler
from importlib import import_module
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest

from recipes.relations.corpora import read_events, read_named
from recipes.treebank import read_treebank
from relsent_ir.answers.questions import read_questions
from relsent_ir.datasets import cystic_fibrosis, stop_lists, web
from relsent_ir.datasets.download import Checksum
from relsent_ir.errors import InputError, MissingError
from relsent_ir.methods import RM3, Rocchio
from relsent_ir.records import read_records
from reproduce import EXPERIMENTS, Request, reproduce, sources
from reproduce.__main__ import main
from reproduce.data import NEEDS, is_public, missing
from reproduce.learned_ranker import sources as ranker_sources
from reproduce.ruch_2006 import run as ruch_2006
from reproduce.ruch_2006 import systems as feedback_peers
from reproduce.sources import interactions, mancon
from reproduce.tbahriti_2004 import run as tbahriti_2004
from reproduce.tbahriti_2004.study import Plan
from tests.reproduce.sources import mirror
from tests.serving import served

PUBLIC = (
    "moves",
    "ruch-2006",
    "tbahriti-2004",
    "similar",
    "tudor-2012",
    "alamri-stevenson-2015",
    "learned-ranker",
)
"""Experiments all of whose files have a public source."""


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """Serve the invented sources, whose sums are made the right ones; work in an empty folder."""
    tables = [name.rpartition("/")[2] for name in sources.published() if "/ppi/" in name]
    pages = mirror.everything(tables)

    def known(name: str) -> tuple[int, str]:
        return len(pages[name]), hashlib.sha256(pages[name]).hexdigest()

    for name in mirror.cystic_fibrosis():
        group = cystic_fibrosis.QUERIES if name == "cfquery" else cystic_fibrosis.RECORDS
        monkeypatch.setitem(group, name, known(name))
    size, digest = known(mancon.FILE)
    monkeypatch.setattr(mancon, "SUM", Checksum("sha256", digest, size))
    size, digest = known("smart.txt")
    monkeypatch.setattr(stop_lists, "CHECKSUM", Checksum("sha256", digest, size))
    listed = {
        place: (Checksum("sha256", known(name)[1]), address)
        for place, (_, address) in sources.published().items()
        if (name := place.rpartition("/")[2]) in pages
    }
    monkeypatch.setattr(sources, "published", lambda: listed)
    monkeypatch.setattr(sources, "pmids", lambda: [str(n) for n in range(201, 281)])
    monkeypatch.setattr(web, "BACKOFF", 0)
    monkeypatch.setenv("no_proxy", "127.0.0.1")
    monkeypatch.delenv("RELSENT_DATA", raising=False)
    monkeypatch.chdir(tmp_path)

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            parts = urlsplit(self.path)
            name = parts.path.lstrip("/")
            if name == "efetch.fcgi":
                pages[name] = mirror.records(parse_qs(parts.query)["id"][0].split(",")).encode()
            self.send_response(200 if name in pages else 404)
            self.send_header("Content-Length", str(len(pages.get(name, b""))))
            self.end_headers()
            self.wfile.write(pages.get(name, b""))

        def log_message(self, *_: object) -> None:
            """Say nothing."""

    with served(Handler) as address:
        yield address


def _bring(names: tuple[str, ...], url: str) -> list[str]:
    wanted = dict.fromkeys(path for name in names for path in NEEDS[name])
    return sources.fetch_files(wanted, Path(), lambda _done, _total: None, url)


def test_all_files(site: str) -> None:
    """What they read is there, and read by its readers; the same again brings nothing."""
    assert all(missing(name) for name in PUBLIC)
    told = _bring(PUBLIC, site)
    assert not any(missing(name) for name in PUBLIC)
    assert {name for name in EXPERIMENTS if is_public(name)} == {*PUBLIC, "cite"}
    assert "relations/ppi/LLL-train.csv: as published" in told
    assert "rct/rct-train.xml.gz: made, another copy than that of docs/results" in told
    assert _bring(PUBLIC, site) == []
    originals = Path("collections", "originals")
    numbers = {"train": 48, "validation": 16, "test-unlabelled": 15}  # one has no PMID
    for part, count in numbers.items():
        read = list(read_records(Path("collections", "rct", f"rct-{part}.xml.gz")))
        assert len(read) == count
        assert {len(record.sections) for record in read} == {4 if count > 15 else 1}
    record = next(read_records(Path("collections", "rct", "rct-train.xml.gz")))
    assert (record.id, record.year, record.doi) == ("100", "2002", "10.1/0")
    assert [(s.label, s.category) for s in record.sections] == [
        ("Background", "BACKGROUND"), ("Methods", "METHODS"),
        ("Results", "RESULTS"), ("Conclusions", "CONCLUSIONS"),
    ]  # fmt: skip
    assert record.sections[2].text.startswith("All mice stayed. Body weight fell with murinol (P <")
    assert sorted(record.references) == sorted(str(5000 + i) for i in mirror.cited(0))
    for part, count in (("train", 48), ("validation", 16)):
        path = originals / "answers" / f"answers-{part}.jsonl"
        there = [Path("collections", "rct", f"rct-{part}.xml.gz")]
        questions = list(read_questions(path, there, evidence=True))
        assert len(questions) == count
        assert questions[0].label == "significantly decreased"
    (first, *_) = read_treebank(originals / "genia" / "dev.pos_basenp.tsv.gz")
    assert (first.document, first.words, first.tags, first.chunks) == (
        "73", ("The", "kinase", "."), ("DT", "NN", "."), ("B-NP", "I-NP", "O")
    )  # fmt: skip
    packed = originals / "relations" / "bionlp-st-2011-ge.tar.gz"
    assert [len(read_events(packed, part)) for part in ("train", "devel")] == [12, 4]
    pairs = list(read_named("ddi", originals / "relations" / "ddi-2013" / "train.jsonl.gz"))
    assert [(pair.grade, pair.id) for pair in pairs] == [(2, "d.s0"), (0, "d.s1")]
    pairs = list(read_named("ppr", originals / "relations" / "ppr" / "train.jsonl.gz"))
    assert [(pair.grade, pair.id) for pair in pairs] == [(2, "7_1"), (0, "7_3")]
    with gzip.open("collections/abstracts/abstracts.jsonl.gz", "rt") as lines:
        made = [json.loads(line) for line in lines]
    assert [one["id"] for one in made] == [str(n) for n in range(201, 281)]
    assert made[0]["labels"] == ["Cohen:ACEInhibitors:abstract=1", "Cohen:ACEInhibitors:included=1"]
    assert (made[1]["labels"][0], made[2]["labels"]) == ("Cohen:Triptans:abstract=0", [])


def test_plants(tmp_path: Path) -> None:
    """Each with each phenotype of its sentence, whichever a relation names first."""
    (tmp_path / "corpus.txt").write_text(
        "7_1\tAbc1 and tea help Xyz9, not asthma.\n7\t0\t4\tAbc1\tPlant\n7\t9\t12\ttea\tPlant\n"
        "7\t18\t22\tXyz9\tPositive_phenotype\n7\t28\t34\tasthma\tNegative_phenotype\n"
        "7\tIncrease\t18\t22\tXyz9\tPositive_phenotype\t9\t12\ttea\tPlant\n"
    )
    interactions.build_plants(tmp_path / "corpus.txt", tmp_path)
    made = list(read_named("ppr", tmp_path / "originals/relations/ppr/train.jsonl.gz"))
    assert [(p.group, p.text[slice(*p.e1)], p.text[slice(*p.e2)], p.grade) for p in made] == [
        ("7", "Abc1", "Xyz9", 0), ("7", "Abc1", "asthma", 0),
        ("7", "tea", "Xyz9", 2), ("7", "tea", "asthma", 0),
    ]  # fmt: skip


def test_a_copy_is_known(site: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file that is made again as that of docs/results is told to be the same."""
    _bring(("tudor-2012",), site)
    path = Path("collections", "originals", "relations", "bionlp-st-2011-ge.tar.gz")
    summed = {"relations/bionlp-st-2011-ge.tar.gz": sources.content_sum(path)}
    path.unlink()
    monkeypatch.setattr(sources, "sums", lambda: summed)
    assert _bring(("tudor-2012",), site) == [
        "relations/bionlp-st-2011-ge.tar.gz: made, the copy of docs/results"
    ]


def test_another_content(site: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A published file with another sum is refused, a cut archive too, and nothing is left."""
    place = "relations/ppi/LLL-train.csv"
    wrong = {place: (Checksum("sha256", "0" * 64), "")}
    with monkeypatch.context() as patch:
        patch.setattr(sources, "published", lambda: wrong)
        with pytest.raises(InputError, match="sum is"):
            sources.fetch_files([place], Path(), lambda *_: None, site)
    whole = mirror.packed(mirror.events())
    Path("cut.tar.gz").write_bytes(whole[: len(whole) // 2])
    assert "damaged" in str(sources.Whole().problem(Path("cut.tar.gz")))
    Path("no.pmids").write_text("<html>")
    assert sources.Text().problem(Path("no.pmids")) == "its lines do not begin with PMIDs"
    Path("plants.txt").write_text("7_1\tTea.\n7\tzero\t3\tTea\tPlant\n")
    with pytest.raises(InputError, match="no sentence, name or relation") as told:
        interactions.build_plants(Path("plants.txt"), Path("collections"))
    assert told.value.where == "plants.txt:2"
    assert not list(Path("collections").rglob("LLL*"))


def test_no_source(site: str, capsys: pytest.CaptureFixture[str]) -> None:
    """What nobody publishes is told before anything is brought."""
    assert main(["smith-wilbur-2010", "--fetch", "--url", site]) == 3
    error = capsys.readouterr().err
    assert "similarity/biosses.tsv: has no source that it can be made of (docs/data.md" in error
    assert not Path("collections").exists()
    with pytest.raises(MissingError):
        sources.fetch_files(["similarity/biosses.tsv"], Path(), lambda *_: None, site)
    assert main(["similar", "--url", site]) == 2
    assert main(["shatkay-wilbur-2000", "--fetch", "--url", site]) == 3
    assert "OHSUMED's classes have no source" in capsys.readouterr().err
    Path("no.tsv").write_text("Triptans\t1\tnone\tI\tI\n")
    assert "no table of topic" in str(sources.Reviews().problem(Path("no.tsv")))


@pytest.mark.slow
@pytest.mark.parametrize("name", PUBLIC)
def test_runs(name: str, site: str, monkeypatch: pytest.MonkeyPatch, roughly: None) -> None:
    """Seven of the experiments run from what was brought, with few settings."""
    _bring((name,), site)
    monkeypatch.setattr(tbahriti_2004, "Plan", partial(Plan, queries=2))
    monkeypatch.setattr(tbahriti_2004, "PAIRS", 40)
    monkeypatch.setattr(ruch_2006, "M", (5,))
    monkeypatch.setattr(ruch_2006, "K", (3,))
    for grid, settings in (("RM3S", RM3), ("ANSERINI", Rocchio)):
        monkeypatch.setattr(feedback_peers, grid, [settings(5, 3)])
    monkeypatch.setattr(feedback_peers, "DRAWN", 3)
    learned = import_module("reproduce.learned_ranker.run")
    monkeypatch.setattr(learned, "TITLES_OF_OTHERS", 12)
    monkeypatch.setattr(ranker_sources, "RM3S", [RM3()])
    monkeypatch.setattr(ranker_sources, "ROCCHIOS", [Rocchio()])
    page = reproduce(name, Request(indexes=Path("ix")), Path("out"))
    assert "| --- |" in page.read_text(encoding="utf-8")
