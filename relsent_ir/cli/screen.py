"""Hits on a terminal: lines wrapped to its width, moves in colour, the topic's words marked."""

import os
import shutil
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

import click

from relsent_ir.hit import Hit
from relsent_ir.rank import Span
from relsent_ir.records.references import link

MOVES: Final = {"PURPOSE": "blue", "METHODS": "yellow", "RESULTS": "green", "CONCLUSION": "magenta"}
INDENT: Final = 6
NARROWEST: Final = 40
DIRECTIONS: Final = dict.fromkeys(
    (0x061C, 0x200E, 0x200F, *range(0x202A, 0x202F), *range(0x2066, 0x206A))
)
"""Letters that turn what follows around, which a text could show itself as another by."""
ORDINARY: Final = "Journal Article"  # a type that says nothing

# Set by terminals that know links (OSC 8).
LINKING: Final = (
    "KITTY_WINDOW_ID", "KONSOLE_VERSION", "VTE_VERSION", "WEZTERM_PANE", "WT_SESSION",
    "FORCE_HYPERLINK",
)  # fmt: skip
LINKING_PROGRAMS: Final = ("iTerm.app", "WezTerm", "vscode", "ghostty")


@dataclass(frozen=True)
class Screen:
    """A place that shows hits as text.

    Attributes
    ----------
    width : int or None
        Columns; None where lines are as long as they come.
    color, links : bool
        Whether it knows colours, and links.
    """

    width: int | None = None
    color: bool = False
    links: bool = False

    @classmethod
    def here(cls, width: int | None, *, color: bool) -> "Screen":
        """Return the screen of stdout; NO_COLOR, FORCE_COLOR and `color` decide on colours.

        A pipe or a file gets whole lines without any marks.
        """
        terminal = sys.stdout.isatty()
        able = terminal and os.environ.get("TERM") != "dumb"
        color = color and not os.environ.get("NO_COLOR")
        color = color and (able or bool(os.environ.get("FORCE_COLOR")))
        linking = any(os.environ.get(name) for name in LINKING)
        linking |= os.environ.get("TERM_PROGRAM") in LINKING_PROGRAMS
        if width is None and terminal:
            width = shutil.get_terminal_size().columns
        return cls(max(width, NARROWEST) if width else None, color, linking and color)

    def print(self, line: str) -> None:
        """Print a line with the marks that it has, in one direction."""
        click.echo(line.translate(DIRECTIONS), color=True)

    def show(self, hit: Hit) -> None:
        """Print a hit: its sentence or title, where it was printed, the sentence that decides."""
        space = " " * max(1, 15 - len(hit.id))
        lead = f"{hit.rank:>4}{'*' if hit.star else ' '} "
        score = f"{hit.score:>8.4f}"
        before = len(lead) + len(hit.id) + len(space) + len(score) + 2
        address = link(hit.record) if self.links else ""
        name = f"\x1b]8;;{address}\x1b\\{hit.id}\x1b]8;;\x1b\\" if address else hit.id
        prefix = f"{lead}{name}{space}{self.style(score, dim=True)}  "
        self._print(hit.text, hit.marks, prefix, before, hit.move if hit.is_sentence else "")
        self.faint(source(hit))
        evidence = hit.evidence
        for label, sentence in hit.sentences:
            lead = f"{' ' * INDENT}{label}  "
            self.sentence(sentence.text, sentence.marks, lead=lead, move=sentence.move)
        if evidence.sentence and not hit.is_sentence and not hit.sentences:
            self.sentence(evidence.text, evidence.spans, lead=" " * INDENT, move=hit.move)

    def sentence(
        self, text: str, spans: Sequence[Span] = (), *, lead: str = "", move: str = ""
    ) -> None:
        """Print a sentence behind `lead`, with its move as a label."""
        self._print(text, spans, lead, len(lead), move)

    def faint(self, text: str) -> None:
        """Print what matters less, indented; nothing if there is nothing."""
        if text:
            for start, end in self._ranges(text, INDENT):
                self.print(" " * INDENT + self.style(text[start:end], dim=True))

    def style(self, text: str, **how: Any) -> str:
        """Put a text into colour, where that is known."""
        return click.style(text, **how) if self.color and text else text

    def _print(
        self, text: str, spans: Sequence[Span], prefix: str, before: int, move: str = ""
    ) -> None:
        """Print a text behind a prefix of `before` columns, wrapped, its spans marked."""
        if move:
            prefix += self.style(f"{move:<10}", fg=MOVES.get(move), bold=True) + "  "
            before += max(10, len(move)) + 2
        for start, end in self._ranges(text, before):
            self.print(prefix + self._marked(text, start, end, spans))
            prefix = " " * INDENT

    def _ranges(self, text: str, before: int) -> Iterator[tuple[int, int]]:
        """Cut a text at spaces; the first line has `before` columns fewer, the others the indent.

        A word that is longer than a line stays whole.
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

    def _marked(self, text: str, start: int, end: int, spans: Sequence[Span]) -> str:
        pieces, at = [], start
        for span in spans:
            first, last = max(span.start, at), min(span.end, end)
            if first < last:
                weak = span.label == "associated"
                word = self.style(text[first:last], bold=not weak or None, underline=True)
                pieces += [text[at:first], word]
                at = last
        return "".join([*pieces, text[at:end]])


def source(hit: Hit) -> str:
    """Return a hit's journal, year, types, and the values that the method gave it."""
    record = hit.record
    title = record.title or record.vernacular_title
    kinds = [kind for kind in record.publication_types if kind != ORDINARY]
    parts = [title if hit.is_sentence and title != hit.text else "", record.journal, record.year]
    values = [
        f"{_name(name)} {value:.2f}"
        if isinstance(value, float)
        else f"{_name(name)}: {_listed(value)}"
        for name, value in hit.values.items()
        if name != "move" and not isinstance(value, bool) and value not in ("", [], None)
    ]
    text = ", ".join(filter(None, [*parts, *kinds]))
    return f"{text}  [{'; '.join(values)}]".strip() if values else text


def _listed(value: object) -> str:
    return ", ".join(map(str, value)) if isinstance(value, list) else str(value)


def _name(name: str) -> str:
    return name.replace("_", " ")
