"""Documents prepared in several processes: the same index for any number of them."""

import gzip
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from multiprocessing import active_children
from pathlib import Path
from typing import Any

import pytest

from relsent_ir.errors import InputError, UsageError
from relsent_ir.executor import Processes
from relsent_ir.lucene.documents import MoveTagger
from relsent_ir.lucene.read.index import Index
from relsent_ir.lucene.read.search import Searcher
from relsent_ir.lucene.write import indexing
from relsent_ir.lucene.write.changing import model_tagger, tag_index
from relsent_ir.lucene.write.indexing import build_index
from relsent_ir.records import Record, Section
from relsent_ir.trec import write_run

Input = tuple[Path, str]


@pytest.fixture
def inputs(tmp_path: Path, invent: Any, write: Any, sample_update: Input) -> list[Input]:
    """Three files of 70 records, bad ones and a copy among them; an update that deletes."""
    files = [write(tmp_path / f"{c}.jsonl", invent(70, i, c)) for i, c in enumerate("abc")]
    path = files[1][0]
    lines = path.read_text().splitlines()
    lines[50:50] = ["no json", Record("long", sections=(Section("x" * 20_000_001),)).to_json()]
    path.write_text("\n".join([*lines, '{"title": "no id"}']))
    copy = tmp_path / "copy.jsonl"
    copy.write_bytes(files[0][0].read_bytes())
    return [files[0], files[1], (copy, "jsonl"), files[2], sample_update]


def test_any_number_of_processes_makes_the_same(tmp_path, inputs, contents):
    """Documents, moves, statistics, counts, bad records and their order, and runs to the byte."""
    topics = {str(n): record.title for n, record in enumerate(_records(inputs[0][0])) if n < 20}
    built, told, runs = [], [], []
    for threads in (1, 3):
        skipped: list[InputError] = []
        folder = tmp_path / str(threads)
        built.append(
            build_index(
                inputs, folder, tagger=model_tagger(), threads=threads, on_skip=skipped.append
            ).read
        )
        told.append([str(error) for error in skipped])
        for unit in ("abstracts", "sentences"):
            with Index(folder, unit) as index:
                write_run(tmp_path / f"{unit}{threads}", Searcher(index).search(topics, k=50), "t")
        runs.append(
            [(tmp_path / f"{unit}{threads}").read_bytes() for unit in ("abstracts", "sentences")]
        )
    assert built[0] == built[1]
    assert [source.records for source in built[0]] == [70, 70, 0, 70, 1]
    assert told[0] == told[1]
    assert [line.partition(": ")[0].rpartition("/")[2] for line in told[0]] == [
        "b.jsonl:51",
        "b.jsonl, record long",
        "b.jsonl:73",
    ]
    assert runs[0] == runs[1]
    assert contents(tmp_path / "1") == contents(tmp_path / "3")


def _records(path: Path) -> Iterator[Record]:
    return map(Record.from_json, path.read_text().splitlines())


def test_tagging_what_is_there(tmp_path, inputs, contents):
    """An index that is tagged by two processes is the one that was built with moves."""
    build_index(inputs[:2], tmp_path / "with", tagger=model_tagger())
    build_index(inputs[:2], tmp_path / "later")
    ticks: list[tuple[int, int | None]] = []
    with Processes(2) as crew:
        assert tag_index(tmp_path / "later", model_tagger(), lambda *t: ticks.append(t), crew)
    assert ticks[-1] == (140, 140)
    found, wanted = contents(tmp_path / "later"), contents(tmp_path / "with")
    assert found["sentences"] == wanted["sentences"]
    assert found["abstracts"] == wanted["abstracts"]


def test_a_killed_process_changes_nothing(tmp_path, inputs, contents, monkeypatch):
    """Each of them is killed once, the one that reads too."""
    monkeypatch.setattr(indexing, "TICK", 1)
    alive: list[Any] = []

    def kill(_done: int, _total: int | None) -> None:
        if not alive:
            alive.extend(active_children())
        if alive:
            alive.pop().kill()

    build_index(inputs, tmp_path / "killed", threads=2, progress=kill)
    assert not alive
    build_index(inputs, tmp_path / "undisturbed")
    assert contents(tmp_path / "killed") == contents(tmp_path / "undisturbed")


def test_a_file_that_breaks_off(tmp_path: Path, inputs: list[Input], invent: Any) -> None:
    """It stops the build in the same line, after the files before it."""
    path = tmp_path / "cut.jsonl.gz"
    lines = "".join(record.to_json() + "\n" for record in invent(1000, 9, "z"))
    path.write_bytes(gzip.compress(lines.encode())[:-2000])
    said = []
    for threads in (1, 2):
        folder = tmp_path / str(threads)
        with pytest.raises(InputError, match=r"cut\.jsonl\.gz: .*after record z") as caught:
            build_index([inputs[0], (path, "jsonl"), inputs[3]], folder, threads=threads)
        said.append(str(caught.value))
        with Index(folder) as index:
            assert [source.records for source in index.facts.sources] == [70]
    assert said[0] == said[1]


def test_a_tagger_that_cannot_be_sent(tmp_path: Path, inputs: list[Input]) -> None:
    """A function without a name stays in its process; nothing is left behind."""
    with pytest.raises(UsageError, match=r"cannot be given to another process.*use one process"):
        build_index(inputs, tmp_path / "index", tagger=MoveTagger("mine", lambda _: ()), threads=2)
    assert not (tmp_path / "index").exists()


def _is_there(group: int) -> bool:
    """Whether a group of processes has any."""
    try:
        os.killpg(group, 0)
    except ProcessLookupError:
        return False
    return True


def test_interrupted_from_the_keyboard(tmp_path, invent, write, contents, environment):
    """Ctrl-C, which the terminal sends to all processes: one line, none of them is left."""
    sizes = (600, 600, 3000)  # what is left is more than is done before the signal comes
    files = [write(tmp_path / f"{n}.jsonl", invent(k, n, f"r{n}-")) for n, k in enumerate(sizes)]
    folder = tmp_path / "index"
    command = [sys.executable, "-m", "relsent_ir.cli.main", "index", "--threads", "2", "--index"]
    command += [str(folder), "--input", *(str(path) for path, _ in files)]
    for _ in range(3):  # on a busy machine it may end before the signal reaches it
        shutil.rmtree(folder, ignore_errors=True)
        process = subprocess.Popen(
            command,
            env=environment,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
            # A shell's background job ignores Ctrl-C, and so would what it starts.
            preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
        )
        while process.poll() is None and not list(folder.glob("abstracts/segments_*")):
            time.sleep(0.01)
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGINT)
        _, err = process.communicate(timeout=1000)
        if process.returncode:
            break
    assert process.returncode != 0
    assert "Traceback" not in err
    until = time.monotonic() + 10  # multiprocessing's own process ends after its parent
    while _is_there(process.pid) and time.monotonic() < until:
        time.sleep(0.01)
    assert not _is_there(process.pid)
    build_index(files, folder)
    build_index(files, tmp_path / "undisturbed")
    assert contents(folder) == contents(tmp_path / "undisturbed")
