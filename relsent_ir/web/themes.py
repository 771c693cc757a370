"""The theme of a record: what its subject is called, and the records on it."""

from concurrent.futures import Future
from dataclasses import dataclass

from markupsafe import Markup

from relsent_ir.errors import InputError, RelsentError
from relsent_ir.records import Record
from relsent_ir.themes import (
    MapTheme,
    ThemeTopic,
    draw_map,
    label_theme,
    map_themes,
    records_on_theme,
)
from relsent_ir.themes import Theme as Found
from relsent_ir.web.library import Library
from relsent_ir.web.reading import record_of
from relsent_ir.web.requests import ThemeRequest

TERMS = 10
RECORDS = 6


@dataclass(frozen=True)
class Subject:
    """A theme.

    Attributes
    ----------
    record : Record
        What it was found from.
    terms : list of str
        The likeliest first.
    records : list of Record
        The others on it, the surest first.
    """

    record: Record
    terms: list[str]
    records: list[Record]


def theme(library: Library, request: ThemeRequest) -> Subject:
    """Find the theme of a record."""
    record = record_of(library, request.id)

    def read(_: ThemeTopic, found: Found) -> tuple[list[str], list[str]]:
        hits = records_on_theme(finder.matrix, found, RECORDS)
        terms = [term.term for term in label_theme(finder.matrix, found, TERMS)]
        return terms, hits.ids.tolist()

    try:
        finder = library.theme_finder
        terms, ids = finder.find({"": ThemeTopic((record.id,))}, read, threads=1)[""]
    except InputError:  # it shares no term with another record
        return Subject(record, [], [])
    return Subject(record, terms, library.indexes.records(ids))


@dataclass(frozen=True)
class MapPage:
    """The map.

    Attributes
    ----------
    themes : tuple of MapTheme
    picture : Markup or None
        SVG.
    kernels : dict of str to Record
        What each theme was found from.
    coverage : float
        The share of the records that are on some theme.
    ready : bool
        Whether it is drawn; all else is empty while it is not.
    problem : str
        Why there is none.
    """

    themes: tuple[MapTheme, ...] = ()
    picture: Markup | None = None
    kernels: dict[str, Record] | None = None
    coverage: float = 0.0
    ready: bool = True
    problem: str = ""


def mapped(library: Library) -> MapPage:
    """Return the map, which is drawn in the background when it is first asked for."""
    drawing: Future[MapPage] = library.once(
        "map", lambda: library.aside.submit(lambda: _drawn(library))
    )
    if not drawing.done():
        return MapPage(ready=False)
    try:
        return drawing.result()
    except RelsentError as error:
        return MapPage(problem=error.problem)


def _drawn(library: Library) -> MapPage:
    themes = map_themes(library.indexes, threads=1)
    names = [theme.kernel for theme in themes.themes]
    records = dict(zip(names, library.indexes.records(names), strict=True))
    picture = Markup(draw_map(themes))  # noqa: S704 (it escapes what it draws)
    return MapPage(themes.themes, picture, records, themes.coverage)
