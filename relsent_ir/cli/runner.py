"""Running a verb again and again from Python, as ``relsent-ir tune`` does."""

from collections.abc import Mapping, Sequence
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path
from typing import TYPE_CHECKING

import click

from relsent_ir.errors import UsageError

if TYPE_CHECKING:
    from relsent_ir.hits import Run


class Runner:
    """Runs a verb again and again, with flags of ours.

    Raises
    ------
    UsageError
        If there is no such verb, or it writes no run.
    """

    def __init__(self, verb: str, arguments: Sequence[str]) -> None:
        from relsent_ir.cli.main import Verbs

        found = Verbs().get_command(click.Context(click.Command("tune")), verb)
        if found is None:
            raise UsageError(f"no verb {verb}")
        self.verb = verb
        self.command = found
        self.arguments = list(arguments)
        options = [option for option in found.params if isinstance(option, click.Option)]
        self.options = {name: option for option in options for name in option.opts}
        if "--output" not in self.options:
            raise UsageError(f"{verb} writes no run, so it cannot be tuned")
        if any(argument.partition("=")[0] == "--output" for argument in arguments):
            raise UsageError("tune writes the runs itself", fix=f"leave --output of {verb} out")

    def run(self, setting: Mapping[str, float], path: Path) -> "Run":
        """Run the verb under a setting."""
        from relsent_ir.trec import read_run
        from relsent_ir.tuning.grid import spelled

        flags = [part for flag, value in setting.items() for part in (flag, spelled(value))]
        arguments = [*self.arguments, *flags, "--output", str(path)]
        with redirect_stdout(StringIO()):
            self.command.main(arguments, prog_name=self.verb, standalone_mode=False)
        return read_run(path)

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
