"""``relsent-ir``: finding verbs, putting errors into one line, exit codes."""

import json
import logging
import os
import subprocess
import sys
from importlib.metadata import entry_points
from pathlib import Path

import pytest

from relsent_ir import __version__, errors
from relsent_ir.cli import main as module
from relsent_ir.cli.main import VERBS, main
from relsent_ir.errors import OutputError

COMMAND = [sys.executable, "-m", "relsent_ir.cli.main"]


def test_help_lists_the_verbs(relsent):
    """In the order in which they are used, each with a line; ``python -m`` is the same."""
    ran = relsent("--help")
    assert ran.code == 0
    places = [ran.out.index(f"\n  {verb} ") for verb in VERBS]
    assert places == sorted(places)
    command = [sys.executable, "-m", "relsent_ir", "--version"]
    ran = subprocess.run(command, capture_output=True, text=True, check=True)
    assert ran.stdout == f"relsent-ir, version {__version__}\n"


@pytest.mark.parametrize("verb", VERBS)
def test_every_verb_has_help(relsent, verb):
    """Each verb's module is there and describes itself."""
    ran = relsent(verb, "--help")
    assert ran.code == 0
    assert ran.out.startswith(f"Usage: relsent-ir {verb}")


HEAVY = {"numpy", "lxml", "jnius", "tqdm", "scipy", "sklearn", "pytrec_eval", "pyserini", "torch"}


