"""``relsent-ir``: finding verbs, putting errors into one line, exit codes."""

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from relsent_ir.cli import main as module
from relsent_ir.cli.main import VERBS
from relsent_ir.errors import OutputError

COMMAND = [sys.executable, "-m", "relsent_ir.cli.main"]


def test_help_lists_the_verbs(relsent: Callable[..., object]):
    """In the order in which they are used, each with a line."""
    ran = relsent("--help")
    assert ran.code == 0
    places = [ran.out.index(f"\n  {verb} ") for verb in VERBS]
    assert places == sorted(places)


@pytest.mark.parametrize("verb", VERBS)
def test_every_verb_has_help(relsent: Callable[..., object], verb: str):
    """Each verb's module is there and describes itself."""
    ran = relsent(verb, "--help")
    assert ran.code == 0
    assert ran.out.startswith(f"Usage: relsent-ir {verb}")


def test_help_imports_nothing_heavy():
    """The list of verbs needs none of their modules."""
    code = (
        "import sys; from relsent_ir.cli.main import main; main(['--help']);"
        "print(sorted({'numpy', 'lxml', 'jnius', 'tqdm', 'scipy', 'sklearn'} & set(sys.modules)))"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ran.stdout.endswith("\n[]\n")


def test_no_verb_shows_help(relsent: Callable[..., object]):
    """Called without arguments it explains itself, and fails."""
    ran = relsent()
    assert ran.code == 2
    assert "Commands:" in ran.err


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        (["frob"], "No such command 'frob' (see relsent-ir --help)"),
        (["stats"], "Missing option '--index' (see relsent-ir stats --help)"),
        (["search", "--index", "x", "--hits", "0"], "Invalid value for '--hits': 0 is not in"),
    ],
)
def test_usage_errors(relsent: Callable[..., object], arguments: list[str], line: str):
    """One line that says where help is, exit code 2."""
    ran = relsent(*arguments)
    assert (ran.code, ran.out) == (2, "")
    assert ran.err.startswith(f"relsent-ir: error: {line}")
    assert ran.err.count("\n") == 1


def test_our_errors_are_one_line(relsent: Callable[..., object], tmp_path):
    """The place, the problem, the fix; the exit code of the kind."""
    ran = relsent("stats", "--index", tmp_path / "none")
    assert (ran.code, ran.out) == (4, "")
    assert ran.err == (
        f"relsent-ir: error: {tmp_path / 'none'}: there is no index (relsent-ir index builds one)\n"
    )


@pytest.mark.parametrize(
    ("problem", "code", "line"),
    [
        (KeyboardInterrupt(), 130, "relsent-ir: interrupted\n"),
        (OutputError("full", where="x"), 6, "relsent-ir: error: x: full\n"),
        (
            PermissionError(13, "Permission denied", "secret"),
            6,
            "relsent-ir: error: secret: cannot be used: Permission denied\n",
        ),
    ],
)
def test_what_a_verb_may_raise(
    relsent: Callable[..., object], monkeypatch: pytest.MonkeyPatch, problem, code, line
):
    """Whatever happens there is a line and a code, never a trace."""

    def fail(*_: object, **__: object) -> None:
        raise problem

    monkeypatch.setattr(module.relsent_ir, "main", fail)
    ran = relsent("stats")
    assert (ran.code, ran.err) == (code, line)


def test_a_closed_pipe_is_no_error():
    """``relsent-ir … | head`` ends quietly."""
    code = "import sys; from relsent_ir.cli.main import main; sys.exit(main(['--help']))"
    with subprocess.Popen(
        [sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        assert process.stdout
        assert process.stderr
        process.stdout.close()
        assert process.stderr.read() == b""


def test_a_full_standard_output():
    """A device without space gives a line and exit code 6."""
    with Path("/dev/full").open("w") as full:
        ran = subprocess.run(
            [*COMMAND, "--help"], stdout=full, stderr=subprocess.PIPE, text=True, check=False
        )
    assert ran.returncode == 6
    assert ran.stderr.startswith("relsent-ir: error: standard output: cannot be used: No space")
