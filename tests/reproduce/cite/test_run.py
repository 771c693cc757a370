"""The page of `cite`, from a small invented collection."""

import random
import re
from pathlib import Path

import pytest

from relsent_ir.records import Record, Section
from reproduce import Request, reproduce
from reproduce.cite import run as cite
from reproduce.data import FILES

SUBJECTS = ("ant nest queen larva", "bee hive honey wax", "wasp sting venom comb")


def invent(number: int) -> Record:
    """A record of a few words that refers to earlier ones on its subject."""
    chance = random.Random(number)
    words = [*chance.sample(SUBJECTS[number % 3].split(), 3), f"word{number % 7}", f"x{number % 5}"]
    earlier = range(number % 3, number, 3)
    return Record(
        str(number),
        f"On {words[0]}.",
        sections=(Section(" ".join(words)),),
        references=tuple(map(str, chance.sample(earlier, min(len(earlier), 5)))),
        year=str(1950 + number),
    )


def test_page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Settings that share a number with the best have a row; systems have one a collection."""
    lines = "".join(invent(number).to_json() + "\n" for number in range(60))
    (tmp_path / "all.jsonl").write_text(lines)
    for name in FILES:
        monkeypatch.setitem(FILES, name, ["all.jsonl"])
    monkeypatch.setattr(cite, "TEST", 20)
    monkeypatch.setenv("RELSENT_DATA", str(tmp_path))
    page = reproduce("cite", Request(indexes=tmp_path / "ix"), tmp_path / "out")
    text = page.read_text()
    best = re.search(r"(\d+), (\d+) has the highest recall;", text)
    assert best
    for nearest, votes in cite.GRID:
        row = re.search(rf"^\| {nearest}, {votes:g} \| [01]\.", text, re.MULTILINE)
        assert bool(row) == (f"{nearest}" == best[1] or f"{votes:g}" == best[2])
    for system in (*cite.PEERS, "cite"):
        assert text.count(f"| {system} |") == 2
    assert "20 records" in text
    assert "nan" not in text
