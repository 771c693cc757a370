"""``relsent-ir benchmark``: test collections that need no judges."""

from pathlib import Path
from typing import Any

import click

from relsent_ir.cli import options
from relsent_ir.cli.output import Outcome, progress


@click.group(cls=options.Group)
def command() -> None:
    """Build test collections that need no judges."""


@options.verb(command)
def citations(
    index: Path = options.finished_index,
    output: Path = options.file("The folder to write to.", required=True, metavar="DIR"),
    settings: dict[str, Any] = options.grouped(
        dict,
        queries=options.count("Per set.", default=25),
        sets=options.count(default=4),
        relevant=options.count("Targets of a topic.", default=10),
        least=options.count("Targets that a topic must have.  [default: --relevant]", metavar="N"),
        variant=options.choice(
            "Shared references, shared citing works, or references to one another.",
            choices=["coupling", "co-citation", "links"],
            default="coupling",
        ),
        seed=options.count(default=0, least=0),
    ),
    min_shared: int | None = options.count(
        "What a target must share with its topic.  [default: 2; 1 for links]", metavar="N"
    ),
    all_moves: bool = options.flag("Topics have a sentence of every move."),
) -> Outcome:
    """Make topics of records, and qrels of the records that share most references with them.

    Writes topics.setN.tsv and qrels.setN.txt for each set, and summary.json. Search the topics with
    --remove-query: a topic is a record of the index.
    """
    from relsent_ir.citation.benchmark import Plan, benchmark_index
    from relsent_ir.lucene.read.index import Index

    shared = min_shared or (1 if settings["variant"] == "links" else 2)
    plan = Plan(min_shared=shared, **settings)
    with Index(index) as opened, progress("Reading", "records") as tick:
        built = benchmark_index(opened, plan, output, all_moves=all_moves, progress=tick)
    summary = built.summary
    census, candidates = summary["census"], summary["candidates"]
    return Outcome(
        {"output": str(output), **summary},
        f"{output}: {plan.sets} sets of {plan.queries} topics, of {candidates} candidates",
        f"references: {census['references']} of {census['with_references']} records, "
        f"{_spread(summary['references_of_a_record'])} each; "
        f"{census['inside']} inside the collection",
        f"left out: {census['duplicates']} duplicates, {census['to_itself']} of a record to itself",
        f"most shared with another record: {_spread(summary['most_shared_of_a_record'])}",
    )


def _spread(summary: dict[str, float]) -> str:
    return (
        f"{summary['mean']:.2f} (sd {summary['sd']:.2f}, "
        f"95 % {summary['low']:.2f} to {summary['high']:.2f})"
    )
