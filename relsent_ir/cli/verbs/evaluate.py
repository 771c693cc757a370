"""``relsent-ir evaluate``: runs measured as trec_eval measures them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from relsent_ir.cli import options

if TYPE_CHECKING:
    from collections.abc import Callable

    from relsent_ir.trec import Evaluation, Qrels


def measuring_options(missing: str) -> Callable[[options.F], options.F]:
    """Take ``-c``, ``-l``, ``-M``, which `measure_run` takes by name, and ``--json``.

    Parameters
    ----------
    missing : str
        The help of ``-c``: what becomes of topics without hits.
    """
    return options.together(
        click.option(
            "-c/ ", "--complete/--no-complete", default=True, help=f"{missing}  [default: complete]"
        ),
        options.count(
            "-l", "--relevance-level", default=1, help="The lowest grade that counts as relevant."
        ),
        options.count("-M", "--max-docs", help="Use only so many documents a topic."),
        click.option("--json", "as_json", is_flag=True, help="Print one JSON object."),
    )


@click.command("evaluate", cls=options.Command)
@click.argument("qrels", type=options.QRELS)
@click.argument("runs", metavar="RUN...", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option(
    "-m",
    "--measure",
    "measures",
    multiple=True,
    default=("official",),
    metavar="MEASURE",
    help="A measure, with parameters after a dot (map, P.5,10, ndcg_cut.10), a group"
    " (official, set, all_trec), or as ir_measures has it (nDCG@10, RBP(p=.8))."
    " Repeatable.  [default: official]",
)
@click.option("-q", "--per-topic", is_flag=True, help="Print the values of each topic too.")
@measuring_options("Topics that the run misses count as 0, or are left out.")
def command(
    qrels: Path,
    runs: tuple[Path, ...],
    measures: tuple[str, ...],
    per_topic: bool,
    as_json: bool,
    **measuring: Any,
) -> None:
    """Measure each RUN by the judgements in QRELS, as trec_eval does.

    Names, values and layout are trec_eval's (-q -c -l -M mean the same), except that topics
    without hits count as 0 unless --no-complete says otherwise.
    """
    from relsent_ir.trec import EvaluationTable, read_qrels

    judgements = read_qrels(qrels)
    evaluations = [measure_run(judgements, qrels, run, measures, **measuring) for run in runs]
    table = EvaluationTable(tuple(map(str, runs)), tuple(evaluations))
    if as_json:
        click.echo(json.dumps(table.to_json(per_topic=per_topic)))
    else:
        click.echo(table.text(per_topic=per_topic))


def measure_run(
    judgements: Qrels,
    qrels: Path,
    path: Path,
    measures: tuple[str, ...],
    *,
    complete: bool,
    **measuring: Any,
) -> Evaluation:
    """Read and measure one run; topics that only one side has are counted on stderr."""
    from relsent_ir.trec import check_common_topics, evaluate, read_run

    run = read_run(path)
    check_common_topics(judgements, run, str(qrels), str(path))
    evaluation = evaluate(judgements, run, measures, complete=complete, **measuring)
    if evaluation.missing:
        fate = "they count as 0" if complete else "they are left out"
        missing = f"{len(evaluation.missing)} of {len(judgements)} judged topics have no hits"
        click.echo(f"{path}: {missing}: {fate}", err=True)
    if evaluation.unjudged:
        unjudged = f"{len(evaluation.unjudged)} of {len(run)} topics have no judgements"
        click.echo(f"{path}: {unjudged}: they are ignored", err=True)
    return evaluation
