"""Running a verb again and again from Python, as ``relsent-ir tune`` does."""

from collections.abc import Mapping, Sequence
from contextlib import redirect_stdout
from io import StringIO
from typing import TYPE_CHECKING

import click

from relsent_ir.cli.console import WithDefault
from relsent_ir.cli.runs import Kept, RunOption
from relsent_ir.errors import UsageError

if TYPE_CHECKING:
    from relsent_ir.hits import Run


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

    def run(self, setting: Mapping[str, float]) -> "Run":
        """Run the verb under a setting."""
        from relsent_ir.tuning.grid import spelled

        flags = [part for flag, value in setting.items() for part in (flag, spelled(value))]
        with redirect_stdout(StringIO()):
            run: Run = self.command.main(
                [*self.arguments, *flags],
                prog_name=self.verb,
                standalone_mode=False,
                obj=self.kept,
            )
        return run

    def whole(self, flag: str) -> bool:
        """Whether a flag takes whole numbers only.

        Raises
        ------
        UsageError
            If the verb has no such flag, or it is no number.
        """
        if flag not in self.options:
            raise UsageError(f"{self.verb} has no flag {flag}")
        kind = self.options[flag].type
        if isinstance(kind, click.types.IntParamType):
            return True
        if isinstance(kind, click.types.FloatParamType):
            return False
        raise UsageError(f"{flag} of {self.verb} is no number, so it cannot be tuned")

    def close(self) -> None:
        """Let go of what is open."""
        self.kept.close()

    def __enter__(self) -> "Runner":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
