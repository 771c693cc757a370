"""Output of the verbs: progress on stderr, JSON and tables, hits in each format, runs."""

import json
import os
import shlex
import shutil
import sys
import time
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click
from click.core import ParameterSource

from relsent_ir.errors import RelsentError, UsageError
from relsent_ir.typing import Progress

if TYPE_CHECKING:
    from relsent_ir.hit import Hit
    from relsent_ir.hits import Hits, Run
    from relsent_ir.lucene.read.collection import Indexes
    from relsent_ir.models.registry import Storable
    from relsent_ir.rank import Explains, Span
    from relsent_ir.records import Record


MOVES: Final = {"PURPOSE": "blue", "METHODS": "yellow", "RESULTS": "green", "CONCLUSION": "magenta"}
INDENT: Final = 6
NARROWEST: Final = 40
DIRECTIONS: Final = dict.fromkeys(
    (0x061C, 0x200E, 0x200F, *range(0x202A, 0x202F), *range(0x2066, 0x206A))
)
"""Characters that reverse the direction of text, so that a text could appear as another."""
ORDINARY: Final = "Journal Article"  # a publication type without information

# Set by terminals that support links (OSC 8).
LINKING: Final = (
    "KITTY_WINDOW_ID", "KONSOLE_VERSION", "VTE_VERSION", "WEZTERM_PANE", "WT_SESSION",
    "FORCE_HYPERLINK",
)  # fmt: skip
LINKING_PROGRAMS: Final = ("iTerm.app", "WezTerm", "vscode", "ghostty")


@dataclass(frozen=True)
class Screen:
    """A place where hits are shown as text.

    Attributes
    ----------
    width : int or None
        The width in columns; None for lines of any length.
    color, links : bool
        Whether the terminal supports colours, and links.
    """

    width: int | None = None
    color: bool = False
    links: bool = False

    def print(self, line: str) -> None:
        """Print a line with its marks, without changes of text direction."""
        click.echo(line.translate(DIRECTIONS), color=True)

    def show(self, hit: "Hit") -> None:
        """Print a hit: its sentence or title, its source, and the sentence that is its evidence."""
        space = " " * max(1, 15 - len(hit.id))
        lead = f"{hit.rank:>4}{'*' if hit.star else ' '} "
        score = f"{hit.score:>8.4f}"
        columns = len(lead) + len(hit.id) + len(space) + len(score) + 2
        address = ""
        if self.links:
            from relsent_ir.records.references import link

            address = link(hit.record)
        name = f"\x1b]8;;{address}\x1b\\{hit.id}\x1b]8;;\x1b\\" if address else hit.id
        lead = f"{lead}{name}{space}{self.style(score, dim=True)}  "
        move = hit.move if hit.is_sentence else ""
        self.sentence(hit.text, hit.marks, lead=lead, columns=columns, move=move)
        self.faint(source(hit))
        evidence = hit.evidence
        for label, sentence in hit.sentences:
            lead = f"{' ' * INDENT}{label}  "
            self.sentence(sentence.text, sentence.marks, lead=lead, move=sentence.move)
        shown = hit.is_sentence or hit.sentences or evidence.text == hit.text
        if evidence.sentence and not shown:
            self.sentence(evidence.text, evidence.spans, lead=" " * INDENT, move=hit.move)

    def sentence(
        self,
        text: str,
        spans: "Sequence[Span]" = (),
        *,
        lead: str = "",
        columns: int | None = None,
        move: str = "",
    ) -> None:
        """Print a wrapped sentence after `lead`, with its spans marked and its move as a label.

        `columns` is the width of `lead` if some of its characters take none.
        """
        before = len(lead) if columns is None else columns
        if move:
            lead += self.style(f"{move:<10}", fg=MOVES.get(move), bold=True) + "  "
            before += max(10, len(move)) + 2
        for start, end in self._ranges(text, before):
            self.print(lead + self._marked(text, start, end, spans))
            lead = " " * INDENT

    def faint(self, text: str) -> None:
        """Print secondary information, indented; an empty text is not printed."""
        if text:
            for start, end in self._ranges(text, INDENT):
                self.print(" " * INDENT + self.style(text[start:end], dim=True))

    def style(self, text: str, **how: Any) -> str:
        """Colour a text if colours are supported."""
        return click.style(text, **how) if self.color and text else text

    def _ranges(self, text: str, before: int) -> Iterator[tuple[int, int]]:
        """Wrap a text at spaces; its first line has `before` fewer columns, the others an indent.

        A word that is longer than a line is not split.
        """
        if not self.width:
            yield 0, len(text)
            return
        start = 0
        while len(text) - start > (room := max(1, self.width - before)):
            end = text.rfind(" ", start, start + room + 1)
            if end <= start:
                end = text.find(" ", start)
            if end < 0:
                break
            yield start, end
            start, before = end + 1, INDENT
        yield start, len(text)

    def _marked(self, text: str, start: int, end: int, spans: "Sequence[Span]") -> str:
        pieces, at = [], start
        for span in spans:
            first, last = max(span.start, at), min(span.end, end)
            if first < last:
                weak = span.label == "associated"
                word = self.style(text[first:last], bold=not weak or None, underline=True)
                pieces += [text[at:first], word]
                at = last
        return "".join([*pieces, text[at:end]])


