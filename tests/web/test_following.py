"""A page that follows its index."""

import gc
import re
import shutil
import time
from collections import Counter
from pathlib import Path
from threading import Event, Thread

import pytest
from starlette.testclient import TestClient

import relsent_ir as rir
from relsent_ir.lucene.write.indexing import build_index
from relsent_ir.records import Record, Section
from relsent_ir.web import Settings, create_app
from tests.web.conftest import SECONDS


def _file(path: Path, name: str, text: str) -> Path:
    record = Record(name, f"Title {name}", sections=(Section(text),), year="2001")
    path.write_text(record.to_json() + "\n")
    return path


@pytest.fixture
def index(tmp_path: Path) -> Path:
    """An index of one record."""
    build_index([(_file(tmp_path / "1.jsonl", "1", "Mice ran far."), "jsonl")], tmp_path / "index")
    return tmp_path / "index"


def _append(index: Path, name: str, text: str) -> None:
    file = _file(index.parent / f"{name}.jsonl", name, text)
    build_index([(file, "jsonl")], index, append=True)


def _ids(client: TestClient) -> list[str]:
    return sorted(hit["id"] for hit in client.get("/api/search?q=mice").json()["hits"])


def test_new_records(index: Path) -> None:
    """The next request has them and says so; what the browser had is not current any more."""
    app = create_app(rir.open_collection(index), Settings(seconds=SECONDS))
    with TestClient(app, base_url="http://localhost") as client:
        assert _ids(client) == ["1.1"]
        app.state.shelf.library.opened.wait(SECONDS)
        first = client.get("/?q=mice")
        assert "was updated at" not in first.text
        _append(index, "2", "Mice slept.")
        again = client.get("/?q=mice", headers={"If-None-Match": first.headers["ETag"]})
        assert again.status_code == 200
        assert "2 records, 1 before." in again.text
        assert _ids(client) == ["1.1", "2.1"]


def test_an_old_generation_lasts_for_its_request(index: Path) -> None:
    """A request that has begun ends with the index that it began with."""
    app = create_app(rir.open_collection(index), Settings(seconds=SECONDS))
    shelf, go, read = app.state.shelf, Event(), []

    def reader() -> None:
        with shelf.lend() as library:
            go.wait(60)
            read.append(len(library.collection.search("mice", 10)))

    with TestClient(app, base_url="http://localhost") as client:
        old, thread = shelf.library, Thread(target=reader)
        thread.start()
        _append(index, "2", "Mice slept.")
        assert _ids(client) == ["1.1", "2.1"]
        assert shelf.library is not old
        go.set()
        thread.join()
    assert read == [1]


def test_gone(index: Path) -> None:
    """A deleted index is one line, 503; when there is one again it is served."""
    app = create_app(rir.open_collection(index), Settings(seconds=SECONDS))
    with TestClient(app, base_url="http://localhost") as client:
        assert _ids(client) == ["1.1"]
        app.state.shelf.library.opened.wait(SECONDS)  # it writes derived data there
        shutil.rmtree(index)
        answer = client.get("/api/search?q=mice")
        assert (answer.status_code, answer.json()["error"]) == (503, "the index is gone")
        assert client.get("/?q=mice").status_code == 503
        file = _file(index.parent / "3.jsonl", "3", "Mice and men.")
        build_index([(file, "jsonl")], index)
        assert _ids(client) == ["3.1"]


@pytest.mark.skipif(not Path("/proc/self/maps").exists(), reason="needs /proc")
def test_append_under_load(index: Path) -> None:
    """While readers ask without pause, no request fails, the next has what is new, and files go."""
    app = create_app(rir.open_collection(index), Settings(seconds=SECONDS))
    statuses: Counter[int] = Counter()
    ended = Event()

    def reader(client: TestClient, address: str) -> None:
        while not ended.is_set():
            answer = client.get(address)
            statuses[
                f"{answer.status_code} {'' if answer.status_code == 200 else answer.text[-600:]}"
            ] += 1

    addresses = (
        "/api/search?q=mice",
        "/api/abstract?id=1",
        "/api/related?id=1.1",
        "/api/facets?q=mice",
    )
    with TestClient(app, base_url="http://localhost") as client:
        readers = [Thread(target=reader, args=(client, address)) for address in addresses]
        for thread in readers:
            thread.start()
        try:
            for n in range(2, 6):
                _append(index, str(n), f"Mice slept {n} times.")
                assert _ids(client) == [f"{one}.1" for one in range(1, n + 1)]
        finally:
            ended.set()
            for thread in readers:
                thread.join()
        assert set(statuses) == {"200 "}
        app.state.shelf.library.opened.wait(SECONDS)
        for _ in range(100):  # older generations are closed in threads of their own
            gc.collect()  # what is reachable counts, not when garbage is collected
            if not (stale := _stale(index)):
                return
            time.sleep(0.1)
        pytest.fail(f"what older generations had open still is: {stale}")


def _stale(index: Path) -> list[str]:
    """List the files that this process has mapped of older generations.

    Those of Lucene that are deleted, or mapped twice; and the derived arrays, whose folders are
    named by the content, of more than the last two.
    """
    lines = Path("/proc/self/maps").read_text(encoding="utf-8").splitlines()
    mapped = Counter(line.split(maxsplit=5)[5] for line in lines if str(index) in line)
    derived = {file for file in mapped if "/derived/" in file}
    old = [file for file in mapped.keys() - derived if mapped[file] > 1 or "(deleted)" in file]
    contents = {re.split(r"/\.?", file)[-2].partition("-")[0] for file in derived}
    return old if len(contents) <= 2 else [*old, *contents]
