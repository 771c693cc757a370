"""Running a verb again and again from Python, as ``relsent-ir tune`` does."""

from collections.abc import Sequence
from contextlib import redirect_stdout
from io import StringIO
from typing import TYPE_CHECKING, Final

import click

from relsent_ir.cli.console import WithDefault
from relsent_ir.cli.runs import Kept, RunOption
from relsent_ir.errors import UsageError

if TYPE_CHECKING:
    from relsent_ir.hits import Run
    from relsent_ir.tuning import Setting, Values

ARGUMENTATIVE: Final = "--argumentative"
WEIGHTED: Final = (ARGUMENTATIVE, "--boost", "--weights")
"""Flags that take a weight for each of several parts: of ``--argumentative.MESH`` and so on."""
TEXTS: Final = (
    *WEIGHTED,
    *("--aggregate", "--boost-form", "--fb-doc-weights", "--fb-weighting", "--method", "--parts"),
    *("--model", "--ranker", "--related", "--smart"),
)
"""Flags whose values are texts, and say how a verb ranks."""


class Runner:
    """Runs a verb again and again, with flags of ours; what it opens stays open until `close`.

    Raises
    ------
    UsageError
        If there is no such verb, or it writes no run.
    """

    def __init__(self, verb: str, arguments: Sequence[str]) -> None:
        from relsent_ir.cli.main import Verbs

        context = click.Context(click.Command("tune"))
        found = Verbs().get_command(context, verb)
        if found is None:
            raise UsageError(f"no verb {verb}")
        if isinstance(found, WithDefault):
            named = bool(arguments) and arguments[0] in found.commands
            name, arguments = (arguments[0], arguments[1:]) if named else (found.default, arguments)
            found = found.commands[name]
        self.verb = verb
        self.command = found
        self.arguments = list(arguments)
        self.kept = Kept()
        options = [option for option in found.params if isinstance(option, click.Option)]
        self.options = {name: option for option in options for name in option.opts}
        if not isinstance(self.options.get("--output"), RunOption):
            raise UsageError(f"{verb} writes no run, so it cannot be tuned")
        if any(argument.partition("=")[0] == "--output" for argument in arguments):
            raise UsageError("tune writes the runs itself", fix=f"leave --output of {verb} out")

    def run(self, setting: "Setting") -> "Run":
        """Run the verb under a setting."""
        with redirect_stdout(StringIO()):
            run: Run = self.command.main(
                [*self.arguments, *self.flags(setting)],
                prog_name=self.verb,
                standalone_mode=False,
                obj=self.kept,
            )
        return run

    def flags(self, setting: "Setting") -> list[str]:
        """Write a setting as arguments; parts of a flag become the one value that it takes.

        A part of feedback's documents that weighs 0 is left out; without any they are taken whole.
        """
        from relsent_ir.tuning.grid import spelled

        found = []
        parts: dict[str, dict[str, str]] = {}
        for name, value in setting.items():
            flag, part = self.split(name)
            if part:
                parts.setdefault(flag, {})[part] = spelled(value)
            else:
                found += [flag, spelled(value)]
        for flag, of in parts.items():
            if all(map(str.isdigit, of)):
                some = [of[part] for part in sorted(of, key=int)]
            else:
                kept = {part: w for part, w in of.items() if flag != ARGUMENTATIVE or w != "0"}
                some = [f"{part.upper()}={w}" for part, w in kept.items()] or ["DOCUMENT"]
            found += [flag, ",".join(some)]
        return found

    def split(self, name: str) -> tuple[str, str]:
        """Tell the flag from its part, as ``--boost`` and ``PURPOSE`` in ``--boost.PURPOSE``."""
        flag, _, part = name.rpartition(".")
        return (flag, part) if name not in self.options and flag in self.options else (name, "")

    def values(self, name: str, text: str) -> "Values":
        """Read the values of a flag, or of a flag's part: numbers, or texts.

        Raises
        ------
        UsageError
            If the verb has no such flag, it has no parts, or takes neither numbers nor texts.
        """
        from relsent_ir.tuning import parse_texts, parse_values

        flag, part = self.split(name)
        if flag not in self.options:
            raise UsageError(f"{self.verb} has no flag {name}")
        kind = self.options[flag].type
        if part and flag not in WEIGHTED:
            raise UsageError(f"{flag} has no parts", fix=f"{', '.join(WEIGHTED)} have")
        if part or isinstance(kind, click.types.FloatParamType):
            return parse_values(text)
        if isinstance(kind, click.types.IntParamType):
            return parse_values(text, whole=True)
        if flag in TEXTS:
            return parse_texts(text)
        raise UsageError(f"{flag} of {self.verb} says nothing that could be tuned")

    def close(self) -> None:
        """Let go of what is open."""
        self.kept.close()

    def __enter__(self) -> "Runner":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
