"""Queries of PubMed, from a server on this machine that behaves as NCBI's does."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest

from relsent_ir.datasets import eutils, fetch, web
from relsent_ir.datasets.eutils import MANIFEST, Manifest, Server, read_pmids
from relsent_ir.datasets.updating import update_index
from relsent_ir.errors import InputError, MissingError, UsageError
from relsent_ir.lucene.read.index import Index
from relsent_ir.lucene.write.indexing import build_index
from relsent_ir.records import list_inputs
from tests.serving import served


@dataclass
class PubMed:
    """What the server has: PMIDs with their dates of entry and revision, and their titles.

    `gone` are PMIDs that a search gives and that have no record; `faults` what to do at the next
    requests: "cut" (half of the answer, as if it were whole), or a status.
    """

    entered: dict[str, str] = field(default_factory=dict)
    revised: dict[str, str] = field(default_factory=dict)
    titles: dict[str, str] = field(default_factory=dict)
    gone: set[str] = field(default_factory=set)
    faults: list[Any] = field(default_factory=list)
    asked: list[tuple[str, dict[str, str]]] = field(default_factory=list)
    pause: float = 0.0
    url: str = ""

    def add(self, pmid: int, date: str, title: str = "Ants") -> None:
        """Add a record that was entered and revised on a day."""
        self.entered[str(pmid)] = self.revised[str(pmid)] = date
        self.titles[str(pmid)] = title

    def search(self, given: dict[str, str]) -> dict[str, Any]:
        """Answer a search: at most 9,999 PMIDs, newest first."""
        if given["term"] == "bad[":
            return {"esearchresult": {"ERROR": "Invalid query"}}
        dates = self.revised if given.get("datetype") == "mdat" else self.entered
        first, last = given.get("mindate", ""), given.get("maxdate", "9999")
        pmids = [pmid for pmid in self.entered if first <= dates[pmid] <= last]
        if "[uid]" in given["term"]:
            named = {part.removesuffix("[uid]") for part in given["term"].split(" OR ")}
            pmids = [pmid for pmid in pmids if pmid in named]
        listed = pmids[::-1][: min(int(given["retmax"]), 9999)]
        return {"esearchresult": {"count": str(len(pmids)), "idlist": listed}}

    def records(self, pmids: list[str]) -> str:
        """Answer a request for records."""
        articles = "".join(
            f"<PubmedArticle><MedlineCitation><PMID>{pmid}</PMID><Article><ArticleTitle>"
            f"{self.titles[pmid]} {pmid}</ArticleTitle></Article></MedlineCitation></PubmedArticle>"
            for pmid in pmids
            if pmid in self.titles and pmid not in self.gone
        )
        return f'<?xml version="1.0"?>\n<PubmedArticleSet>{articles}</PubmedArticleSet>'


@pytest.fixture
def pubmed(monkeypatch: pytest.MonkeyPatch) -> Iterator[PubMed]:
    """Run the server for one test."""
    monkeypatch.setattr(web, "BACKOFF", 0)
    monkeypatch.setenv("no_proxy", "127.0.0.1")
    state = PubMed()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            parts = urlsplit(self.path)
            given = {name: values[0] for name, values in parse_qs(parts.query).items()}
            name = parts.path.rpartition("/")[2]
            state.asked.append((name, given))
            time.sleep(state.pause)
            fault = state.faults.pop(0) if state.faults else None
            if isinstance(fault, int):
                self.send_response(fault)
                self.send_header("Content-Length", "0")
                self.end_headers()
                return
            if name == "esearch.fcgi":
                body = json.dumps(state.search(given)).encode()
            elif name == "search":
                body = json.dumps(_page(given)).encode()
            else:
                body = state.records(given["id"].split(",")).encode()
            body = body[: len(body) // 2] if fault == "cut" else body
            self.send_response(200)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            """Say nothing."""

    def _page(given: dict[str, str]) -> dict[str, Any]:
        start, size = int(given["cursorMark"].replace("*", "0")), int(given["pageSize"])
        pmids = list(state.titles)
        found = [
            {"id": pmid, "pmid": pmid, "title": state.titles[pmid], "pubYear": "2001"}
            for pmid in pmids[start : start + size]
            if pmid not in state.gone
        ]
        return {
            "version": "6",
            "hitCount": len(pmids),
            "nextCursorMark": str(start + len(found)),
            "resultList": {"result": found},
        }

    with served(Handler) as address:
        state.url = f"{address}eutils/"
        yield state


def _texts(folder: Path) -> dict[str, str]:
    """Give the records of an index, with their titles."""
    with Index(folder) as index:
        return {record.id: record.title for record in index.records(index.ids())}


@pytest.mark.slow
def test_killed_twice(pubmed: PubMed, tmp_path: Path) -> None:
    """12,000 records of a query, in slices of dates; nothing is asked for twice.

    The same again fetches nothing; then three are new, one is revised, one withdrawn: `update`
    says so, and the index is that of a new build.
    """
    for number in range(12_000):
        pubmed.add(number + 1, f"{2000 + number % 20}/01/{1 + number % 28:02}")
    pubmed.pause = 0.01
    command = [
        *(sys.executable, "-m", "relsent_ir", "fetch", "pubmed", "--query", "ants"),
        *("--url", pubmed.url, "--output", str(tmp_path)),
    ]
    for kills in (1, 2):
        before = len(pubmed.asked)
        running = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        while sum(name == "efetch.fcgi" for name, _ in pubmed.asked[before:]) < 20:
            assert running.poll() is None
            time.sleep(0.01)
        os.kill(running.pid, signal.SIGKILL)
        running.wait()
        assert kills
    pubmed.pause = 0
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    (folder,) = (tmp_path / "collections").iterdir()
    manifest = Manifest.read(folder)
    assert manifest
    assert set(manifest.records) == set(pubmed.titles)
    assert "without a record" not in done.stdout
    asked = [pmid for name, given in pubmed.asked if name == "efetch.fcgi"
             for pmid in given["id"].split(",")]  # fmt: skip
    assert len(asked) <= 12_000 + 2 * 2 * 200  # those that were under way when it was killed
    searches = [given for name, given in pubmed.asked if name == "esearch.fcgi"]
    assert {given["tool"] for given in searches} == {"relsent-ir"}
    assert any("mindate" in given for given in searches)

    build_index(list_inputs([folder])[0], tmp_path / "index")
    assert len(_texts(tmp_path / "index")) == 12_000
    before = len(pubmed.asked)
    again = subprocess.run(command, check=True, capture_output=True, text=True)
    assert "nothing new" in again.stdout
    assert {name for name, _ in pubmed.asked[before:]} == {"esearch.fcgi"}

    for number in (20_001, 20_002, 20_003):
        pubmed.add(number, time.strftime("%Y/%m/%d"))
    pubmed.titles["7"], pubmed.revised["7"] = "Bees", time.strftime("%Y/%m/%d")
    for of in (pubmed.entered, pubmed.titles):
        del of["8"]
    done_update = update_index(tmp_path / "index")
    assert done_update.fetched.note == "3 new, 1 revised, 1 withdrawn"
    updated = _texts(tmp_path / "index")
    assert updated == {pmid: f"{title} {pmid}" for pmid, title in pubmed.titles.items()}
    build_index(list_inputs([folder])[0], tmp_path / "anew")
    assert _texts(tmp_path / "anew") == updated
    assert update_index(tmp_path / "index").fetched.note == "nothing new"


def test_a_server_that_fails(pubmed: PubMed, tmp_path: Path) -> None:
    """It answers 429 and 500, cuts an answer, has no record of one: all others are there."""
    for number in range(1, 451):
        pubmed.add(number, "2001/01/01")
    pubmed.gone = {"17"}
    pubmed.faults = [429, None, "cut", 500, None, 429]
    fetched = fetch("pubmed", query="ants", url=pubmed.url, output=tmp_path)
    manifest = Manifest.read(fetched.folder)
    assert manifest
    assert len(manifest.records) == 449
    assert manifest.gone == ["17"]
    assert fetched.note == "449 new, 1 without a record on the server"
    assert len(fetched.files) == 3
    assert len({r for path in fetched.files for r in _ids(path)}) == 449


def _ids(path: Path) -> list[str]:
    from relsent_ir.records import read_records

    return [record.id for record in read_records(path)]


def test_a_list(pubmed: PubMed, tmp_path: Path) -> None:
    """Of PMIDs in a file; those that PubMed has not are told."""
    for number in (3, 5, 10):
        pubmed.add(number, "2001/01/01")
    path = tmp_path / "pmids.txt"
    path.write_text("10, 3\n5\n99\n3\n")
    fetched = fetch("pubmed", pmids=path, url=pubmed.url, output=tmp_path)
    assert _ids(fetched.files[0]) == ["3", "5", "10"]
    assert fetched.note == "3 new, 1 without a record on the server"
    pubmed.titles["5"], pubmed.revised["5"] = "Bees", time.strftime("%Y/%m/%d")
    assert fetch("pubmed", pmids=path, url=pubmed.url, output=tmp_path).note == (
        "1 revised, 1 without a record on the server"
    )
    path.write_text("3,\n,5,\n")
    assert read_pmids(path) == ["3", "5"]
    path.write_text(" ,\n")
    with pytest.raises(InputError, match="there are no PMIDs"):
        read_pmids(path)
    path.write_text("10 x")
    with pytest.raises(InputError, match="'x' is no PMID"):
        fetch("pubmed", pmids=path, url=pubmed.url, output=tmp_path)


def test_europe_pmc(pubmed: PubMed, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Page by page; the same again finds what is new."""
    monkeypatch.setattr(eutils, "_PAGE", 4)
    for number in range(1, 11):
        pubmed.add(number, "2001/01/01")
    fetched = fetch("europe-pmc", query="ants", url=pubmed.url, output=tmp_path)
    assert sorted(name for path in fetched.files for name in _ids(path)) == sorted(pubmed.titles)
    assert fetched.note == "10 new"
    assert fetch("europe-pmc", query="ants", url=pubmed.url, output=tmp_path).note == "nothing new"
    pubmed.add(11, "2001/01/01")
    assert fetch("europe-pmc", query="ants", url=pubmed.url, output=tmp_path).note == "1 new"
    pubmed.gone = {"2"}
    with pytest.raises(MissingError, match="has 11 records, and gave 10"):
        fetch("europe-pmc", query="ants", url=pubmed.url, output=tmp_path)


