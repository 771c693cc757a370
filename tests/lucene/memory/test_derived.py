"""Derived data beside an index: made once, by one process, and never read half written."""

import json
import logging
import shutil
import subprocess
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from relsent_ir import files
from relsent_ir.errors import InputError, OutputError
from relsent_ir.lucene.documents import MoveTagger
from relsent_ir.lucene.memory import derived
from relsent_ir.lucene.memory.derived import Arrays, Derived, check_derived
from relsent_ir.lucene.read.collection import Indexes, check_index
from relsent_ir.lucene.read.index import Index
from relsent_ir.lucene.write.changing import tag_index
from relsent_ir.lucene.write.indexing import build_index
from relsent_ir.models import Stored
from relsent_ir.records import Record, Section, Sentence


def _values(stored: Stored) -> list[int]:
    return [int(value) for value in stored.arrays["values"]]


def _forbidden() -> Arrays:
    pytest.fail("built again")


def _open(
    folder: Path, build: Callable[[], Arrays], content: str = "1", **settings: object
) -> list[int]:
    return Derived(_source(folder, content), "x", settings).open(build, _values)


def _source(folder: Path, content: str, current: bool = True) -> SimpleNamespace:
    return SimpleNamespace(
        folder=folder, unit="abstracts", content=content, is_current=lambda: current
    )


def _folders(folder: Path) -> set[str]:
    return {path.name for path in (folder / "derived" / "x").glob("[!.]*")}


def test_made_once(tmp_path: Path) -> None:
    """For each settings once; with a new content or edition the old ones go, and half a one."""
    assert _open(tmp_path, lambda: {"values": np.arange(3)}, of=["a"]) == [0, 1, 2]
    assert _open(tmp_path, _forbidden, of=["a"]) == [0, 1, 2]
    assert _open(tmp_path, lambda: {"values": np.arange(2)}, of=["b"]) == [0, 1]
    assert _open(tmp_path, _forbidden, of=["a"]) == [0, 1, 2]
    facts = [
        json.loads((tmp_path / "derived" / "x" / name / "model.json").read_text())
        for name in _folders(tmp_path)
    ]
    assert sorted((fact["kind"], fact["of"]) for fact in facts) == [("x", ["a"]), ("x", ["b"])]
    _open(tmp_path, lambda: {"values": np.arange(3)}, of="a")
    _open(tmp_path, lambda: {"values": np.arange(3)}, of="b")
    old = _folders(tmp_path)
    half = tmp_path / "derived" / "x" / ".killed.tmp"
    half.mkdir()
    _open(tmp_path, lambda: {"values": np.arange(3)}, "2", of="a")
    (new,) = _folders(tmp_path)
    assert new not in old
    assert not half.exists()
    source = _source(tmp_path, "2")
    Derived(source, "x", {"of": "a"}, 2).open(lambda: {"values": np.arange(3)}, _values)
    assert len(_folders(tmp_path) - {new}) == len(_folders(tmp_path)) == 1


def test_content_of_an_index(build, write, tmp_path):
    """Opened again, also after a commit that changed nothing, it is read; else made again."""
    folder = build([Record("1", "Lung"), Record("2", "Bone")])
    made = []

    def ask() -> None:
        with Index(folder) as index:

            def make() -> Arrays:
                made.append(len(index))
                return {"values": np.arange(len(index))}

            Derived(index, "x", {}).open(make, _values)

    ask()
    ask()
    source = next(folder.parent.glob("*.jsonl"))
    (tmp_path / "copy.jsonl").write_bytes(source.read_bytes())
    build_index([(tmp_path / "copy.jsonl", "jsonl")], folder, append=True)
    ask()
    assert made == [2]
    again = write(tmp_path / "new.jsonl", [Record("2", "Heart")])
    build_index([again], folder, append=True)  # as many documents as before
    ask()
    assert made == [2, 2]


