"""Commands whose help groups options under headings, and ends with examples."""

import re
import shlex
from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path
from typing import Any, Final

import click
from click.core import ParameterSource

from relsent_ir.errors import UsageError

FIRST: Final = """--index --input --qrels --topics --output --measure --grid --bm25 --rm3 --entity
    --id --question --method --pmid --model --run --text -m --test --all-pairs --moves --append
    --hits --port --threads"""
"""The most needed options; the first five of these that a verb has come first in its help."""
NEEDED_FIRST_MAX: Final = 5
FEW: Final = 10
"""Up to this number, options are shown as a single list."""

_GROUPS: Final = {
    "Input": """--index --input --topics --topics-format --topics-field --text --query --unit
        --as-written --stopwords --delete --run --runs --qrels --map --strict --records
        --sentences --question --id --pmid --entity --with --pairs --synonyms
        --literal --collection --generator --connections --from-hits""",
    "Ranking": """--model --ranker --dense --method --k1 --b --mu --lambda --fields
        --candidates --settings --depth --slot --directed --evidence""",
    "Feedback": "--fb-preset --rocchio-use-negative",
    "Reranking": "--interpolate --aggregate",
    "Settings": "",
    "Filters": """--year --min-score --min-probability --without-own --remove-query
        --remove-duplicates""",
    "Passages": "",
    "Output": """--output --output-format --count --hits --group --runtag --format --width
        --no-color --json --save-settings --explain --latex --ranx""",
    "Running": """--threads --batch-size --engine --scheduler --tls-ca --tls-cert --tls-key --cache
        --require-finished --ca --search-type --heap --seed --open --help""",
}
"""The headings in order, with the flags under each; all other flags are settings."""
_PLACES: Final = {flag: group for group, flags in _GROUPS.items() for flag in flags.split()}
_ROLES: Final = {
    "rank": "Ranking",
    "expand": "Feedback",
    "join": "Reranking",
    "rerank": "Reranking",
    "cut": "Passages",
}


class Option(click.Option):
    """An option that may require or exclude others, or belong to another heading than its name's.

    Parameters
    ----------
    *names : Any
        As in `click.Option`.
    needs : str
        Flags of which it requires one.
    excludes : str
        Flags with which it cannot be combined.
    group : str
        The heading, or the role of the method to which it belongs.
    method : str
        The flag of the method whose parameter it sets.
    **settings : Any
        As in `click.Option`.
    """

    def __init__(
        self,
        *names: Any,
        needs: str = "",
        excludes: str = "",
        group: str = "",
        method: str = "",
        **settings: Any,
    ) -> None:
        super().__init__(*names, **settings)
        self.needs, self.excludes = needs.split(), excludes.split()
        self.group = _PLACES.get(method) or _ROLES.get(group, group)
        self.method = method


