"""The exceptions: one line each, with a place, a fix and an exit code of its kind."""

from pathlib import Path

import pytest

from relsent_ir.errors import (
    InputError,
    MismatchError,
    MissingError,
    OutputError,
    RelsentError,
    UsageError,
)

CODES = {
    RelsentError: 1,
    UsageError: 2,
    MissingError: 3,
    InputError: 4,
    MismatchError: 5,
    OutputError: 6,
}


@pytest.mark.parametrize(("kind", "code"), CODES.items(), ids=lambda value: str(value))
def test_each_kind_has_its_exit_code(kind: type[RelsentError], code: int) -> None:
    """The codes are the documented ones, and every kind can be caught as RelsentError."""
    assert kind.exit_code == code
    assert issubclass(kind, RelsentError)


def test_message_has_place_problem_and_fix() -> None:
    """The line reads place, problem, and the fix in brackets."""
    error = InputError("no PMID", where="a.xml:7", fix="give it one")
    assert str(error) == "a.xml:7: no PMID (give it one)"


@pytest.mark.parametrize(
    ("where", "fix", "line"),
    [
        (None, None, "no PMID"),
        (None, "give it one", "no PMID (give it one)"),
        (Path("a/b.xml"), None, "a/b.xml: no PMID"),
    ],
)
def test_place_and_fix_may_be_missing(where: Path | None, fix: str | None, line: str) -> None:
    """What is not known leaves no trace in the line; a place may be a Path."""
    assert str(InputError("no PMID", where=where, fix=fix)) == line


def test_message_is_one_line_whatever_it_quotes() -> None:
    """Line feeds and runs of white space from the outside collapse to single spaces."""
    error = OutputError("disk\n\tfull", where="a\nb", fix="free\r\nsome")
    assert str(error) == "a b: disk full (free some)"


def test_parts_can_be_read_back() -> None:
    """Code that adds a place gets problem, place and fix as they were given."""
    error = MismatchError("no common id", where=Path("run.txt"), fix="check both")
    assert (error.problem, error.where, error.fix) == ("no common id", "run.txt", "check both")
    assert RelsentError("bad").where is None
