"""Foreseeing what an index takes, from beginnings of files."""

import gzip
from pathlib import Path
from typing import Any

import pytest

from relsent_ir.errors import InputError
from relsent_ir.lucene.read.index import Index
from relsent_ir.lucene.write import planning
from relsent_ir.lucene.write.changing import model_tagger
from relsent_ir.lucene.write.indexing import build_index
from relsent_ir.lucene.write.planning import plan_index

Input = tuple[Path, str]


def size(folder: Path) -> int:
    """Bytes of all files below."""
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())


def test_short_files_are_taken_whole(tmp_path: Path, invent: Any, write: Any) -> None:
    """Nothing is guessed then: records, sentences, postings and bytes are those of the index."""
    inputs = [write(tmp_path / f"{c}.jsonl", invent(30, i, c)) for i, c in enumerate("abc")]
    plan = plan_index(inputs, tmp_path / "not" / "there", tagger=model_tagger())
    assert not (tmp_path / "not").exists()
    build_index(inputs, tmp_path / "index", tagger=model_tagger(), optimize=True)
    postings = 0
    for unit, count in (("abstracts", plan.records), ("sentences", plan.sentences)):
        with Index(tmp_path / "index", unit) as index:
            assert count == len(index)
            postings += index.statistics()["postings"]
    assert (plan.files, plan.bytes, plan.sampled) == (
        3,
        size(tmp_path) - size(tmp_path / "index"),
        90,
    )
    assert plan.postings == 8 * postings
    assert plan.index == pytest.approx(size(tmp_path / "index"), rel=0.1)
    assert plan.most == 2 * plan.index < plan.free
    assert list(plan.seconds) == ["reading", "splitting", "tagging", "Lucene"]
    assert min(plan.seconds.values()) > 0
    assert plan.memory > 2**26


def test_long_files_are_sampled_by_kind(tmp_path, invent, write, monkeypatch):
    """A packed file counts by its packed bytes, and files between the chosen ones count too."""
    monkeypatch.setattr(planning, "BYTES", {True: 20_000, False: 40_000})
    inputs = [write(tmp_path / f"{i}.jsonl", invent(400, i, f"{i}-")) for i in range(5)]
    packed = tmp_path / "p.jsonl.gz"
    lines = "".join(record.to_json() + "\n" for record in invent(1000, 9, "p"))
    packed.write_bytes(gzip.compress(lines.encode()))
    ticks: list[tuple[int, int | None]] = []
    plan = plan_index(
        [*inputs, (packed, "jsonl")], tmp_path, progress=lambda *tick: ticks.append(tick)
    )
    assert plan.records == pytest.approx(3000, rel=0.08)
    assert plan.sampled < 1500
    assert plan.sentences == pytest.approx(3000 * 3, rel=0.08)
    assert ticks == [(n, 8) for n in range(1, 9)]
    assert "tagging" not in plan.seconds


@pytest.mark.parametrize(
    ("threads", "processors", "clock"),
    [
        (1, 16, 24),  # one process reads, splits and tags
        (2, 16, 10),  # two split and tag
        (4, 16, 6),  # Lucene's two threads
        (16, 2, 18),  # all of it by two processors
    ],
)
def test_clock(threads: int, processors: int, clock: float) -> None:
    """The longest of what goes on side by side."""
    seconds = {"reading": 4.0, "splitting": 8.0, "tagging": 12.0, "Lucene": 12.0}
    assert planning._clock(seconds, threads, processors) == clock


def test_odd_files(tmp_path, invent, write, monkeypatch):
    """The beginning grows until a record is in it; what is wrong is told as index says it."""
    monkeypatch.setattr(planning, "BYTES", {True: 10, False: 10})
    inputs = [write(tmp_path / "a.jsonl", invent(50, 1))]
    assert 0 < plan_index(inputs, tmp_path).sampled < 50
    (tmp_path / "a.jsonl").write_text("no json\n" * 20)
    with pytest.raises(InputError, match=r"a\.jsonl: holds no jsonl records"):
        plan_index([(tmp_path / "a.jsonl", "jsonl")], tmp_path)
    with pytest.raises(InputError, match="there is no such file"):
        plan_index([(tmp_path / "b.jsonl", "jsonl")], tmp_path)
