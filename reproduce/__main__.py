"""``python -m reproduce``: a paper's tables beside ours, written to docs/results."""

import sys
from pathlib import Path

import click

from relsent_ir.cli import options
from relsent_ir.cli.main import INTERRUPTED
from relsent_ir.cli.output import Outcome, counted, progress
from relsent_ir.errors import MissingError, RelsentError, UsageError
from reproduce import EXPERIMENTS, Request, reproduce
from reproduce.data import CLASSES, MEASURED, MINUTES, NEEDS, is_public, missing
from reproduce.sources import fetch_files


@options.verb()
def command(
    name: str | None = options.argument("[NAME]", type=str, required=False),
    as_list: bool = options.flag("--list", "List the experiments with the files that they read."),
    fetched: bool = options.flag(
        "--fetch", "First bring what it lacks from its public sources, into collections/."
    ),
    url: str | None = options.option(
        "A folder of the web that mirrors all of them.", metavar="BASE", needs="--fetch"
    ),
    full: bool = options.flag("Also what takes long, such as ablations, and the texts."),
    example: Path | None = options.file(
        "Records with an example that the page shows by number and score (moves: PMID 12404725)."
    ),
    indexes: Path = options.heap(
        options.file(
            "Where the collections' indexes are, or else are built.",
            default="indexes",
            show_default=True,
            metavar="DIR",
        )
    ),
) -> Outcome:
    """Run the experiment NAME and write docs/results/NAME.md below the current folder.

    Its plots are written beside it; with --full also NAME.texts.md, the texts that the page only
    names. The collections are read from the folder that the environment variable RELSENT_DATA
    names, or from where fetch put them, below the current folder; what is missing is listed first,
    or brought with --fetch.
    """
    if as_list:
        return _experiments()
    if name not in EXPERIMENTS:
        raise UsageError(f"no experiment {name!r}", fix=f"one of {', '.join(EXPERIMENTS)}")
    if fetched:
        if name in CLASSES and missing(name):
            raise MissingError(
                "OHSUMED's classes have no source that they can be made of",
                where="abstracts/abstracts.jsonl.gz",
                fix="docs/data.md says why",
            )
        with progress("Fetching", "steps") as tick:
            told = fetch_files(NEEDS[name], Path(), tick, url or "")
        click.echo("\n".join(told), err=True)
    lacking = missing(name)
    if lacking:
        for error in lacking:
            click.echo(str(error), err=True)
        some = f"{len(lacking)} of the files that {name} reads" if lacking[1:] else "a file"
        raise MissingError(
            f"{some} {'are' if lacking[1:] else 'is'} missing",
            fix="set RELSENT_DATA to the folder that holds them, or bring them with --fetch",
        )
    with progress("Running", "steps") as tick:
        path = reproduce(name, Request(full, example, indexes, tick), Path("docs", "results"))
    return Outcome({"experiment": name, "page": str(path)}, f"{path} written")


def _experiments() -> Outcome:
    """List the files of each experiment, those that are missing, and how to get them."""
    values, lines = {}, []
    for name in EXPERIMENTS:
        reads, lacking, public = NEEDS[name], list(map(str, missing(name))), is_public(name)
        values[name] = {
            "reads": list(reads),
            "missing": lacking,
            "minutes": MINUTES[name],
            "measured": name in MEASURED,
            "public": public,
        }
        fetch = "--fetch brings all" if public else "not all is public"
        lines.append(
            f"{name}: {len(reads) - len(lacking)} of {len(reads)} files are here ({fetch}); "
            f"{'' if name in MEASURED else 'some '}{counted(MINUTES[name], 'minute')}"
        )
        lines += [f"  {error}" for error in lacking]
    return Outcome(values, *lines)


def main(arguments: list[str] | None = None) -> int:
    """Run an experiment; a user's error is one line on stderr and its exit code."""
    try:
        command.main(arguments, prog_name="python -m reproduce", standalone_mode=False)
    except click.ClickException as error:
        error.show()
        return error.exit_code
    except RelsentError as error:
        click.echo(f"reproduce: error: {error}", err=True)
        return error.exit_code
    except (click.Abort, KeyboardInterrupt):
        click.echo("reproduce: interrupted", err=True)
        return INTERRUPTED
    return 0


if __name__ == "__main__":
    sys.exit(main())