@pytest.mark.parametrize(
    "arguments", [["--help"], *([verb, "--help"] for verb in VERBS)], ids=" ".join
)
def test_help_imports_nothing_heavy(arguments):
    """Neither the list of verbs nor a verb's options need what the verbs work with."""
    code = (
        f"import sys; from relsent_ir.cli.main import main; main({arguments});"
        f"print(sorted({HEAVY} & set(sys.modules)))"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ran.stdout.endswith("\n[]\n")


def test_a_verb_loads_no_other_verb():
    """Help for one verb imports its module only."""
    code = (
        "import sys; from relsent_ir.cli.main import main; main(['tune', '--help']);"
        "print([name for name in sys.modules if name.startswith('relsent_ir.cli.')])"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    loaded = ran.stdout.splitlines()[-1]
    assert "relsent_ir.cli.verbs.tune" in loaded
    assert not any(f"relsent_ir.cli.verbs.{verb}'" in loaded for verb in VERBS if verb != "tune")


def test_a_plain_search_loads_little(sample_indexes, here):
    """BM25 needs neither feedback's sources, nor moves, nor readers of records."""
    arguments = ["search", "--index", str(sample_indexes), "--topics", "topics/sample.tsv"]
    code = (
        "import sys; from relsent_ir.cli.main import main;"
        f"main({[*arguments, '--bm25', '--output', 'run.txt']});"
        "print(*[name for name in sys.modules if name.startswith('relsent_ir.')])"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    loaded = ran.stdout.split()
    assert Path("run.txt").exists()
    assert len(loaded) < 68
    assert not any(name.startswith(("relsent_ir.moves", "relsent_ir.records")) for name in loaded)


def test_entry(relsent):
    """The version is the package's; without arguments it explains itself; a verb is guessed."""
    assert relsent("--version").out == f"relsent-ir, version {__version__}\n"
    (script,) = entry_points(group="console_scripts", name="relsent-ir")
    assert script.value == "relsent_ir.cli.main:main"
    ran = relsent()
    assert ran.code == 2
    assert "Commands:" in ran.err
    ran = relsent("serach")
    assert (ran.code, "did you mean search?" in ran.err) == (2, True)


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        (["frob"], "No such command 'frob' (see relsent-ir --help)"),
        (["stats"], "Missing option '--index' (see relsent-ir stats --help)"),
        (["search", "--index", "x", "--hits", "0"], "Invalid value for '--hits': 0 is not in"),
        (["search", "--index", "x", "--hits", "many"], "Invalid value for '--hits'"),
        (["search", "--index", "x", "two", "words"], "no option takes 'two' (--text 'two words')"),
        (["answer", "Is it so?", "--index", "x"], "no option takes 'Is it so?' (--question 'Is"),
        (
            ["stats", "--index", "x", "stray"],
            "no option takes 'stray' (see relsent-ir stats --help)",
        ),
        (["answer", "--question", "?"], "Invalid value for '--question': '?' has neither letter"),
        (["cite", "--text", " "], "Invalid value for '--text': ' ' has neither letter nor digit"),
        (["explain", "--index"], "Option '--index' requires an argument"),
        (["--fast"], "No such option"),
    ],
)
def test_usage_errors(refused, arguments, line):
    """One line that says where help is, exit code 2."""
    refused(2, f"relsent-ir: error: {line}", *arguments)


@pytest.mark.parametrize(
    ("problem", "code", "line"),
    [
        (KeyboardInterrupt(), 130, "relsent-ir: interrupted\n"),
        (OutputError("full", where="x"), 6, "relsent-ir: error: x: full\n"),
        (errors.RelsentError("odd"), 1, "relsent-ir: error: odd\n"),
        (errors.UsageError("odd", fix="mend\nit"), 2, "relsent-ir: error: odd (mend it)\n"),
        (errors.MissingError("gone"), 3, "relsent-ir: error: gone\n"),
        (errors.InputError("bad", where="a:3"), 4, "relsent-ir: error: a:3: bad\n"),
        (errors.MismatchError("apart"), 5, "relsent-ir: error: apart\n"),
        (errors.UsageError("no \x1b[2J\udcff"), 2, "relsent-ir: error: no \\x1b[2J\\udcff\n"),
        (errors.UsageError("x" * 900_000), 2, f"relsent-ir: error: {'x' * 500}...{'x' * 500}\n"),
        (
            PermissionError(13, "Permission denied", "secret"),
            6,
            "relsent-ir: error: secret: cannot be used: Permission denied\n",
        ),
    ],
)
def test_what_a_verb_may_raise(relsent, monkeypatch, problem, code, line):
    """Whatever happens there is a line and a code, never a trace."""

    def fail(*_: object, **__: object) -> None:
        raise problem

    monkeypatch.setattr(module.relsent_ir, "main", fail)
    ran = relsent("stats")
    assert (ran.code, ran.err) == (code, line)


def test_a_bug_keeps_its_trace(monkeypatch):
    """What is no user's mistake is not hidden."""
    monkeypatch.setattr(module.relsent_ir, "main", lambda *_, **__: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        main(["stats"])


def test_warnings_are_lines(relsent, monkeypatch):
    """The package's log goes to stderr; calling main twice does not show it twice."""
    log = logging.getLogger("relsent_ir.records")
    monkeypatch.setattr(module.relsent_ir, "main", lambda *_, **__: log.warning("odd"))
    relsent("stats")
    ran = relsent("stats")
    assert (ran.code, ran.out, ran.err) == (0, "", "relsent-ir: warning: odd\n")


def test_bytes(sample_indexes):
    """Stray bytes are words like any other; what a terminal's encoding lacks is an escape."""
    arguments = [*COMMAND, "search", "--index", str(sample_indexes), "--text", b"asthma \xff"]
    ran = subprocess.run(arguments, capture_output=True, text=True, check=False)
    assert (ran.returncode, ran.stderr) == (0, "")
    assert "asthma" in ran.stdout
    ran = subprocess.run([*arguments, "--json"], capture_output=True, text=True, check=False)
    assert json.loads(ran.stdout)["query"] == "asthma \udcff"
    arguments = [*COMMAND, "show", "--index", str(sample_indexes), "90000002", "--text", "γ"]
    latin = {**os.environ, "PYTHONIOENCODING": "ascii:strict"}
    ran = subprocess.run([*arguments, "--json"], capture_output=True, check=False, env=latin)
    assert ran.returncode == 0, ran.stderr
    assert ran.stdout.isascii()


def test_a_closed_pipe_is_no_error_for_results_either(sample_indexes):
    """The same while a verb prints its hits."""
    arguments = ["search", "--index", str(sample_indexes), "--text", "cells", "--hits", "50"]
    with subprocess.Popen(
        [*COMMAND, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        assert process.stdout
        assert process.stderr
        process.stdout.close()
        assert process.stderr.read() == b""
    assert process.returncode == 141  # as the shell says of other programs


def test_pipes(here, sample_indexes):
    """- is standard input, and standard output."""

    def run(*arguments: object, given: str | None = None) -> str:
        words = [*COMMAND, *map(str, arguments)]
        return subprocess.run(words, input=given, capture_output=True, text=True, check=True).stdout

    topics, records = Path("topics/sample.tsv").read_text(), Path("sample.xml").read_text()
    search = ("search", "--index", sample_indexes, "--topics")
    found = run(*search, "-", "--output", "-", given=topics)
    run(*search, "topics/sample.tsv", "--output", "run.txt")
    assert found == Path("run.txt").read_text()
    assert not Path("-").exists()
    measured = run("evaluate", "qrels/sample.txt", "-", "-m", "map", given=found)
    assert measured == run("evaluate", "qrels/sample.txt", "run.txt", "-m", "map")
    assert " 58 records," in run("index", "--input", "-", "--index", "piped", given=records)


def test_a_full_standard_output():
    """A device without space gives a line and exit code 6."""
    with Path("/dev/full").open("w") as full:
        ran = subprocess.run(
            [*COMMAND, "--help"], stdout=full, stderr=subprocess.PIPE, text=True, check=False
        )
    assert ran.returncode == 6
    assert ran.stderr.startswith("relsent-ir: error: standard output: cannot be used: No space")


def test_one_thread_of_blas():
    """A command calculates in one thread, unless the environment says otherwise."""
    code = (
        "import sys\n"
        "from relsent_ir.cli.main import main\n"
        "sys.argv = ['relsent-ir', '--version']\n"
        "main()\n"
        "import scipy.linalg\n"
        "from threadpoolctl import threadpool_info\n"
        "print(*{one['num_threads'] for one in threadpool_info() if one['user_api'] == 'blas'})"
    )
    environment = {name: value for name, value in os.environ.items() if "NUM_THREADS" not in name}
    for more, threads in (
        ({}, "1"),
        ({"OPENBLAS_NUM_THREADS": "2"}, str(min(2, os.cpu_count() or 1))),
    ):
        ran = subprocess.run(
            [sys.executable, "-c", code],
            capture_output=True,
            text=True,
            check=True,
            env=environment | more,
        )
        assert ran.stdout.split()[-1:] == [threads]
