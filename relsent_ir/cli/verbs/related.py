"""``relsent-ir related``: sentences with closely related statements."""

from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from relsent_ir.cli import options
from relsent_ir.cli.options import Topics
from relsent_ir.cli.output import Outcome, Output, describe_run, print_json, progress, stages
from relsent_ir.cli.requests import Request, options_of, run_verb
from relsent_ir.errors import InputError, MismatchError, UsageError
from relsent_ir.method import read_number
from relsent_ir.methods import Related

if TYPE_CHECKING:
    from relsent_ir.executor import Executor
    from relsent_ir.hits import Run
    from relsent_ir.lucene.read.filters import Filters
    from relsent_ir.related.calibration import Calibration
    from relsent_ir.related.matching.shown import Showing


@click.group(cls=options.WithDefault)
def command() -> None:
    """Related sentences."""


class Matching(Request[Related]):
    """Find the sentences that are most related to a sentence, a record's sentences, or topics.

    With --pmid none of that record is given.
    """

    kinds = (Related,)
    index: Path = options.index
    flags: Mapping[str, Any] = options_of(kinds)
    text: str | None = options.option(
        "Find what is related to one sentence.",
        type=options.WORDS,
        excludes="--output --without-own",
    )
    pmid: str | None = options.option(
        "Find what is related to each sentence of a record.", metavar="ID", excludes="--without-own"
    )
    topics: Topics | None = options.topics()
    hits: int | None = options.count("Per topic.  [default: 10; 1000 in a run]")
    min_score: str | None = options.option(
        "Only hits of this score or more; auto: what is worth showing, each once.",
        metavar="X|auto",
        excludes="--min-probability",
    )
    min_probability: float | None = options.option(
        "Only hits whose score makes P(of the same abstract) this or more.",
        type=options.Finite(0, 1),
        metavar="P",
    )
    executor: "Executor" = options.executor("Processes that match topics.")
    filters: "Filters" = options.filters
    output: Output = options.run

    def __post_init__(self) -> None:
        if [self.text, self.pmid, self.topics].count(None) != 2:
            raise UsageError("give one of --text, --pmid and --topics")
        _number(self.min_score)

    def showing(self, model: str) -> "Showing":
        """Return the matcher of a model, opened at its first use, with the judge of its scores."""
        from relsent_ir.related.matching.matcher import Matcher
        from relsent_ir.related.matching.shown import Showing

        if model not in self.opened:
            with stages("sentences") as stage:
                matcher = Matcher(self.collection, model, stage, self.executor)
            self.opened[model] = Showing(matcher)
        showing: Showing = self.opened[model]
        return showing

    def texts(self, model: str) -> dict[str, str]:
        """Return the topics: those of a file, a text, or a record's sentences that have words.

        The id of a sentence stands for that sentence.
        """
        from relsent_ir.related.tokens import words

        if self.pmid is None:
            return self.queries
        stopwords = self.showing(model).matcher.model.stopwords
        (passage,) = self.collection.read([self.pmid], moves=False)
        sentences = {s.id: s.text for s in passage.sentences if words(s.text, stopwords)}
        if not sentences:
            problem = f"record {self.pmid} has no sentence with a word"
            raise InputError(problem, where=self.collection.folder)
        return sentences

    def run(self, method: Related, hits: int | None) -> "Run":
        """Match the topics."""
        from relsent_ir.lucene.read.search import warm_up
        from relsent_ir.related.matching.shown import WIDER

        if self.topics is None and method.candidates == "bm25":  # the exact match needs no search
            warm_up(self.index)
        workers, showing = self.workers, self.showing(method.model)
        matcher = showing.matcher
        with progress("Matching", "topics") as tick:
            topics, k = self.texts(method.model), self.output.depth(hits)
            run = matcher.related(
                topics,
                k if self.min_score != "auto" else WIDER * k,
                candidates=method.candidates,
                depth=method.depth,
                without_own=method.without_own or self.pmid is not None,
                filters=self.filters,
                executor=workers,
                progress=tick,
            )
        if self.min_score == "auto":
            return showing.choose(topics, run, k)
        least = _number(self.min_score)
        if self.min_probability is not None:
            calibration: Calibration | None = getattr(matcher.model, "calibration", None)
            if calibration is None:
                problem = f"--min-probability: {matcher.model.name} is not calibrated"
                raise MismatchError(problem, fix="take --min-score X, or a trained model")
            least = calibration.score_reaching(self.min_probability, len(matcher.store))
        if least is not None:
            for topic, ranking in run.items():
                run[topic] = ranking.head(int((ranking.scores >= least).sum()))
        return run

    def show(self, run: "Run") -> None:
        """Show the hits of each topic, with what their scores mean."""
        method, view = self.method(self.flags), self.output.view
        showing = self.showing(method.model)
        matcher = showing.matcher
        sure = matcher.is_exact(method.candidates)
        more: dict[str, dict[str, Any]] = {topic: {"exact": sure} for topic in run}
        texts, values = self.texts(method.model), showing.probabilities
        view.show(describe_run(self.collection, run, texts, more=more, values=values))
        if view.form == "text" and not sure:
            depth = method.depth or matcher.default_depth(method.candidates)
            view.screen.print(f"approximate: the best of {depth:,} candidates")


