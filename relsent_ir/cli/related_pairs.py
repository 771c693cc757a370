"""``relsent-ir related evaluate`` and ``score``: pairs of sentences by a model."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from relsent_ir.cli.console import print_json, progress
from relsent_ir.cli.options import (
    Finite,
    file_option,
    heap_option,
    index_option,
    json_option,
    scorer_option,
)

if TYPE_CHECKING:
    from relsent_ir.related.calibration import Calibration


@click.command()
@index_option
@scorer_option
@click.option(
    "--pairs",
    type=click.IntRange(1),
    default=20_000,
    show_default=True,
    metavar="N",
    help="Related pairs to test on, with as many unrelated.",
)
@click.option("--seed", type=click.IntRange(0), default=0, show_default=True)
@click.option(
    "--content-share",
    type=Finite(0, 1, min_open=True),
    metavar="X",
    help="As in training.  [default: the model's; 0.5 for a formula]",
)
@click.option(
    "--queries",
    type=click.IntRange(0),
    default=1000,
    show_default=True,
    metavar="N",
    help="Sentences that must find the others of their abstract among 11,000; 0: none.",
)
@heap_option
@json_option
def evaluate(
    index: Path,
    model: str,
    pairs: int,
    seed: int,
    content_share: float | None,
    queries: int,
    as_json: bool,
) -> None:
    """Measure break-even and retrieval of a model on records that it has not seen.

    Break-even: of pairs of neighbouring sentences and as many of different records, the share of
    neighbours among the half that scores highest, in percent. Retrieval: how well a sentence finds
    the others of its abstract among 11,000 sentences of whole abstracts.
    """
    from relsent_ir.lucene.read.index import Index
    from relsent_ir.related.quality.retrieval import evaluate_model

    with Index(index) as opened, progress("Reading", "records") as tick:
        measured = evaluate_model(
            opened,
            model,
            pairs=pairs,
            seed=seed,
            content_share=content_share,
            queries=queries,
            progress=tick,
        )
    if as_json:
        print_json(measured)
    else:
        click.echo(f"BE {measured['be']:.2f} % on {measured['pairs']} related pairs")
        if queries:
            found = measured["retrieval"]
            click.echo(
                f"retrieval: MAP {found['map']:.3f}, P@1 {found['p_at_1']:.3f} "
                f"({found['queries']:,} queries, {found['sentences']:,} sentences)"
            )


@click.command()
@index_option
@scorer_option
@file_option("--input", "source", required=True, metavar="TSV", help="Two sentences a line.")
@click.option("--explain", is_flag=True, help="In a third column, what weighs most in the score.")
@heap_option
@json_option
def score(index: Path, model: str, source: Path, explain: bool, as_json: bool) -> None:
    """Score pairs of sentences: a line a pair in their order, score and P parted by a tab.

    P is what `related` shows beside a score; - where the model is not calibrated, as a formula.
    """
    from relsent_ir.lucene.read.index import Index
    from relsent_ir.related import score_pairs
    from relsent_ir.related.opening import open_model
    from relsent_ir.related.pairs import read_pairs
    from relsent_ir.related.reranker import explain_pair

    pairs = read_pairs(source)
    scorer = open_model(model, index)
    with Index(index, "sentences") as opened:
        sentences = len(opened)
    calibration: Calibration | None = getattr(scorer, "calibration", None)
    scores = score_pairs(scorer, pairs)
    known = (
        calibration.probability(scores, sentences).tolist() if calibration else [None] * len(pairs)
    )
    for pair, value, p in zip(pairs, scores.tolist(), known, strict=True):
        why = explain_pair(scorer, *pair) if explain else ()
        if as_json:
            line: dict[str, Any] = {"score": value, "p": p}
            print_json({**line, "features": dict(why)} if explain else line)
            continue
        columns = [f"{value:.6g}", "-" if p is None else f"{p:.4f}"]
        if explain:
            columns.append("; ".join(f"{name} {weight:.4g}" for name, weight in why))
        click.echo("\t".join(columns))
