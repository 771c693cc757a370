"""``relsent-ir answer``: the sentences of abstracts that answer a question."""

from pathlib import Path

import click

from relsent_ir.cli import answer_find
from relsent_ir.cli.console import SeveralValues, print_json, progress
from relsent_ir.cli.options import json_option
from relsent_ir.cli.related import WithDefault


class _Answer(WithDefault):
    """``answer`` finds, unless a sub-word is named."""

    default = "find"


@click.group(cls=_Answer)
def command() -> None:
    """Sentences that answer a question.

    Options without a command are those of `answer find`.
    """


command.add_command(answer_find.command, "find")


@command.command(cls=SeveralValues)
@answer_find.model_option
@click.option(
    "--input",
    "questions",
    required=True,
    type=click.Path(path_type=Path),
    metavar="JSONL",
    help="Questions with abstracts and evidence.",
)
@answer_find.records_option
@answer_find.labels_option
@json_option
def evaluate(
    model: Path | None,
    questions: Path,
    records: tuple[Path, ...],
    ignore_labels: bool,
    as_json: bool,
) -> None:
    """Measure a model on questions with evidence.

    A sentence is an answer when it and a span of the evidence share at least half the words of the
    shorter of the two. A question whose abstract has no such sentence counts as missed.
    """
    from relsent_ir import models
    from relsent_ir.answers import evaluate as score
    from relsent_ir.answers import read_questions
    from relsent_ir.answers.training import Taggers, pose
    from relsent_ir.moves import default_model as default_moves

    judge = models.load(model, "answers")
    asked = read_questions(questions, records, evidence=True)
    posed = pose(asked, Taggers(default_moves()), structure=not ignore_labels)
    with progress("Answering", "questions") as tick:
        values = score(judge, posed, tick).to_dict()
    if as_json:
        print_json(values)
        return
    click.echo(f"{values['questions']} questions")
    for name in ("precision", "recall", "f1", "mrr", "success_at_1"):
        click.echo(f"{name:<13}{values[name]:.4f}")
