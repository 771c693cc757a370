"""Recording commands, on invented ones."""

from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]
SPEC = spec_from_file_location("recorded", ROOT / "tools" / "recorded.py")
assert SPEC
assert SPEC.loader
recorded: Any = module_from_spec(SPEC)
SPEC.loader.exec_module(recorded)


@pytest.fixture
def record(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """Record commands into a folder; return it."""
    monkeypatch.delenv("RELSENT_DATA", raising=False)

    def call(name: str, *lines: str) -> Path:
        listed = tmp_path / f"{name}.txt"
        listed.write_text("".join(f"{line}\n" for line in lines))
        monkeypatch.setattr(recorded, "COMMANDS", listed)
        programs = tmp_path / "bin"
        programs.mkdir(exist_ok=True)
        assert recorded.main(["--bin", str(programs), "record", str(tmp_path / name)]) == 0
        return tmp_path / name

    return call


def test_the_same(record: Any, capsys: pytest.CaptureFixture[str]) -> None:
    """Folders, durations, dates and indexes are not differences."""
    lines = ["# a comment", "", "pwd; echo took 1.$RANDOM s", "date +%FT%T > at.txt", "false"]
    lines += [
        "mkdir indexes; echo $RANDOM > indexes/a",
        "[data]",
        "echo $RANDOM",
        "[]",
        "cat at.txt",
    ]
    first, second = record("first", *lines), record("second", *lines)
    assert len(recorded.read(first)) == 5
    assert recorded.main(["compare", str(first), str(second)]) == 0
    assert capsys.readouterr().out == "0 of 5 commands differ\n"


def test_differences(record: Any, capsys: pytest.CaptureFixture[str]) -> None:
    """Output, files, exit codes and whole commands that differ are told."""
    first = record("first", "echo a; cat missing", "echo b > c; cat c", "cat c", "true", "true")
    second = record("second", "echo a; cat missing", "echo b > c; cat c", "cat c", "exit 0")
    text = (second / "commands.jsonl").read_text()
    output = next(value["stdout"] for key, value in recorded.read(second).items() if key == "cat c")
    (second / "blobs" / "new").write_text("d\n")
    edited = text.replace(
        f'"cat c", "code": 0, "stdout": "{output}"', '"cat c", "code": 3, "stdout": "new"'
    )
    (second / "commands.jsonl").write_text(edited)
    assert recorded.main(["compare", str(first), str(second)]) == 1
    assert capsys.readouterr().out.splitlines() == [
        "$ cat c",
        "  exit code: 0 -> 3",
        "  stdout:",
        "    @@ -1 +1 @@",
        "    -b",
        "    +d",
        "$ true",
        "  only before",
        "$ true (again)",
        "  only before",
        "$ exit 0",
        "  only after",
        "4 of 5 commands differ",
    ]


def test_a_command_that_hangs(record: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is stopped, and recorded with exit code -1."""
    monkeypatch.setattr(recorded, "LIMIT", 0.1)
    assert recorded.read(record("first", "sleep 5"))["sleep 5"]["exit code"] == -1
