"""The theme of a record, and the map of all themes: their names and their records."""

from concurrent.futures import Future

from markupsafe import Markup
from pydantic import Field

from relsent_ir.budget import unmeasured
from relsent_ir.errors import InputError, RelsentError
from relsent_ir.themes import Theme, ThemeTopic, draw_map, label_theme, map_themes, records_on_theme
from relsent_ir.web.library import Library
from relsent_ir.web.reading import record_of
from relsent_ir.web.requests import MapRequest, ThemeRequest, address
from relsent_ir.web.views import Named, Private, View

TERMS = 10
RECORDS = 6


class Subject(View):
    """The theme of a record."""

    record: Named
    terms: list[str] = Field(default=[], description="The likeliest first.")
    records: list[Named] = Field(default=[], description="The others on it, the surest first.")


def theme(library: Library, request: ThemeRequest) -> Subject:
    """Find the theme of a record."""
    record = record_of(library, request.id)

    def read(_: ThemeTopic, subject: Theme) -> tuple[list[str], list[str]]:
        hits = records_on_theme(finder.matrix, subject, RECORDS)
        terms = [term.term for term in label_theme(finder.matrix, subject, TERMS)]
        return terms, hits.ids.tolist()

    try:
        finder = library.theme_finder
        terms, ids = finder.find({"": ThemeTopic((record.id,))}, read, threads=1)[""]
    except InputError:  # no term is shared with another record
        return Subject(record=record)
    return Subject(record=record, terms=terms, records=library.indexes.records(ids))


class MappedTheme(View):
    """A theme of the map."""

    name: str
    terms: list[str]
    own: int = Field(description="How many records are most on this one.")
    kernel: Named = Field(description="What it was found from.")


class MapPage(View):
    """The map; empty while it is being drawn."""

    themes: list[MappedTheme] = Field(default=[])
    coverage: float = Field(default=0.0, description="The share of records on some theme.")
    ready: bool = Field(default=True, description="Whether it is drawn.")
    problem: str = Field(default="", description="Why there is none.")
    picture: Private[Markup | None] = None


def mapped(library: Library, request: MapRequest) -> MapPage:  # noqa: ARG001 (its address)
    """Return the map; the first request starts drawing it in the background."""
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
    with unmeasured():
        theme_map = map_themes(library.indexes, threads=1)
    kernels = library.indexes.records([theme.kernel for theme in theme_map.themes])
    themes = [
        MappedTheme(name=theme.name, terms=list(theme.terms), own=theme.own, kernel=kernel)
        for theme, kernel in zip(theme_map.themes, kernels, strict=True)
    ]
    links = [address("/", [("q", " ".join(t.terms)), ("unit", "abstracts")]) for t in themes]
    picture = Markup(draw_map(theme_map, links))  # noqa: S704 (it escapes its texts)
    return MapPage(themes=themes, coverage=theme_map.coverage, picture=picture)
