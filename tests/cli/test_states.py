"""Indexes whose build has not ended, or that cannot be written to."""

import json
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest


@pytest.fixture
def unfinished(relsent, here) -> Path:
    """An index with the first of its two files, the second of which is damaged."""
    Path("bad.xml").write_text("<PubmedArticleSet><PubmedArticle></PubmedArticleSet>")
    assert relsent("index", "--input", "sample.xml", "bad.xml", "--index", "half").code == 4
    return here / "half"


def test_an_unfinished_index(relsent, refused, unfinished):
    """Searched with a warning of one line; refused by who asks for that; `stats` says so."""
    search = ["search", "--index", unfinished, "--text", "asthma"]
    ran = relsent(*search)
    assert ran.code == 0
    assert ran.err.count("\n") == ran.err.count("not finished: 1 of 2 files are not in it") == 1
    told = json.loads(relsent("stats", "--index", unfinished, "--json").out)
    assert (told["finished"], told["sources"]) == (False, 1)
    for arguments in (search, ["show", "--index", unfinished, "90000002"]):
        told = "the index is not finished: 1 of 2 files are not in it"
        refused(5, told, *arguments, "--require-finished")


@pytest.fixture
def read_only(sample_indexes, tmp_path) -> Iterator[Path]:
    """A copy of the sample's indexes on a disk that cannot be written to, for root either."""
    folder = tmp_path / "disk"
    folder.mkdir()
    mount = shutil.which("mount")
    steps = [
        [mount or "", "-t", "tmpfs", "tmpfs", str(folder)],
        [mount or "", "-o", "remount,ro", str(folder)],
    ]
    if not mount or subprocess.run(steps[0], capture_output=True, check=False).returncode:
        pytest.skip("a disk cannot be mounted here")
    try:
        derived = shutil.ignore_patterns("derived")
        shutil.copytree(sample_indexes, folder / "index", ignore=derived)
        subprocess.run(steps[1], capture_output=True, check=True)
        yield folder / "index"
    finally:
        subprocess.run(["umount", "--lazy", str(folder)], check=True)


@pytest.mark.parametrize("chosen", [True, False])
@pytest.mark.parametrize(
    "verb",
    [
        ["related", "--model", "I1.5", "--text", "Mice with asthma."],
        ["rerank", "--model", "I1.5", "--run", "run", "--topics", "sample"],
        ["themes", "--pmid", "90000002"],
    ],
)
def test_a_read_only_index(relsent, here, read_only, monkeypatch, verb, chosen):
    """What is derived from it is kept in the user's cache, or where --cache says."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(here / "home"))
    search = ["search", "--index", read_only, "--topics", "sample", "--output", "run"]
    assert relsent(*search).code == 0
    flags = ["--cache", "there"] if chosen else []
    ran = relsent(*verb, "--index", read_only, *flags)
    assert (ran.code, ran.err) == (0, "")
    assert ran.out
    assert list(Path("there" if chosen else "home/relsent-ir").rglob("model.json"))
    assert not Path("home" if chosen else "there").exists()


def test_a_cache_that_cannot_be_written(refused, here, read_only):
    """One line, exit code 6."""
    place = ("--index", read_only, "--cache", read_only / "cache")
    told = "cannot be written: Read-only file system"
    refused(6, told, "themes", "--pmid", "90000002", *place)
