"""``relsent-ir answer``: a question and an index, topics, or questions with abstracts in."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from relsent_ir.cli.console import SeveralValues, print_json, progress
from relsent_ir.cli.options import bm25_options, heap_option, json_option
from relsent_ir.errors import UsageError

if TYPE_CHECKING:
    from relsent_ir.answers import Answer, AnswerModel
    from relsent_ir.answers.searching import Found

READABLE = 10  # abstracts that are shown
RUN_DEPTH = 100  # abstracts whose sentences are in a run

model_option = click.option(
    "--model",
    type=click.Path(path_type=Path),
    metavar="MODEL",
    help="A model's folder.  [default: the one that comes with the package]",
)
records_option = click.option(
    "--records",
    multiple=True,
    type=click.Path(path_type=Path),
    metavar="PATH...",
    help="Records that have the abstracts of lines without one, by PMID.",
)
labels_option = click.option(
    "--ignore-labels", is_flag=True, help="Take structured abstracts as if they had no labels."
)


@click.command(cls=SeveralValues)
@click.option("--question", metavar="TEXT", help="Ask the abstracts of an index one question.")
@click.option("--topics", type=click.Path(path_type=Path), metavar="FILE", help="Ask it several.")
@click.option("--topics-format", metavar="FORMAT", help="Their format.  [default: by content]")
@click.option(
    "--topics-field", metavar="FIELD", default="title", help="Of TREC topics: title, desc, narr."
)
@click.option(
    "--index", type=click.Path(path_type=Path), metavar="DIR", help="The collection's indexes."
)
@click.option(
    "--input",
    "questions",
    type=click.Path(path_type=Path),
    metavar="JSONL",
    help="Questions, each with its abstract: id, question, pmid, title, abstract.",
)
@records_option
@model_option
@click.option("--output", type=click.Path(path_type=Path), metavar="RUN", help="The run to write.")
@click.option(
    "--hits",
    type=click.IntRange(1),
    help=f"Abstracts that BM25 finds.  [default: {READABLE}; {RUN_DEPTH} for a run]",
)
@click.option(
    "--sentences",
    type=click.IntRange(1),
    default=1,
    show_default=True,
    metavar="N",
    help="Of each abstract, that are shown.",
)
@bm25_options
@labels_option
@click.option("--runtag", default="relsent-ir", show_default=True)
@heap_option
@json_option
def command(
    question: str | None,
    topics: Path | None,
    topics_format: str | None,
    topics_field: str,
    index: Path | None,
    questions: Path | None,
    records: tuple[Path, ...],
    model: Path | None,
    output: Path | None,
    hits: int | None,
    sentences: int,
    k1: float,
    b: float,
    ignore_labels: bool,
    runtag: str,
    as_json: bool,
) -> None:
    """Rank the sentences of abstracts as answers to a question.

    With --index, BM25 finds the abstracts; with --input, each line brings its own. A run has
    sentences: record id, dot, number.
    """
    from relsent_ir.lucene.warming import warm_up

    if [question, topics, questions].count(None) != 2:
        raise UsageError("give one of --question, --topics and --input")
    if (index is None) != (questions is not None):
        raise UsageError("--question and --topics need --index, and --input takes none")
    if topics is not None and output is None:
        raise UsageError("--topics needs --output, the run to write")
    if question is not None and output is not None:
        raise UsageError("--output needs --topics or --input; --question shows its answers")
    if question is not None and index is not None:
        warm_up(index)

    from relsent_ir import models

    judge = models.load(model, "answers")
    if questions is not None:
        run, described = _from_lines(judge, questions, records, sentences, not ignore_labels)
    else:
        from relsent_ir.trec import read_topics

        asked = {"": question or ""}
        if topics is not None:
            asked = read_topics(topics, topics_format, field=topics_field)
        assert index
        depth = hits or (READABLE if output is None else RUN_DEPTH)
        run, described = _from_index(
            judge, asked, index, (k1, b), depth, sentences, not ignore_labels
        )
    if output is not None:
        from relsent_ir.trec import write_run

        write_run(output, run, tag=runtag)
        sizes = {"topics": len(run), "hits": sum(map(len, run.values()))}
        if as_json:
            print_json({"output": str(output), **sizes})
    elif as_json:
        print_json({"questions": described})
    else:
        _show(described)


def _from_index(
    model: "AnswerModel",
    topics: dict[str, str],
    folder: Path,
    parameters: tuple[float, float],
    depth: int,
    sentences: int,
    labels: bool,
) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """Answer from an index; give the run, and what is shown."""
    from relsent_ir.answers.searching import merge, search
    from relsent_ir.lucene.index import Index
    from relsent_ir.lucene.search import BM25

    with Index(folder) as opened, progress("Answering", "questions") as tick:
        found = search(
            opened,
            topics,
            model,
            bm25=BM25(*parameters),
            depth=depth,
            labels=labels,
            progress=tick,
        )
    run = {topic: merge(of) for topic, of in found.items()}
    described = [
        {
            "id": topic,
            "question": topics[topic],
            "records": [_record(one, sentences) for one in of],
        }
        for topic, of in found.items()
    ]
    return run, described


def _from_lines(
    model: "AnswerModel", path: Path, records: tuple[Path, ...], sentences: int, labels: bool
) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """Answer from the abstracts that the questions bring along."""
    from relsent_ir.answers import find_answers, read_questions
    from relsent_ir.answers.searching import Found, merge

    asked = read_questions(path, records)
    found: dict[str, list[Found]] = {}
    described: dict[str, dict[str, Any]] = {}
    with progress("Answering", "questions") as tick:
        for n, one in enumerate(asked, 1):
            answers = find_answers(model, one.text, one.record, labels=labels)
            of = Found(one.record, 0.0, answers, [])
            found.setdefault(one.id, []).append(of)
            entry = {"id": one.id, "question": one.text, "records": []}
            described.setdefault(one.id, entry)["records"].append(_record(of, sentences))
            tick(n, len(asked))
    return {topic: merge(of) for topic, of in found.items()}, list(described.values())


def _record(found: "Found", sentences: int) -> dict[str, Any]:
    """Describe an abstract with its best sentences."""
    record = found.record
    return {
        "pmid": record.id,
        "title": record.title or record.vernacular_title,
        "score": float(f"{found.score:.6g}"),
        "lacks": found.lacks,
        "sentences": [_sentence(answer) for answer in found.answers[:sentences]],
    }


def _sentence(answer: "Answer") -> dict[str, Any]:
    return {
        "id": answer.id,
        "move": answer.move,
        "score": round(answer.score, 4),
        "probability": round(answer.probability, 4),
        "answer": answer.is_answer,
        "text": answer.text,
    }


def _show(described: list[dict[str, Any]]) -> None:
    """Print each abstract and, under it, its best sentences; a star marks an answer."""
    for i, asked in enumerate(described):
        if asked["id"]:
            click.echo(f"{chr(10) if i else ''}{asked['id']}  {asked['question']}")
        for rank, record in enumerate(asked["records"], 1):
            lacks = f"  [lacks: {', '.join(record['lacks'])}]" if record["lacks"] else ""
            click.echo(f"{rank:>3}  {record['pmid']}  {record['title']}{lacks}")
            for row in record["sentences"]:
                mark = "*" if row["answer"] else " "
                click.echo(
                    f"   {mark} {row['probability']:.2f}  {row['id']}  {row['move']}  {row['text']}"
                )
            if not record["sentences"]:
                click.echo("     no abstract")
        if not asked["records"]:
            click.echo("nothing found")
