"""Tables, JSON, progress and options with several values."""

import io
import json
import sys
from types import SimpleNamespace

import click
import pytest
from click.testing import CliRunner

from relsent_ir.cli import output
from relsent_ir.cli.command import Command
from relsent_ir.cli.output import command_line, print_json, print_table, progress


@click.command(cls=Command)
@click.option("--runs", multiple=True)
@click.option("--tag")
@click.argument("rest", nargs=-1)
def fuse(runs: tuple[str, ...], tag: str, rest: tuple[str, ...]) -> None:
    """Show what was parsed."""
    click.echo(f"{runs} {tag} {rest}")


@click.command(cls=Command)
@click.option("--tag")
@click.option("--cache", expose_value=False)
@click.option("--output")
def train(tag: str, output: str) -> None:
    """Show the command."""
    click.echo(command_line())


def test_command_line():
    """What a model's facts keep: neither where it went nor how it ran."""
    ran = CliRunner().invoke(
        train, ["--cache", "c", "--tag", "t", "--output", "o"], prog_name="train"
    )
    assert ran.output == "train --tag t\n"


@pytest.mark.parametrize(
    ("arguments", "parsed"),
    [
        ("--runs a b c --tag t", "('a', 'b', 'c') t ()"),
        ("--runs a --runs b", "('a', 'b') None ()"),
        ("--runs=a b --tag t", "('a', 'b') t ()"),
        ("--tag t x", "() t ('x',)"),
        ("--runs a -- x", "('a',) None ('x',)"),
        ("--runs a -", "('a', '-') None ()"),
        ("--runs a a", "('a', 'a') None ()"),
        ("--runs a --tag t b", "('a',) t ('b',)"),
        ("--runs a --runs=b c", "('a', 'b', 'c') None ()"),
    ],
)
def test_several_values(arguments, parsed):
    """An option takes values up to the next option."""
    assert CliRunner().invoke(fuse, arguments.split()).output == parsed + "\n"


def test_table(capsys, monkeypatch):
    """Columns to the left and right; in JSON letters are letters; bytes are told in MB."""
    print_table(["run", "map"], [["bm25", "0.3"], ["x", "0.2912"]])
    assert capsys.readouterr().out == "run      map\nbm25     0.3\nx     0.2912\n"
    print_json({"α": "é\n😀"})
    out = capsys.readouterr().out
    assert out == '{"α": "é\\n😀"}\n'
    assert json.loads(out) == {"α": "é\n😀"}
    monkeypatch.setattr(output, "EVERY", 0.0)
    with progress("Fetching", "B") as tick:
        tick(1_234_567, 20_000_000)
    assert capsys.readouterr().err == "Fetching: 1.2 of 20.0 MB\n"


def test_progress_without_a_terminal(capsys, monkeypatch):
    """In a file or pipe a line at most every ten seconds, none of what ends sooner."""
    times = iter([100.0, 101.0, 109.9, 110.0, 119.9, 120.5, 131.0])
    monkeypatch.setattr(output, "time", SimpleNamespace(monotonic=lambda: next(times)))
    with progress("Working", "records") as tick:
        for done, total in ((1, 2000), (2, 2000), (1500, 2000), (1600, 2000), (1700, None), (0, 9)):
            tick(done, total)
    assert capsys.readouterr() == (
        "", "Working: 1,500 of 2,000 records\nWorking: 1,700 records\nWorking: 0 of 9 records\n"
    )  # fmt: skip


def test_an_option_with_several_values_needs_one():
    """Naming it alone is a usage error."""
    assert CliRunner().invoke(fuse, ["--runs"]).exit_code == 2


def test_progress_on_a_terminal(monkeypatch):
    """The bar goes to stderr, with its title and unit."""

    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    with progress("Reading", unit="records") as tick:
        tick(3, 10)
        tick(10, 10)
    assert "Reading" in terminal.getvalue()
    assert " records" in terminal.getvalue()
