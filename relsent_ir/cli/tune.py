"""``relsent-ir tune``: numeric flags of a verb, chosen on some topics and measured on others."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from relsent_ir.cli.console import SeveralValues, print_json, print_table, progress
from relsent_ir.cli.options import file_option, json_option
from relsent_ir.cli.runner import Runner
from relsent_ir.errors import UsageError

if TYPE_CHECKING:
    from relsent_ir.tuning import Tuned

Setting = dict[str, float]


@click.command(cls=SeveralValues)
@file_option("--qrels", required=True, metavar="QRELS", help="Judgements.")
@click.option("--measure", default="map", show_default=True, help="As evaluate -m.")
@click.option(
    "--grid",
    multiple=True,
    required=True,
    metavar="FLAG=V,V...",
    help="A flag's values, or with --random its range, as beta=0.5:4.",
)
@click.option("--random", "count", type=click.IntRange(1), metavar="N", help="Draw N settings.")
@click.option("--folds", type=click.IntRange(2), metavar="K", help="Of topics.  [default: 5]")
@click.option(
    "--train", type=click.IntRange(1), metavar="N", help="Choose on N random topics instead."
)
@click.option("--splits", type=click.IntRange(1), metavar="N", help="How often.  [default: 1]")
@click.option("--seed", type=int, default=0, show_default=True, help="Of folds, splits, draws.")
@file_option(
    "--output",
    metavar="RUN",
    help="The run in which each topic has the settings chosen without it (folds only).",
)
@json_option
@click.argument("verb")
@click.argument("arguments", nargs=-1, type=click.UNPROCESSED)
def command(
    qrels: Path,
    measure: str,
    grid: tuple[str, ...],
    count: int | None,
    folds: int | None,
    train: int | None,
    splits: int | None,
    seed: int,
    output: Path | None,
    as_json: bool,
    verb: str,
    arguments: tuple[str, ...],
) -> None:
    """Tune flags of VERB, a verb that writes a run, given with its ARGUMENTS but --output.

    For example:
    tune --qrels q.txt --grid k1=0.9,1.2 b=0.4,0.75 -- search --index cf --topics t.tsv --bm25

    Each fold's settings are chosen by the mean over the other folds' topics, and measured on its
    own; what the settings have in common is computed once.
    """
    from relsent_ir.trec import evaluate, measure_names, read_qrels, write_run
    from relsent_ir.tuning import folds as cut
    from relsent_ir.tuning import random_splits, select

    if folds and train:
        raise UsageError("--folds and --train exclude each other")
    if splits and not train:
        raise UsageError("--splits needs --train")
    if output and train:
        raise UsageError("--output needs --folds: a random split leaves topics out")
    names = measure_names([measure])
    if len(names) != 1:
        raise UsageError(f"{measure} is {len(names)} measures", fix="name one, as ndcg_cut.10")
    with Runner(verb, arguments) as runner:
        settings = _settings(grid, runner, count, seed)
        judged = read_qrels(qrels)

        def score(setting: Setting) -> dict[str, float]:
            topics = evaluate(judged, runner.run(setting), names).topics
            return {topic: values[names[0]] for topic, values in topics.items()}

        given = score({})
        topics = list(given)
        parts = (
            random_splits(topics, train, repeats=splits or 1, seed=seed)
            if train
            else cut(topics, folds or 5, seed=seed)
        )
        with progress("Tuning", "settings") as tick:
            tuned = select(settings, score, parts, progress=tick)
        if output:
            run = {}
            for fold in tuned.folds:
                found = runner.run(fold.setting)
                run.update({topic: found[topic] for topic in fold.split.test if topic in found})
            write_run(output, run, tag="tuned")
    _report(tuned, given, names[0], as_json)


def _settings(grid: Sequence[str], runner: Runner, count: int | None, seed: int) -> list[Setting]:
    from relsent_ir.tuning import drawn, parse_values
    from relsent_ir.tuning import grid as combined

    values = {}
    for item in grid:
        name, given, text = item.partition("=")
        flag = f"--{name.strip().removeprefix('--')}"
        if not given:
            raise UsageError(f"cannot read --grid {item}", fix="write fb-docs=5,10,20")
        values[flag] = parse_values(text, whole=runner.whole(flag))
    return drawn(values, count, seed=seed) if count else combined(values)


def _report(
    tuned: "Tuned[Setting]", given: Mapping[str, float], measure: str, as_json: bool
) -> None:
    """Print what each split chose, and the test scores; never a training score alone."""
    from statistics import mean

    from relsent_ir.tuning.grid import described

    untuned = [mean(given[topic] for topic in fold.split.test) for fold in tuned.folds]
    if as_json:
        chosen = [
            {
                "topics": f.split.test,
                "setting": f.setting,
                "train": f.train,
                "test": f.test,
                "untuned": u,
            }
            for f, u in zip(tuned.folds, untuned, strict=True)
        ]
        print_json(
            {
                "measure": measure,
                "settings": len(tuned.settings),
                "topics": len(tuned.topics),
                "mean": tuned.mean,
                "spread": tuned.spread,
                "untuned": mean(untuned),
                "folds": chosen,
            }
        )
        return
    rows = [
        [str(n), f"{f.train:.4f}", f"{f.test:.4f}", f"{u:.4f}", described(f.setting)]
        for n, (f, u) in enumerate(zip(tuned.folds, untuned, strict=True), 1)
    ]
    click.echo(f"{measure}, {len(tuned.settings)} settings, {len(tuned.topics)} topics\n")
    print_table(["split", "train", "test", "untuned", "chosen"], rows)
    click.echo(
        f"\ntest: mean {tuned.mean:.4f}, standard deviation {tuned.spread:.4f} "
        f"(untuned {mean(untuned):.4f})"
    )
