"""``relsent-ir train related``: which sentences are related, learned from neighbouring ones."""

from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING

import click

from relsent_ir.cli.console import print_json, progress
from relsent_ir.cli.options import (
    MOST,
    Finite,
    heap_option,
    index_option,
    json_option,
    model_output_option,
)
from relsent_ir.cli.work import work_options
from relsent_ir.typing import Progress

if TYPE_CHECKING:
    from relsent_ir.cli.work import Work

MODELS = ("huber", "huber-plus", "bayes")


@click.command()
@index_option
@click.option("--model", "kind", type=click.Choice(MODELS), default="huber", show_default=True)
@click.option(
    "--pairs",
    type=click.IntRange(1, MOST),
    metavar="N",
    help="Related pairs to learn from, with as many unrelated.  [default: all]",
)
@click.option("--seed", type=click.IntRange(0), default=0, show_default=True)
@click.option(
    "--content-share",
    type=Finite(0, 1, min_open=True),
    default=0.5,
    show_default=True,
    metavar="X",
    help="The share of the sentences that hold a content word and make pairs; 1: all sentences.",
)
@click.option("--all", "all_records", is_flag=True, help="Learn from all records, not two thirds.")
@click.option(
    "--stopwords",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Words that are no features.  [default: scikit-learn's English ones]",
)
@click.option(
    "--lambda0",
    type=Finite(0, min_open=True),
    metavar="X",
    help="Huber's regularisation.  [default: tuned by powers of ten]",
)
@click.option(
    "--tune-on",
    default="",
    metavar="QUERY",
    help="Tune it on the records that hold all of these words, instead of a fifth of all.",
)
@work_options("Processes that read records, count word pairs and sum Huber's gradients.")
@model_output_option
@heap_option
@json_option
def command(
    index: Path,
    kind: str,
    pairs: int | None,
    seed: int,
    content_share: float,
    all_records: bool,
    stopwords: Path | None,
    lambda0: float | None,
    tune_on: str,
    work: "Work",
    output: Path,
    as_json: bool,
) -> None:
    """Learn which sentences are related from neighbouring sentences of abstracts.

    A third of the records, by a hash of id and seed, is left for `related evaluate`.
    """
    import shlex
    import sys

    from relsent_ir.lucene.read.index import Index
    from relsent_ir.models import check_target, save
    from relsent_ir.related.shared_arrays import Workshop
    from relsent_ir.related.tokens import read_stopwords
    from relsent_ir.related.training.train import train

    if tune_on and (kind == "bayes" or lambda0 is not None):
        raise click.UsageError("--tune-on: there is no λ0 to tune with --model bayes or --lambda0.")
    check_target(output)
    stops = read_stopwords(stopwords) if stopwords else None
    with Index(index) as opened, work.open() as spread, ExitStack() as bars:

        def stage(title: str) -> Progress:
            bars.close()
            return bars.enter_context(progress(title))

        model = train(
            opened,
            kind,
            pairs=pairs,
            seed=seed,
            content_share=content_share,
            all_records=all_records,
            stopwords=stops,
            lambda0=lambda0,
            tune_on=tune_on,
            command="relsent-ir " + shlex.join(sys.argv[1:]),
            progress=stage,
            workshop=Workshop(spread, output.absolute().parent if work.elsewhere else None),
        )
    save(output, model)
    if as_json:
        print_json({"output": str(output), "model": kind, **model.facts["training"]})