def test_mistakes(pubmed: PubMed, tmp_path: Path) -> None:
    """A query that is none, a server that gives fewer, a manifest that is damaged."""
    with pytest.raises(UsageError, match="does not understand the query: Invalid query"):
        fetch("pubmed", query="bad[", url=pubmed.url, output=tmp_path)
    listed = tmp_path / "pmids.txt"
    listed.write_text("1\n")
    with pytest.raises(UsageError, match="either a query or a list"):
        fetch("pubmed", query="a", pmids=listed, url=pubmed.url, output=tmp_path)
    with pytest.raises(UsageError, match="--query and --pmids are for pubmed"):
        fetch("mesh", query="a", output=tmp_path)
    pubmed.add(1, "2001/01/01")
    fetched = fetch("pubmed", query="ants", url=pubmed.url, output=tmp_path)
    for damage in ("{", "", "null", '"x"', "[]"):
        (fetched.folder / MANIFEST).write_text(damage)
        with pytest.raises(InputError, match=r"manifest is damaged .*fetch again"):
            fetch("pubmed", query="ants", url=pubmed.url, output=tmp_path)


def test_too_many_on_one_day(pubmed: PubMed, monkeypatch: pytest.MonkeyPatch) -> None:
    """There is no smaller slice than a day."""
    monkeypatch.setattr(eutils, "MOST", 3)
    for number in range(1, 6):
        pubmed.add(number, "2001/01/01")
    with pytest.raises(UsageError, match="5 records of the query were entered on 2001-01-01"):
        Server(pubmed.url).search("ants")


