"""``--year``, ``--journal``, ``--publication-type`` and ``--moves`` as several verbs take them."""

from collections.abc import Iterable
from typing import TYPE_CHECKING

import click

from relsent_ir.cli.options import F
from relsent_ir.errors import UsageError

if TYPE_CHECKING:
    from relsent_ir.lucene.read.filters import Filters


def filter_options(function: F) -> F:
    """The options whose values `read_filters` takes; the verb's class is `SeveralValues`."""
    for option in reversed(
        (
            click.option("--year", metavar="FROM:TO", help="Only of these years: 1990:2000, 1990:"),
            click.option(
                "--journal",
                "journals",
                multiple=True,
                metavar="NAME...",
                help="Only of these journals, as printed in the records.",
            ),
            click.option(
                "--publication-type",
                "publication_types",
                multiple=True,
                metavar="TYPE...",
                help="Only of these publication types, as printed in the records.",
            ),
            click.option(
                "--moves",
                metavar="MOVE,...",
                help="Only sentences with these argumentative moves.",
            ),
        )
    ):
        function = option(function)
    return function


def read_filters(
    year: str | None,
    journals: Iterable[str],
    publication_types: Iterable[str],
    moves: str | None,
) -> "Filters":
    """Make filters of what was given; without any, those that everything passes.

    A comma parts moves only: "Clinical Trial, Phase II" is one publication type.

    Raises
    ------
    UsageError
        If a year cannot be read, or a move is unknown.
    """
    from relsent_ir.lucene.read.filters import Filters

    names = (name.strip().upper() for name in moves.split(",")) if moves else ()
    return Filters(
        _years(year) if year is not None else (None, None),
        tuple(dict.fromkeys(journals)),
        tuple(dict.fromkeys(publication_types)),
        tuple(dict.fromkeys(names)),
    )


def _years(text: str) -> tuple[int | None, int | None]:
    ends = [part.strip() for part in text.split(":")]
    if len(ends) > 2 or not any(ends) or not all(e == "" or _is_year(e) for e in ends):
        raise UsageError(f"cannot read --year {text}", fix="write 1990:2000, 1990:, :2000 or 1990")
    first, last = (int(end) if end else None for end in (ends[0], ends[-1]))
    return first, last


def _is_year(text: str) -> bool:
    return len(text) == 4 and text.isascii() and text.isdecimal()
