"""``relsent-ir tune``: run the methods of a verb with several settings."""

import logging
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click

from relsent_ir.cli import options
from relsent_ir.cli.output import Outcome, progress
from relsent_ir.cli.requests import Request, RunVerb
from relsent_ir.errors import MismatchError, UsageError
from relsent_ir.files import Closing

if TYPE_CHECKING:
    from relsent_ir.hits import Run
    from relsent_ir.tuning import Setting, Values

_log = logging.getLogger(__name__)


class Tunable(Closing):
    """A verb that writes a run, parsed once and run with several settings of its methods.

    Raises
    ------
    UsageError
        If the verb does not exist, or writes no run.
    """

    def __init__(self, verb: str, arguments: Sequence[str]) -> None:
        from relsent_ir.cli.main import Verbs
        from relsent_ir.tuning.flags import Flags

        context = click.Context(click.Command("tune"))
        command = Verbs().get_command(context, verb)
        if command is None:
            raise UsageError(f"no verb {verb}")
        if isinstance(command, options.WithDefault):
            named = bool(arguments) and arguments[0] in command.commands
            command = command.commands[arguments[0] if named else command.default]
            arguments = arguments[named:]
        if not isinstance(command, RunVerb):
            raise UsageError(f"{verb} writes no run, so it cannot be tuned")
        if any(argument.partition("=")[0] == "--output" for argument in arguments):
            raise UsageError("tune writes the runs itself", fix=f"leave --output of {verb} out")
        self.request: Request[Any] = command.request(verb, [*arguments, "--output", "-"])
        self.flags = Flags(verb, self.request.tunable())

    def run(self, setting: "Setting") -> "Run":
        """Run the methods with a setting."""
        flags = {**self.request.flags, **self.flags.given(setting)}
        hits = flags.pop("--hits", self.request.hits)
        return self.request.run(self.request.method(flags), hits)

    def close(self) -> None:
        """Close all that the verb has opened."""
        self.request.close()


LEARN: Final = ["--argumentative", "learn"]
SHARES: Final = "1,0,0.25,0.5,2,4"
"""Weights that ``--argumentative learn`` tries for each part; all start with the first."""


