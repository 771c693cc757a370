"""``relsent-ir related``: sentences that say something closely related."""

from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from relsent_ir.cli.console import SeveralValues, WithDefault, progress
from relsent_ir.cli.filters import filter_options, read_filters
from relsent_ir.cli.options import Finite, index_option, scorer_option
from relsent_ir.cli.related_judging import ratings, sheet
from relsent_ir.cli.related_pairs import evaluate, score
from relsent_ir.cli.runs import Output, Topics, output_option, run_options, topics_options
from relsent_ir.cli.view import Group
from relsent_ir.cli.work import work_options
from relsent_ir.errors import InputError, MismatchError, UsageError
from relsent_ir.typing import Progress

if TYPE_CHECKING:
    from relsent_ir.cli.work import Work
    from relsent_ir.hits import Run
    from relsent_ir.related import Model
    from relsent_ir.related.calibration import Calibration
    from relsent_ir.related.matching.matcher import Matcher


@click.group(cls=WithDefault)
def command() -> None:
    """Related sentences."""


@command.command(cls=SeveralValues)
@index_option
@scorer_option
@click.option("--text", help="Find what is related to one sentence.")
@click.option("--pmid", metavar="ID", help="Find what is related to each sentence of a record.")
@topics_options()
@output_option()
@click.option("--hits", type=click.IntRange(1), help="Per topic.  [default: 10; 1000 in a run]")
@click.option("--exact", is_flag=True, help="Take all sentences as candidates.")
@click.option(
    "--candidates",
    type=click.Choice(["bm25", "expanded"]),
    help="BM25's first ones, or those for the words that the model favours.  [default: bm25]",
)
@click.option(
    "--depth",
    type=click.IntRange(1),
    default=1000,
    show_default=True,
    metavar="N",
    help="How many candidates.",
)
@click.option(
    "--min-score",
    metavar="X|auto",
    help="Only hits of this score or more; auto: as the best hit of a fifth of this index's.",
)
@click.option(
    "--min-probability",
    type=Finite(0, 1),
    metavar="P",
    help="Only hits whose score makes P(of the same abstract) this or more.",
)
@click.option(
    "--without-own",
    is_flag=True,
    help="Topics' ids are records' or sentences' in the index: none of that record is given.",
)
@work_options("Processes that match topics.")
@filter_options
@run_options
def match(
    index: Path,
    model: str,
    text: str | None,
    pmid: str | None,
    topics: Topics | None,
    output: Output,
    hits: int | None,
    exact: bool,
    candidates: str | None,
    depth: int,
    min_score: str | None,
    min_probability: float | None,
    without_own: bool,
    work: "Work",
    year: str | None,
    journals: tuple[str, ...],
    publication_types: tuple[str, ...],
    moves: str | None,
) -> "Run":
    """Find the sentences that are most related to a sentence, a record's sentences, or topics.

    With --pmid none of that record is given.
    """
    from relsent_ir.lucene.read.warming import warm_up

    if [text, pmid, topics].count(None) != 2:
        raise UsageError("give one of --text, --pmid and --topics")
    output.check(text, file="--topics or --pmid", shown="--text shows its hits")
    if exact and candidates:
        raise UsageError("--exact and --candidates exclude each other")
    if min_score is not None and min_probability is not None:
        raise UsageError("--min-score and --min-probability exclude each other")
    if without_own and not topics:
        raise UsageError("--without-own goes with --topics")
    least = _number(min_score)
    filters = read_filters(year, journals, publication_types, moves)
    way = "exact" if exact else candidates or "bm25"
    if topics is None:
        warm_up(index)

    from relsent_ir.related.calibration import reached
    from relsent_ir.related.matching.matcher import Matcher, best_scores, related

    asked = topics.read() if topics else {"": text or ""}

    def stage(title: str) -> Progress:
        bar: list[Progress] = []

        def tick(done: int, total: int | None) -> None:
            if not bar:  # most often nothing is left to be done
                bar.append(bars.enter_context(progress(title, "sentences")))
            bar[0](done, total)

        return tick

    with (
        work.open() as spread,
        ExitStack() as bars,
        Matcher(index, model, stage, spread) as matcher,
    ):
        if pmid is not None:
            asked = _sentences(index, pmid, matcher.model.stopwords)
        settings: dict[str, Any] = {
            "candidates": way,
            "depth": depth,
            "without_own": without_own or pmid is not None,
            "filters": filters,
        }
        with progress("Matching", "topics") as tick:
            if work.elsewhere:
                told = asked, output.depth(hits), spread, tick
                run = related(index, model, *told, **settings)
            else:
                run = matcher.related(asked, output.depth(hits), progress=tick, **settings)
        if min_score == "auto":
            least = reached(best_scores(matcher))
        if min_probability is not None:
            calibration = _calibration(matcher.model, "--min-probability")
            least = calibration.score_reaching(min_probability, len(matcher.store))
        if least is not None:
            for topic, found in run.items():
                run[topic] = found.head(int((found.scores >= least).sum()))
        if output.wanted:
            return output.finish(run)
        sure = matcher.is_exact(way)
        groups = _groups(matcher, run, asked, sure)
    output.view.show(groups)
    if output.view.form == "text" and not sure:
        output.view.screen.print(f"approximate: the best of {depth:,} candidates")
    return run


def _number(min_score: str | None) -> float | None:
    """Read ``--min-score``; None for ``auto`` too."""
    try:
        return None if min_score in (None, "auto") else float(min_score or "")
    except ValueError:
        raise UsageError(f"cannot read --min-score {min_score}", fix="a number, or auto") from None


def _calibration(model: "Model", flag: str) -> "Calibration":
    """Give what the model's scores mean."""
    calibration = getattr(model, "calibration", None)
    if calibration is None:
        raise MismatchError(
            f"{flag}: {model.name} is not calibrated", fix="take --min-score X, or a trained model"
        )
    found: Calibration = calibration
    return found


def _sentences(index: Path, record_id: str, stopwords: tuple[str, ...]) -> dict[str, str]:
    """Get a record's sentences by id, its title first; those without a word are left out."""
    from relsent_ir.lucene.read.index import Index
    from relsent_ir.related.tokens import words

    with Index(index) as records:
        if records.documents([record_id])[0] < 0:
            raise InputError(f"no record {record_id!r}", where=index)
        record = records.records([record_id])[0]
    found = {s.id: s.text for s in record.sentences() if words(s.text, stopwords)}
    if not found:
        raise InputError(f"record {record_id} has no sentence with a word", where=index)
    return found


def _groups(matcher: "Matcher", run: "Run", asked: dict[str, str], sure: bool) -> list[Group]:
    """Look up what is shown of each hit, and what its score means."""
    from relsent_ir.hit import WordEvidence, describe
    from relsent_ir.lucene.read.collection import Indexes

    calibration: Calibration | None = getattr(matcher.model, "calibration", None)
    n = len(matcher.store)
    words = WordEvidence(matcher.index.facts.analysis)
    groups = []
    with Indexes(matcher.index.folder) as collection:
        for topic, hits in run.items():
            meaning = {
                name: {"p_same_abstract": float(f"{calibration.probability(score, n):.4g}")}
                for name, score in hits
                if calibration
            }
            shown = describe(collection, hits, asked[topic], words, values=meaning)
            groups.append(Group(topic, asked[topic], shown, {"exact": sure}))
    return groups


command.add_command(evaluate)
command.add_command(score)
command.add_command(sheet)
command.add_command(ratings)
