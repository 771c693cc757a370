"""``relsent-ir answer``: the sentences of abstracts that answer a question."""

import logging
from collections.abc import Mapping
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from relsent_ir.cli import options
from relsent_ir.cli.options import Topics
from relsent_ir.cli.output import READABLE, HitGroup, Outcome, Output, progress
from relsent_ir.cli.requests import Request, options_of, run_verb
from relsent_ir.errors import InputError, MismatchError, UsageError
from relsent_ir.files import open_text
from relsent_ir.methods import BM25, Answers

if TYPE_CHECKING:
    from relsent_ir.answers import AnswerModel
    from relsent_ir.answers.questions import Asked
    from relsent_ir.answers.searching import AbstractAnswers
    from relsent_ir.executor import Executor
    from relsent_ir.hits import Run
    from relsent_ir.lucene.read.collection import Indexes
    from relsent_ir.lucene.read.filters import Filters

_log = logging.getLogger("relsent_ir")
RUN_DEPTH = 100  # abstracts whose sentences are ranked in a run
MOST = 1_000_000  # largest number of abstracts of a list, all of which are judged

records = options.files("Records that have the abstracts of lines without one, by PMID.")


@click.group(cls=options.WithDefault)
def command() -> None:
    """Sentences that answer a question.

    Options without a command are those of `answer find`.
    """