@options.verb()
def command(
    qrels: Path = options.file("Judgements.", required=True, metavar="QRELS", type=options.QRELS),
    measure: str = options.option("As evaluate -m.", default="map", show_default=True),
    level: int = options.count(
        "-l",
        "--relevance-level",
        "The least grade of a relevant document, as evaluate -l.",
        default=1,
    ),
    grid: tuple[str, ...] = options.option(
        "A flag's values, or its part's, as argumentative.MESH=0,1; with --random a range, as"
        " beta=0.5:4. In a text, + stands for a comma.",
        multiple=True,
        metavar="FLAG=V,V...",
    ),
    count: int | None = options.count(
        "--random", "Draw N settings.", metavar="N", most=100_000, excludes="--ascend"
    ),
    ascend: bool = options.flag("Change one flag at a time, from the first values."),
    folds: int | None = options.count("Of topics.  [default: 5]", metavar="K", least=2),
    train: int | None = options.count(
        "Choose on N random topics instead.", metavar="N", excludes="--folds --output"
    ),
    splits: int | None = options.count(
        "How often.  [default: 1]", metavar="N", most=100_000, needs="--train"
    ),
    seed: int = options.count("Of folds, splits, draws.", default=0, least=0),
    output: Path | None = options.file(
        "The run in which each topic has the settings chosen without it (folds only).",
        metavar="RUN",
    ),
    verb: str = options.argument("VERB", type=str),
    arguments: tuple[str, ...] = options.argument("ARGUMENTS...", nargs=-1, type=click.UNPROCESSED),
) -> Outcome:
    """Tune flags of VERB, a verb that writes a run, given with its ARGUMENTS but --output.

    For example:
    tune --qrels q.txt --grid k1=0.9,1.2 b=0.4,0.75 -- search --index cf --topics t.tsv --bm25

    Each fold's settings are chosen by the mean over the other folds' topics, and measured on its
    own; what the settings have in common is computed once. Topics without judgements are left out,
    and judgements without topics. "--argumentative learn" climbs to weights of all parts.
    """
    from relsent_ir.trec import evaluate, measure_names, read_qrels, write_run
    from relsent_ir.tuning import Report, drawn, random_splits, select
    from relsent_ir.tuning import ascend as climb
    from relsent_ir.tuning import folds as cut
    from relsent_ir.tuning import grid as combined

    names = measure_names([measure])
    if len(names) != 1:
        raise UsageError(f"{measure} is {len(names)} measures", fix="name one, as ndcg_cut.10")
    own_arguments, learned = _learned(arguments)
    with Tunable(verb, own_arguments) as tunable:
        values = _values([*grid, *learned], tunable)
        judged = read_qrels(qrels)

        def score(setting: "Setting") -> dict[str, float]:
            run = tunable.run(setting)
            both = {topic: judged[topic] for topic in judged if topic in run}
            if not both:
                raise MismatchError("no topic has judgements", where=qrels)
            values = evaluate(both, run, names, relevance_level=level).topics
            return {topic: of[names[0]] for topic, of in values.items()}

        untuned = score({})
        topics = list(untuned)
        parts = (
            random_splits(topics, train, repeats=splits or 1, seed=seed)
            if train
            else cut(topics, folds or 5, seed=seed)
        )
        with progress("Tuning", "settings") as tick:
            if ascend or learned:
                several = {flag: of.several for flag, of in values.items()}
                tuned = climb(several, score, parts, progress=tick)
            else:
                settings = drawn(values, count, seed=seed) if count else combined(values)
                tuned = select(settings, score, parts, progress=tick)
        _warn_of_corners(values, [fold.setting for fold in tuned.folds])
        if output:
            run = {}
            for fold in tuned.folds:
                chosen = tunable.run(fold.setting)
                run.update({topic: chosen[topic] for topic in fold.split.test if topic in chosen})
            write_run(output, run, tag="tuned")
    report = Report(tuned, untuned, names[0])
    return Outcome(report.to_json(), str(report))


def _warn_of_corners(values: Mapping[str, "Values"], chosen: Sequence["Setting"]) -> None:
    """Tell where most folds chose the first or last value of a flag: better ones may lie beyond."""
    for flag, of in values.items():
        value, times = Counter(setting.get(flag) for setting in chosen).most_common(1)[0]
        numbers = [number for number in of.several if isinstance(number, float)]
        if len(numbers) > 2 and times * 2 > len(chosen) and value in (min(numbers), max(numbers)):
            text = "%s: %d of %d folds chose %s, the end of its grid (try values beyond it)"
            _log.warning(text, flag, times, len(chosen), f"{value:g}")


def _learned(arguments: Sequence[str]) -> tuple[list[str], list[str]]:
    """Remove ``--argumentative learn`` from a verb's arguments, and add its weights to a grid."""
    from relsent_ir.feedback.sources import NAMES

    for place in range(len(arguments) - 1):
        if list(arguments[place : place + 2]) == LEARN:
            rest = [*arguments[:place], *arguments[place + 2 :]]
            return rest, [f"argumentative.{part}={SHARES}" for part in NAMES]
    return list(arguments), []


def _values(grid: Sequence[str], tunable: Tunable) -> "dict[str, Values]":
    if not grid:
        raise UsageError("nothing to tune", fix="--grid fb-docs=5,10,20")
    values = {}
    for item in grid:
        name, sign, text = item.partition("=")
        flag = f"--{name.strip().removeprefix('--')}"
        if not sign:
            raise UsageError(f"cannot read --grid {item}", fix="write fb-docs=5,10,20")
        values[flag] = tunable.flags.values(flag, text)
    return values
