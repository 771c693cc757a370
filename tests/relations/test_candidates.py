"""Reading candidates."""

import gzip
import json
from pathlib import Path
from typing import Any

import pytest

from relsent_ir.errors import InputError
from relsent_ir.relations import read_candidates
from relsent_ir.relations.candidates import Candidate

LINE = {"group": "g", "id": "1", "text": "Abc1 binds Xyz2.", "e1": [0, 4], "e2": [11, 15]}


def _write(path: Path, *lines: dict[str, Any] | str) -> Path:
    text = [line if isinstance(line, str) else json.dumps(line) for line in lines]
    path.write_text("\n".join(text) + "\n", encoding="utf-8")
    return path


def test_read(tmp_path: Path) -> None:
    """Lines become candidates; empty lines and other keys do not matter; ids stay strings."""
    path = _write(tmp_path / "a.jsonl", LINE, "", {**LINE, "id": "001", "grade": 2, "more": 1})
    assert list(read_candidates(path)) == [
        Candidate("g", "1", "Abc1 binds Xyz2.", (0, 4), (11, 15)),
        Candidate("g", "001", "Abc1 binds Xyz2.", (0, 4), (11, 15), 2.0),
    ]


def test_gzip(tmp_path: Path) -> None:
    """Packed files are read."""
    path = tmp_path / "a.jsonl.gz"
    path.write_bytes(gzip.compress(json.dumps(LINE).encode()))
    assert len(list(read_candidates(path))) == 1


def test_mentions_of_one_sentence(tmp_path: Path) -> None:
    """One id may come again with the same text, not with another; in another group it may."""
    other = {**LINE, "text": "Xyz2 binds Abc1.", "e1": [11, 15], "e2": [0, 4]}
    path = _write(tmp_path / "a.jsonl", LINE, {**LINE, "e1": [5, 10]}, {**other, "group": "h"})
    assert len(list(read_candidates(path))) == 3
    path = _write(tmp_path / "a.jsonl", LINE, other)
    with pytest.raises(InputError, match=r"a\.jsonl:2: group g has a sentence 1 with another text"):
        list(read_candidates(path))


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ('{"group": ', "no JSON"),
        ("[1]", "no JSON object"),
        ("[" * 100_000, "nested too deeply"),
        ({k: v for k, v in LINE.items() if k != "e2"}, "'e2' is missing"),
        ({**LINE, "group": 1}, "'group' is no string"),
        ({**LINE, "id": "a b"}, "'id' is empty or has white space"),
        ({**LINE, "id": ""}, "'id' is empty"),
        ({**LINE, "id": "a\ud800"}, "'id' has a character that cannot be printed"),
        ({**LINE, "text": None}, "'text' is no string"),
        ({**LINE, "e1": [0]}, "two whole numbers"),
        ({**LINE, "e1": [0, 1.5]}, "two whole numbers"),
        ({**LINE, "e1": [0, True]}, "two whole numbers"),
        ({**LINE, "directed": 1}, "'directed' is neither true nor false"),
        ({**LINE, "grade": "2"}, "'grade' is no number"),
        ({**LINE, "grade": -1}, "'grade' is no number from 0"),
        ({**LINE, "grade": float("nan")}, "'grade' is no number"),
    ],
)
def test_bad_lines(tmp_path: Path, line: dict[str, Any] | str, problem: str) -> None:
    """Each fault is one line that names the place."""
    path = _write(tmp_path / "a.jsonl", LINE, line)
    with pytest.raises(InputError, match=problem) as caught:
        list(read_candidates(path))
    assert str(caught.value).startswith(f"{path}:2: ")
    assert "\n" not in str(caught.value)


def test_files_that_are_refused(tmp_path: Path) -> None:
    """A cut file, one without grades where they are wanted, and one without candidates."""
    path = _write(tmp_path / "a.jsonl", LINE)
    whole = path.read_text().rstrip("\n")
    path.write_text(f"{whole}\n{whole}")
    assert len(list(read_candidates(path))) == 2
    path.write_text(f"{whole}\n{whole[:30]}")
    with pytest.raises(InputError, match=r":2: the file was cut: it ends inside this line"):
        list(read_candidates(path))
    path = _write(tmp_path / "a.jsonl", {**LINE, "grade": 0}, LINE)
    with pytest.raises(InputError, match=r":2: 'grade' is missing"):
        list(read_candidates(path, graded=True))
    (tmp_path / "a.jsonl").write_text("\n\n")
    with pytest.raises(InputError, match="there are no candidates"):
        list(read_candidates(tmp_path / "a.jsonl"))