def test_limits(monkeypatch: pytest.MonkeyPatch) -> None:
    """Three requests a second at NCBI, ten with a key; others set none."""
    for key, host, pause in (
        ("", "eutils.ncbi.nlm.nih.gov", 1 / 3),
        ("k", "eutils.ncbi.nlm.nih.gov", 1 / 10),
        ("", "127.0.0.1", 0),
    ):
        monkeypatch.setenv("NCBI_API_KEY", key)
        monkeypatch.setenv("NCBI_EMAIL", "a@b.c")
        slept: list[float] = []
        server = Server(f"https://{host}/", slept.append, lambda: 5.0)
        for _ in range(4):
            server._wait()
        assert slept == pytest.approx([pause * n for n in (1, 2, 3)] if pause else [])


@pytest.mark.parametrize(
    ("url", "sent"),
    [
        ("https://eutils.ncbi.nlm.nih.gov/entrez/", True),
        ("http://127.0.0.1:8000/", True),
        ("http://eutils.ncbi.nlm.nih.gov/entrez/", False),
        ("https://mirror.example.org/", False),
        ("https://ncbi.nlm.nih.gov.example.org/", False),
    ],
)
def test_key(monkeypatch: pytest.MonkeyPatch, url: str, sent: bool) -> None:
    """The key and the address of a user are for NCBI and for this machine."""
    monkeypatch.setenv("NCBI_API_KEY", "k")
    monkeypatch.setenv("NCBI_EMAIL", "a@b.c")
    expected = {"tool": "relsent-ir", "email": "a@b.c", "api_key": "k"}
    assert Server(url)._identity == (expected if sent else {"tool": "relsent-ir"})


def test_nested_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    """An answer of a hundred thousand brackets is none."""
    server = Server("http://127.0.0.1/")
    monkeypatch.setattr(server, "get", lambda *_: b"[" * 100_000)
    with pytest.raises(MissingError, match="the answer is no result of a search"):
        server.search("ants")
