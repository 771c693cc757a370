"""``relsent-ir train moves``: a tagger of moves learned from structured abstracts."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from relsent_ir.cli.console import SeveralValues, print_json, progress
from relsent_ir.cli.options import file_option, heap_option, json_option, model_output_option
from relsent_ir.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from relsent_ir.lucene.read.index import Index
    from relsent_ir.moves import Abstract
    from relsent_ir.records import Record

_BATCH = 5000  # records that are read at a time


@click.command(cls=SeveralValues)
@click.option(
    "--model",
    "kind",
    type=click.Choice(["bayes", "bayes-markov", "crf"]),
    default="crf",
    show_default=True,
)
@file_option(
    "--input",
    "inputs",
    multiple=True,
    metavar="PATH...",
    help="Files and folders of records; each path is a source of its own.",
)
@file_option("--index", metavar="DIR", help="Or the records of a collection's indexes.")
@file_option(
    "--without",
    multiple=True,
    metavar="PATH...",
    help="Learn from no record that these files and folders hold.",
)
@file_option(
    "--hold-out",
    "held",
    multiple=True,
    metavar="PATH...",
    help="Inputs of which a fifth of the records, by their ids, is only scored.",
)
@model_output_option
@heap_option
@json_option
def command(
    kind: str,
    inputs: tuple[Path, ...],
    index: Path | None,
    without: tuple[Path, ...],
    held: tuple[Path, ...],
    output: Path,
    as_json: bool,
) -> None:
    """Learn the moves of sentences from structured abstracts, whose labels or headings give them.

    Takes the abstracts whose labels or inline headings name at least three of the four moves; a
    model sees neither. Sources, and trials and others, are weighed so that the largest does not
    drown the rest.
    """
    from relsent_ir.models import check_target, save
    from relsent_ir.moves import train_model
    from relsent_ir.moves.evaluation import evaluate, held_out

    if bool(inputs) == (index is not None):
        raise UsageError("give one of --input and --index")
    for path in held:
        if path not in (*inputs, index):
            raise UsageError(f"--hold-out {path}", fix="one of the inputs")
    check_target(output)
    abstracts, data = _read(inputs, index, without)
    parts = tuple(map(str, held))
    scored = {a.id: a for a in abstracts if a.source.startswith(parts) and held_out(a.id)}
    model = train_model(kind, [a for a in abstracts if a.id not in scored])
    given = " ".join(path.name for path in inputs)
    made = f"relsent-ir train moves --model {kind} "
    made += f"--input {given}" if inputs else f"--index {index.name}" if index else ""
    if without:
        made += f" --without {' '.join(path.name for path in without)}"
    if scored:
        made += f" --hold-out {' '.join(path.name for path in held)}"
        data["held_out"] = evaluate(model, scored.values()).to_dict()
    save(output, model, {"command": made, "data": data})
    if as_json:
        print_json({"output": str(output), "model": kind, **data})
        return
    left_out = ", ".join(f"{n} sections {why}" for why, n in data["left_out"].items())
    click.echo(
        f"{output}: {kind} from {data['abstracts'] - len(scored)} of {data['records']} records, "
        f"{data['sentences']} sentences; left out: {left_out or 'nothing'}"
    )
    if scored:
        score = data["held_out"]
        click.echo(f"{score['abstracts']} only scored: macro F1 {score['macro_f1']:.4f}")


def _read(
    inputs: tuple[Path, ...], index: Path | None, without: tuple[Path, ...]
) -> "tuple[list[Abstract], dict[str, Any]]":
    """Read the abstracts, and say what they are of."""
    from relsent_ir.moves import Census
    from relsent_ir.moves.labelled import data_facts, read_abstracts, record_ids, take_abstracts

    passed = record_ids(without)
    with progress("Reading", "records") as tick:
        if index is None:
            abstracts, census = read_abstracts(inputs, None, tick, headings=True, without=passed)
        else:
            from relsent_ir.lucene.read.index import Index

            census = Census()
            with Index(index) as opened:
                source = {str(index): _records(opened)}
                abstracts = take_abstracts(source, census, tick, headings=True, without=passed)
    return abstracts, data_facts(inputs, census)


def _records(index: "Index") -> "Iterator[Record]":
    ids = sorted(index.ids())
    for start in range(0, len(ids), _BATCH):
        yield from index.records(ids[start : start + _BATCH])
