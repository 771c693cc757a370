"""What the verbs share: progress on stderr, JSON, tables, options with several values."""

import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import click

from relsent_ir.typing import Progress


@contextmanager
def progress(title: str, unit: str = "it") -> Iterator[Progress]:
    """Show a bar on stderr while the block runs; nothing where stderr is no terminal.

    The unit ``B`` are bytes, shown in kB and MB.

    Yields the callback that long work calls with what is done and the total, or None.
    """
    with ExitStack() as bars:
        shown: list[Any] = []  # not before there is something to show

        def tick(done: int, total: int | None) -> None:
            if not shown:
                from tqdm import tqdm

                off = not sys.stderr.isatty()
                scaled = unit == "B"
                bar = tqdm(
                    desc=title,
                    unit=unit if scaled else f" {unit}",
                    unit_scale=scaled,
                    disable=off,
                    leave=False,
                )
                shown.append(bars.enter_context(bar))
            shown[0].total = total
            shown[0].update(done - shown[0].n)

        yield tick


def print_json(values: Any) -> None:
    """Print one JSON object on stdout."""
    click.echo(json.dumps(values, ensure_ascii=False))


def print_written(path: Path, told: str, counts: Mapping[str, Any], as_json: bool) -> None:
    """Tell what was written to a file, or JSON; on stderr if it went to standard output."""
    text = json.dumps(counts, ensure_ascii=False) if as_json else f"{path}: {told}"
    click.echo(text, err=str(path) == "-")


def print_table(header: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """Print a table on stdout: the first column to the left, the others to the right."""
    widths = [max(len(row[i]) for row in (header, *rows)) for i in range(len(header))]
    for row in (header, *rows):
        cells = [row[0].ljust(widths[0])]
        cells += [cell.rjust(width) for cell, width in zip(row[1:], widths[1:], strict=True)]
        click.echo("  ".join(cells).rstrip())


class SeveralValues(click.Command):
    """A command whose `multiple` options take several values at once: ``--input A B C``."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Write ``--input A B`` as ``--input A --input B`` for click."""
        several = {
            name
            for option in self.params
            if isinstance(option, click.Option) and option.multiple
            for name in option.opts
        }
        written: list[str] = []
        current = None
        for i, argument in enumerate(args):
            if argument == "--":
                written += args[i:]
                break
            if argument.startswith("-") and argument != "-":
                name = argument.partition("=")[0]
                current = name if name in several else None
            elif current and args[i - 1] != current:
                written.append(current)
            written.append(argument)
        return super().parse_args(ctx, written)


class WithDefault(click.Group):
    """A verb that needs no sub-word: arguments that begin with an option go to its first one."""

    @property
    def default(self) -> str:
        """The sub-word that is meant where none is named."""
        return next(iter(self.commands))

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Put the default sub-word before arguments that name none."""
        option = not args or args[0].startswith("-")
        if option and args[:1] not in ([name] for name in self.get_help_option_names(ctx)):
            args = [self.default, *args]
        return super().parse_args(ctx, args)

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Show the options of the sub-word that is meant where none is named."""
        self.commands[self.default].format_options(ctx, formatter)
        self.format_commands(ctx, formatter)