def source(hit: "Hit") -> str:
    """Return the journal, year and types of a hit, and the values that the method gave it."""
    record = hit.record
    title = record.title or record.vernacular_title
    kinds = [kind for kind in record.publication_types if kind != ORDINARY]
    parts = [title if hit.is_sentence and title != hit.text else "", record.journal, record.year]
    values = []
    for name, value in hit.values.items():
        if name != "move" and not isinstance(value, bool) and value not in ("", [], None):
            listed = ", ".join(map(str, value)) if isinstance(value, list) else value
            shown = f" {value:.2f}" if isinstance(value, float) else f": {listed}"
            values.append(f"{name.replace('_', ' ')}{shown}")
    text = ", ".join(filter(None, [*parts, *kinds]))
    return f"{text}  [{'; '.join(values)}]".strip() if values else text


EVERY: Final = 10.0  # seconds between lines of progress


@contextmanager
def progress(title: str, unit: str = "it") -> Iterator[Progress]:
    """Show a bar on stderr while the block runs; if stderr is not a terminal, occasional lines.

    With the unit ``B``, values are bytes, shown in kB and MB.

    Yields a callback, which gets the amount done and the total, or None.
    """
    with ExitStack() as bars:
        shown: list[Any] = []  # created with the first value
        printed = time.monotonic()

        def bar(done: int, total: int | None) -> None:
            if not shown:
                from tqdm import tqdm

                scaled = unit == "B"
                noun = unit if scaled else f" {unit}"
                drawn = tqdm(desc=title, unit=noun, unit_scale=scaled, leave=False)
                shown.append(bars.enter_context(drawn))
            shown[0].total = total
            shown[0].update(done - shown[0].n)

        def line(done: int, total: int | None) -> None:
            nonlocal printed
            now = time.monotonic()
            if now - printed >= EVERY:
                printed = now
                numbers = [n for n in (done, total) if n is not None]
                counts = [f"{n / 1e6:,.1f}" if unit == "B" else f"{n:,}" for n in numbers]
                noun = "MB" if unit == "B" else unit
                click.echo(f"{title}: {' of '.join(counts)} {noun}", err=True)

        yield bar if sys.stderr.isatty() else line


@contextmanager
def stages(unit: str = "it") -> Iterator[Callable[[str], Progress]]:
    """Yield a function that starts a stage of long work by its title, and returns a callback."""
    with ExitStack() as bars:

        def stage(title: str) -> Progress:
            bars.close()
            return bars.enter_context(progress(title, unit))

        yield stage


def print_json(values: Any) -> None:
    """Print one JSON object on stdout."""
    click.echo(json.dumps(values, ensure_ascii=False))


class Outcome:
    """The result of a verb, a JSON object or lines of text; the verb then has ``--json``.

    Parameters
    ----------
    values : mapping of str to any
    *lines : str
    written : Path, optional
        The file that the verb wrote; if it is standard output, the result is printed to stderr.
    error : RelsentError, optional
        Raised after all has been printed.
    """

    def __init__(
        self,
        values: Mapping[str, Any],
        *lines: str,
        written: Path | None = None,
        error: RelsentError | None = None,
    ) -> None:
        self.values, self.lines, self.written, self.error = values, lines, written, error

    def show(self, *, as_json: bool) -> None:
        """Print the object, or the lines, if there are any."""
        text = json.dumps(self.values, ensure_ascii=False) if as_json else "\n".join(self.lines)
        if as_json or self.lines:
            click.echo(text, err=str(self.written) == "-")
        if self.error:
            raise self.error