def test_two_at_once(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    """One builds; the other says that it waits, and reads what the first one made."""
    begun, go_on = threading.Event(), threading.Event()

    def slow() -> Arrays:
        begun.set()
        assert go_on.wait(20)
        return {"values": np.arange(4)}

    found: list[list[int]] = []
    first = threading.Thread(target=lambda: found.append(_open(tmp_path, slow)))
    second = threading.Thread(target=lambda: found.append(_open(tmp_path, _forbidden)))
    with caplog.at_level(logging.WARNING):
        first.start()
        assert begun.wait(20)
        second.start()
        while not caplog.records:
            second.join(0.01)
        go_on.set()
        first.join()
        second.join()
    assert found == [[0, 1, 2, 3]] * 2
    assert [r.getMessage() for r in caplog.records] == [
        f"{tmp_path / 'derived' / 'x'}: waiting for another process that builds it"
    ]


def test_processes(tmp_path: Path, run_python: Callable[..., object]) -> None:
    """Eight processes at once: one builds, all read the same."""
    code = """
import sys, time
from pathlib import Path
from types import SimpleNamespace
import numpy as np
from relsent_ir.lucene.memory.derived import Derived

folder = Path(sys.argv[1])
def build():
    with (folder / "built").open("a") as log:
        log.write("x")
    time.sleep(0.2)
    return {"values": np.arange(100_000)}
holder = SimpleNamespace(folder=folder, unit="abstracts", content="1", is_current=lambda: True)
print(Derived(holder, "x", {}).open(build, lambda stored: int(stored.arrays["values"].sum())))
"""
    said = []
    threads = [
        threading.Thread(target=lambda: said.append(run_python(code, tmp_path).stdout))
        for _ in range(8)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert said == ["4999950000\n"] * 8
    assert (tmp_path / "built").read_text() == "x"


def test_a_build_that_fails(tmp_path: Path) -> None:
    """Nothing is left behind, and the lock is free; no place to write is one line."""

    def fail() -> Arrays:
        raise InputError("nothing to build from")

    with pytest.raises(InputError, match="nothing to build from"):
        _open(tmp_path, fail)
    assert _folders(tmp_path) == set()
    assert _open(tmp_path, lambda: {"values": np.arange(1)}) == [0]
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "derived").write_text("in the way")
    with pytest.raises(OutputError, match="cannot be written"):
        _open(tmp_path / "other", _forbidden)


def test_damaged(tmp_path: Path) -> None:
    """What cannot be read, or does not fit, is named with what to do."""
    _open(tmp_path, lambda: {"values": np.arange(3)})
    (name,) = _folders(tmp_path)
    path = tmp_path / "derived" / "x" / name
    np.save(path / "values.npy", np.arange(4))
    with pytest.raises(InputError, match=r"values\.npy: .* \(delete the folder\)"):
        _open(tmp_path, _forbidden)
    (path / "values.npy").unlink()
    facts = json.loads((path / "model.json").read_text())
    (path / "model.json").write_text(json.dumps({**facts, "arrays": {}}))
    with pytest.raises(InputError, match=r"data \(x\) are damaged: 'values' \(delete the folder\)"):
        _open(tmp_path, _forbidden)


def test_taken_away_while_it_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Another process that found the index changed may remove it: then it is built again."""
    import shutil

    _open(tmp_path, lambda: {"values": np.arange(3)})
    (name,) = _folders(tmp_path)
    load = derived.load_folder

    def taken(path: Path, **_: object) -> Stored:
        shutil.rmtree(path)
        monkeypatch.setattr(derived, "load_folder", load)
        return load(path)

    monkeypatch.setattr(derived, "load_folder", taken)
    assert _open(tmp_path, lambda: {"values": np.arange(3)}) == [0, 1, 2]
    assert _folders(tmp_path) == {name}


def test_elsewhere_where_the_index_cannot_be_written(tmp_path, monkeypatch):
    """A read-only index keeps what is derived from it in the user's cache, or where one says."""
    folder = tmp_path / "index"
    folder.mkdir()
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setattr(derived.os, "access", lambda path, _: Path(path) != folder)
    assert _open(folder, lambda: {"values": np.arange(3)}) == [0, 1, 2]
    assert _open(folder, _forbidden) == [0, 1, 2]
    assert list(folder.iterdir()) == []
    assert list((tmp_path / "cache" / "relsent-ir").glob("*/x/*/model.json"))
    monkeypatch.setattr(files, "chosen_cache", tmp_path / "chosen")
    assert _open(folder, lambda: {"values": np.arange(2)}) == [0, 1]
    assert list((tmp_path / "chosen").glob("*/x/*/model.json"))


def test_both_indexes(build: Callable[..., Path]) -> None:
    """What is made of both is made again when the sentences alone have changed: their moves."""

    def moves(folder: Path) -> list[int]:
        with Indexes(folder) as both:

            def make() -> Arrays:
                moved = [s.move == "RESULTS" for s in both.parts(["1"])["1"]]
                return {"values": np.array(moved, dtype=np.int32)}

            return Derived(both, "x", {}).open(make, _values)

    folder = build([Record("1", "Lung", sections=(Section("Mucus rose."),))])
    assert moves(folder) == [0, 0]
    with Index(folder) as abstracts:
        before = abstracts.content
    tag_index(folder, MoveTagger("mine", lambda r: [Sentence(r.id, 1, r.abstract, "RESULTS", 1.0)]))
    with Index(folder) as abstracts:
        assert abstracts.content == before
    assert moves(folder) == [0, 1]
    assert len(_folders(folder)) == 1
    assert check_index(folder).endswith("sound; 1 stores of derived data")


def test_an_old_and_a_new_view(build: Callable[..., Path], write: Any, tmp_path: Path) -> None:
    """Who has the index open as it was removes nothing of who has opened it since."""
    folder = build([Record("1", "Lung")])
    made: list[str] = []

    def ask(index: Index) -> list[int]:
        def make() -> Arrays:
            made.append(index.content)
            return {"values": np.arange(len(index))}

        return Derived(index, "x", {}).open(make, _values)

    with Index(folder) as old:
        assert ask(old) == [0]
        build_index([write(tmp_path / "new.jsonl", [Record("2", "Bone")])], folder, append=True)
        with Index(folder) as new:
            assert (old.is_current(), new.is_current()) == (False, True)
            for _ in range(9):
                assert ask(new) == [0, 1]
                assert ask(old) == [0]
    assert made == [old.content, new.content, old.content]
    told = check_index(folder)
    assert told.endswith("1 stores of derived data, and 1 of what the index held before")


def test_removed_while_they_are_read(tmp_path: Path) -> None:
    """Data of an index that changes again and again: whoever reads older ones never notices."""
    stop = threading.Event()
    wrong: list[object] = []

    def read(content: str) -> None:
        source = _source(tmp_path, content, current=False)
        while not stop.is_set():
            try:
                values = Derived(source, "x", {}).open(
                    lambda: {"values": np.arange(int(content))}, _values
                )
            except Exception as error:  # noqa: BLE001
                wrong.append(error)
                return
            if len(values) != int(content):
                wrong.append(values)

    readers = [threading.Thread(target=read, args=(str(n),)) for n in (1, 2, 3, 1)]
    for reader in readers:
        reader.start()
    try:
        for content in range(10, 60):
            _open(tmp_path, lambda n=content: {"values": np.arange(n)}, str(content))
    finally:
        stop.set()
        for reader in readers:
            reader.join()
    assert wrong == []


RACE = """
import sys, time
from pathlib import Path

from relsent_ir.counts.matrix import TermMatrix
from relsent_ir.lucene.read.collection import Indexes
from relsent_ir.related.store import formula_model

folder, ready, seconds, renewed = *sys.argv[1:3], float(sys.argv[3]), sys.argv[4] == "new"
collection = Indexes(folder)
collection.abstracts, collection.sentences
Path(ready).touch()
until, calls = time.monotonic() + seconds, 0
while time.monotonic() < until:
    if renewed:
        collection.close()
        collection = Indexes(folder)
    assert len(TermMatrix.read(collection.abstracts).ids) == len(collection.abstracts)
    assert len(TermMatrix.read(collection.sentences).ids) == len(collection.sentences)
    formula_model("I1.5", collection.sentences)
    calls += 1
print(calls > 5)
"""


@pytest.mark.slow
def test_race_of_views(build, write, invent, run_python, tmp_path):
    """For a minute, views of before, between and after updates: each reads what it has open."""
    records = invent(80, 3)
    folder = build(records[:40])
    asked = [("old", 0), ("new", 0), ("new", 0), ("old", 20), ("old", 40)]
    with ThreadPoolExecutor(len(asked)) as pool:
        ran = []
        began = time.monotonic()
        for n, (view, after) in enumerate(asked):
            ready = tmp_path / f"ready{n}"
            while time.monotonic() < began + after:
                number = len(list(tmp_path.glob("*.jsonl")))
                added = write(tmp_path / f"{number}.jsonl", records[40 + number : 41 + number])
                build_index([added], folder, append=True)
                time.sleep(2)
            left = began + 60 - time.monotonic()
            ran.append(pool.submit(run_python, RACE, folder, ready, left, view))
            while not ready.exists() and not ran[-1].done():
                time.sleep(0.05)
        for each in ran:
            done = each.result()
            assert (done.stdout, done.returncode) == ("True\n", 0), done.stderr


def test_name_of_another(tmp_path: Path) -> None:
    """Data under another name, and data of an earlier version, are told apart from sound ones."""
    _open(tmp_path, lambda: {"values": np.arange(3)}, of="a")
    (name,) = _folders(tmp_path)
    folder = tmp_path / "derived" / "x"
    assert check_derived(tmp_path, {"abstracts": "1"}) == (1, 0)
    assert check_derived(tmp_path, {"abstracts": "2"}) == (0, 1)
    facts = json.loads((folder / name / "model.json").read_text())
    (folder / name / "model.json").write_text(json.dumps({**facts, "of": "b"}))
    with pytest.raises(InputError, match=r"made of something else \(delete the folder\)"):
        check_derived(tmp_path, {"abstracts": "1"})
    del facts["derived"]
    (folder / name / "model.json").write_text(json.dumps(facts))
    assert check_derived(tmp_path, {"abstracts": "1"}) == (0, 1)


FULL = """
import sys
from pathlib import Path
from types import SimpleNamespace
import numpy as np
from relsent_ir.errors import OutputError
from relsent_ir.lucene.memory.derived import Derived

source = SimpleNamespace(
    folder=Path(sys.argv[1]), unit="abstracts", content="1", is_current=lambda: True
)
derived = Derived(source, "x", {})

def scratch():
    array = derived.scratch(np.int32, 2**20)
    array[:] = 1
    return {"values": array}

def spool():
    spool = derived.spool(np.int32)
    for _ in range(20):
        spool.add(np.ones(2**16, np.int32))
    return {"values": spool.array()}

for build in (scratch, spool, lambda: {"values": np.ones(2**20)}):
    try:
        derived.open(build, lambda stored: stored)
    except OutputError as error:
        print(error.exit_code, str(error).partition(": ")[2])
"""


def test_full_disk(tmp_path: Path, run_python: Callable[..., Any]) -> None:
    """Building on a full disk ends in one line, not in SIGBUS; nothing is left behind."""
    mount = shutil.which("mount")
    command = [mount or "", "-t", "tmpfs", "-o", "size=2m", "tmpfs", str(tmp_path)]
    if mount is None or subprocess.run(command, check=False, capture_output=True).returncode:
        pytest.skip("no file system of a given size can be made here")
    try:
        ran = run_python(FULL, tmp_path)
        lines = ran.stdout.splitlines()
        assert len(lines) == 3, ran.stderr
        assert all(
            line.startswith("6 cannot be written: No space left on device") for line in lines
        )
        assert [path.name for path in tmp_path.rglob("*") if path.is_file()] == [".lock"]
    finally:
        subprocess.run(["umount", str(tmp_path)], check=True)
