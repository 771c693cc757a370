"""``relsent-ir train answers``: which sentences answer a question, learned from evidence."""

from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

import click

from relsent_ir.cli.console import SeveralValues, print_json, progress
from relsent_ir.cli.options import json_option, model_output_option
from relsent_ir.errors import UsageError

if TYPE_CHECKING:
    from relsent_ir.answers.model import LinearModel
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
    "--general",
    multiple=True,
    type=click.Path(path_type=Path),
    metavar="PATH...",
    help="Records of which those that ask (their title is a question) teach the conclusion, and "
    "whether an abstract answers; those that are in --records are left out.  "
    "[default without --input: abstracts/abstracts.jsonl.gz below RELSENT_DATA]",
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
    general: tuple[Path, ...],
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
    from relsent_ir.answers.general import HALVES, asks, general_questions, half, read_asking
    from relsent_ir.answers.model import LinearModel
    from relsent_ir.answers.relatedness import load_related
    from relsent_ir.answers.training import all_forms, pose, train
    from relsent_ir.answers.vectors import learn_vectors
    from relsent_ir.datasets.catalogue import data_path
    from relsent_ir.models import check_target
    from relsent_ir.records import list_inputs, read_records

    check_target(output)
    if kind == "tree" and (related or general):
        raise UsageError("--related and --general go with --model linear")
    weights = load_related(related) if related else None
    if questions is None:
        questions = data_path("answers", "answers-train.jsonl")
        records = records or (data_path("rct", "rct-train.xml.gz"),)
        if kind == "linear":
            general = general or (data_path("abstracts", "abstracts.jsonl.gz"),)
    asked = read_questions(questions, records, evidence=True)
    files, _ = list_inputs(records)
    known = [r for path, form in files for r in read_records(path, form)]
    held = [r.id for r in known if asks(r)]  # what general questions are measured on
    among = {record.id for record in known}
    titles = [
        q
        for q in general_questions(read_asking(general) if general else [])
        if half(q.record.id) == HALVES[0] and q.record.id not in among
    ]
    ids = [*(question.record.id for question in (*asked, *titles)), *held]
    taggers = _taggers(records, ids)
    vectors = learn_vectors(known) if records and kind == "linear" else None
    posed = all_forms(asked, taggers) if kind == "linear" else pose(asked, taggers)
    posed += pose(titles, taggers)
    made = f"relsent-ir train answers --model {kind} --input {questions.name}"
    if related:
        made += f" --related {related.name}"
    made += "".join(f" --records {path.name}" for path in records)
    made += "".join(f" --general {path.name}" for path in general)
    used = dict.fromkeys([questions, *(path for path, _ in files), *general])
    count = len(asked) + len(titles)
    facts = {"command": made, "data": _data(list(used), count)}
    model = train(kind, posed, vectors, weights, feature_set=feature_set, facts=facts)
    if general and isinstance(model, LinearModel):
        model = _with_abstracts(model, general)
    models.save(output, model)
    described = {"output": str(output), "model": kind, "questions": count}
    if as_json:
        print_json({**described, **{k: v for k, v in model.facts.items() if k != "features"}})
        return
    click.echo(f"{output}: {kind} from {count} questions")
    if "tree" in model.facts:
        click.echo(model.facts["tree"])


def _with_abstracts(model: "LinearModel", paths: tuple[Path, ...]) -> "LinearModel":
    """Learn from the records that ask whether an abstract answers at all."""
    from relsent_ir.answers.abstract_training import chosen_titles, learn_abstracts, untitled_index
    from relsent_ir.lucene.read.collection import Indexes

    with TemporaryDirectory() as place:
        titles = chosen_titles(untitled_index(paths[-1:], Path(place)))
        with Indexes(place) as opened, progress("Answering", "questions") as tick:
            model.use_abstracts(learn_abstracts(model, opened, titles, tick))
    return model


def _taggers(records: tuple[Path, ...], ids: list[str]) -> "Taggers":
    """Cross-fit the CRF for what the package's was trained on."""
    from relsent_ir.answers.training import Taggers, crossfit, taught_default_moves
    from relsent_ir.moves import default_model
    from relsent_ir.moves.labelled import read_abstracts
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
