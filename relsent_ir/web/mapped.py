"""A map of the collection's themes, for who does not know what to ask."""

from concurrent.futures import Future
from dataclasses import dataclass

from markupsafe import Markup

from relsent_ir.errors import RelsentError
from relsent_ir.records import Record
from relsent_ir.themes import MapTheme, draw_map, map_themes
from relsent_ir.web.library import Library


@dataclass(frozen=True)
class Mapped:
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


def mapped(library: Library) -> Mapped:
    """Give the map, which is drawn in the background when it is first asked for."""
    drawing: Future[Mapped] = library.once(
        "map", lambda: library.aside.submit(lambda: _drawn(library))
    )
    if not drawing.done():
        return Mapped(ready=False)
    try:
        return drawing.result()
    except RelsentError as error:
        return Mapped(problem=error.problem)


def _drawn(library: Library) -> Mapped:
    found = map_themes(library.indexes.folder, threads=1)
    names = [theme.kernel for theme in found.themes]
    records = dict(zip(names, library.indexes.records(names), strict=True))
    picture = Markup(draw_map(found))  # noqa: S704 (it escapes what it draws)
    return Mapped(found.themes, picture, records, found.coverage)
