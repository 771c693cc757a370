"""``relsent-ir train answers``: which sentences answer a question, learned from evidence."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from relsent_ir.cli.console import SeveralValues, print_json, progress
from relsent_ir.cli.options import json_option, model_output_option
from relsent_ir.errors import UsageError

if TYPE_CHECKING:
    from relsent_ir.answers.training import Taggers


@click.command(cls=SeveralValues)
@click.option(
    "--model", "kind", type=click.Choice(["linear", "tree"]), default="linear", show_default=True
)
@click.option(
    "--input",
    "questions",
    type=click.Path(path_type=Path),
    metavar="JSONL",
    help="Questions with evidence.  [default: answers/answers-train.jsonl below RELSENT_DATA]",
)
@click.option(
    "--records",
    multiple=True,
    type=click.Path(path_type=Path),
    metavar="PATH...",
    help="Abstracts: of lines that have none, and to learn words from.  "
    "[default without --input: rct/rct-train.xml.gz below RELSENT_DATA]",
)
@click.option(
    "--related",
    type=click.Path(path_type=Path),
    metavar="MODEL",
    help="Make the score of question and sentence by this model (train related) a feature.",
)
@click.option(
    "--feature-set",
    type=click.IntRange(1, 6),
    default=6,
    show_default=True,
    help="Of the tree, as the paper numbers them.",
)
@model_output_option
@json_option
def command(
    kind: str,
    questions: Path | None,
    records: tuple[Path, ...],
    related: Path | None,
    feature_set: int,
    output: Path,
    as_json: bool,
) -> None:
    """Learn which sentences of an abstract answer a question, from questions with evidence.

    Abstracts that the package's model of moves was trained on get their moves from models that
    have not seen them: that takes minutes.
    """
    from relsent_ir import models
    from relsent_ir.answers import read_questions
    from relsent_ir.answers.relatedness import load_related
    from relsent_ir.answers.training import all_forms, pose, train
    from relsent_ir.answers.vectors import learn_vectors
    from relsent_ir.experiments.page import data_path
    from relsent_ir.models import check_target
    from relsent_ir.records import list_inputs, read_records

    check_target(output)
    if related and kind == "tree":
        raise UsageError("--related goes with --model linear")
    weights = load_related(related) if related else None
    if questions is None:
        questions = data_path("answers", "answers-train.jsonl")
        records = records or (data_path("rct", "rct-train.xml.gz"),)
    asked = read_questions(questions, records, evidence=True)
    taggers = _taggers(records, [question.record.id for question in asked])
    files, _ = list_inputs(records)
    vectors = None
    if records and kind == "linear":
        vectors = learn_vectors([r for path, form in files for r in read_records(path, form)])
    posed = all_forms(asked, taggers) if kind == "linear" else pose(asked, taggers)
    made = f"relsent-ir train answers --model {kind} --input {questions.name}"
    if related:
        made += f" --related {related.name}"
    made += "".join(f" --records {path.name}" for path in records)
    facts = {"command": made, "data": _data([questions, *(path for path, _ in files)], len(asked))}
    model = train(kind, posed, vectors, weights, feature_set=feature_set, facts=facts)
    models.save(output, model)
    described = {"output": str(output), "model": kind, "questions": len(asked)}
    if as_json:
        print_json({**described, **{k: v for k, v in model.facts.items() if k != "features"}})
        return
    click.echo(f"{output}: {kind} from {len(asked)} questions")
    if "tree" in model.facts:
        click.echo(model.facts["tree"])


def _taggers(records: tuple[Path, ...], ids: list[str]) -> "Taggers":
    """Cross-fit the CRF for what the package's was trained on."""
    from relsent_ir.answers.training import Taggers, crossfit, taught_default_moves
    from relsent_ir.moves import default_model
    from relsent_ir.moves.reading import read_abstracts
    from relsent_ir.records import list_inputs

    taught = [path for path, _ in list_inputs(records)[0] if taught_default_moves(path)]
    if not taught:
        return Taggers(default_model())
    abstracts, _ = read_abstracts(taught)
    with progress("Training CRFs", "models") as tick:
        return crossfit(abstracts, ids, tick)


def _data(paths: list[Path], questions: int) -> dict[str, Any]:
    """What the model says of the data that it was made of."""
    from relsent_ir.files import sha256

    files = [{"name": path.name, "sha256": sha256(path)} for path in paths]
    return {"files": files, "questions": questions}
