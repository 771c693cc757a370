"""``relsent-ir reproduce`` says what it lacks, a line a file, and takes what ``fetch`` wrote."""

from collections.abc import Callable
from pathlib import Path

import pytest

from relsent_ir.experiments import EXPERIMENTS
from relsent_ir.experiments.needs import NEEDS, missing
from relsent_ir.experiments.page import data_path

DATA = Path(__file__).parents[2] / "docs" / "data.md"


def test_what_is_missing(
    relsent: Callable[..., object], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each file with how to get it; the last line is the error."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("RELSENT_DATA", raising=False)
    ran = relsent("reproduce", "ruch-2006")
    *files, last = ran.err.splitlines()
    assert ran.code == 3
    assert files[0] == (
        "cystic-fibrosis/cf74: is missing, and RELSENT_DATA is not set "
        "(relsent-ir fetch cystic-fibrosis)"
    )
    assert files[-1].endswith("(relsent-ir fetch stop-lists)")
    assert last.startswith("relsent-ir: error: 8 of the files that ruch-2006 reads are missing")


def test_what_fetch_wrote(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Below the current folder, records and originals; RELSENT_DATA comes first."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("RELSENT_DATA", str(tmp_path / "data"))
    assert len(missing("ruch-2006")) == 8
    for path in NEEDS["ruch-2006"]:
        folder = "originals/" if path.endswith(("cfquery", ".txt")) else ""
        found = tmp_path / "collections" / f"{folder}{path}"
        found.parent.mkdir(parents=True, exist_ok=True)
        found.touch()
    assert missing("ruch-2006") == []
    ours = tmp_path / "data" / "lists" / "smart-571.txt"
    ours.parent.mkdir(parents=True)
    ours.touch()
    assert data_path("lists", "smart-571.txt") == ours


def test_all_experiments() -> None:
    """Each says what it reads, and the page on data names each folder."""
    assert set(NEEDS) == set(EXPERIMENTS)
    page = DATA.read_text(encoding="utf-8")
    for name, files in NEEDS.items():
        assert f"| `{name}` |" in page
        assert all(f"`{path.partition('/')[0]}/" in page for path in files)
