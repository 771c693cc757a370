"""``relsent-ir train moves``: models of the sentences of an abstract."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

from relsent_ir.cli import options
from relsent_ir.cli.output import Outcome, command_line, progress, saved
from relsent_ir.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from relsent_ir.lucene.read.index import Index
    from relsent_ir.moves import Abstract
    from relsent_ir.records import Record

_BATCH = 5000  # records that are read at a time


@options.verb()
def moves(
    features: str = options.choice(
        "Ours, or those of the paper.", choices=["ours", "alamri-stevenson"], default="ours"
    ),
    inputs: tuple[Path, ...] = options.files(
        "--input", "Files and folders of records; each path is a source of its own."
    ),
    index: Path | None = options.folder("Or the records of a collection's indexes."),
    without: tuple[Path, ...] = options.files(
        "Learn from no record that these files and folders hold."
    ),
    held: tuple[Path, ...] = options.files(
        "--hold-out", "Inputs of which a fifth of the records, by their ids, is only scored."
    ),
    output: Path = options.model_output,
) -> Outcome:
    """Learn the moves of sentences from structured abstracts, whose labels or headings give them.

    Takes the abstracts whose labels or inline headings name at least three of the four moves; a
    model sees neither. Sources, and trials and others, are weighed so that the largest does not
    drown the rest.
    """
    from relsent_ir.moves.crf import CRF, FEATURES
    from relsent_ir.moves.evaluation import evaluate, held_out

    if bool(inputs) == (index is not None):
        raise UsageError("give one of --input and --index")
    for path in held:
        if path not in (*inputs, index):
            raise UsageError(f"--hold-out {path}", fix="one of the inputs")
    abstracts, data = _read(inputs, index, without)
    parts = tuple(map(str, held))
    scored = {a.id: a for a in abstracts if a.source.startswith(parts) and held_out(a.id)}
    model = CRF.train([a for a in abstracts if a.id not in scored], FEATURES[features])
    if scored:
        data["held_out"] = evaluate(model, scored.values()).to_dict()
    left_out = ", ".join(f"{n} sections {why}" for why, n in data["left_out"].items())
    lines = [
        f"{output}: crf from {data['abstracts'] - len(scored)} of {data['records']} records, "
        f"{data['sentences']} sentences; left out: {left_out or 'nothing'}"
    ]
    if scored:
        score = data["held_out"]
        lines.append(f"{score['abstracts']} only scored: macro F1 {score['macro_f1']:.4f}")
    facts = {"command": command_line(), "data": data}
    return saved(output, model, {"model": "crf", **data}, *lines, facts=facts)


def _read(
    inputs: tuple[Path, ...], index: Path | None, without: tuple[Path, ...]
) -> "tuple[list[Abstract], dict[str, Any]]":
    """Read the abstracts, and return the facts about them."""
    from relsent_ir.moves import LabelCounts
    from relsent_ir.moves.labelled import data_facts, read_abstracts, record_ids, take_abstracts

    passed = record_ids(without)
    with progress("Reading", "records") as tick:
        if index is None:
            abstracts, census = read_abstracts(inputs, None, tick, headings=True, without=passed)
        else:
            from relsent_ir.lucene.read.index import Index

            census = LabelCounts()
            with Index(index) as opened:
                source = {str(index): _records(opened)}
                abstracts = take_abstracts(source, census, tick, headings=True, without=passed)
    return abstracts, data_facts(inputs, census)


def _records(index: "Index") -> "Iterator[Record]":
    ids = sorted(index.ids())
    for start in range(0, len(ids), _BATCH):
        yield from index.records(ids[start : start + _BATCH])
