"""The sample's page, called without a network; and records that would do harm if they could."""

import shutil
from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path

import pytest
from starlette.testclient import TestClient

import relsent_ir as rir
from relsent_ir.lucene.documents import MoveTagger
from relsent_ir.lucene.write.indexing import build_index
from relsent_ir.moves import default_model, tag_record
from relsent_ir.records import Record, Section, Sentence
from relsent_ir.trec import write_run
from relsent_ir.web import Settings, create_app
from relsent_ir.web.settings import LOCAL
from tests.invented import index_of

SECONDS = 600.0  # that a request may take: on a machine that is busy 20 can be too few
SAMPLE = Path(str(files("relsent_ir") / "datasets" / "sample"))


def _tag(record: Record) -> list[Sentence]:
    return list(tag_record(default_model(), record))


@pytest.fixture(scope="session")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The sample's index with moves, and two runs of its topics."""
    path = tmp_path_factory.mktemp("web")
    build_index(
        [(SAMPLE / "sample.xml", "pubmed-xml")], path / "sample", tagger=MoveTagger("test", _tag)
    )
    topics = rir.read_topics(SAMPLE / "topics.tsv")
    with rir.open_collection(path / "sample") as sample:
        write_run(path / "bm25.txt", sample.search(topics, 20))
        write_run(path / "rm3.txt", sample.search(topics, rir.RM3(), 20))
    shutil.copy(SAMPLE / "topics.tsv", path)
    shutil.copy(SAMPLE / "qrels.txt", path)
    return path


@pytest.fixture(scope="session")
def settings(folder: Path) -> Settings:
    """Settings with a ranker and both runs."""
    return Settings(
        ranker="I1.5",
        runs=(folder / "bm25.txt", folder / "rm3.txt"),
        qrels=folder / "qrels.txt",
        topics=folder / "topics.tsv",
        hosts=(*LOCAL, "testserver"),  # as test clients call it
        seconds=SECONDS,
    )


@pytest.fixture(scope="session")
def client(folder: Path, settings: Settings) -> Iterator[TestClient]:
    """The sample's page, all of it open."""
    yield from served_client(folder / "sample", settings)


EVIL = "<script>alert(1)</script>"
TURNED = "\u202egnp.exe\u202c \u2066x\u2069 \u200f"
RECORDS = (
    Record(
        f'a/../"b"{EVIL}#?&%2e',
        f"{EVIL} mice {TURNED}",
        sections=(
            Section(f'Mice ran {EVIL} far. "><img src=x onerror=alert(1)> mice slept {TURNED}.'),
            Section("javascript:alert(1) mice ran again."),
        ),
        journal=f"J {EVIL}",
        authors=(f"Au {EVIL}",),
        publication_types=(f"Type {EVIL}",),
        year="2001",
        pmid='1"><script>alert(1)</script>',
        doi='10.1/"><script>alert(1)</script>',
        own=(("pmcid", 'PMC1"><script>alert(1)</script>'),),
    ),
    Record("../../etc/passwd", "javascript:alert(1)", sections=(Section("Mice ran far."),)),
    Record("=1+1", "=cmd mice", sections=(Section("=HYPERLINK(1) mice ran."),)),
    Record("none", "", year="1999"),
)


@pytest.fixture(scope="session")
def evil(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    """The page of records that hold markup, links and characters that reorder text."""
    path = tmp_path_factory.mktemp("evil")
    index_of(path, RECORDS)
    yield from served_client(path / "index", Settings(seconds=SECONDS))


def served_client(index: Path, settings: Settings) -> Iterator[TestClient]:
    """Give a client of a collection whose page is all open."""
    app = create_app(rir.open_collection(index), settings)
    with TestClient(app, base_url="http://127.0.0.1:8000") as client:
        app.state.shelf.library.opened.wait(SECONDS)
        yield client
