"""Invented collections, built indexes, and other Python processes, for the engine's tests."""

import os
import random
import subprocess
import sys
from collections.abc import Callable, Iterable, Sequence
from importlib.resources import files
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

from relsent_ir.lucene.commits import Facts
from relsent_ir.lucene.read.index import Index
from relsent_ir.lucene.write.indexing import build_index
from relsent_ir.lucene.write.writer import CollectionWriter
from relsent_ir.records import Mesh, Record, Section, read_records
from relsent_ir.trec import read_topics

SYLLABLES = [first + second for first in "bdfgklmnprstvz" for second in "aeiou"]


def _invent(count: int, seed: int, prefix: str = "") -> list[Record]:
    """Make up records: a title, one or two sections, a heading; ids are prefix and number."""
    chance = random.Random(seed)
    words = ["".join(chance.choices(SYLLABLES, k=chance.randint(1, 3))) for _ in range(400)]

    def sentence() -> str:
        return " ".join(chance.choices(words, k=chance.randint(4, 12))).capitalize() + "."

    return [
        Record(
            f"{prefix}{number}",
            sentence(),
            sections=tuple(
                Section(" ".join(sentence() for _ in range(chance.randint(1, 3))))
                for _ in range(chance.randint(0, 2))
            ),
            mesh=(Mesh(chance.choice(words).capitalize()),),
        )
        for number in range(count)
    ]


@pytest.fixture(scope="session")
def invent() -> Callable[..., list[Record]]:
    """Make up records: ``invent(count, seed, prefix)``."""
    return _invent


@pytest.fixture(scope="session")
def write() -> Callable[[Path, Iterable[Record]], tuple[Path, str]]:
    """Write records as JSON lines; gives what `build_index` takes for an input."""

    def write_jsonl(path: Path, records: Iterable[Record]) -> tuple[Path, str]:
        path.write_text("".join(record.to_json() + "\n" for record in records), encoding="utf-8")
        return path, "jsonl"

    return write_jsonl


@pytest.fixture(scope="session")
def build(
    tmp_path_factory: pytest.TempPathFactory, write: Callable[..., tuple[Path, str]]
) -> Callable[..., Path]:
    """Index records, one file (and so one segment) for each list; gives the folder."""

    def build_records(*groups: Sequence[Record], **settings: Any) -> Path:
        folder = tmp_path_factory.mktemp("collection")
        inputs = [write(folder / f"{i}.jsonl", group) for i, group in enumerate(groups)]
        build_index(inputs, folder / "index", **settings)
        return folder / "index"

    return build_records


@pytest.fixture(scope="session")
def sample() -> tuple[Path, str]:
    """The bundled sample, as an input."""
    return Path(str(files("relsent_ir") / "datasets" / "sample" / "sample.xml")), "pubmed-xml"


@pytest.fixture(scope="session")
def sample_update() -> tuple[Path, str]:
    """The bundled sample's update file, as an input."""
    path = files("relsent_ir") / "datasets" / "sample" / "update.xml"
    return Path(str(path)), "pubmed-xml"


@pytest.fixture(scope="session")
def sample_index(tmp_path_factory: pytest.TempPathFactory, sample: tuple[Path, str]) -> Path:
    """The indexes of the sample; for reading only."""
    folder = tmp_path_factory.mktemp("sample") / "index"
    build_index([sample], folder)
    return folder


@pytest.fixture(scope="session")
def topics(sample: tuple[Path, str]) -> dict[str, str]:
    """The sample's topics, and the titles of its first records."""
    titles = {record.id: record.title for record in islice(read_records(sample[0]), 20)}
    return read_topics(Path(__file__).parents[2] / "topics" / "sample.tsv") | titles


@pytest.fixture(scope="session")
def contents() -> Callable[[Path], dict[str, Any]]:
    """Read all that a finished index holds: every document, the sources, both statistics."""

    def read(folder: Path) -> dict[str, Any]:
        found: dict[str, Any] = {}
        for unit in ("abstracts", "sentences"):
            with Index(folder, unit) as index:
                ids = index.ids()
                found[unit] = dict(zip(ids, index.raw(ids), strict=True))
                assert len(found[unit]) == len(ids), "an id is there twice"
                counts = index.statistics()
                del counts["segments"]  # depends on when Lucene merged
                found[f"{unit} statistics"] = counts
                found["sources"] = index.facts.sources
        return found

    return read


@pytest.fixture(scope="session")
def environment() -> dict[str, str]:
    """What other Python processes get: warnings are errors there too."""
    return {**os.environ, "PYTHONWARNINGS": "error", "PYTHONUTF8": "1"}


@pytest.fixture(scope="session")
def run_python(environment: dict[str, str]) -> Callable[..., "subprocess.CompletedProcess[str]"]:
    """Run code in a Python of its own, with arguments and extra environment variables."""

    def run(code: str, *arguments: object, **variables: str) -> "subprocess.CompletedProcess[str]":
        return subprocess.run(
            [sys.executable, "-c", code, *map(str, arguments)],
            capture_output=True,
            text=True,
            encoding="utf-8",
            timeout=1000,
            check=False,
            env={**environment, **variables},
        )

    return run


@pytest.fixture
def die_in_commit(monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """Let the `number`-th commit of a build end before it reaches the index `unit`.

    What is on disk is then what a process leaves that is killed there: the two indexes are
    committed one after the other, abstracts first.
    """

    def arm(number: int, unit: str = "sentences") -> None:
        original, write = CollectionWriter._commit, CollectionWriter._write
        calls = 0

        def dying(self: CollectionWriter, step: str, at: str, *arguments: Any) -> None:
            if (calls, step, at) == (number, "commit", unit):
                raise KeyboardInterrupt
            write(self, step, at, *arguments)

        def commit(self: CollectionWriter, facts: Facts) -> None:
            nonlocal calls
            calls += 1
            if calls == number:
                self._made = []  # the dead do not tidy up
            original(self, facts)

        monkeypatch.setattr(CollectionWriter, "_write", dying)
        monkeypatch.setattr(CollectionWriter, "_commit", commit)

    return arm
