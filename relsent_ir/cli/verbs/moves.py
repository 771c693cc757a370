"""``relsent-ir moves``: tag the sentences of abstracts with moves, measure, show."""

import logging
from collections import Counter
from contextlib import closing
from functools import partial
from pathlib import Path

import click

from relsent_ir.cli import options
from relsent_ir.cli.output import Outcome, progress
from relsent_ir.files import atomic_writer

_log = logging.getLogger("relsent_ir")

SHORT = {"PURPOSE": "PURP", "METHODS": "METH", "RESULTS": "RESU", "CONCLUSION": "CONC"}

records = options.files("--input", "Files and folders of records.", required=True)
without_labels = options.flag("Tag structured abstracts as if they had no labels.")


@click.group(cls=options.Group)
def command() -> None:
    """Tell PURPOSE, METHODS, RESULTS and CONCLUSION sentences of abstracts apart."""


@options.verb(command)
def tag(
    model: Path | None = options.model,
    inputs: tuple[Path, ...] = records,
    output: Path = options.file("Sentence id, move, score, text.", required=True, metavar="TSV"),
    ignore_labels: bool = without_labels,
    threads: int = options.processes,
) -> Outcome:
    """Tag every sentence of the abstracts in files.

    Labels and inline headings give the moves of their sentences, with score 1.
    """
    from relsent_ir.moves.tagging import tagging
    from relsent_ir.records import list_inputs
    from relsent_ir.records.chunks import each_chunk

    files, _ = list_inputs(inputs)
    counts: Counter[str] = Counter()
    records = 0
    tagged = each_chunk(partial(tagging, model, not ignore_labels), files, threads)
    with (
        progress("Tagging", "records") as tick,
        atomic_writer(output) as lines,
        closing(tagged) as pieces,
    ):
        for part in pieces:
            for bad in part.skipped:
                _log.warning("skipped a record: %s", bad)
            lines.writelines(part.lines)
            counts += part.moves
            records += part.records
            tick(records, None)
    parts = ", ".join(f"{counts[move]} {move}" for move in SHORT)
    text = f"{records} records, {counts.total()} sentences: {parts}"
    values = {"output": str(output), "records": records, "sentences": dict(counts)}
    return Outcome(values, f"{output}: {text}", written=output)


@options.verb(command)
def evaluate(model: Path | None = options.model, inputs: tuple[Path, ...] = records) -> Outcome:
    """Measure a model on structured abstracts, whose labels it is not shown.

    Takes the abstracts whose labels or inline headings name at least three of the four moves.
    """
    from relsent_ir import models
    from relsent_ir.moves.evaluation import evaluate as score
    from relsent_ir.moves.labelled import read_abstracts

    tagger = models.load(model, "moves")
    with progress("Reading", "records") as tick:
        abstracts, _ = read_abstracts(inputs, progress=tick, headings=True)
    with progress("Tagging", "abstracts") as tick:
        scores = score(tagger, abstracts, tick)
    return Outcome(scores.to_dict(), str(scores))


@options.verb(command)
def show(
    pmid: str = options.option("The record's id.", required=True, metavar="ID"),
    index: Path = options.index,
    model: Path | None = options.model,
    ignore_labels: bool = without_labels,
) -> Outcome:
    """Print an abstract with its moves."""
    from relsent_ir import models
    from relsent_ir.lucene.read.index import Index
    from relsent_ir.moves import tag_record

    with Index(index) as opened:
        record = opened.records([pmid])[0]
    tagged = tag_record(models.load(model, "moves"), record, labels=not ignore_labels)
    sentences = [{"id": s.id, "move": s.move, "score": s.score, "text": s.text} for s in tagged]
    return Outcome(
        {"id": pmid, "title": record.title, "sentences": sentences},
        f"{pmid}  {record.title or record.vernacular_title}\n",
        *(f"{s.n:>3}  {s.move:<10}  {s.score:.2f}  {s.text}" for s in tagged),
        *([] if tagged else ["no abstract"]),
    )