class _Exemplified(click.Command):
    """A verb whose help ends with its examples from ``examples.txt``."""

    default = ""
    """The sub-word that is used if the command line has none."""

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the examples."""
        verb = ctx.command_path.partition(" ")[2]  # as typed after ``relsent-ir``
        lines = list(examples(f"{verb} {self.default}".rstrip()))
        if lines:
            with formatter.section("Examples"):
                for line in lines:
                    formatter.write(f"{line}\n")


class Command(_Exemplified):
    """A verb whose `multiple` options take several values at once, as in ``--input A B C``."""

    allow_extra_args = True  # refused below, with our own message

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Rewrite ``--input A B`` as ``--input A --input B`` for click.

        If a verb has files as arguments, an existing file is not taken as a further value of an
        option: ``-m map qrels.txt run.txt`` has the order of trec_eval.
        """
        takes_files = any(isinstance(option, click.Argument) for option in self.params)
        options = {
            flag: option
            for option in self.params
            if isinstance(option, click.Option)
            for flag in (*option.opts, *option.secondary_opts)
        }
        needing = {  # all options except switches and --moves [MODEL]
            flag: option
            for flag, option in options.items()
            if not (option.is_flag or option.count or isinstance(option.flag_value, str))
        }
        args = [self._doubled(argument) for argument in args]
        written: list[str] = []
        current = None
        for i, argument in enumerate(args):
            if argument == "--":
                written += args[i:]
                break
            if argument.startswith("-") and argument != "-":
                name = argument.partition("=")[0]
                before = needing.get(args[i - 1]) if i and name in options else None
                if before and not ctx.resilient_parsing:
                    fix = f"{args[i - 1]} {before.metavar or 'VALUE'}"
                    raise UsageError(f"{args[i - 1]} needs a value", fix=fix)
                current = name if name in options and options[name].multiple else None
            elif current and args[i - 1] != current:
                if takes_files and Path(argument).is_file():
                    current = None
                else:
                    written.append(current)
            written.append(argument)
        rest = super().parse_args(ctx, written)
        if not ctx.resilient_parsing:
            # refuse an option that has no effect because of the others
            given = {
                flag: option
                for option in self.params
                if ctx.get_parameter_source(option.name or "") is ParameterSource.COMMANDLINE
                for flag in option.opts
            }
            for flag, option in given.items():
                if isinstance(option, Option):
                    if option.needs and not given.keys() & set(option.needs):
                        raise UsageError(f"{flag} needs {' or '.join(option.needs)}")
                    for other in option.excludes:
                        if other in given:
                            raise UsageError(f"{flag} and {other} exclude each other")
            if rest:  # words that belong to no option: name the option that takes such words
                known = {flag for option in self.params for flag in option.opts}
                texts = ["--question", "--text", "--id", "--pmid"]
                if len(rest) == 1 and re.search(r"\d", rest[0]) and " " not in rest[0]:
                    texts.reverse()
                if re.search(r"[*\[\"]|\b(?:AND|OR|NOT)\b", " ".join(rest)):
                    texts.insert(0, "--query")
                meant = (f"{f} {shlex.quote(' '.join(rest))}" for f in texts if f in known)
                fix = next(meant, f"see {ctx.command_path} --help")
                raise UsageError(f"no option takes {rest[0]!r}", fix=fix)
        return rest

    def _doubled(self, argument: str) -> str:
        """Rewrite an option with one dash, as in Anserini (``-fbTerms``), with two."""
        if not re.match(r"-[A-Za-z][\w.]", argument):
            return argument
        name, sign, value = argument[1:].partition("=")
        known = {flag for option in self.params for flag in option.opts}
        plain = re.sub(r"(?<=[a-z])(?=[A-Z])", "-", name).lower()
        for written in (f"--{name}", f"--{plain}", f"--{plain.rpartition('.')[2]}"):
            if written in known:
                return written + sign + value
        return argument

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the options under headings, the most needed ones first."""
        listed = [option for option in self.get_params(ctx) if isinstance(option, click.Option)]
        if len(listed) <= FEW:
            super().format_options(ctx, formatter)
            return
        groups: dict[str, list[click.Option]] = {group: [] for group in ("Needed most", *_GROUPS)}
        rank = {flag: place for place, flag in enumerate(FIRST.split())}
        most = sorted((o for o in listed if o.opts[0] in rank), key=lambda o: rank[o.opts[0]])
        for option in most[:NEEDED_FIRST_MAX]:
            parts = [o for o in listed if getattr(o, "method", "") == option.opts[0]]
            groups["Needed most"] += [option, *(o for o in parts if o is not option)]
        for option in listed:
            if option not in groups["Needed most"]:
                flag = "--help" if "--help" in option.opts else option.opts[0]
                own = option.group if isinstance(option, Option) else ""
                groups[own or _PLACES.get(flag, "Settings")].append(option)
        for group, options in groups.items():
            rows = [row for option in options if (row := option.get_help_record(ctx))]
            if rows:
                with formatter.section(group):
                    formatter.write_dl(rows)


class Group(_Exemplified, click.Group):
    """A verb with sub-words."""


def examples(verb: str) -> Iterator[str]:
    """Yield the lines of a verb's examples, for example of ``train moves``."""
    text = files("relsent_ir.cli").joinpath("examples.txt").read_text(encoding="utf-8")
    current = ""
    for line in text.splitlines():
        if not line.startswith(" "):
            current = line
        elif current == verb:
            yield line


class WithDefault(Group):
    """A verb whose sub-word may be left out: options or a phrase then go to the first one."""

    @property
    def default(self) -> str:  # type: ignore[override]
        """The first sub-word."""
        return next(iter(self.commands))

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Insert the default sub-word before arguments that name none."""
        option = not args or args[0].startswith("-") or " " in args[0]
        if option and args[:1] not in ([name] for name in self.get_help_option_names(ctx)):
            args = [self.default, *args]
        return super().parse_args(ctx, args)

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the options of the default sub-word."""
        self.commands[self.default].format_options(ctx, formatter)
        self.format_commands(ctx, formatter)
