"""``relsent-ir train moves``: a tagger of moves learned from structured abstracts."""

from pathlib import Path

import click

from relsent_ir.cli.console import SeveralValues, print_json, progress
from relsent_ir.cli.options import json_option, model_output_option


@click.command(cls=SeveralValues)
@click.option(
    "--model",
    "kind",
    type=click.Choice(["bayes", "bayes-markov", "crf"]),
    default="crf",
    show_default=True,
)
@click.option(
    "--input",
    "inputs",
    required=True,
    multiple=True,
    type=click.Path(path_type=Path),
    metavar="PATH...",
    help="Files and folders of records with structured abstracts.",
)
@model_output_option
@json_option
def command(kind: str, inputs: tuple[Path, ...], output: Path, as_json: bool) -> None:
    """Learn the moves of sentences from structured abstracts, whose labels give them.

    Takes the abstracts whose labels name at least three of the four moves.
    """
    from relsent_ir.models import check_target, save
    from relsent_ir.moves import train_model
    from relsent_ir.moves.reading import data_facts, read_abstracts

    check_target(output)
    with progress("Reading", "records") as tick:
        abstracts, census = read_abstracts(inputs, progress=tick)
    model = train_model(kind, abstracts)
    data = data_facts(inputs, census)
    names = " ".join(file["name"] for file in data["files"])
    made = f"relsent-ir train moves --model {kind} --input {names}"
    save(output, model, {"command": made, "data": data})
    if as_json:
        print_json({"output": str(output), "model": kind, **data})
        return
    left_out = ", ".join(f"{n} sections {why}" for why, n in census.left_out.items())
    click.echo(
        f"{output}: {kind} from {census.taken} of {census.records} records, "
        f"{census.sentences} sentences; left out: {left_out or 'nothing'}"
    )
