"""``relsent-ir benchmark``: test collections that need no judges."""

from pathlib import Path
from typing import Any

import click

from relsent_ir.cli import options
from relsent_ir.cli.output import print_result, progress


@click.group(cls=options.Group)
def command() -> None:
    """Build test collections that need no judges."""


@command.command(cls=options.Command)
@options.finished_index
@options.file("--output", required=True, metavar="DIR", help="The folder to write to.")
@options.count("--queries", default=25, help="Per set.")
@options.count("--sets", default=4)
@options.count("--relevant", default=10, help="Targets of a topic.")
@options.count(
    "--least", metavar="N", help="Targets that a topic must have.  [default: --relevant]"
)
@options.count(
    "--min-shared",
    metavar="N",
    help="What a target must share with its topic.  [default: 2; 1 for links]",
)
@options.choice(
    "--variant",
    choices=["coupling", "co-citation", "links"],
    default="coupling",
    help="Shared references, shared citing works, or references to one another.",
)
@click.option("--all-moves", is_flag=True, help="Topics have a sentence of every move.")
@options.count("--seed", default=0, least=0)
@options.heap
@options.as_json
def citations(
    index: Path,
    output: Path,
    min_shared: int | None,
    all_moves: bool,
    as_json: bool,
    **settings: Any,
) -> None:
    """Make topics of records, and qrels of the records that share most references with them.

    Writes topics.setN.tsv and qrels.setN.txt for each set, and summary.json. Search the topics with
    --remove-query: a topic is a record of the index.
    """
    from relsent_ir.citation.benchmark import Plan, benchmark_index
    from relsent_ir.lucene.read.index import Index

    shared = min_shared or (1 if settings["variant"] == "links" else 2)
    plan = Plan(min_shared=shared, **settings)
    with Index(index) as opened, progress("Reading", "records") as tick:
        made = benchmark_index(opened, plan, output, all_moves=all_moves, progress=tick)
    summary = made.summary
    census, candidates = summary["census"], summary["candidates"]
    print_result(
        {"output": str(output), **summary},
        as_json,
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