class Asking(Request[Answers]):
    """Rank the sentences of abstracts as answers to a question.

    With --index, a first stage finds the abstracts, or they are those of --run or --pmids; with
    --input, each line brings its own. A run has sentences: record id, dot, number.
    """

    kinds = (Answers,)
    text: str | None = options.option(
        "--question",
        "Ask the abstracts of an index one question.",
        type=options.WORDS,
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
        excludes=f"--index --threads --scheduler --hits --k1 --b --first-stage {options.FILTERS}",
    )
    records: tuple[Path, ...] = records
    flags: Mapping[str, Any] = options_of(kinds)
    hits: int | None = options.count(
        f"Abstracts that the first stage finds.  [default: {READABLE}; {RUN_DEPTH} for a run]"
    )
    first: Path | None = options.file(
        "--run",
        "The abstracts of each topic, instead of a first stage's.",
        metavar="RUN",
        needs="--topics",
        excludes="--first-stage --k1 --b --pmids --year --journal --publication-type",
    )
    pmids: Path | None = options.file(
        "--pmids",
        "Ids of the records to look at, one a line, instead of a first stage's.",
        needs="--index",
        excludes="--first-stage --k1 --b --hits --year --journal --publication-type",
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
        """The open indexes."""
        from relsent_ir.lucene.read.collection import Indexes
        from relsent_ir.lucene.read.search import warm_up

        assert self.index
        if self.text is not None:
            warm_up(self.index)
        return self.files.enter_context(Indexes(self.index))

    @cached_property
    def lines(self) -> "list[Asked]":
        """The questions with their own abstracts."""
        from relsent_ir.answers import read_questions

        assert self.questions
        return read_questions(self.questions, self.records)

    @cached_property
    def queries(self) -> dict[str, str]:
        """The texts of the questions."""
        if self.questions is not None:
            return {question.id: question.text for question in self.lines}
        return super().queries

    def answered(self, method: Answers, hits: int | None) -> "dict[str, list[AbstractAnswers]]":
        """Answer the questions, each from its own abstracts."""
        from relsent_ir import models
        from relsent_ir.answers import find_answers
        from relsent_ir.answers.questions import check_question
        from relsent_ir.answers.searching import AbstractAnswers, answer_topics, search

        if self.text is not None:
            check_question(self.text)
        judge: AnswerModel = models.load(method.model, "answers")
        labels = not method.ignore_labels
        settings: dict[str, Any] = {
            "bm25": BM25(method.k1, method.b),
            "depth": self.output.depth(hits, RUN_DEPTH),
            "labels": labels,
            "filters": self.filters,
        }
        if self.index is not None:
            settings["run"] = self._abstracts(method, settings["depth"])
            if self.pmids:
                settings["depth"] = MOST
        with progress("Answering", "questions") as tick:
            if self.questions is None and self.workers.local:
                return search(self.collection, self.queries, judge, progress=tick, **settings)
            if self.index is not None:
                model = Path(method.model) if method.model else None
                topics = self.queries
                return answer_topics(self.index, model, topics, self.workers, tick, **settings)
            abstracts: dict[str, list[AbstractAnswers]] = {}
            for n, question in enumerate(self.lines, 1):
                answers = find_answers(judge, question.text, question.record, labels=labels)
                abstract = AbstractAnswers(question.record, 0.0, answers, [])
                abstracts.setdefault(question.id, []).append(abstract)
                tick(n, len(self.lines))
            return abstracts

    def _abstracts(self, method: Answers, depth: int) -> "Run | None":
        """Return the abstracts of each topic; None if BM25 has to find them."""
        from relsent_ir.answers.searching import of_records
        from relsent_ir.feedback import Engine
        from relsent_ir.searching import first_stage
        from relsent_ir.trec.runs import read_run

        if self.first is not None:
            run = read_run(self.first)
            if not run.keys() & self.queries.keys():
                raise MismatchError("the run has none of the topics", where=self.first)
            return run
        if self.pmids is None:
            engine = Engine(self.collection, "abstracts")
            return first_stage(engine, self.queries, method, depth, self.filters)
        with open_text(self.pmids) as file:
            ids = [line.strip() for line in file if line.strip()]
        if not ids:
            raise InputError("there are no ids in this file", where=self.pmids)
        run, strange = of_records(self.collection, self.queries, ids)
        if strange:
            first = ", ".join(strange[:3]) + (", …" if len(strange) > 3 else "")
            values = (self.pmids, len(strange), len(ids), first)
            _log.warning("%s: %d of %d ids are not in the index: %s", *values)
        return run

    def run(self, method: Answers, hits: int | None) -> "Run":
        """Rank the sentences of all abstracts of a question together."""
        from relsent_ir.answers.searching import merge
        from relsent_ir.hits import Run

        return Run((topic, merge(of)) for topic, of in self.answered(method, hits).items())

    def execute(self) -> None:
        """Write the run, or show the abstracts of each question, after their pooled answers."""
        from relsent_ir import models
        from relsent_ir.answers.language import parse
        from relsent_ir.answers.pooling import describe_answers, pool

        if self.output.wanted:
            super().execute()
            return
        method = self.method(self.flags)
        judge = models.load(method.model, "answers")
        groups = []
        for topic, of in self.answered(method, self.hits).items():
            text, searched = self.queries[topic], self.questions is None
            question = parse(text)
            hits, facts = describe_answers(judge, question, of, method, searched=searched)
            note = "\n".join(pool(question, of, judge.stopwords).lines()) if searched else ""
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
) -> Outcome:
    """Measure a model on questions with evidence.

    A sentence is an answer when it and a span of the evidence share at least half the characters
    of the shorter of the two. A question whose abstract has no such sentence counts as missed.
    """
    from relsent_ir import models
    from relsent_ir.answers import read_questions
    from relsent_ir.answers.evaluation import report
    from relsent_ir.answers.questions import Taggers, pose
    from relsent_ir.moves import default_model as default_moves

    judge = models.load(model, "answers")
    examples = read_questions(questions, records, evidence=True)
    posed = pose(examples, Taggers(default_moves()), structure=not ignore_labels)
    with progress("Answering", "questions") as tick:
        values = report(judge, posed, tick)
    lines = [f"{values['questions']} questions"]
    lines += [f"{name:<24}{values[name]:.4f}" for name in ("success_at_1", "span_f1", "mrr")]
    return Outcome(values, *lines)