command.add_command(run_verb("match", Matching))


def _number(min_score: str | None) -> float | None:
    """Read ``--min-score``; ``auto`` gives None too."""
    try:
        return None if min_score in (None, "auto") else read_number(min_score or "")
    except ValueError:
        raise UsageError(f"cannot read --min-score {min_score}", fix="a number, or auto") from None


@options.verb(command, name="all")
def every(
    index: Path = options.index,
    model: str = options.matcher("A trained model, or a formula's name."),
    output: Path | None = options.file(
        "--output", "Another folder, for use elsewhere.  [default: beside the index]", metavar="DIR"
    ),
    hits: int = options.count("Per sentence.", default=12),
    executor: "Executor" = options.executor("Processes that match sentences."),
) -> Outcome:
    """Match every sentence of an index with those of other records, once.

    Beside the index, the page, --pmid and Python's related read the matches instead of working
    them out. What is there already is not matched again: the same command goes on where a killed
    one stopped.
    """
    from relsent_ir.related.matching.every import write_every
    from relsent_ir.related.matching.matcher import open_matcher

    opens = partial(open_matcher, index.absolute(), model)
    with executor, progress("Matching", "parts") as tick:
        written, number = write_every(opens, hits, output, executor=executor, progress=tick)
    counts = {"output": str(written), "sentences": number}
    return Outcome(counts, f"{written}: the related sentences of {number:,}", written=written)


@options.verb(command)
def score(
    index: Path = options.index,
    model: str = options.option(
        "A trained model, or a formula's name.", required=True, metavar="MODEL|FORMULA"
    ),
    source: Path = options.file("--input", "Two sentences a line.", required=True, metavar="TSV"),
    explain: bool = options.flag("In a third column, what weighs most in the score."),
    as_json: bool = options.as_json,
) -> None:
    """Score pairs of sentences: a line a pair in their order, score and P parted by a tab.

    P is what `related` shows beside a score; - where the model is not calibrated, as a formula.
    """
    from relsent_ir.lucene.read.index import Index
    from relsent_ir.related import score_pairs
    from relsent_ir.related.features import Sentences
    from relsent_ir.related.pairs import read_pairs
    from relsent_ir.related.reranker import weightiest
    from relsent_ir.related.store import open_model

    pairs = read_pairs(source)
    scorer = open_model(model, index)
    with Index(index, "sentences") as opened:
        sentences = len(opened)
    calibration: Calibration | None = getattr(scorer, "calibration", None)
    scores = score_pairs(scorer, pairs)
    probabilities = (
        calibration.probability(scores, sentences).tolist() if calibration else [None] * len(pairs)
    )
    for pair, value, p in zip(pairs, scores.tolist(), probabilities, strict=True):
        together = Sentences.from_texts(pair, scorer.stopwords)
        why = weightiest(scorer, together, 1) if explain else []
        if as_json:
            line: dict[str, Any] = {"score": value, "p": p}
            print_json({**line, "features": dict(why)} if explain else line)
            continue
        columns = [f"{value:.6g}", "-" if p is None else f"{p:.4f}"]
        if explain:
            columns.append("; ".join(f"{name} {weight:.4g}" for name, weight in why))
        click.echo("\t".join(columns))
