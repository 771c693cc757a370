"""Labelled abstracts from files."""

import logging
from pathlib import Path

import pytest

from relsent_ir.errors import InputError
from relsent_ir.moves.reading import data_facts, read_abstracts, record_ids
from relsent_ir.records import Record, Section

LABELS = ("AIM", "METHODS", "RESULTS", "PRICE")


def _write(path: Path, labels: tuple[str, ...]) -> Path:
    record = Record("1", "T", sections=tuple(Section(f"On {x}.", x) for x in labels))
    path.write_text(record.to_json() + "\n", encoding="utf-8")
    return path


def test_unknown_labels_are_logged(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    """One warning counts and names them."""
    path = _write(tmp_path / "a.jsonl", LABELS)
    with caplog.at_level(logging.WARNING, "relsent_ir"):
        abstracts, census = read_abstracts([path])
    assert [a.moves for a in abstracts] == [("PURPOSE", "METHODS", "RESULTS")]
    assert "left out 1 sections" in caplog.text
    assert "PRICE (1)" in caplog.text
    facts = data_facts([path], census)
    assert facts["files"][0]["name"] == "a.jsonl"
    assert len(facts["files"][0]["sha256"]) == 64
    assert facts["abstracts"] == 1


def test_nothing_to_learn_from(tmp_path: Path) -> None:
    """A file without structured abstracts is a clear line."""
    path = _write(tmp_path / "a.jsonl", ("AIM",))
    with pytest.raises(InputError, match=r"a\.jsonl: none of 1 records"):
        read_abstracts([path])


def test_each_abstract_once(tmp_path: Path) -> None:
    """The first path that holds an abstract counts; ids may be passed over."""
    paths = [_write(tmp_path / name, LABELS) for name in ("a.jsonl", "b.jsonl")]
    abstracts, census = read_abstracts(paths)
    assert [a.source for a in abstracts] == [str(paths[0])]
    assert census.taken == 1
    assert record_ids(paths) == {"1"}
    assert record_ids([]) == set()
    with pytest.raises(InputError, match="none of 0 records"):
        read_abstracts(paths, without={"1"})
