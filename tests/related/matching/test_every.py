"""All sentences' matches: as one by one, and the same bytes however often it was stopped."""

import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

import numpy as np
import pytest

from relsent_ir.api import open_collection
from relsent_ir.cli.main import main
from relsent_ir.errors import InputError, MismatchError
from relsent_ir.hits import Run
from relsent_ir.lucene.read.shards import list_shards
from relsent_ir.methods import Related
from relsent_ir.models import save_folder
from relsent_ir.records import Record
from relsent_ir.related.matching import every as module
from relsent_ir.related.matching.every import write_every
from relsent_ir.related.matching.exact import LinearScorer
from relsent_ir.related.matching.matcher import Matcher, open_matcher
from relsent_ir.related.matching.shown import Showing
from tests.related.conftest import invent, matching
from tests.related.stored import read_every

Build = Callable[[Sequence[Record]], Path]


def _bytes(folder: Path) -> dict[str, bytes]:
    return {str(p.relative_to(folder)): p.read_bytes() for p in folder.rglob("*") if p.is_file()}


@pytest.fixture
def small_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    """Parts of 50 sentences."""
    monkeypatch.setattr(module, "PART", 50)


def test_every(collection: Path, tmp_path: Path, small_parts: None):
    """Each sentence has the matches that it has alone, and none of its own record."""
    told: list[tuple[int, int | None]] = []
    opens = partial(open_matcher, collection, "I1.5")
    _, sentences = write_every(opens, 3, tmp_path / "a", progress=lambda *at: told.append(at))
    found = dict(read_every(tmp_path / "a"))
    assert len(found) == sentences
    assert told[-1][0] == told[-1][1] == -(-sentences // 50)
    with matching(collection, "I1.5") as matcher:
        ids = ["r3.1", "r7.0"]
        topics = dict(zip(ids, matcher.collection.texts(ids), strict=True))
        for name, hits in matcher.related(topics, 3, without_own=True).items():
            assert list(found[name]) == list(hits)
    whole = _bytes(tmp_path / "a")
    shutil.rmtree(tmp_path / "a" / "part-0000000050")
    (tmp_path / "a" / ".part-0000000100.12345678.tmp").mkdir()
    write_every(opens, 3, tmp_path / "a")
    assert _bytes(tmp_path / "a") == whole
    for model, k in (("I1.5", 4), ("I1", 3)):
        with pytest.raises(MismatchError, match="of another index, model or --hits"):
            write_every(partial(open_matcher, collection, model), k, tmp_path / "a")


def _refuse(*_: object, **__: object) -> Run:
    raise AssertionError("it was matched, not read")


def test_read_where_it_is(build, monkeypatch, capsys):
    """The page's view, --pmid and Python have the stored matches, which are those of a search."""
    index = build(invent(40, seed=1))
    with matching(index, "huber-plus") as matcher:
        sentences = matcher.collection.parts(["r3"])["r3"]
        topics = {sentence.id: sentence.text for sentence in sentences}
        fresh = matcher.related(topics, 12, without_own=True)
        shown = Showing(matcher).related(topics, 3)
    arguments = ["related", "--index", str(index), "--pmid", "r3", "--json"]
    assert main(arguments) == 0
    printed = capsys.readouterr().out
    assert main(["related", "all", "--index", str(index)]) == 0
    capsys.readouterr()
    monkeypatch.setattr(Matcher, "_by_stages", _refuse)
    with matching(index, "huber-plus") as matcher:
        stored = matcher.related(topics, 12, without_own=True)
        assert list(stored) == list(fresh)
        for name, hits in fresh.items():
            assert hits.ids.tolist() == stored[name].ids.tolist()
            np.testing.assert_array_equal(hits.scores, stored[name].scores)
        again = Showing(matcher).related(topics, 3)
        assert {t: list(h) for t, h in again.items()} == {t: list(h) for t, h in shown.items()}
        for asked in ({"r3.1": "Another text, of malaria."}, {"q": "Malaria."}):
            with pytest.raises(AssertionError, match="matched"):
                matcher.related(asked, 3, without_own=True)
        for more in ({"k": 13}, {"depth": 200}, {"without_own": False}, {"candidates": "bm25"}):
            with pytest.raises(AssertionError, match="matched"):
                matcher.related(topics, **{"k": 3, "without_own": True, **more})  # type: ignore[arg-type]
    assert main(arguments) == 0
    assert capsys.readouterr().out == printed
    with open_collection(index) as opened:
        run = opened.related(topics, Related(without_own=True), 5)
        assert {t: list(h) for t, h in run.items()} == {t: list(h)[:5] for t, h in fresh.items()}


def test_outdated(build: Build, tmp_path: Path, capfd: pytest.CaptureFixture[str]):
    """When the index has changed, what is stored is not read, and a line says so."""
    index = build(invent(10, seed=2))
    command = ["related", "all", "--index", str(index), "--model", "I1.5"]
    assert main(command) == 0
    more = tmp_path / "more.jsonl"
    more.write_text("".join(r.to_json() + "\n" for r in invent(3, 3, "s")), encoding="utf-8")
    capfd.readouterr()
    assert main(["index", "--input", str(more), "--index", str(index), "--append"]) == 0
    assert "of what the index held before, and are not read" in capfd.readouterr().err
    with matching(index, "I1.5") as matcher:
        own = {"r3.1": matcher.collection.texts(["r3.1"])[0]}
        assert matcher.related(own, 80, without_own=True)["r3.1"].ids.tolist() == (
            matcher.related({"r3.1": own["r3.1"] + " "}, 80, without_own=True)["r3.1"].ids.tolist()
        )
    capfd.readouterr()
    assert main(command) == 0
    assert len([*(index / "derived" / module.NAME).iterdir()]) == 1
    capfd.readouterr()
    assert main(["related", "--index", str(index), "--model", "I1.5", "--pmid", "s1"]) == 0
    assert "not read" not in capfd.readouterr().err


def test_shards(build: Build, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """Matches of several indexes are stored beside the folder that lists them."""
    shards = [build(invent(15, seed, f"{seed}x")) for seed in (4, 5)]
    list_shards(tmp_path / "both", shards)
    place, _ = write_every(partial(open_matcher, tmp_path / "both", "I1.5"), 5)
    assert place.is_relative_to(tmp_path / "both")
    found = dict(read_every(place))
    with matching(tmp_path / "both", "I1.5") as matcher:
        own = {"4x3.1": matcher.collection.texts(["4x3.1"])[0]}
        fresh = matcher.related({"q": own["4x3.1"]}, 40)["q"]
        monkeypatch.setattr(LinearScorer, "best", _refuse)
        hits = matcher.related(own, 5, without_own=True)["4x3.1"]
    assert list(hits) == list(found["4x3.1"])
    others = [hit for hit in list(fresh) if not str(hit[0]).startswith("4x3.")]
    assert list(hits) == others[:5]


def test_damaged(collection: Path, tmp_path: Path):
    """A part whose arrays do not fit together is one line."""
    write_every(partial(open_matcher, collection, "I1.5"), 3, tmp_path / "a")
    path = tmp_path / "a" / "part-0000000000"
    stored = module.load_folder(path)
    arrays = {name: np.array(array) for name, array in stored.arrays.items()}
    save_folder(path, module.KIND, {}, {**arrays, "scores": arrays["scores"][1:]})
    with pytest.raises(InputError, match="these are no matches"):
        list(read_every(tmp_path / "a"))


_RUN = """
import sys
from functools import partial
from pathlib import Path
from relsent_ir.related.matching import every
from relsent_ir.related.matching.matcher import open_matcher
every.PART = 64
opens = partial(open_matcher, Path(sys.argv[1]), "huber-plus")
every.write_every(opens, 12, Path(sys.argv[2]))
"""


@pytest.mark.slow
def test_killed_three_times(build: Build, tmp_path: Path):
    """A thousand sentences, killed after some parts three times: the bytes of one run."""
    index = build(invent(170, seed=6))
    run = [sys.executable, "-c", _RUN, str(index)]
    subprocess.run([*run, str(tmp_path / "whole")], check=True)
    whole = _bytes(tmp_path / "whole")
    assert sum(1 for _ in read_every(tmp_path / "whole")) >= 1000
    parts = len([*(tmp_path / "whole").iterdir()])
    folder = tmp_path / "killed"
    for kill in (1, 2, 3):
        process = subprocess.Popen([*run, str(folder)])
        wanted = kill * parts // 4
        while process.poll() is None and len([*folder.glob("part-*")]) < wanted:
            time.sleep(0.005)
        process.send_signal(signal.SIGKILL)
        assert process.wait() == -signal.SIGKILL
        assert wanted <= len([*folder.glob("part-*")]) < parts
    subprocess.run([*run, str(folder)], check=True)
    assert _bytes(folder) == whole
