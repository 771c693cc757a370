"""``relsent-ir compare``: runs against a baseline, with significance tests."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import click

from relsent_ir.cli import options
from relsent_ir.cli.verbs.evaluate import measure_run, measuring_options
from relsent_ir.errors import UsageError


@click.command("compare", cls=options.Command)
@click.argument("qrels", type=options.QRELS)
@click.argument("baseline", type=click.Path(path_type=Path))
@click.argument("runs", metavar="RUN...", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option(
    "-m",
    "--measure",
    "measures",
    multiple=True,
    default=("map",),
    show_default=True,
    metavar="MEASURE",
    help="A measure as trec_eval or ir_measures names it. Repeatable.",
)
@options.choice(
    "--test",
    "tests",
    choices=("t", "sign", "wilcoxon", "randomisation"),
    default=("t",),
    multiple=True,
    help="A two-sided test over the topics. Repeatable.",
)
@options.count("--permutations", default=100_000, help="Sign patterns of the randomisation test.")
@click.option("--all-pairs", is_flag=True, help="Compare each run with all before it too.")
@click.option("--latex", is_flag=True, help="Print a LaTeX table (booktabs).")
@click.option("--ranx", is_flag=True, help="Print a table as ranx does, of all pairs.")
@options.count("--seed", default=0, least=0)
@measuring_options("Topics that a run misses count as 0, or are left out for all.")
def command(
    qrels: Path,
    baseline: Path,
    runs: tuple[Path, ...],
    measures: tuple[str, ...],
    tests: tuple[str, ...],
    permutations: int,
    all_pairs: bool,
    latex: bool,
    ranx: bool,
    seed: int,
    as_json: bool,
    **measuring: Any,
) -> None:
    """Compare each RUN with BASELINE by the judgements in QRELS.

    For each run and measure: mean, difference to the baseline with its 95 % interval (Student's t),
    topics won, lost and tied, and p by each test, as it is and corrected by Holm's method for all
    comparisons in the table.
    """
    from relsent_ir.trec import ComparisonTable, compare, read_qrels

    if latex + ranx + as_json > 1:
        raise UsageError("--latex, --ranx and --json exclude each other")
    judgements = read_qrels(qrels)
    first, *others = (
        measure_run(judgements, qrels, run, measures, **measuring) for run in (baseline, *runs)
    )
    comparisons = compare(
        first,
        others,
        measures,
        tests,
        pairs=all_pairs or ranx,
        permutations=permutations,
        seed=seed,
    )
    table = ComparisonTable(str(baseline), tuple(map(str, runs)), comparisons)
    shown = table.to_latex() if latex else table.to_ranx() if ranx else str(table)
    click.echo(json.dumps(table.to_json()) if as_json else shown)
