"""``relsent-ir relate``: the sentences that state most clearly how two entities are related."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from relsent_ir.cli import relate_rank
from relsent_ir.cli.console import print_json, print_table, progress
from relsent_ir.cli.options import json_option
from relsent_ir.cli.related import WithDefault

if TYPE_CHECKING:
    from relsent_ir.relations import RankingScores


class Relate(WithDefault):
    """``relate`` alone ranks."""

    default = "rank"


@click.group(cls=Relate)
def command() -> None:
    """Sentences that relate two entities."""


command.add_command(relate_rank.command, "rank")


@command.command()
@relate_rank.model_option
@click.option(
    "--input",
    "source",
    required=True,
    type=click.Path(path_type=Path),
    metavar="JSONL",
    help='Candidates with a "grade".',
)
@json_option
def evaluate(model: Path | None, source: Path, as_json: bool) -> None:
    """Measure a model on graded candidates, beside the two baselines.

    Pairs are of different sentences of a group whose grades differ, a tie counts one half; groups
    without such a pair are left out. nDCG's gains are the grades, its discount is the paper's.
    """
    from relsent_ir.relations import evaluate as measure
    from relsent_ir.relations import foremost, read_candidates, shortest

    ranker = relate_rank.open_model(model)
    candidates = list(read_candidates(source, graded=True))
    with progress("Ranking", "sentences") as tick:
        scores = measure(candidates, ranker.score(candidates, tick))
    if as_json:
        print_json(scores.to_dict())
        return
    click.echo(
        f"{len(scores.groups)} groups with {scores.pairs} pairs of sentences; "
        f"{scores.inside[1]} pairs inside sentences\n"
    )
    print_table(
        ["", "pair accuracy", "grade of the first", "nDCG", "inside sentences"],
        [
            _row("model", scores),
            _row("shortest", measure(candidates, shortest(candidates))),
            _row("foremost", measure(candidates, foremost(candidates, ranker.parser))),
        ],
    )


def _row(name: str, scores: "RankingScores") -> list[str]:
    values = scores.to_dict()
    found = [values[key] for key in ("pair_accuracy", "top_grade", "ndcg")]
    found.append(values["inside_sentences"]["pair_accuracy"])
    return [name, *("–" if value is None else f"{value:.4f}" for value in found)]
