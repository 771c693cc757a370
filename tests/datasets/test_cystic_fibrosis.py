"""Tests of fetching the cystic fibrosis collection; its files here are invented."""

import hashlib
from pathlib import Path

import pytest

from relsent_ir.datasets import cystic_fibrosis, fetch
from relsent_ir.errors import InputError, MissingError
from relsent_ir.trec import read_qrels, read_topics

NAMES = ["cf74", "cf75", "cf76", "cf77", "cf78", "cf79"]
QUERIES = b"""QN 00001
QU Does salt water help
   the lung?
NR 00003
RD 139 1222 151 0000 40 0001

QN 00002
QU Which enzymes are given with meals?
NR 00001
RD 7 2222
"""


@pytest.fixture
def contents(monkeypatch: pytest.MonkeyPatch) -> dict[str, bytes]:
    """Make invented files the right ones."""
    monkeypatch.delenv("RELSENT_DATA", raising=False)
    contents = {name: f"PN {name}001\nRN 00001\n".encode() for name in NAMES}
    for name, content in (contents | {"cfquery": QUERIES}).items():
        known = cystic_fibrosis.QUERIES if name == "cfquery" else cystic_fibrosis.RECORDS
        monkeypatch.setitem(known, name, (len(content), hashlib.sha256(content).hexdigest()))
    return contents | {"cfquery": QUERIES}


def put(folder: Path, contents: dict[str, bytes]) -> Path:
    """Write the files into a folder."""
    folder.mkdir()
    for name, content in contents.items():
        (folder / name).write_bytes(content)
    return folder


def test_files_that_are_written(tmp_path: Path, contents: dict[str, bytes]) -> None:
    """A grade is the sum of the four judges; the collection's folder holds records only."""
    fetched = fetch("cystic-fibrosis", source=put(tmp_path / "from", contents), output=tmp_path)
    topics, qrels = tmp_path / "topics/cystic-fibrosis.tsv", tmp_path / "qrels/cystic-fibrosis.txt"
    assert topics.read_text() == (
        "1\tDoes salt water help the lung?\n2\tWhich enzymes are given with meals?\n"
    )
    assert qrels.read_text() == "1 0 139 7\n1 0 151 0\n1 0 40 1\n2 0 7 8\n"
    assert fetched.topics == {topics: 2}
    assert fetched.qrels == {qrels: 4}
    assert fetched.folder == tmp_path / "collections" / "cystic-fibrosis"
    assert sorted(path.name for path in fetched.folder.iterdir()) == NAMES
    assert fetched.files == tuple(fetched.folder / name for name in NAMES)
    assert fetched.files[2].read_bytes() == contents["cf76"]
    assert fetched.new == 6


def test_it_comes_from_the_web_and_only_once(site, tmp_path, contents):
    """The bytes are counted over all seven files; a second fetch asks for nothing."""
    site.pages = {f"/cfc/{name}": content for name, content in contents.items()}
    seen = []

    def tick(done: int, total: int | None) -> None:
        seen.append((done, total))

    total = sum(map(len, contents.values()))
    fetch("cystic-fibrosis", url=site.url + "cfc", output=tmp_path, tick=tick)
    assert seen == sorted(seen)
    assert seen[-1] == (total, total)
    assert len(site.requests) == 7
    again = fetch("cystic-fibrosis", url=site.url + "cfc", output=tmp_path)
    assert again.new == 0
    assert len(site.requests) == 7


def test_a_missing_or_changed_file_is_named_and_topics_stay(site, tmp_path, contents):
    """Topics and qrels are written last, when everything is there."""
    (tmp_path / "topics").mkdir()
    (tmp_path / "topics" / "cystic-fibrosis.tsv").write_text("old\tone\n")
    source = put(tmp_path / "from", contents | {"cf77": b"changed"})
    with pytest.raises(InputError, match="from/cf77: "):
        fetch("cystic-fibrosis", source=source, output=tmp_path)
    site.pages = {f"/{name}": contents[name] for name in NAMES}
    with pytest.raises(MissingError, match="/cfquery: the server answers 404"):
        fetch("cystic-fibrosis", url=site.url, output=tmp_path)
    assert (tmp_path / "topics" / "cystic-fibrosis.tsv").read_text() == "old\tone\n"
    assert not (tmp_path / "qrels").exists()


def test_the_folder_in_relsent_data_is_used_when_it_is_there(tmp_path, contents, monkeypatch):
    """Without --from and --url."""
    (tmp_path / "data").mkdir()
    put(tmp_path / "data" / "cystic-fibrosis", contents)
    monkeypatch.setenv("RELSENT_DATA", str(tmp_path / "data"))
    assert fetch("cystic-fibrosis", output=tmp_path).new == 6


def test_the_real_collection(data: Path, tmp_path: Path) -> None:
    """Its README counts 100 queries and 4,819 judged pairs, of 1,239 records."""
    fetched = fetch("cystic-fibrosis", source=data / "cystic-fibrosis", output=tmp_path)
    assert list(fetched.topics.values()) == [100]
    assert list(fetched.qrels.values()) == [4819]
    topics, qrels = read_topics(*fetched.topics), read_qrels(*fetched.qrels)
    assert list(topics) == list(qrels) == [str(number) for number in range(1, 101)]
    grades = {grade for judged in qrels.values() for grade in judged.values()}
    assert grades <= set(range(9))
    assert {doc for judged in qrels.values() for doc in judged} <= {str(n) for n in range(1, 1240)}