def saved(
    path: Path,
    model: "Storable",
    values: Mapping[str, Any],
    *lines: str,
    facts: Mapping[str, Any] | None = None,
    **settings: Any,
) -> Outcome:
    """Save a model with `relsent_ir.models.save`; show its folder, and finally its method."""
    from relsent_ir.models import save

    text = save(path, model, facts, **settings)
    shown = {"output": str(path), **values, **({"method": text} if text else {})}
    return Outcome(shown, *lines, *([f"method: {text}"] if text else []))


def counted(number: int, noun: str) -> str:
    """Return a number with its noun: 1 file, 1,200 files."""
    return f"{number:,} {noun}{'s' * (number != 1)}"


def command_line() -> str:
    """Return the command line as it is stored in a model's facts, with files by their names."""
    context = click.get_current_context()
    words = context.command_path.split()
    for option in context.command.params:
        typed = context.get_parameter_source(option.name or "") is ParameterSource.COMMANDLINE
        if typed and option.expose_value and option.name not in ("output", "as_json"):
            value = context.params[option.name or ""]
            several = value if isinstance(value, tuple) else () if value is True else (value,)
            names = (part.name if isinstance(part, Path) else str(part) for part in several)
            words += [option.opts[0], *names]
    return shlex.join(words)


def print_table(header: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """Print a table to stdout, with the first column left-aligned and the others right-aligned."""
    from relsent_ir.drawing import aligned

    click.echo(aligned([header, *rows], right=True))


FORMATS: Final = ("text", "json", "csv", "ris", "bibtex")


@dataclass(frozen=True)
class HitGroup:
    """The hits of a topic.

    Attributes
    ----------
    topic, text : str
        The topic's id ("" for a text given directly) and its text.
    hits : sequence of Hit
    more : dict of str to any
        Further values of the topic, for JSON.
    note : str
        A line that is printed before the hits.
    """

    topic: str
    text: str
    hits: "Sequence[Hit]"
    more: dict[str, Any] = field(default_factory=dict)
    note: str = ""


@dataclass(frozen=True)
class Display:
    """The format in which hits are shown.

    Attributes
    ----------
    form : {"text", "json", "csv", "ris", "bibtex"}
    width : int or None
        The width in columns; None for that of the terminal.
    color : bool
    """

    form: str = "text"
    width: int | None = None
    color: bool = True

    @property
    def screen(self) -> Screen:
        """The screen for text on stdout; NO_COLOR, FORCE_COLOR and `color` decide on colours.

        Pipes and files get whole lines without marks.
        """
        terminal, width = sys.stdout.isatty(), self.width
        able = terminal and os.environ.get("TERM") != "dumb"
        color = self.color and not os.environ.get("NO_COLOR")
        color = color and (able or bool(os.environ.get("FORCE_COLOR")))
        linking = any(os.environ.get(name) for name in LINKING)
        linking |= os.environ.get("TERM_PROGRAM") in LINKING_PROGRAMS
        if width is None and terminal:
            width = shutil.get_terminal_size().columns
        return Screen(max(width, NARROWEST) if width else None, color, linking and color)

    def show(self, groups: Iterable[HitGroup]) -> None:
        """Show hits, one topic after another.

        In JSON each topic is a line, in CSV each hit; RIS and BibTeX have each record once.
        """
        if self.form == "text":
            screen = self.screen
            for i, group in enumerate(groups):
                if group.topic:
                    title = screen.style(f"{group.topic}  {group.text}", bold=True)
                    screen.print(f"{chr(10) if i else ''}{title}")
                if group.note:
                    screen.print(group.note)
                for hit in group.hits:
                    screen.show(hit)
                if not group.hits:
                    screen.print("nothing found")
        elif self.form == "json":
            for group in groups:
                head = {"topic": group.topic, "query": group.text}
                named = {name: value for name, value in head.items() if value}
                hits = [hit.to_dict() for hit in group.hits]
                print_json({**named, "hits": hits, **group.more})
        elif self.form == "csv":
            from relsent_ir.hit import COLUMNS, write_csv

            rows = ((group.topic, *hit.to_row()) for group in groups for hit in group.hits)
            write_csv(sys.stdout, chain([("topic", *COLUMNS)], rows))
        else:
            self.records(hit.record for group in groups for hit in group.hits)

    def records(self, records: "Iterable[Record]") -> None:
        """Print records in CSV, RIS or BibTeX, each record once."""
        from relsent_ir.records.references import to_bibtex, to_ris
        from relsent_ir.records.tables import write_table

        once = {record.id: record for record in records}.values()
        if self.form == "csv":
            write_table(sys.stdout, once)
            return
        write = to_ris if self.form == "ris" else to_bibtex
        for record in once:
            click.echo(write(record))


def describe_run(
    collection: "Indexes",
    run: "Run",
    topics: Mapping[str, str],
    explains: "Explains | None" = None,
    more: Mapping[str, dict[str, Any]] | None = None,
    *,
    values: "Callable[[Hits], Mapping[str, Mapping[str, Any]]] | None" = None,
    titles: Mapping[str, str] | None = None,
) -> list[HitGroup]:
    """Read the records and sentences of a run's hits.

    Parameters
    ----------
    collection : Indexes
    run : Run
    topics : mapping of topic id to text
    explains : Explains, optional
        The reranker whose evidence is shown; by default, words shared by hit and topic are.
    more : mapping of topic id to dict, optional
        Further values of each topic, for JSON.
    values : callable, optional
        Returns the method's values of hits, in the form that `relsent_ir.hit.read_hits` takes.
    titles : mapping of topic id to text, optional
        Texts shown instead of the topics' texts.
    """
    from relsent_ir.hit import WordEvidence, read_hits

    words = WordEvidence(collection.facts.analysis)
    return [
        HitGroup(
            topic,
            (titles or {}).get(topic, topics[topic]),
            read_hits(
                collection, hits, topics[topic], words, explains, values(hits) if values else None
            ),
            (more or {}).get(topic, {}),
        )
        for topic, hits in run.items()
    ]


READABLE: Final = 10  # hits shown by default
RUN_DEPTH: Final = 1000  # hits of each topic in a run by default


@dataclass(frozen=True)
class Output:
    """Where a run goes: to a file, or, without a file, to the screen as hits.

    Attributes
    ----------
    path : Path or None
    tag : str
        The name of the run.
    view : Display
        How hits are shown.
    settings : Path or None
        The file for the text form of the method.
    """

    path: Path | None
    tag: str
    view: Display = field(default_factory=Display)
    settings: Path | None = None

    def __post_init__(self) -> None:
        if self.path is not None and self.view.form not in ("text", "json"):
            raise UsageError(f"--output writes a run; --format {self.view.form} shows hits")

    @property
    def as_json(self) -> bool:
        """Whether hits, or the counts of a written run, are printed as JSON."""
        return self.view.form == "json"

    @property
    def wanted(self) -> bool:
        """Whether a run is written."""
        return self.path is not None

    def depth(self, hits: int | None, run: int = RUN_DEPTH) -> int:
        """Return the number of hits of a topic: the user's, or the default for a run or a list."""
        return hits or (run if self.wanted else READABLE)

    def write(self, run: "Run", *, output_format: str = "trec") -> dict[str, Any]:
        """Write a run; return its counts."""
        from relsent_ir.trec.runs import run_lines

        lines = run_lines(run, self.tag, output_format=output_format)
        return self.write_lines(run, lines, output_format=output_format)

    def write_lines(
        self, topics: Collection[str], lines: Iterable[bytes], *, output_format: str
    ) -> dict[str, Any]:
        """Write the lines of a run of several topics, report it on stderr; return its counts."""
        from relsent_ir.trec.runs import write_lines

        assert self.path
        hits = write_lines(self.path, topics, lines, self.tag, output_format=output_format)
        if not self.as_json:
            count = f"{len(topics)} topic{'s' * (len(topics) != 1)}, {hits} hits"
            click.echo(f"{click.format_filename(self.path)}: {count}", err=True)
        return {"output": str(self.path), "topics": len(topics), "hits": hits}
