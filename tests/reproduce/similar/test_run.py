"""The page of `similar`'s default, from a small invented collection."""

import random
from pathlib import Path

import pytest

from relsent_ir.records import Record, Section
from reproduce import Request, reproduce
from reproduce.data import FILES
from reproduce.similar import run as similar

SUBJECTS = ("ant nest queen larva", "bee hive honey wax", "wasp sting venom comb")


def invent(number: int) -> Record:
    """A record of a few words; those on one subject share most references."""
    chance = random.Random(number)
    words = [*chance.sample(SUBJECTS[number % 3].split(), 3), f"word{number % 7}", f"x{number % 5}"]
    return Record(
        str(number),
        f"On {words[0]}.",
        sections=(Section(" ".join(words)),),
        references=tuple(f"work {number % 3} {i}" for i in chance.sample(range(9), 7)),
    )


def test_page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every system is in the table of the development halves; the default meets each peer."""
    lines = "".join(invent(number).to_json() + "\n" for number in range(60))
    (tmp_path / "all.jsonl").write_text(lines)
    for name in FILES:
        monkeypatch.setitem(FILES, name, ["all.jsonl"])
    monkeypatch.setenv("RELSENT_DATA", str(tmp_path))
    page = reproduce("similar", Request(indexes=tmp_path / "ix"), tmp_path / "out")
    text = page.read_text()
    for system in (*similar.PEERS, *similar.OTHERS):
        assert f"| {system} | 0." in text or f"| {system} | 1." in text
    assert text.count("| neighbours, ") == len(similar.GRID) + 2
    for peer in similar.PEERS:
        assert text.count(f"| {peer} |") == 3
    assert "nan" not in text
