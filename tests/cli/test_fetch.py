"""Tests of ``relsent-ir fetch``."""

import hashlib
import json
import socket
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler
from pathlib import Path
from typing import Any

import pytest

from relsent_ir.cli.main import main
from relsent_ir.datasets import COLLECTIONS, cystic_fibrosis
from tests.serving import served

NAMES = ["cf74", "cf75", "cf76", "cf77", "cf78", "cf79", "cfquery"]


@pytest.fixture
def source(tmp_path, monkeypatch) -> Path:
    """Make a folder with invented files the right ones, and run the test beside it."""
    folder = tmp_path / "from"
    folder.mkdir()
    for name in NAMES:
        content = (
            b"QN 1\nQU What is it?\nNR 2\nRD 3 0102 4 0000\n" if name == "cfquery" else b"RN 1\n"
        )
        (folder / name).write_bytes(content)
        known = cystic_fibrosis.QUERIES if name == "cfquery" else cystic_fibrosis.RECORDS
        monkeypatch.setitem(known, name, (len(content), hashlib.sha256(content).hexdigest()))
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("RELSENT_DATA", raising=False)
    monkeypatch.setenv("no_proxy", "127.0.0.1")
    return folder


@pytest.fixture
def mirror(source) -> Iterator[str]:
    """Serve that folder on the web, and give its address."""

    class Quiet(SimpleHTTPRequestHandler):
        def log_message(self, *args: Any) -> None:
            pass

    with served(partial(Quiet, directory=str(source))) as address:
        yield address


def test_a_fetch_writes_into_the_current_folder_and_says_what(source, capsys):
    """One line for the records, one for the topics, one for the judgements."""
    assert main(["fetch", "cystic-fibrosis", "--from", "from"]) == 0
    assert capsys.readouterr() == (
        "collections/cystic-fibrosis: 6 files, 6 of them new\n"
        "topics/cystic-fibrosis.tsv: 1 topic\n"
        "qrels/cystic-fibrosis.txt: 2 judgements\n",
        "",
    )
    assert Path("topics/cystic-fibrosis.tsv").read_text() == "1\tWhat is it?\n"
    assert Path("qrels/cystic-fibrosis.txt").read_text() == "1 0 3 3\n1 0 4 0\n"


def test_json_names_every_file(mirror, capsys):
    """Paths lie below --output."""
    assert main(["fetch", "cystic-fibrosis", "--url", mirror, "--output", "x", "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == {
        "name": "cystic-fibrosis",
        "folder": "x/collections/cystic-fibrosis",
        "files": [f"x/collections/cystic-fibrosis/{name}" for name in NAMES[:6]],
        "new": 6,
        "topics": {"x/topics/cystic-fibrosis.tsv": 1},
        "qrels": {"x/qrels/cystic-fibrosis.txt": 2},
    }


def test_the_list_names_every_collection(capsys):
    """With its size, source and licence; as JSON too."""
    assert main(["fetch", "--list"]) == 0
    listed = capsys.readouterr().out
    for name, collection in COLLECTIONS.items():
        assert name in listed
        assert collection.web in listed
        assert collection.licence in listed
    assert main(["fetch", "--list", "--json"]) == 0
    assert list(json.loads(capsys.readouterr().out)) == list(COLLECTIONS)


def test_errors_are_one_line_with_the_code_of_their_kind(source, mirror, capsys):
    """2 for flags, 3 for the network, 4 for files, 6 for the place to write to."""
    (source / "cf78").write_bytes(b"not this")
    Path("file").write_text("")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        nobody = f"http://127.0.0.1:{free.getsockname()[1]}/"
        for arguments, code, words in [
            (["medline"], 2, "no collection medline"),
            ([], 2, "Name a collection"),
            (["cystic-fibrosis", "--files", "1"], 2, "--files"),
            (["pubmed-updates", "--files", "x", "--url", nobody], 2, "no range"),
            (["pubmed-updates", "--files", "1", "--url", nobody], 3, "cannot be reached"),
            (["cystic-fibrosis", "--url", nobody], 3, "--from DIR"),
            (["ohsumed", "--url", mirror], 3, "404"),
            (["cystic-fibrosis", "--from", "nowhere"], 4, "nowhere: there is no such folder"),
            (["cystic-fibrosis", "--from", "from"], 4, "from/cf78: "),
            (
                ["cystic-fibrosis", "--url", mirror],
                4,
                "cf78: the file has 6 bytes where 5 are...deleted",
            ),
            (["cystic-fibrosis", "--from", "from", "--output", "file"], 6, "file/collections"),
        ]:
            assert main(["fetch", *arguments]) == code, arguments
            out, err = capsys.readouterr()
            assert out == ""
            assert all(part in err for part in words.split("...")), err
            if code != 2:
                assert len(err.splitlines()) == 1


def test_the_real_collection(data, tmp_path, monkeypatch, capsys):
    """100 topics and 4,819 judgements, from RELSENT_DATA without being asked."""
    monkeypatch.chdir(tmp_path)
    assert main(["fetch", "cystic-fibrosis"]) == 0
    out = capsys.readouterr().out
    assert "topics/cystic-fibrosis.tsv: 100 topics" in out
    assert "qrels/cystic-fibrosis.txt: 4,819 judgements" in out
    assert len(Path("qrels/cystic-fibrosis.txt").read_text().splitlines()) == 4819
