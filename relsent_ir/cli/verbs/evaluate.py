"""``relsent-ir evaluate``, ``compare`` and ``fuse``: measure, test and join runs."""

import json
from collections.abc import Mapping
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from relsent_ir.cli import options
from relsent_ir.cli.output import Output
from relsent_ir.cli.requests import Request, options_of, run_verb
from relsent_ir.errors import UsageError
from relsent_ir.methods import Fusion

if TYPE_CHECKING:
    from relsent_ir.hits import Run
    from relsent_ir.trec import Evaluation, Qrels


def counting(missing: str) -> Any:
    """Declare ``-c``, ``-l`` and ``-M``, which `measure_run` takes by name.

    Parameters
    ----------
    missing : str
        The help of ``-c``: what happens to topics without hits.
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
    """Read and measure one run; count topics that only one side has on stderr."""
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


@options.verb()
def compare(
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
        raise UsageError(problem, fix="a name for each run, separated by commas")
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


class Fusing(Request[Fusion]):
    """Fuse runs into one.

    Ranks are those that trec_eval sees: by score, whatever the rank column says.
    """

    kinds = (Fusion,)
    runs: tuple[Path, ...] = options.files("The runs to fuse.", required=True, metavar="RUN RUN...")
    output: Output = options.grouped(
        Output,
        path=options.file("--output", "The run to write.", required=True, metavar="PATH"),
        tag=options.option(
            "--runtag", "Name of the fused run.", default="relsent-ir", show_default=True
        ),
    )
    flags: Mapping[str, Any] = options_of(kinds)

    @cached_property
    def inputs(self) -> "list[Run]":
        """The runs, which have common topics."""
        from relsent_ir.trec import check_common_topics, read_run

        runs = [read_run(path) for path in self.runs]
        for path, run in zip(self.runs[1:], runs[1:], strict=True):
            check_common_topics(runs[0], run, str(self.runs[0]), str(path))
        return runs

    def run(self, method: Fusion, hits: int | None) -> "Run":
        """Fuse them."""
        from relsent_ir.trec import fusion

        options: dict[str, dict[str, Any]] = {
            "rrf": {"rrf_k": method.rrf_k},
            "interpolation": {"alpha": method.alpha},
            "normalize": {"weights": method.numbers},
        }
        sizes = {"depth": method.depth, "k": hits or method.k}
        how = options.get(method.method, {})
        return fusion.METHODS[method.method](self.inputs, **how, **sizes)


fuse = run_verb("fuse", Fusing)
