"""A map of themes as a picture: SVG without scripts, the same bytes for the same map."""

from html import escape
from math import sqrt
from typing import Final

import numpy as np
from numpy.typing import NDArray

from relsent_ir.themes.mapping import MapTheme, ThemeMap

_FIELD: Final = 460.0  # pixels, the side of the square that the circles are in
_LARGEST: Final = 46.0  # radius of the theme with most records
_SMALLEST: Final = 13.0
_GAP: Final = 4.0  # between circles
_LINE: Final = 34.0  # height of a theme in the list
_WIDTH: Final = 1000.0
_ROUNDS: Final = 400  # of moving circles apart
_DRAWN: Final = 0.1  # overlap from which a line is drawn
_COLOURS: Final = ((0.3, "#2a7f9e"), (0.15, "#6fb1c7"), (-1.0, "#c3d7de"))
"""By coherence, from so much on."""


def draw_map(map_: ThemeMap) -> str:
    """Draw a map of themes.

    Parameters
    ----------
    map_ : ThemeMap

    Returns
    -------
    str
        An SVG document. A circle is a theme, as large as the number of records that are its own,
        the darker the more coherent; alike themes are near each other, and a line is as wide as
        the share of records that two themes have in common. The list beside tells each theme's
        name and figures, a circle's `title` its kernel's.
    """
    radii = _radii(map_.themes)
    places = _apart(_places(map_.likeness), radii)
    height = max(_FIELD, _LINE * len(map_.themes)) + 60
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH:.0f} {height:.0f}" '
        f'width="{_WIDTH:.0f}" height="{height:.0f}" font-family="sans-serif" font-size="12">',
        f"<title>{len(map_.themes)} themes of {map_.records:,} records</title>",
        '<rect width="100%" height="100%" fill="#ffffff"/>',
        *_lines(map_, places),
    ]
    for number, (theme, (x, y), radius) in enumerate(
        zip(map_.themes, places.tolist(), radii.tolist(), strict=True), 1
    ):
        dark = _colour(theme) == _COLOURS[0][1]
        parts.append(
            f"<g><title>{escape(f'{theme.kernel}: {theme.title}')}</title>"
            f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{radius:.1f}" fill="{_colour(theme)}" '
            f'stroke="#ffffff"/><text x="{x:.1f}" y="{y + 4:.1f}" text-anchor="middle" '
            f'fill="{"#ffffff" if dark else "#1c2b30"}">{number}</text></g>'
        )
    for number, theme in enumerate(map_.themes, 1):
        y = 28 + _LINE * (number - 1)
        told = f"{theme.own:,} records, NPMI {_figure(theme.coherence)}"
        told += f", held out {theme.held_out:+.2f}"
        parts.append(
            f'<text x="{_FIELD + 40:.0f}" y="{y:.0f}"><tspan font-weight="bold">{number} '
            f'{escape(theme.name)}</tspan><tspan x="{_FIELD + 40:.0f}" dy="14" fill="#5a6b70">'
            f"{escape(told)}</tspan></text>"
        )
    whole = f"{100 * map_.coverage:.0f} % of {map_.records:,} records on some theme; "
    whole += f"topic diversity {map_.diversity:.2f}, NPMI {_figure(map_.coherence)}"
    parts.append(f'<text x="20" y="{height - 14:.0f}" fill="#5a6b70">{escape(whole)}</text>')
    return "\n".join([*parts, "</svg>"]) + "\n"


def _figure(value: float | None) -> str:
    return "–" if value is None else f"{value:.2f}"


def _colour(theme: MapTheme) -> str:
    value = -1.0 if theme.coherence is None else theme.coherence
    return next(colour for least, colour in _COLOURS if value >= least)


def _radii(themes: tuple[MapTheme, ...]) -> NDArray[np.float64]:
    largest = max(1, *(theme.own for theme in themes))
    return np.array([max(_SMALLEST, _LARGEST * sqrt(t.own / largest)) for t in themes])


def _places(likeness: NDArray[np.float64]) -> NDArray[np.float64]:
    """Lay themes out so that alike ones are near: classical scaling; shape (themes, 2)."""
    distances = 2 * (1 - likeness)  # squared, of vectors of length 1
    centre = np.eye(len(distances)) - 1 / len(distances)
    values, vectors = np.linalg.eigh(-centre @ distances @ centre / 2)
    best = vectors[:, [-1, -2]] * np.sqrt(np.maximum(values[[-1, -2]], 0))
    best *= np.where(best[np.abs(best).argmax(axis=0), [0, 1]] < 0, -1, 1)  # one of two mirrors
    reach = float(np.abs(best).max()) or 1.0
    found: NDArray[np.float64] = _FIELD / 2 + 20 + best / reach * (_FIELD / 2 - _LARGEST)
    return found


def _apart(places: NDArray[np.float64], radii: NDArray[np.float64]) -> NDArray[np.float64]:
    """Move circles that overlap away from each other, inside the field."""
    places = places + np.arange(len(places))[:, None] * [1e-3, -1e-3]  # none on another
    least = np.add.outer(radii, radii) + _GAP
    np.fill_diagonal(least, 0)
    for _ in range(_ROUNDS):
        between = places[:, None] - places[None]
        far = np.sqrt((between**2).sum(axis=2))
        push = np.maximum(least - far, 0) / 2
        if not push.any():
            break
        places = places + (between * (push / np.maximum(far, 1e-9))[:, :, None]).sum(axis=1)
        edge = radii[:, None] + 8
        places = np.clip(places, edge, _FIELD + 40 - edge)
    return places


def _lines(map_: ThemeMap, places: NDArray[np.float64]) -> list[str]:
    lines = []
    for i, j in zip(*(k.tolist() for k in np.triu_indices(len(places), 1)), strict=True):
        share = float(map_.overlaps[i, j])
        if share >= _DRAWN:
            (x1, y1), (x2, y2) = places[i].tolist(), places[j].tolist()
            lines.append(
                f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" '
                f'stroke="#b9a98c" stroke-width="{max(0.5, 12 * share):.1f}" opacity="0.6"/>'
            )
    return lines
