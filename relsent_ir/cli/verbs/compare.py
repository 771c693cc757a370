"""``relsent-ir compare``: runs against a baseline, with significance tests."""

import json
from pathlib import Path
from typing import Any

import click

from relsent_ir.cli import options
from relsent_ir.cli.verbs.evaluate import counting, measure_run
from relsent_ir.errors import UsageError


@options.verb()
def command(
    qrels: Path = options.argument("QRELS", type=options.QRELS),
    baseline: Path = options.argument("BASELINE"),
    runs: tuple[Path, ...] = options.argument("RUN...", nargs=-1, required=True),
    measures: tuple[str, ...] = options.option(
        "-m",
        "--measure",
        "A measure as trec_eval or ir_measures names it. Repeatable.",
        multiple=True,
        default=("map",),
        show_default=True,
        metavar="MEASURE",
    ),
    tests: tuple[str, ...] = options.choice(
        "--test",
        "A two-sided test over the topics. Repeatable.",
        choices=("t", "sign", "wilcoxon", "randomisation"),
        default=("t",),
        multiple=True,
    ),
    permutations: int = options.count("Sign patterns of the randomisation test.", default=100_000),
    all_pairs: bool = options.flag("Compare each run with all before it too."),
    latex: bool = options.flag(
        "Print systems by measures for LaTeX (booktabs): best bold; letters as with --ranx."
    ),
    ranx: bool = options.flag(
        "Print a table as ranx does: letters where Holm's p of all pairs is under .05 by the first "
        "--test."
    ),
    names: str | None = options.option(
        "Names in the table, the baseline's first.", metavar="NAME,..."
    ),
    seed: int = options.count(default=0, least=0),
    counted: dict[str, Any] = counting(
        "Topics that a run misses count as 0, or are left out for all."
    ),
    as_json: bool = options.flag("--json", "Print one JSON object."),
) -> None:
    """Compare each RUN with BASELINE by the judgements in QRELS.

    For each run and measure: mean, difference to the baseline with its 95 % interval (Student's t),
    topics won, lost and tied, and p by each test, as it is and corrected by Holm's method for all
    comparisons in the table.
    """
    from relsent_ir.trec import read_qrels
    from relsent_ir.trec.tables import EvaluationTable, compared

    if latex + ranx + as_json > 1:
        raise UsageError("--latex, --ranx and --json exclude each other")
    judgements = read_qrels(qrels)
    several = (baseline, *runs)
    measured = tuple(measure_run(judgements, qrels, run, measures, **counted) for run in several)
    called = names.split(",") if names else list(map(str, several))
    if len(called) != len(several):
        problem = f"--names has {len(called)} names for {len(several)} runs"
        raise UsageError(problem, fix="one a run, commas between, the baseline's first")
    table = compared(
        EvaluationTable(tuple(called), measured),
        measures,
        tests,
        pairs=all_pairs,
        permutations=permutations,
        seed=seed,
    )
    text = table.to_latex() if latex else table.to_ranx() if ranx else str(table)
    click.echo(json.dumps(table.to_json()) if as_json else text)
