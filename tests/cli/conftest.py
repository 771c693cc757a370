"""The command line in the test's process, and a folder with the sample and its indexes."""

import logging
import math
import shutil
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path

import pytest

from relsent_ir.cli import output
from relsent_ir.cli.main import main
from relsent_ir.lucene.write.indexing import build_index

SAMPLE = Path(str(files("relsent_ir") / "datasets" / "sample"))
ROOT = Path(__file__).parents[2]


@dataclass(frozen=True)
class Ran:
    """What a verb did: its exit code, and the lines that it printed."""

    code: int
    out: str
    err: str


@pytest.fixture
def relsent(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> Iterator[Callable[..., Ran]]:
    """Run ``relsent-ir`` with these arguments; no progress is told, however busy the machine is."""
    monkeypatch.setattr(output, "EVERY", math.inf)

    def run(*arguments: object) -> Ran:
        code = main([str(argument) for argument in arguments])
        printed = capsys.readouterr()
        return Ran(code, printed.out, printed.err)

    yield run
    logging.getLogger("relsent_ir").handlers = []


@pytest.fixture(scope="session")
def sample_indexes(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The indexes of the sample; for reading only."""
    folder = tmp_path_factory.mktemp("cli") / "index"
    build_index([(SAMPLE / "sample.xml", "pubmed-xml")], folder)
    return folder


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A current folder with the sample's records, topics and qrels."""
    monkeypatch.chdir(tmp_path)
    for name in ("topics/sample.tsv", "qrels/sample.txt"):
        (tmp_path / name).parent.mkdir()
        shutil.copy(ROOT / name, tmp_path / name)
    shutil.copy(SAMPLE / "sample.xml", tmp_path)
    shutil.copy(SAMPLE / "update.xml", tmp_path)
    return tmp_path


@pytest.fixture
def refused(relsent: Callable[..., Ran]) -> Callable[..., None]:
    """Check that a verb ends with this code and one line that says this, and prints no more."""

    def check(code: int, said: str, *arguments: object) -> None:
        ran = relsent(*arguments)
        assert (ran.code, ran.out, ran.err.count("\n")) == (code, "", 1), ran.err
        assert said in ran.err

    return check
