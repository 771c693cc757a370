"""``relsent-ir fuse``: one run out of several."""

import math
from pathlib import Path
from typing import TYPE_CHECKING

import click

from relsent_ir.cli import options
from relsent_ir.cli.output import Output
from relsent_ir.errors import UsageError

if TYPE_CHECKING:
    from relsent_ir.hits import Run


COMBINATIONS = ("combsum", "combmnz", "combanz", "combmax", "combmin", "combmed")


@click.command("fuse", cls=options.Command)
@options.file(
    "--runs", required=True, multiple=True, metavar="RUN RUN...", help="The runs to fuse."
)
@options.file(
    "--output", required=True, metavar="PATH", help="The run to write.", cls=options.RunOption
)
@options.choice(
    "--method",
    choices=(*["rrf", "interpolation", "average", "normalize"], *COMBINATIONS),
    default="rrf",
    help="rrf: reciprocal ranks; interpolation: two runs' scores by --alpha; average: the mean of"
    " the scores; normalize: the sum of the scores after each topic's were brought to 0 to 1;"
    " comb…: their sum, sum times or by the number of runs, highest, lowest or median.",
)
@options.count("--rrf.k", "rrf_k", help="k of rrf.  [default: 60]", least=0)
@click.option(
    "--alpha",
    type=options.Finite(0, 1),
    help="Weight of the first of two runs in interpolation.  [default: 0.5]",
)
@click.option("--weights", metavar="W,W...", help="Weights of the runs in normalize.")
@options.count("--depth", default=1000, help="Hits a topic that are taken from each run.")
@options.count("--k", default=1000, help="Hits a topic that are written.")
@click.option("--runtag", default="relsent-ir", show_default=True, help="Name of the fused run.")
@options.takes_output
def command(
    runs: tuple[Path, ...],
    output: Output,
    method: str,
    rrf_k: int | None,
    alpha: float | None,
    weights: str | None,
    depth: int,
    k: int,
) -> "Run":
    """Fuse runs into one.

    Ranks are those that trec_eval sees: by score, whatever the rank column says.
    """
    from relsent_ir.trec import (
        average,
        check_common_topics,
        combine,
        interpolate,
        normalize,
        read_run,
        reciprocal_rank,
    )

    for option, value, of in (
        ("--rrf.k", rrf_k, "rrf"),
        ("--alpha", alpha, "interpolation"),
        ("--weights", weights, "normalize"),
    ):
        if value is not None and method != of:
            raise UsageError(f"{option} means nothing to {method}", fix=f"it is for {of}")
    read = [read_run(run) for run in runs]
    for path, run in zip(runs[1:], read[1:], strict=True):
        check_common_topics(read[0], run, str(runs[0]), str(path))
    if method == "rrf":
        fused = reciprocal_rank(read, rrf_k=60 if rrf_k is None else rrf_k, depth=depth, k=k)
    elif method == "interpolation":
        fused = interpolate(read, alpha=0.5 if alpha is None else alpha, depth=depth, k=k)
    elif method == "average":
        fused = average(read, depth=depth, k=k)
    elif method == "normalize":
        fused = normalize(read, weights=_numbers(weights), depth=depth, k=k)
    else:
        fused = combine(read, how=method, depth=depth, k=k)
    return output.finish(fused)


def _numbers(weights: str | None) -> list[float] | None:
    if weights is None:
        return None
    try:
        numbers = [float(weight) for weight in weights.split(",")]
    except ValueError:
        numbers = []
    if not numbers or not all(map(math.isfinite, numbers)):
        raise UsageError(f"--weights {weights}", fix="give numbers with commas between")
    return numbers
