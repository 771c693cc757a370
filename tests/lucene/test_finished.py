"""Indexes whose build has not ended."""

import logging
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from relsent_ir.errors import MismatchError
from relsent_ir.lucene.commits import require_finished
from relsent_ir.lucene.read.index import Index
from relsent_ir.lucene.write.indexing import build_index


@pytest.fixture(autouse=True)
def as_it_was() -> Iterator[None]:
    """The choice is the process's."""
    yield
    require_finished(False)


@pytest.fixture
def unfinished(tmp_path, invent, write, die_in_commit, monkeypatch) -> tuple[Path, list[Any]]:
    """An index whose build died after the first of three files, and the files."""
    inputs = [write(tmp_path / f"{c}.jsonl", invent(3, i, c)) for i, c in enumerate("abc")]
    die_in_commit(3)
    with pytest.raises(KeyboardInterrupt):
        build_index(inputs, tmp_path / "index")
    monkeypatch.undo()
    return tmp_path / "index", inputs


def test_warned_of_once(unfinished, caplog):
    """Opening such an index warns, the first time; a finished one is silent."""
    folder, inputs = unfinished
    with caplog.at_level(logging.WARNING), Index(folder) as index, Index(folder, "sentences"):
        assert len(index) == 3
    assert [record.getMessage() for record in caplog.records] == [
        f"{folder}: the index is not finished: 2 of 3 files are not in it "
        "(run its index command again)"
    ]
    caplog.clear()
    build_index(inputs, folder)
    require_finished(True)
    with Index(folder) as index:
        assert (len(index), index.facts.missing) == (9, [])
    assert not caplog.records


def test_refused(unfinished: tuple[Path, list[Any]]) -> None:
    """Who wants finished indexes only gets an error."""
    require_finished(True)
    with pytest.raises(MismatchError, match="not finished: 2 of 3 files are not in it"):
        Index(unfinished[0])


def test_copy_that_a_killed_build_did_not_reach(
    tmp_path, invent, write, die_in_commit, monkeypatch
):
    """A copy of a file counts as in when the build has come to it."""
    inputs = [write(tmp_path / f"{name}.jsonl", invent(3, 0, "a")) for name in ("one", "copy")]
    die_in_commit(3)
    with pytest.raises(KeyboardInterrupt):
        build_index(inputs, tmp_path / "index")
    monkeypatch.undo()
    built = build_index(inputs, tmp_path / "index")
    assert (built.facts.missing, len(built.facts.sources)) == ([], 2)
