"""The archive of Java's classes: where it is, when it is made, and that it changes no answer."""

import os
import time
from collections.abc import Callable
from pathlib import Path
from subprocess import CompletedProcess

import pytest

from relsent_ir.lucene.jvm import sharing_options

Run = Callable[..., "CompletedProcess[str]"]

SEARCH = """
import sys
from relsent_ir.lucene import jvm
from relsent_ir.lucene.read.index import Index
from relsent_ir.lucene.read.search import Searcher

jvm.expect_one_query()
with Index(sys.argv[1]) as index:
    hits = Searcher(index).search({"1": "sentences of a record"}, 5)["1"]
    print(hits.ids.tolist(), hits.scores.tolist())
beans = jvm.java("java.lang.management.ManagementFactory")
flags = beans.getRuntimeMXBean().getInputArguments().toString()
print([flag.strip("[]").partition("=")[0] for flag in flags.split(", ") if "Class" in flag
    or "Archive" in flag])
"""
MOST = 120  # seconds that the archive may take


@pytest.fixture
def runtime(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[Path, Path]:
    """A folder that looks like a Java, a jar, and a cache of one's own."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setattr("atexit.register", lambda *_: None)
    (tmp_path / "release").write_text('JAVA_VERSION="21"\n')
    (tmp_path / "a.jar").write_bytes(b"jar")
    return tmp_path, tmp_path / "a.jar"


def test_library_leaves_nothing(runtime: tuple[Path, Path]) -> None:
    """A process that is not known to answer one query writes nothing to the cache."""
    home, jar = runtime
    assert sharing_options(home, [jar], record=False) == []
    assert not (home / "cache").exists()


def test_archive_is_of_runtime_and_jars(runtime: tuple[Path, Path]) -> None:
    """An archive is taken as long as the jars are the same files."""
    home, jar = runtime
    recording, _ = sharing_options(home, [jar], record=True)
    listed = Path(recording.removeprefix("-XX:DumpLoadedClassList="))
    assert listed.parent == home / "cache" / "relsent-ir" / "java"
    assert listed.suffixes[-2:] == [f".{os.getpid()}", ".classes"]
    archive = listed.with_name(listed.name.partition(".")[0] + ".jsa")
    archive.write_bytes(b"archive")
    expected = [f"-XX:SharedArchiveFile={archive}", "-Xlog:disable"]
    assert sharing_options(home, [jar], record=False) == expected
    assert sharing_options(home, [jar], record=True) == expected
    os.utime(jar, (1, 1))
    assert sharing_options(home, [jar], record=False) == []


def test_unusable_cache_is_no_error(
    runtime: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where the cache's folder is a file, Java starts without an archive."""
    home, jar = runtime
    monkeypatch.setenv("XDG_CACHE_HOME", str(jar))
    assert sharing_options(home, [jar], record=True) == []


def test_answers_are_the_same(run_python: Run, sample_index: Path, tmp_path: Path) -> None:
    """The first process lists its classes, later ones share them; a damaged archive is nothing."""
    answers = []

    def answer(flag: str) -> None:
        ran = run_python(SEARCH, sample_index, XDG_CACHE_HOME=str(tmp_path))
        assert ran.stderr == ""
        hits, flags = ran.stdout.splitlines()
        assert flags == f"['{flag}']"
        answers.append(hits)

    folder = tmp_path / "relsent-ir" / "java"
    answer("-XX:DumpLoadedClassList")
    end = time.monotonic() + MOST
    while not list(folder.glob("*.jsa")) and time.monotonic() < end:
        time.sleep(0.1)
    (archive,) = folder.glob("*.jsa")
    answer("-XX:SharedArchiveFile")
    while not (whole := archive.read_bytes())[:4].strip(b"\0") and time.monotonic() < end:
        time.sleep(0.1)  # the head comes last
    answer("-XX:SharedArchiveFile")
    for damaged in (b"", b"no archive" * 1000, whole[: len(whole) // 2]):
        archive.unlink()
        archive.write_bytes(damaged)
        answer("-XX:SharedArchiveFile")
    assert len(set(answers)) == 1
