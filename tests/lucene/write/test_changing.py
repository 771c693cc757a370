"""Deleting records, and merging indexes."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from relsent_ir.errors import InputError, MismatchError, OutputError, UsageError
from relsent_ir.lucene.documents import MoveTagger
from relsent_ir.lucene.read.collection import Indexes
from relsent_ir.lucene.write.changing import delete_records, merge_indexes
from relsent_ir.moves import MOVES
from relsent_ir.records import Record, Section, Sentence

RECORDS = [Record(str(n), f"Ants {n}", sections=(Section(f"Run {n}. Fly."),)) for n in range(5)]


def _tag(record: Record) -> list[Sentence]:
    body = [s for s in record.sentences() if s.n]
    return [replace(s, move=MOVES[s.n % 4], score=0.5) for s in body]


def _content(folder: Path) -> dict[str, tuple[str, list[tuple[str, str, str]]]]:
    """Give the records of an index, with their sentences as it stores them."""
    with Indexes(folder) as collection:
        records = collection.records(collection.abstracts.ids())
        parts = collection.parts([record.id for record in records])
        assert len(collection.sentences) == sum(map(len, parts.values()))
        return {
            record.id: (record.title, [(s.id, s.text, s.move) for s in parts[record.id]])
            for record in records
        }


@pytest.mark.parametrize("tagger", [None, MoveTagger("mine", _tag)])
def test_delete(build: Callable[..., Path], tagger: MoveTagger | None) -> None:
    """What is left is an index of the others; unknown ids are not counted."""
    folder = build(RECORDS, tagger=tagger)
    assert delete_records(folder, ["9"]) == 0
    assert len(_content(folder)) == 5
    assert delete_records(folder, ["1", "3", "1", "9"]) == 2
    assert delete_records(folder, ["1", "3"]) == 0
    others = [record for record in RECORDS if record.id not in ("1", "3")]
    assert _content(folder) == _content(build(others, tagger=tagger))
    with pytest.raises(InputError, match="there is no index"):
        delete_records(folder / "none", ["1"])


@pytest.mark.parametrize("tagger", [None, MoveTagger("mine", _tag)])
def test_merge(build: Callable[..., Path], tmp_path: Path, tagger: MoveTagger | None) -> None:
    """Three that overlap: each record once, as the last one has it."""
    newer = [replace(RECORDS[1], title="Bees 1"), replace(RECORDS[4], title="Bees 4")]
    newest = [replace(RECORDS[4], title="Wasps 4"), Record("9", "Flies")]
    folders = [build(records, tagger=tagger) for records in (RECORDS, newer, newest)]
    told: list[tuple[int, int | None]] = []
    (tmp_path / "all" / "abstracts").mkdir(parents=True)  # what a killed one leaves
    merged = merge_indexes(folders, tmp_path / "all", lambda *done: told.append(done))
    assert merged == merge_indexes(folders, tmp_path / "all") == (6, 3)
    assert told[-1] == (6, 6)
    wanted = [*(RECORDS[n] for n in (0, 2, 3)), newer[0], *newest]
    assert _content(tmp_path / "all") == _content(build(wanted, tagger=tagger))


def test_what_cannot_be_merged(build: Callable[..., Path], tmp_path: Path) -> None:
    """One index, a place that is taken, different moves."""
    plain, tagged = build(RECORDS), build(RECORDS, tagger=MoveTagger("mine", _tag))
    with pytest.raises(UsageError, match="two indexes or more"):
        merge_indexes([plain], tmp_path / "x")
    with pytest.raises(OutputError, match="has an index of its own"):
        merge_indexes([plain, plain], tagged)
    with pytest.raises(MismatchError, match=r"moves of this index .* differ"):
        merge_indexes([plain, tagged], tmp_path / "x")
    assert not (tmp_path / "x").exists()
