"""``relsent-ir train citations``: which articles are similar, learned from reference lists."""

from pathlib import Path

import click

from relsent_ir.cli.console import print_json
from relsent_ir.cli.options import heap_option, index_option, json_option, model_output_option


@click.command()
@index_option
@click.option("--sets", type=click.IntRange(1), default=4, show_default=True)
@click.option(
    "--queries", type=click.IntRange(1), default=25, show_default=True, help="Topics of a set."
)
@click.option(
    "--relevant", type=click.IntRange(1), default=10, show_default=True, help="Targets of a topic."
)
@click.option(
    "--min-shared",
    type=click.IntRange(1),
    default=2,
    show_default=True,
    metavar="N",
    help="References that a target shares with the topic, at least.",
)
@click.option(
    "--seed", type=click.IntRange(0), default=0, show_default=True, help="Draws the topics."
)
@model_output_option
@heap_option
@json_option
def command(
    index: Path,
    sets: int,
    queries: int,
    relevant: int,
    min_shared: int,
    seed: int,
    output: Path,
    as_json: bool,
) -> None:
    """Learn to order articles by likeness from those that share most references.

    Topics are drawn as by `benchmark citations`; all of them are learned from, so measure the
    model on topics of another seed that it leaves out, or on another collection.
    """
    import shlex
    import sys
    from contextlib import ExitStack

    from relsent_ir.citation.benchmark import Plan
    from relsent_ir.citation.training import train
    from relsent_ir.cli.console import progress
    from relsent_ir.lucene.read.collection import Indexes
    from relsent_ir.models import check_target, save
    from relsent_ir.typing import Progress

    check_target(output)
    plan = Plan(queries, sets, relevant, min_shared=min_shared, seed=seed)
    with Indexes(index) as collection, ExitStack() as bars:

        def stage(title: str) -> Progress:
            return bars.enter_context(progress(title, "topics"))

        made = "relsent-ir " + shlex.join(sys.argv[1:])
        model = train(collection, plan, command=made, progress=stage)
    save(output, model)
    scores = model.facts["scores"]
    if as_json:
        print_json({"output": str(output), **model.facts["training"], **scores})
        return
    click.echo(
        f"{output}: from {model.facts['training']['topics']} topics; MAP of BM25 "
        f"{scores['map_of_bm25']:.4f}, reordered {scores['map_on_training_topics']:.4f}, "
        "both on the topics learned from"
    )
