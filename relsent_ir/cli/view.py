"""How hits are shown, by every verb that finds some: on the screen, as JSON, or for a program."""

import csv
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import wraps
from typing import TYPE_CHECKING, Any, Final, cast

import click

from relsent_ir.cli.console import print_json
from relsent_ir.cli.options import F
from relsent_ir.errors import UsageError

if TYPE_CHECKING:
    from relsent_ir.cli.screen import Screen
    from relsent_ir.hit import Shown
    from relsent_ir.hits import Run
    from relsent_ir.lucene.read.collection import Indexes
    from relsent_ir.rank import Explains
    from relsent_ir.records import Record

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
