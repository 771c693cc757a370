"""What the verbs share: progress on stderr, JSON, tables, options with several values."""

import csv
import json
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, cast

import click

from relsent_ir.cli.options import TOPICS, F, file_option, heap_option
from relsent_ir.errors import UsageError
from relsent_ir.typing import Progress

if TYPE_CHECKING:
    from relsent_ir.cli.screen import Screen
    from relsent_ir.feedback.engine import Engine
    from relsent_ir.hit import Shown
    from relsent_ir.hits import Run
    from relsent_ir.lucene.read.collection import Indexes
    from relsent_ir.rank import Explains, Reranker
    from relsent_ir.records import Record


@contextmanager
def progress(title: str, unit: str = "it") -> Iterator[Progress]:
    """Show a bar on stderr while the block runs; nothing where stderr is no terminal.

    The unit ``B`` are bytes, shown in kB and MB.

    Yields the callback that long work calls with what is done and the total, or None.
    """
    with ExitStack() as bars:
        shown: list[Any] = []  # not before there is something to show

        def tick(done: int, total: int | None) -> None:
            if not shown:
                from tqdm import tqdm

                off = not sys.stderr.isatty()
                scaled = unit == "B"
                bar = tqdm(
                    desc=title,
                    unit=unit if scaled else f" {unit}",
                    unit_scale=scaled,
                    disable=off,
                    leave=False,
                )
                shown.append(bars.enter_context(bar))
            shown[0].total = total
            shown[0].update(done - shown[0].n)

        yield tick


def print_json(values: Any) -> None:
    """Print one JSON object on stdout."""
    click.echo(json.dumps(values, ensure_ascii=False))


def print_written(path: Path, told: str, counts: Mapping[str, Any], as_json: bool) -> None:
    """Tell what was written to a file, or JSON; on stderr if it went to standard output."""
    text = json.dumps(counts, ensure_ascii=False) if as_json else f"{path}: {told}"
    click.echo(text, err=str(path) == "-")


def print_table(header: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """Print a table on stdout: the first column to the left, the others to the right."""
    widths = [max(len(row[i]) for row in (header, *rows)) for i in range(len(header))]
    for row in (header, *rows):
        cells = [row[0].ljust(widths[0])]
        cells += [cell.rjust(width) for cell, width in zip(row[1:], widths[1:], strict=True)]
        click.echo("  ".join(cells).rstrip())


FORMATS: Final = ("text", "json", "csv", "ris", "bibtex")


@dataclass(frozen=True)
class Group:
    """The hits of a topic.

    Attributes
    ----------
    topic, text : str
        Its id, "" of a text that was given by hand, and its text.
    hits : sequence of Shown
    more : dict of str to any
        What else JSON says of the topic.
    note : str
        What is said of the hits before they are shown.
    """

    topic: str
    text: str
    hits: "Sequence[Shown]"
    more: dict[str, Any] = field(default_factory=dict)
    note: str = ""


@dataclass(frozen=True)
class View:
    """What the user wants to see.

    Attributes
    ----------
    form : {"text", "json", "csv", "ris", "bibtex"}
    width : int or None
        Columns; None for the terminal's.
    color : bool
    """

    form: str = "text"
    width: int | None = None
    color: bool = True

    @property
    def screen(self) -> "Screen":
        """Where text goes."""
        from relsent_ir.cli.screen import Screen

        return Screen.here(self.width, color=self.color)

    def show(self, groups: Iterable[Group]) -> None:
        """Show hits, topic after topic.

        JSON is a line for each topic; CSV a line for each hit; RIS and BibTeX have each record
        once.
        """
        if self.form == "text":
            self._show_text(groups)
        elif self.form == "json":
            for group in groups:
                head = {"topic": group.topic, "query": group.text}
                named = {name: value for name, value in head.items() if value}
                hits = [hit.to_dict() for hit in group.hits]
                print_json({**named, "hits": hits, **group.more})
        elif self.form == "csv":
            _show_csv(groups)
        else:
            self.records(hit.record for group in groups for hit in group.hits)

    def records(self, records: "Iterable[Record]") -> None:
        """Print records, each once, in RIS or BibTeX."""
        from relsent_ir.records.export import to_bibtex, to_ris

        write = to_ris if self.form == "ris" else to_bibtex
        for record in {record.id: record for record in records}.values():
            click.echo(write(record))

    def _show_text(self, groups: Iterable[Group]) -> None:
        screen = self.screen
        for i, group in enumerate(groups):
            if group.topic:
                head = screen.style(f"{group.topic}  {group.text}", bold=True)
                screen.print(f"{chr(10) if i else ''}{head}")
            if group.note:
                screen.print(group.note)
            for hit in group.hits:
                screen.show(hit)
            if not group.hits:
                screen.print("nothing found")


def _show_csv(groups: Iterable[Group]) -> None:
    from relsent_ir.hit import COLUMNS

    table = csv.writer(sys.stdout, lineterminator="\n")
    table.writerow(("topic", *COLUMNS))
    for group in groups:
        for hit in group.hits:
            table.writerow((group.topic, *hit.to_row()))


def describe_run(
    collection: "Indexes",
    run: "Run",
    topics: Mapping[str, str],
    explains: "Explains | None" = None,
    more: Mapping[str, dict[str, Any]] | None = None,
) -> list[Group]:
    """Look up what is shown of a run's hits.

    Parameters
    ----------
    collection : Indexes
    run : Run
    topics : mapping of topic id to text
    explains : Explains, optional
        The reranker whose evidence is shown; the words that hit and topic share if None.
    more : mapping of topic id to dict, optional
        What else JSON says of a topic.
    """
    from relsent_ir.hit import WordEvidence, describe

    words = WordEvidence(collection.facts.analysis)
    return [
        Group(
            topic,
            topics[topic],
            describe(collection, hits, topics[topic], words, explains),
            (more or {}).get(topic, {}),
        )
        for topic, hits in run.items()
    ]


def view_options(function: F) -> F:
    """``--format``, ``--width``, ``--no-color``, ``--json``; the verb gets them as `View`."""

    @wraps(function)
    def call(
        view_format: str | None, width: int | None, no_color: bool, as_json: bool, **rest: Any
    ) -> Any:
        if as_json and view_format not in (None, "json"):
            raise UsageError(f"--json and --format {view_format} exclude each other")
        form = "json" if as_json else view_format or "text"
        return function(view=View(form, width, not no_color), **rest)

    as_json = click.option("--json", "as_json", is_flag=True, help="The same as --format json.")
    no_color = click.option(
        "--no-color", is_flag=True, help="No colours; so says NO_COLOR in the environment."
    )
    width = click.option(
        "--width",
        type=click.IntRange(1),
        metavar="N",
        help="Columns of what is shown.  [default: the terminal's]",
    )
    form = click.option(
        "--format",
        "view_format",
        type=click.Choice(FORMATS),
        help="How hits are shown.  [default: text]",
    )
    return cast("F", form(width(no_color(as_json(call)))))


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
        from relsent_ir.cli.options import open_ranker, read_runs

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
