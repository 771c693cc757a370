"""What verbs that search have in common: topics, the run or what is shown instead of it."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, cast

import click

from relsent_ir.cli.console import print_written
from relsent_ir.cli.options import TOPICS, F, file_option, heap_option
from relsent_ir.cli.view import View, view_options
from relsent_ir.errors import UsageError

if TYPE_CHECKING:
    from relsent_ir.feedback.engine import Engine
    from relsent_ir.hits import Run
    from relsent_ir.rank import Reranker

READABLE: Final = 10  # hits that are shown
RUN_DEPTH: Final = 1000  # hits of a topic in a run


class Kept:
    """The collections and rerankers that ``tune`` keeps for a verb, whose runs it takes itself.

    A verb knows by this object of its click context that it is tuned.
    """

    def __init__(self) -> None:
        self.engines: dict[tuple[Path, str], Engine] = {}
        self.rerankers: dict[tuple[Path, str, tuple[str, ...]], Reranker] = {}

    def close(self) -> None:
        """Let go of the files."""
        for engine in self.engines.values():
            engine.collection.close()


def kept() -> Kept | None:
    """What is kept for the verb that runs; None where a user called it."""
    context = click.get_current_context(silent=True)
    return context.find_object(Kept) if context else None


@contextmanager
def open_engine(index: Path, unit: str, engine: str = "auto") -> "Iterator[Engine]":
    """Open a collection to search, by an engine; while the verb is tuned, it stays open."""
    from relsent_ir.feedback.engine import Engine
    from relsent_ir.lucene.read.collection import Indexes

    tuned = kept()
    if tuned is None:
        with Indexes(index) as collection:
            yield Engine(collection, unit, engine)
        return
    if (index, unit) not in tuned.engines:
        tuned.engines[index, unit] = Engine(Indexes(index), unit, engine)
    yield tuned.engines[index, unit]


def kept_reranker(index: Path, model: str, evidence: tuple[str, ...] = ()) -> "Reranker":
    """Open a reranker; while the verb is tuned it is kept, and what sentences and rankers score.

    A ranker takes runs as evidence.
    """
    from relsent_ir.rank import Remembers, open_reranker

    tuned = kept()
    if tuned and (index, model, evidence) in tuned.rerankers:
        return tuned.rerankers[index, model, evidence]
    if evidence:
        from relsent_ir.cli.ranking import open_ranker, read_runs

        opened: Reranker = open_ranker(model, read_runs(evidence, "--evidence"))
    else:
        opened = open_reranker(model)
    if tuned:
        tuned.rerankers[index, model, evidence] = opened
        if isinstance(opened, Remembers):
            opened.remembered = {}
    return opened


class RunOption(click.Option):
    """``--output RUN``; where it is required, it is so of users."""

    def value_is_missing(self, value: Any) -> bool:  # noqa: D102 (click's)
        return kept() is None and super().value_is_missing(value)


@dataclass(frozen=True)
class Topics:
    """The topics that a user named: a file, its format (None: by content), TREC's field."""

    path: Path
    form: str | None
    field: str

    def read(self) -> dict[str, str]:
        """Read them."""
        from relsent_ir.trec import read_topics

        return read_topics(self.path, self.form, field=self.field)


@dataclass(frozen=True)
class Output:
    """Where a run goes: into a file, or to ``tune``; or nowhere, and hits are shown.

    Attributes
    ----------
    path : Path or None
    tag : str
        The name of the run.
    view : View
        How hits are shown.
    """

    path: Path | None
    tag: str
    view: View = field(default_factory=View)

    @property
    def as_json(self) -> bool:
        """Whether what is shown, or the counts of what is written, is JSON."""
        return self.view.form == "json"

    @property
    def wanted(self) -> bool:
        """Whether a run is asked for."""
        return self.path is not None or kept() is not None

    def check(self, text: object = None, *, file: str = "--topics", shown: str = "") -> None:
        """See that a text, which is shown, has no run to go to, and a run no format of hits.

        Parameters
        ----------
        text : object
            What was given, or None.
        file : str
            What can be written.
        shown : str
            What is shown instead.

        Raises
        ------
        UsageError
            If it is not so.
        """
        if text is not None and self.wanted:
            raise UsageError(f"--output needs {file}; {shown}")
        if self.path is not None and self.view.form not in ("text", "json"):
            raise UsageError(f"--output writes a run; --format {self.view.form} shows hits")

    def depth(self, hits: int | None, run: int = RUN_DEPTH) -> int:
        """How many hits a topic has: what the user says, else those of a run or a readable few."""
        return hits or (run if self.wanted else READABLE)

    def write(self, run: "Run", *, output_format: str = "trec") -> dict[str, Any]:
        """Write a run, if there is a file to write; give its counts."""
        if self.path is not None:
            from relsent_ir.trec import write_run

            write_run(self.path, run, tag=self.tag, output_format=output_format)
        return {"output": str(self.path), "topics": len(run), "hits": sum(map(len, run.values()))}

    def finish(self, run: "Run") -> "Run":
        """Write a run, and with ``--json`` print its counts; gives the run, the verb's result."""
        counts = self.write(run)
        if self.as_json and self.path is not None:
            print_written(self.path, "", counts, as_json=True)
        return run


def topics_options(text: str = "The topics.", *, required: bool = False) -> Callable[[F], F]:
    """``--topics``, ``--topics-format``, ``--topics-field``; the verb gets `Topics` or None."""

    def decorate(function: F) -> F:
        @wraps(function)
        def call(
            topics: Path | None, topics_format: str | None, topics_field: str, **rest: Any
        ) -> Any:
            asked = Topics(topics, topics_format, topics_field) if topics else None
            return function(topics=asked, **rest)

        of_trec = "Of TREC topics: title, desc, narr."
        call = click.option("--topics-field", metavar="FIELD", default="title", help=of_trec)(call)
        call = topics_format_option(call)
        return cast("F", file_option("--topics", help=text, required=required, type=TOPICS)(call))

    return decorate


def topics_format_option(function: F) -> F:
    """``--topics-format FORMAT``."""
    return click.option(
        "--topics-format", metavar="FORMAT", help="Their format.  [default: by content]"
    )(function)


def output_option(*, required: bool = False) -> Callable[[F], F]:
    """``--output RUN``, which `run_options` takes."""
    return file_option(
        "--output", metavar="RUN", help="The run to write.", required=required, cls=RunOption
    )


def run_options(function: F) -> F:
    """``--runtag``, ``--heap``, those of a view; with ``--output``, as `Output`."""
    return runtag_option(heap_option(view_options(takes_output(function))))


def runtag_option(function: F) -> F:
    """``--runtag NAME``, which `takes_output` takes."""
    return click.option("--runtag", default="relsent-ir", show_default=True)(function)


def takes_output(function: F) -> F:
    """Give a verb its ``--output``, ``--runtag`` and view as `output`."""

    @wraps(function)
    def call(output: Path | None, runtag: str, view: View | None = None, **rest: Any) -> Any:
        return function(output=Output(output, runtag, view or View()), **rest)

    return cast("F", call)
