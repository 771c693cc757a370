"""``relsent-ir``: find the verb, import its module only, and print errors in one line."""

import importlib
import logging
import os
import sys
from difflib import get_close_matches
from io import TextIOWrapper
from typing import Any, Final

import click

from relsent_ir import __version__
from relsent_ir.errors import OutputError, RelsentError, StrategyError

VERBS: Final = {
    "fetch": "Fetch a test collection, with its topics and qrels.",
    "plan": "Foresee the disk, memory and time of an index.",
    "index": "Build the Lucene indexes of a collection.",
    "merge": "Make one index of several, each record once.",
    "update": "Bring an index of PubMed up to date.",
    "encode": "Encode an index's texts as vectors.",
    "search": "Search topics and write a TREC run.",
    "evaluate": "Score a run with trec_eval's measures.",
    "compare": "Compare runs, with significance tests.",
    "fuse": "Fuse runs into one.",
    "tune": "Tune a verb's flags by cross-validation.",
    "train": "Train a model.",
    "features": "Features of candidates, for other learners.",
    "related": "Related sentences.",
    "rerank": "Order a run by a model.",
    "similar": "Articles similar to an article.",
    "cite": "Records that a text may cite.",
    "themes": "Themes: records and terms on the subject of a record.",
    "answer": "Sentences that answer a question.",
    "relate": "Sentences that relate two entities.",
    "entity": "What goes with an entity, with a sentence for each.",
    "moves": "Argumentative moves of sentences.",
    "serve": "Read a collection in a browser.",
    "mcp": "Let agents search a collection.",
    "show": "Show records and sentences by their ids.",
    "export": "Send a collection to a cluster of OpenSearch.",
    "stats": "Describe an index.",
    "explain": "Account for a document's score.",
    "doctor": "Check this machine: Java, Lucene, data.",
    "env": "Print what lets Pyserini open our indexes from a shell.",
    "demo": "Index, search and evaluate a collection, from nothing.",
    "reproduce": "Tell where the papers' experiments are.",
}
MODULES: Final = {
    "env": "doctor",
    "reproduce": "doctor",
    "merge": "index",
    "plan": "index",
    "stats": "show",
    "entity": "relate",
    "similar": "cite",
    "compare": "evaluate",
    "fuse": "evaluate",
    "mcp": "serve",
}
"""The modules of verbs without a module of their own, in which they have their own names."""
INTERRUPTED = 130
LONGEST = 1000  # characters of an error message
CUT = 141  # the shell's exit code for a program ended by SIGPIPE


class ReaderGoneError(Exception):
    """The reader of our output has closed it, like head."""


class Verbs(click.Group):
    """Provide the verbs by name; the module of a verb is imported when the verb is called."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 (click's)
        """In the order in which they are used."""
        return list(VERBS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        """Import the module of a verb; the verb is its `command`, or has its own name there."""
        if cmd_name not in VERBS:
            return None
        module = importlib.import_module(f"relsent_ir.cli.verbs.{MODULES.get(cmd_name, cmd_name)}")
        command = getattr(module, cmd_name if cmd_name in MODULES else "command")
        assert isinstance(command, click.Command)
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the verb; for a misspelt one, name similar verbs."""
        close = get_close_matches(args[0], VERBS, 1) if args[0] not in VERBS else []
        if close:
            raise click.UsageError(f"No such command {args[0]!r}: did you mean {close[0]}?", ctx)
        return super().resolve_command(ctx, args)

    def invoke(self, ctx: click.Context) -> Any:
        """Call the verb; click itself would exit with code 1 for a closed pipe."""
        try:
            return super().invoke(ctx)
        except BrokenPipeError as error:
            raise ReaderGoneError from error

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002
        """List the verbs without importing them."""
        with formatter.section("Commands"):
            formatter.write_dl(list(VERBS.items()))


EPILOG: Final = """\b
Exit codes
  0  done                              4  an input is bad (one line says where)
  2  the command line is wrong         5  inputs do not belong together
  3  something is missing: Java, data  6  an output cannot be written

\b
Environment
  RELSENT_DATA      the folder of the collections that fetch and train look in
  RELSENT_HEAP      Java's largest heap, such as 4g  [1g]
  RELSENT_POSTINGS  bytes that postings in memory may have  [2g]
  XDG_CACHE_HOME    derived data of read-only indexes; Java's classes  [~/.cache]
  NO_COLOR, FORCE_COLOR, FORCE_HYPERLINK   as everywhere

\b
Files: all may be gzipped; - is standard input or output.
Completion: eval "$(_RELSENT_IR_COMPLETE=bash_source relsent-ir)", or zsh_source, fish_source.
"""


@click.command(cls=Verbs, context_settings={"help_option_names": ["-h", "--help"]}, epilog=EPILOG)
@click.version_option(__version__, prog_name="relsent-ir")
def relsent_ir() -> None:
    """Search and rerank MEDLINE sentences: published methods on Lucene, measured by trec_eval."""


def main(arguments: list[str] | None = None) -> int:
    """Run the command line; a user's error gives one line on stderr and its exit code."""
    if arguments is None:  # called as a program
        # BLAS's threads wait for one another: finding sentences related to a record's took twice
        # the processor time, but no less wall-clock time. Set this before NumPy is imported.
        for name in ("OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
            os.environ.setdefault(name, "1")
    handler = logging.StreamHandler()
    handler.setFormatter(logging.Formatter("relsent-ir: %(levelname)s: %(message)s"))
    logging.addLevelName(logging.WARNING, "warning")
    logger = logging.getLogger("relsent_ir")
    logger.handlers = [handler]
    if isinstance(sys.stdout, TextIOWrapper):  # for what it cannot encode, and invalid bytes
        sys.stdout.reconfigure(errors="backslashreplace")
    try:
        relsent_ir.main(arguments, prog_name="relsent-ir", standalone_mode=False)
        sys.stdout.flush()
    except click.exceptions.NoArgsIsHelpError as error:
        error.show()
        return error.exit_code
    except click.ClickException as error:
        context = getattr(error, "ctx", None)
        command = context.command_path if context else "relsent-ir"
        message = error.format_message().rstrip(".")
        _say(f"{message} (see {command} --help)")
        return error.exit_code
    except (click.Abort, KeyboardInterrupt):
        click.echo("relsent-ir: interrupted", err=True)
        return INTERRUPTED
    except RelsentError as error:
        _say(str(error))
        if isinstance(error, StrategyError):
            click.echo(error.pointer(), err=True)
        return error.exit_code
    except (BrokenPipeError, ReaderGoneError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return CUT
    except OSError as error:
        if error.filename is None:
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        where = error.filename or "standard output"
        problem = OutputError(f"cannot be used: {error.strerror}", where=where)
        _say(str(problem))
        return problem.exit_code
    return 0


def _say(problem: str) -> None:
    """Print an error in one printable line; input that it quotes may be long or binary."""
    line = " ".join(problem.split())
    shown = "".join(letter if letter.isprintable() else ascii(letter)[1:-1] for letter in line)
    if len(shown) > LONGEST:
        shown = f"{shown[: LONGEST // 2]}...{shown[-LONGEST // 2 :]}"
    click.echo(f"relsent-ir: error: {shown}", err=True)


if __name__ == "__main__":
    sys.exit(main())
