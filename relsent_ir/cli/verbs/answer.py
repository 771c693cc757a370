"""``relsent-ir answer``: the sentences of abstracts that answer a question."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from relsent_ir.cli import options
from relsent_ir.cli.inputs import Topics
from relsent_ir.cli.output import READABLE, Group, Output, print_json, progress
from relsent_ir.errors import UsageError
from relsent_ir.methods import Answers

if TYPE_CHECKING:
    from relsent_ir.answers import AnswerModel
    from relsent_ir.answers.searching import AbstractAnswers
    from relsent_ir.executor import Executor
    from relsent_ir.hits import Run
    from relsent_ir.lucene.read.filters import Filters

RUN_DEPTH = 100  # abstracts whose sentences are in a run

records_option = options.file(
    "--records",
    multiple=True,
    metavar="PATH...",
    help="Records that have the abstracts of lines without one, by PMID.",
)
labels_option = click.option(
    "--ignore-labels", is_flag=True, help="Take structured abstracts as if they had no labels."
)


@click.group(cls=options.WithDefault)
def command() -> None:
    """Sentences that answer a question.

    Options without a command are those of `answer find`.
    """


@command.command(cls=options.Command)
@click.option("--question", metavar="TEXT", help="Ask the abstracts of an index one question.")
@options.topics("Ask it several.")
@options.file("--index", metavar="DIR", help="The collection's indexes.")
@options.file(
    "--input",
    "questions",
    metavar="JSONL",
    help="Questions, each with its abstract: id, question, pmid, title, abstract.",
)
@records_option
@options.model
@options.run_output
@options.count(
    "--hits", help=f"Abstracts that BM25 finds.  [default: {READABLE}; {RUN_DEPTH} for a run]"
)
@options.choice(
    "--slot",
    choices=["finding", "conclusion"],
    help="Show this sentence of each abstract alone.  [default: both, the one that the question "
    "wants first]",
)
@options.count(
    "--sentences", metavar="N", help="Show so many of each abstract, whatever their slot."
)
@options.bm25
@labels_option
@options.executor("Processes that answer questions.")
@options.filters
@options.run
def find(
    question: str | None,
    topics: Topics | None,
    index: Path | None,
    questions: Path | None,
    records: tuple[Path, ...],
    model: Path | None,
    output: Output,
    hits: int | None,
    slot: str | None,
    sentences: int | None,
    k1: float | None,
    b: float | None,
    ignore_labels: bool,
    filters: "Filters",
    executor: "Executor",
) -> "Run":
    """Rank the sentences of abstracts as answers to a question.

    With --index, BM25 finds the abstracts; with --input, each line brings its own. A run has
    sentences: record id, dot, number.
    """
    from relsent_ir.lucene.read.warming import warm_up

    method = Answers(slot=slot, sentences=sentences)
    if [question, topics, questions].count(None) != 2:
        raise UsageError("give one of --question, --topics and --input")
    if (index is None) != (questions is not None):
        raise UsageError("--question and --topics need --index, and --input takes none")
    if filters and questions is not None:
        raise UsageError("--input takes no filters; they are for --index")
    if questions is not None and not executor.local:
        raise UsageError("--threads and --scheduler are for --index")
    shown = "--question shows its answers"
    output.check(question, file="--topics or --input", shown=shown)
    if output.wanted and (slot or sentences):
        flag = "--slot" if slot else "--sentences"
        raise UsageError(f"{flag} and --output exclude each other: a run has all sentences")
    if hits and questions is not None:
        raise UsageError("--hits needs --index")
    ranking = options.given_bm25(k1, b, "" if questions is None else "--index")
    if question is not None and index is not None:
        warm_up(index)

    from relsent_ir import models

    judge = models.load(model, "answers")
    if questions is not None:
        queries, answered = _from_lines(judge, questions, records, not ignore_labels)
    else:
        queries = topics.read() if topics else {"": question or ""}
        assert index
        settings = {
            "bm25": ranking,
            "depth": output.depth(hits, RUN_DEPTH),
            "labels": not ignore_labels,
            "filters": filters,
        }
        answered = _from_index(judge, queries, index, model, settings, executor)

    from relsent_ir.answers.searching import merge
    from relsent_ir.hits import Run

    run = Run((topic, merge(of)) for topic, of in answered.items())
    if output.wanted:
        return output.finish(run)
    output.view.show(groups(judge, queries, answered, method, searched=questions is None))
    return run


@command.command(cls=options.Command)
@options.model
@options.file(
    "--input",
    "questions",
    required=True,
    metavar="JSONL",
    help="Questions with abstracts and evidence.",
)
@records_option
@labels_option
@options.as_json
def evaluate(
    model: Path | None,
    questions: Path,
    records: tuple[Path, ...],
    ignore_labels: bool,
    as_json: bool,
) -> None:
    """Measure a model on questions with evidence.

    A sentence is an answer when it and a span of the evidence share at least half the characters
    of the shorter of the two. A question whose abstract has no such sentence counts as missed.
    Directions are read off the finding, of the questions whose label the model knows.
    """
    from relsent_ir import models
    from relsent_ir.answers import read_questions
    from relsent_ir.answers.scores import report
    from relsent_ir.answers.training import Taggers, pose
    from relsent_ir.moves import default_model as default_moves

    judge = models.load(model, "answers")
    examples = read_questions(questions, records, evidence=True)
    posed = pose(examples, Taggers(default_moves()), structure=not ignore_labels)
    with progress("Answering", "questions") as tick:
        values = report(judge, posed, tick)
    if as_json:
        print_json(values)
        return
    click.echo(f"{values['questions']} questions")
    for name in ("success_at_1", "span_f1", "mrr"):
        click.echo(f"{name:<24}{values[name]:.4f}")
    if read := values.get("direction"):
        for name in ("accuracy", "macro_f1"):
            click.echo(f"{'direction ' + name:<24}{read[name]:.4f}")
        sure = read["sure"]
        click.echo(f"of {sure['coverage']:.0%} where it is sure {sure['accuracy']:.4f}")
    if values["other_labels"]:
        click.echo(f"other labels, left out: {values['other_labels']}")


def _from_index(
    judge: "AnswerModel",
    topics: dict[str, str],
    folder: Path,
    model: Path | None,
    settings: dict[str, Any],
    executor: "Executor",
) -> "dict[str, list[AbstractAnswers]]":
    """Answer from an index, here or elsewhere."""
    from relsent_ir.answers.searching import answered, search
    from relsent_ir.lucene.read.collection import Indexes

    with Indexes(folder) as opened, progress("Answering", "questions") as tick:
        if executor.local:
            return search(opened, topics, judge, progress=tick, **settings)
        with executor:
            return answered(folder, model, topics, executor, tick, **settings)


def _from_lines(
    model: "AnswerModel", path: Path, records: tuple[Path, ...], labels: bool
) -> "tuple[dict[str, str], dict[str, list[AbstractAnswers]]]":
    """Answer from the abstracts that the questions bring along; give the questions too."""
    from relsent_ir.answers import find_answers, read_questions
    from relsent_ir.answers.searching import AbstractAnswers

    questions = read_questions(path, records)
    answered: dict[str, list[AbstractAnswers]] = {}
    with progress("Answering", "questions") as tick:
        for n, question in enumerate(questions, 1):
            answers = find_answers(model, question.text, question.record, labels=labels)
            answered.setdefault(question.id, []).append(
                AbstractAnswers(question.record, 0.0, answers, [])
            )
            tick(n, len(questions))
    return {question.id: question.text for question in questions}, answered


def groups(
    model: "AnswerModel",
    topics: Mapping[str, str],
    answered: "Mapping[str, Sequence[AbstractAnswers]]",
    method: Answers,
    *,
    searched: bool,
) -> list[Group]:
    """Describe questions with their abstracts; what they say together is by the slot they want.

    Parameters
    ----------
    model : AnswerModel
    topics : mapping of topic id to question
    answered : mapping of topic id to sequence of AbstractAnswers
    method : Answers
    searched : bool
        The abstracts come from an index: their own probability and BM25's score are shown.
    """
    from relsent_ir.answers.searching import abstract_hit, pooled

    made = []
    for topic, of in answered.items():
        slot = method.slot or model.wanted(topics[topic])
        by_label = {label: [a.id for a in some] for label, some in pooled(of, slot).items()}
        hits = [
            abstract_hit(model, topics[topic], rank, abstract, method, searched=searched)
            for rank, abstract in enumerate(of, 1)
        ]
        note = _together(by_label) if len(of) > 1 else ""
        made.append(Group(topic, topics[topic], hits, {"slot": slot, "directions": by_label}, note))
    return made


def _together(directions: Mapping[str, Sequence[str]]) -> str:
    """Sum up: of 3 that answer: 2 increased, 1 not clear."""
    total = sum(map(len, directions.values()))
    if not total:
        return "none of these answers surely"
    parts = (f"{len(ids)} {label or 'not sure'}" for label, ids in directions.items())
    return f"of {total} that answer{'s' if total == 1 else ''}: {', '.join(parts)}"
