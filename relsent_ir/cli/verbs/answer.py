"""``relsent-ir answer``: the sentences of abstracts that answer a question."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from relsent_ir.cli import options
from relsent_ir.cli.methods import options_of
from relsent_ir.cli.options import Topics
from relsent_ir.cli.output import READABLE, HitGroup, Output, print_json, progress
from relsent_ir.cli.requests import Request, run_verb
from relsent_ir.errors import UsageError
from relsent_ir.methods import BM25, Answers

if TYPE_CHECKING:
    from relsent_ir.answers import AnswerModel
    from relsent_ir.answers.questions import Question
    from relsent_ir.answers.searching import AbstractAnswers
    from relsent_ir.executor import Executor
    from relsent_ir.hits import Run
    from relsent_ir.lucene.read.collection import Indexes
    from relsent_ir.lucene.read.filters import Filters

RUN_DEPTH = 100  # abstracts whose sentences are in a run

records = options.files("Records that have the abstracts of lines without one, by PMID.")


@click.group(cls=options.WithDefault)
def command() -> None:
    """Sentences that answer a question.

    Options without a command are those of `answer find`.
    """


@dataclass(frozen=True, eq=False, kw_only=True)
class Asking(Request[Answers]):
    """Rank the sentences of abstracts as answers to a question.

    With --index, BM25 finds the abstracts; with --input, each line brings its own. A run has
    sentences: record id, dot, number.
    """

    kinds = (Answers,)
    text: str | None = options.option(
        "--question",
        "Ask the abstracts of an index one question.",
        metavar="TEXT",
        needs="--index",
        excludes="--output",
    )
    topics: Topics | None = options.topics("Ask it several.", needs="--index")
    index: Path | None = options.folder()
    questions: Path | None = options.file(
        "--input",
        "Questions, each with its abstract: id, question, pmid, title, abstract.",
        metavar="JSONL",
        excludes=f"--index --threads --scheduler --hits --k1 --b {options.FILTERS}",
    )
    records: tuple[Path, ...] = records
    flags: Mapping[str, Any] = options_of(kinds)
    hits: int | None = options.count(
        f"Abstracts that BM25 finds.  [default: {READABLE}; {RUN_DEPTH} for a run]"
    )
    executor: "Executor" = options.executor("Processes that answer questions.")
    filters: "Filters" = options.filters
    output: Output = options.run

    def __post_init__(self) -> None:
        if [self.text, self.topics, self.questions].count(None) != 2:
            raise UsageError("give one of --question, --topics and --input")
        for flag in {"--slot", "--sentences"} & set(self.flags) if self.output.wanted else ():
            raise UsageError(f"{flag} and --output exclude each other: a run has all sentences")

    @cached_property
    def collection(self) -> "Indexes":
        """The indexes."""
        from relsent_ir.lucene.read.collection import Indexes
        from relsent_ir.lucene.read.warming import warm_up

        assert self.index
        if self.text is not None:
            warm_up(self.index)
        return self.files.enter_context(Indexes(self.index))

    @cached_property
    def lines(self) -> "list[Question]":
        """The questions that bring their abstracts along."""
        from relsent_ir.answers import read_questions

        assert self.questions
        return read_questions(self.questions, self.records)

    @cached_property
    def queries(self) -> dict[str, str]:
        """The questions' texts."""
        if self.questions is not None:
            return {question.id: question.text for question in self.lines}
        return super().queries

    def answered(self, method: Answers, hits: int | None) -> "dict[str, list[AbstractAnswers]]":
        """Answer the questions, each from its abstracts."""
        from relsent_ir import models
        from relsent_ir.answers import find_answers
        from relsent_ir.answers.searching import AbstractAnswers, answered, search

        judge: AnswerModel = models.load(method.model, "answers")
        labels = not method.ignore_labels
        settings: dict[str, Any] = {
            "bm25": BM25(method.k1, method.b),
            "depth": self.output.depth(hits, RUN_DEPTH),
            "labels": labels,
            "filters": self.filters,
        }
        with progress("Answering", "questions") as tick:
            if self.questions is None and self.workers.local:
                return search(self.collection, self.queries, judge, progress=tick, **settings)
            if self.index is not None:
                model = Path(method.model) if method.model else None
                return answered(self.index, model, self.queries, self.workers, tick, **settings)
            found: dict[str, list[AbstractAnswers]] = {}
            for n, question in enumerate(self.lines, 1):
                answers = find_answers(judge, question.text, question.record, labels=labels)
                abstract = AbstractAnswers(question.record, 0.0, answers, [])
                found.setdefault(question.id, []).append(abstract)
                tick(n, len(self.lines))
            return found

    def run(self, method: Answers, hits: int | None) -> "Run":
        """Put the sentences of each question's abstracts into one order."""
        from relsent_ir.answers.searching import merge
        from relsent_ir.hits import Run

        return Run((topic, merge(of)) for topic, of in self.answered(method, hits).items())

    def execute(self) -> None:
        """Write the run, or show each question's abstracts; what they say together stands first."""
        from relsent_ir import models
        from relsent_ir.answers.searching import describe_answers

        if self.output.wanted:
            super().execute()
            return
        method = self.method(self.flags)
        judge = models.load(method.model, "answers")
        groups = []
        for topic, of in self.answered(method, self.hits).items():
            text, searched = self.queries[topic], self.questions is None
            hits, facts = describe_answers(judge, text, of, method, searched=searched)
            note = _together(facts["directions"]) if len(of) > 1 else ""
            groups.append(HitGroup(topic, text, hits, dict(facts), note))
        self.output.view.show(groups)


command.add_command(run_verb("find", Asking))


@options.verb(command)
def evaluate(
    model: Path | None = options.model,
    questions: Path = options.file(
        "--input", "Questions with abstracts and evidence.", required=True, metavar="JSONL"
    ),
    records: tuple[Path, ...] = records,
    ignore_labels: bool = options.flag("Take structured abstracts as if they had no labels."),
    as_json: bool = options.as_json,
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


def _together(directions: Mapping[str, Sequence[str]]) -> str:
    """Sum up: of 3 that answer: 2 increased, 1 not clear."""
    total = sum(map(len, directions.values()))
    if not total:
        return "none of these answers surely"
    parts = (f"{len(ids)} {label or 'not sure'}" for label, ids in directions.items())
    return f"of {total} that answer{'s' if total == 1 else ''}: {', '.join(parts)}"
