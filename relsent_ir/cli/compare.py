"""``relsent-ir compare``: runs against a baseline, with significance tests."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from relsent_ir.cli.evaluate import measure_run, measuring_options

if TYPE_CHECKING:
    from collections.abc import Sequence

    from relsent_ir.trec import Comparison


@click.command("compare")
@click.argument("qrels", type=click.Path(path_type=Path))
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
    help="A measure as trec_eval names it. Repeatable.",
)
@click.option(
    "--test",
    "tests",
    type=click.Choice(("t", "sign", "wilcoxon", "randomisation")),
    multiple=True,
    default=("t",),
    show_default=True,
    help="A two-sided test over the topics. Repeatable.",
)
@click.option(
    "--permutations",
    type=click.IntRange(min=1),
    default=100_000,
    show_default=True,
    help="Sign patterns of the randomisation test.",
)
@click.option("--seed", type=click.IntRange(min=0), default=0, show_default=True)
@measuring_options("Topics that a run misses count as 0, or are left out for all.")
def command(
    qrels: Path,
    baseline: Path,
    runs: tuple[Path, ...],
    measures: tuple[str, ...],
    tests: tuple[str, ...],
    permutations: int,
    seed: int,
    as_json: bool,
    **measuring: Any,
) -> None:
    """Compare each RUN with BASELINE by the judgements in QRELS.

    For each run and measure: mean, difference to the baseline, topics won, lost and tied, and p
    by each test, as it is and corrected by Holm's method for all comparisons in the table.
    """
    from relsent_ir.trec import compare, read_qrels

    judgements = read_qrels(qrels)
    first, *others = (
        measure_run(judgements, qrels, run, measures, **measuring) for run in (baseline, *runs)
    )
    found = compare(first, others, measures, tests, permutations=permutations, seed=seed)
    if as_json:
        comparisons = [{**asdict(one), "run": str(runs[one.run])} for one in found]
        click.echo(
            json.dumps(
                {
                    "baseline": str(baseline),
                    "num_q": found[0].wins + found[0].losses + found[0].ties,
                    "comparisons": comparisons,
                }
            )
        )
        return
    for row in _aligned(_table(found, baseline, runs)):
        click.echo(row)


def _table(found: list[Comparison], baseline: Path, runs: tuple[Path, ...]) -> list[list[str]]:
    tests = list(found[0].p)
    head = ["run", "measure", "mean", "difference", "won/lost/tied"]
    rows = [head + [name for test in tests for name in (f"p({test})", "Holm")]]
    rows += [[str(baseline), one.measure, f"{one.baseline:.4f}"] for one in found if one.run == 0]
    for one in found:
        score = f"{one.wins}/{one.losses}/{one.ties}"
        ps = [_p(p) for test in tests for p in (one.p[test], one.holm[test])]
        mean, difference = f"{one.mean:.4f}", f"{one.difference:+.4f}"
        rows.append([str(runs[one.run]), one.measure, mean, difference, score, *ps])
    return rows


def _p(p: float) -> str:
    return f"{p:.4f}" if p >= 0.0001 or p == 0 else f"{p:.1e}"


def _aligned(rows: Sequence[Sequence[str]]) -> list[str]:
    """Pad the columns of a table to equal widths."""
    widths = [max(len(row[i]) for row in rows if i < len(row)) for i in range(len(rows[0]))]
    padded = [[cell.ljust(width) for cell, width in zip(row, widths, strict=False)] for row in rows]
    return ["  ".join(row).rstrip() for row in padded]
