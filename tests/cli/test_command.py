"""Help of verbs: options under headings, what is needed most first, examples at the end."""

import os
import shlex
from collections.abc import Iterator

import click
import pytest
from click.testing import CliRunner

from relsent_ir.cli import command as commands
from relsent_ir.cli.command import FIRST, Command, WithDefault, examples
from relsent_ir.cli.main import relsent_ir
from relsent_ir.cli.options import Option

WITHOUT = {"reproduce"}  # it only tells where the experiments are


def leaves(group: click.Group, path: tuple[str, ...] = ()) -> Iterator[tuple[str, click.Command]]:
    """Yield the verbs and sub-words that do something."""
    context = click.Context(group)
    for name in group.list_commands(context):
        one = group.get_command(context, name)
        if isinstance(one, click.Group):
            yield from leaves(one, (*path, name))
        elif one is not None:
            yield " ".join((*path, name)), one


VERBS = {path: one for path, one in leaves(relsent_ir) if path not in WITHOUT}


def parsed(arguments: list[str]) -> click.Context:
    """Read the arguments of a verb, without calling it."""
    one: click.Command = relsent_ir
    name, context = "relsent-ir", None
    while True:
        context = one.make_context(name, arguments, context)
        if not isinstance(one, click.Group):
            return context
        found, inner, arguments = one.resolve_command(
            context, [*context._protected_args, *context.args]
        )
        assert inner is not None
        name, one = str(found), inner


def shown(*verb: str) -> list[str]:
    """The lines of a verb's help, on 80 columns."""
    ran = CliRunner().invoke(relsent_ir, [*verb, "--help"], terminal_width=80)
    assert ran.exit_code == 0
    return ran.output.splitlines()


def test_help_of_search():
    """The first 24 lines; headings in one order, each option under one; lists, and Commands."""
    screen = "\n".join(shown("search")[:24])
    for flag in ("--index", "--topics", "--output", "--bm25", "--k1", "--b ", "--rm3"):
        assert f"  {flag}" in screen
    for flag in ("--fb-terms", "--fb-docs", "--original-query-weight"):
        assert f"  {flag}" in screen
    lines = shown("search")
    headings = [line[:-1] for line in lines if line.endswith(":") and not line.startswith(" ")]
    order = ["Needed most", "Input", "Ranking", "Feedback", "Reranking", "Filters", "Passages"]
    assert headings == [*order, "Output", "Running", "Examples"]
    for option in VERBS["search"].params:
        starts = [line for line in lines if line.startswith(f"  {option.opts[0]}")]
        assert sum(line.split()[0].rstrip(",") == option.opts[0] for line in starts) == 1
    assert "Options:" in shown("stats")
    assert "Needed most:" not in shown("stats")
    known = {name for one in VERBS.values() for o in one.params for name in o.opts} | {"--help"}
    assert set(commands._PLACES) | set(FIRST.split()) <= known
    assert all(isinstance(one, Command) for one in VERBS.values())
    assert not list(examples("frob"))


@pytest.mark.parametrize(
    ("verb", "flag", "heading"),
    [
        (("search",), "--moves", "Filters"),
        (("index",), "--moves", "Needed most"),
        (("search",), "--candidates", "Ranking"),
        (("search",), "--max-passage-hits", "Passages"),
        (("rerank",), "--interpolate", "Reranking"),
        (("index",), "--format", "Input"),
        (("similar",), "--format", "Output"),
        (("tune",), "--folds", "Settings"),
    ],
)
def test_heading_of(verb, flag, heading):
    """A flag's heading is that of its name, of its method's role, or its own."""
    current = ""
    for line in shown(*verb):
        if line.endswith(":") and not line.startswith(" "):
            current = line[:-1]
        if current and line.startswith(f"  {flag} "):
            assert current == heading
            return
    pytest.fail(f"{flag} is not shown")


@pytest.mark.parametrize("verb", [*VERBS, "train", "moves"])
def test_examples(verb, tmp_path, monkeypatch):
    """Each verb has two examples, which it can read, and which fit on 80 columns."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(os, "environ", {**os.environ})  # which --ca and --search-type change
    lines = list(examples(verb))
    assert all(len(line) <= 80 for line in lines)
    each = "\n".join(lines).replace("\\\n", "").splitlines()
    assert len(each) == 2
    for example in each:
        first, *arguments = shlex.split(example)
        if first == "relsent-ir":
            assert f"{parsed(arguments).command_path} ".startswith(f"relsent-ir {verb} ")
    assert shown(*verb.split())[-len(lines) :] == lines


@pytest.mark.parametrize("verb", ["related", "themes", "answer", "relate"])
def test_examples_of_the_default(verb):
    """A verb that needs no sub-word ends in the examples of the one that is meant."""
    group = relsent_ir.get_command(click.Context(relsent_ir), verb)
    assert isinstance(group, WithDefault)
    lines = list(examples(f"{verb} {group.default}"))
    assert lines
    assert shown(verb)[-len(lines) :] == lines


def test_grouped_option():
    """An option has its method's heading or its role's; Anserini's spelling is read as ours."""
    assert Option(["--x"], group="rank", method="--bm25").group == "Ranking"
    assert Option(["--x"], group="expand", method="--fields").group == "Ranking"
    assert Option(["--x"], group="cut", method="--max-passage").group == "Passages"
    assert Option(["--x"], group="Filters").group == "Filters"
    one = Command("one", params=[Option(["--fb-terms"]), Option(["--bm25"]), Option(["-m"])])
    spelled = ("-fbTerms=3", "-rm3.fbTerms", "-bm25", "-m", "-map", "--bm25", "-3", "-x.y")
    assert [one._doubled(name) for name in spelled] == [
        *("--fb-terms=3", "--fb-terms", "--bm25", "-m", "-map", "--bm25", "-3", "-x.y")
    ]
