"""``relsent-ir evaluate``: runs measured as trec_eval measures them."""

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from relsent_ir.cli import options
from relsent_ir.errors import UsageError

if TYPE_CHECKING:
    from relsent_ir.trec import Evaluation, Qrels


def counting(missing: str) -> Any:
    """Take ``-c``, ``-l`` and ``-M``, which `measure_run` takes by name.

    Parameters
    ----------
    missing : str
        The help of ``-c``: what becomes of topics without hits.
    """
    return options.grouped(
        dict,
        complete=options.option(
            "-c/ ", "--complete/--no-complete", f"{missing}  [default: complete]", default=True
        ),
        relevance_level=options.count(
            "-l", "--relevance-level", "The lowest grade that counts as relevant.", default=1
        ),
        max_docs=options.count("-M", "--max-docs", "Use only so many documents a topic."),
    )


@options.verb()
def command(
    qrels: Path = options.argument("QRELS", type=options.QRELS),
    runs: tuple[Path, ...] = options.argument("RUN...", nargs=-1, required=True),
    measures: tuple[str, ...] = options.option(
        "-m",
        "--measure",
        "A measure, with parameters after a dot (map, P.5,10, ndcg_cut.10), a group"
        " (official, set, all_trec), or as ir_measures has it (nDCG@10, RBP(p=.8))."
        " Repeatable.  [default: official]",
        multiple=True,
        default=("official",),
        metavar="MEASURE",
    ),
    per_topic: bool = options.flag("-q", "--per-topic", "Print the values of each topic too."),
    counting: dict[str, Any] = counting("Topics that the run misses count as 0, or are left out."),
    as_latex: bool = options.flag("--latex", "Print systems by measures for LaTeX (booktabs)."),
    as_json: bool = options.flag("--json", "Print one JSON object."),
) -> None:
    """Measure each RUN by the judgements in QRELS, as trec_eval does.

    Names, values and layout are trec_eval's (-q -c -l -M mean the same), except that topics
    without hits count as 0 unless --no-complete says otherwise.
    """
    from relsent_ir.trec import EvaluationTable, read_qrels

    if as_latex and (per_topic or as_json):
        raise UsageError("--latex goes with neither -q nor --json")
    judgements = read_qrels(qrels)
    evaluations = [measure_run(judgements, qrels, run, measures, **counting) for run in runs]
    table = EvaluationTable(tuple(map(str, runs)), tuple(evaluations))
    if as_latex:
        click.echo(table.to_latex())
    elif as_json:
        click.echo(json.dumps(table.to_json(per_topic=per_topic)))
    else:
        click.echo(table.text(per_topic=per_topic))


def measure_run(
    judgements: "Qrels",
    qrels: Path,
    path: Path,
    measures: tuple[str, ...],
    *,
    complete: bool,
    **counting: Any,
) -> "Evaluation":
    """Read and measure one run; topics that only one side has are counted on stderr."""
    from relsent_ir.trec import check_common_topics, evaluate, read_run

    run = read_run(path)
    check_common_topics(judgements, run, str(qrels), str(path))
    evaluation = evaluate(judgements, run, measures, complete=complete, **counting)
    if evaluation.missing:
        fate = "they count as 0" if complete else "they are left out"
        missing = f"{len(evaluation.missing)} of {len(judgements)} judged topics have no hits"
        click.echo(f"{path}: {missing}: {fate}", err=True)
    if evaluation.unjudged:
        unjudged = f"{len(evaluation.unjudged)} of {len(run)} topics have no judgements"
        click.echo(f"{path}: {unjudged}: they are ignored", err=True)
    return evaluation
