"""``python -m reproduce`` says what it lacks, a line a file, and takes what ``fetch`` wrote."""

import json
import os
import subprocess
import sys
import tomllib
from fnmatch import fnmatch
from pathlib import Path

import pytest

from recipes.data import data_path
from relsent_ir.cli.output import counted
from reproduce import EXPERIMENTS
from reproduce.__main__ import main
from reproduce.data import MINUTES, NEEDS, missing

ROOT = Path(__file__).parents[2]
DATA = ROOT / "docs" / "data.md"


def test_what_is_missing(tmp_path, monkeypatch, capsys):
    """Each file with how to get it; the last line is the error."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("RELSENT_DATA", raising=False)
    assert main(["ruch-2006"]) == 3
    *files, last = capsys.readouterr().err.splitlines()
    assert files[0] == (
        "cystic-fibrosis/cf74: is missing, and RELSENT_DATA is not set "
        "(relsent-ir fetch cystic-fibrosis)"
    )
    assert files[-2].endswith("(relsent-ir fetch stop-lists)")
    assert last.startswith("reproduce: error: 9 of the files that ruch-2006 reads are missing")


def test_list(tmp_path, monkeypatch, capsys):
    """Each experiment, with what it lacks and how that is got."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("RELSENT_DATA", raising=False)
    assert main(["--list"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.partition(":")[0] for line in lines if line[0] != " "] == list(EXPERIMENTS)
    told = "ruch-2006: 0 of 9 files are here (--fetch brings all); "
    assert f"{told}{counted(MINUTES['ruch-2006'], 'minute')}" in lines
    assert any(line.startswith("similar: ") and "; some 5 minutes" in line for line in lines)
    assert any(
        line.startswith("smith-wilbur-2010: 0 of 2 files are here (not all") for line in lines
    )
    assert main(["--list", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["ruch-2006"]["reads"] == list(NEEDS["ruch-2006"])
    assert len(told["ruch-2006"]["missing"]) == 9
    assert (told["ruch-2006"]["public"], told["smith-wilbur-2010"]["public"]) == (True, False)
    assert told["ruch-2006"]["minutes"] == MINUTES["ruch-2006"]


def test_what_fetch_wrote(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Below the current folder, records and originals; RELSENT_DATA comes first."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("RELSENT_DATA", str(tmp_path / "data"))
    assert len(missing("ruch-2006")) == 9
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
    assert set(NEEDS) == set(MINUTES) == set(EXPERIMENTS)
    page = DATA.read_text(encoding="utf-8")
    for name, files in NEEDS.items():
        assert f"| `{name}` |" in page
        assert all(f"`{path.partition('/')[0]}/" in page for path in files)


def test_wrong_names(capsys: pytest.CaptureFixture[str]) -> None:
    """An experiment that does not exist, no name, and an unknown flag are usage errors."""
    assert main(["nothing"]) == 2
    assert "no experiment 'nothing'" in capsys.readouterr().err
    assert main([]) == 2
    assert main(["moves", "--nothing"]) == 2


def test_as_a_program(tmp_path: Path) -> None:
    """``python -m reproduce`` ends with the code of its error, in one line."""
    environment = {key: value for key, value in os.environ.items() if key != "RELSENT_DATA"}
    ran = subprocess.run(
        [sys.executable, "-m", "reproduce", "nothing", "--full", "--indexes", tmp_path],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode == 2
    assert len(ran.stderr.splitlines()) == 1


def test_the_wheel_leaves_it_out() -> None:
    """Neither the packages nor the data of the wheel have anything of this folder."""
    tools = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]
    found = tools["setuptools"]["packages"]["find"]
    assert found["include"] == ["relsent_ir*"]
    assert not any(fnmatch("reproduce", pattern) for pattern in found["include"])
    assert set(tools["setuptools"]["package-data"]) == {"relsent_ir"}
