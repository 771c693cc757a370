"""``relsent-ir benchmark``: test collections that need no judges."""

from pathlib import Path

import click

from relsent_ir.cli.options import file_option, finished_index_option, heap_option, json_option
from relsent_ir.cli.output import print_json, progress


@click.group()
def command() -> None:
    """Build test collections that need no judges."""


@command.command()
@finished_index_option
@file_option("--output", required=True, metavar="DIR", help="The folder to write to.")
@click.option("--queries", type=click.IntRange(1), default=25, show_default=True, help="Per set.")
@click.option("--sets", type=click.IntRange(1), default=4, show_default=True)
@click.option(
    "--relevant", type=click.IntRange(1), default=10, show_default=True, help="Targets of a topic."
)
@click.option(
    "--least",
    type=click.IntRange(1),
    metavar="N",
    help="Targets that a topic must have.  [default: --relevant]",
)
@click.option(
    "--min-shared",
    type=click.IntRange(1),
    metavar="N",
    help="What a target must share with its topic.  [default: 2; 1 for links]",
)
@click.option(
    "--variant",
    type=click.Choice(["coupling", "co-citation", "links"]),
    default="coupling",
    show_default=True,
    help="Shared references, shared citing works, or references to one another.",
)
@click.option("--all-moves", is_flag=True, help="Topics have a sentence of every move.")
@click.option("--seed", type=click.IntRange(0), default=0, show_default=True)
@heap_option
@json_option
def citations(
    index: Path,
    output: Path,
    queries: int,
    sets: int,
    relevant: int,
    least: int | None,
    min_shared: int | None,
    variant: str,
    all_moves: bool,
    seed: int,
    as_json: bool,
) -> None:
    """Make topics of records, and qrels of the records that share most references with them.

    Writes topics.setN.tsv and qrels.setN.txt for each set, and summary.json. Search the topics with
    --remove-query: a topic is a record of the index.
    """
    from relsent_ir.citation.benchmark import Plan
    from relsent_ir.citation.output import benchmark_index
    from relsent_ir.lucene.read.index import Index

    shared = min_shared or (1 if variant == "links" else 2)
    plan = Plan(queries, sets, relevant, least, shared, variant, seed)
    with Index(index) as opened, progress("Reading", "records") as tick:
        made = benchmark_index(opened, plan, output, all_moves=all_moves, progress=tick)
    summary = made.summary
    if as_json:
        print_json({"output": str(output), **summary})
        return
    census = summary["census"]
    click.echo(
        f"{output}: {sets} sets of {queries} topics, of {summary['candidates']} candidates\n"
        f"references: {census['references']} of {census['with_references']} records, "
        f"{_spread(summary['references_of_a_record'])} each; "
        f"{census['inside']} inside the collection\n"
        f"left out: {census['duplicates']} duplicates, "
        f"{census['to_itself']} of a record to itself\n"
        f"most shared with another record: {_spread(summary['most_shared_of_a_record'])}"
    )


def _spread(found: dict[str, float]) -> str:
    return (
        f"{found['mean']:.2f} (sd {found['sd']:.2f}, "
        f"95 % {found['low']:.2f} to {found['high']:.2f})"
    )
