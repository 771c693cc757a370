"""A map of a collection: kernels that cover it, their themes, names and overlaps.

Kernels are chosen by greedy facility location, which reaches 1 - 1/e of the best choice (Nemhauser,
Wolsey, Fisher: An analysis of approximations for maximizing submodular set functions. Mathematical
Programming 14, 1978): a record is covered to the degree of its similarity to the nearest kernel.
The picture of a map is SVG without scripts; equal maps give equal bytes.
"""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from html import escape
from math import sqrt
from typing import Any, Final

import numpy as np

from relsent_ir.counts.weighting import idf
from relsent_ir.drawing import aligned
from relsent_ir.errors import InputError, UsageError
from relsent_ir.lucene.read.collection import Indexes
from relsent_ir.themes.em import IMPROVED, Theme, ThemeSettings
from relsent_ir.themes.finding import ThemeFinder, ThemeTopic
from relsent_ir.themes.labels import LIKELY, label_theme, records_on_theme
from relsent_ir.themes.matrix import PresenceMatrix, Terms
from relsent_ir.themes.quality import coherence, diversity, held_out_gains
from relsent_ir.typing import Floats, NDArray, Progress

CANDIDATES: Final = 500
"""Number of records that may be kernels, drawn at random from larger collections."""
_OVERLAPS: Final = 10  # pairs that are printed


def choose_kernels(
    matrix: PresenceMatrix, count: int, *, candidates: int = CANDIDATES, seed: int = 0
) -> NDArray[np.intp]:
    """Choose records that cover a collection.

    Parameters
    ----------
    matrix : PresenceMatrix
    count : int
        Largest number of kernels; fewer if no candidate resembles any remaining record.
    candidates : int
        Largest number of records that are considered.
    seed : int
        Seed for drawing these records.

    Returns
    -------
    ndarray of int, shape (kernels,)
        The rows of the kernels, the one that covers most first. Similarity is the cosine of the
        records' terms with weights ln(records / records with the term).
    """
    usable = np.flatnonzero(matrix.lengths)
    if len(usable) > candidates:
        usable = np.sort(np.random.default_rng(seed).choice(usable, candidates, replace=False))
    vectors = matrix.presence * idf(matrix.frequencies, len(matrix.ids))
    norms = np.sqrt(vectors.power(2).sum(axis=1))
    scale = np.divide(1, norms, out=np.zeros(len(norms)), where=norms > 0)
    # In single precision, since all candidates × all records are in memory.
    units = (vectors.tocsr() * scale[:, None]).tocsr().astype(np.float32)
    similar = (units[usable] @ units.T).toarray()
    covered = np.zeros(len(matrix.ids), np.float32)
    chosen: list[int] = []
    while len(chosen) < min(count, len(usable)):
        gains = np.maximum(similar - covered, 0).sum(axis=1, dtype=np.float64)
        best = int(gains.argmax())
        if gains[best] <= 0:
            break
        chosen.append(best)
        covered = np.maximum(covered, similar[best])
    return usable[chosen]


THEMES: Final = 12
"""The default number of themes."""

_CHOICE: Final = 2  # number of themes found, relative to the number chosen
_NAMING: Final = 3  # terms that form a name
_SHOWN: Final = 5  # records listed for each theme


LEAST: Final = 0.01
"""The smallest overlap to report."""


@dataclass(frozen=True)
class MapTheme:
    """A theme of a map.

    Attributes
    ----------
    kernel : str
        The id of the record from which it was found.
    title : str
        The title of this record.
    name : str
        The first of the theme's terms.
    terms : tuple of str
        The terms that `label_theme` chooses.
    size : float
        The expected number of records.
    likely : int
        Number of records with a probability of 0.6 or more.
    own : int
        Number of likely records whose log-odds are larger than in all other themes of the map.
    records : tuple of str
        Ids of the theme's first records, including the kernel.
    coherence : float or None
        The mean NPMI of pairs of its terms, from -1 to 1; None for fewer than two terms.
    held_out : float
        Information about held-out records, in nats per record (`held_out_gains`).
    """

    kernel: str
    title: str
    name: str
    terms: tuple[str, ...]
    size: float
    likely: int
    own: int
    records: tuple[str, ...]
    coherence: float | None
    held_out: float


@dataclass(frozen=True)
class ThemeMap:
    """The themes that cover a collection.

    Attributes
    ----------
    themes : tuple of MapTheme
        Themes in greedy order: each has most of the records that earlier themes do not have.
    overlaps : ndarray of float64, shape (themes, themes)
        The expected number of records on both themes over the smaller theme's; 1 with itself.
    likeness : ndarray of float64, shape (themes, themes)
        The cosine of the term probabilities of two themes, minus those of the collection.
    records : int
        Number of records of the collection.
    coverage : float
        The expected share of all records that are on a theme.
    coherence : float or None
        The mean NPMI of the themes, a measure for topic models.
    diversity : float
        The share of distinct terms among the terms of all themes, a measure for topic models.
    held_out : float
        The mean of this value over the themes.
    """

    themes: tuple[MapTheme, ...]
    overlaps: Floats
    likeness: Floats
    records: int
    coverage: float
    coherence: float | None
    diversity: float
    held_out: float

    def to_json(self, least: float = LEAST) -> dict[str, Any]:
        """Return the map for JSON, with overlaps of at least `least`, the largest first."""
        names = [theme.kernel for theme in self.themes]
        return {
            "records": self.records,
            "coverage": round(self.coverage, 4),
            "coherence": self.coherence and round(self.coherence, 4),
            "diversity": round(self.diversity, 4),
            "held_out": round(self.held_out, 4),
            "themes": [
                asdict(theme)
                | {
                    "terms": list(theme.terms),
                    "records": list(theme.records),
                    "size": round(theme.size, 2),
                    "coherence": theme.coherence and round(theme.coherence, 4),
                    "held_out": round(theme.held_out, 4),
                }
                for theme in self.themes
            ],
            "overlaps": [
                {"kernels": [names[i], names[j]], "overlap": round(share, 4)}
                for i, j, share in self.pairs(least)
            ],
        }

    def pairs(self, least: float) -> list[tuple[int, int, float]]:
        """Return the pairs of themes with an overlap of at least `least`, the largest first."""
        pairs = zip(*(k.tolist() for k in np.triu_indices(len(self.themes), 1)), strict=True)
        shares = [(i, j, float(self.overlaps[i, j])) for i, j in pairs]
        return sorted((p for p in shares if p[2] >= least), key=lambda pair: -pair[2])

    def __str__(self) -> str:
        rows = [
            [
                f"{number:>2} {theme.name}",
                theme.kernel,
                f"{theme.own:,}",
                f"{theme.likely:,}",
                _figure(theme.coherence),
                f"{theme.held_out:+.2f}",
            ]
            for number, theme in enumerate(self.themes, 1)
        ]
        overlaps = [
            f"{i + 1} and {j + 1} {100 * round(share, 4):.0f} %"
            for i, j, share in self.pairs(LEAST)[:_OVERLAPS]
        ]
        table = aligned([["", "kernel", "own", "likely", "NPMI", "held out"], *rows], right=True)
        return (
            f"{len(self.themes)} themes, {100 * self.coverage:.0f} % of {self.records:,} records "
            f"on some; topic diversity {self.diversity:.2f}, NPMI {_figure(self.coherence)}, "
            f"held out {self.held_out:+.2f}\n\n{table}\n\noverlaps: {', '.join(overlaps) or 'none'}"
        )


def even_size(collection: Indexes, count: int) -> float:
    """Return the size of themes at which `count` of them together hold a collection once."""
    return max(1.0, len(collection.abstracts) / count)


def map_themes(
    collection: Indexes,
    count: int = THEMES,
    *,
    settings: ThemeSettings | None = None,
    terms: Terms | None = None,
    labels: int = 10,
    seed: int = 0,
    threads: int | None = None,
    progress: Progress | None = None,
) -> ThemeMap:
    """Find the themes that cover a collection.

    Twice as many kernels as themes are chosen; each is the record that covers most of what earlier
    ones do not (`choose_kernels`). The result consists of those themes that together hold most.

    Parameters
    ----------
    collection : Indexes
    count : int
        Number of themes, at least 2; fewer if fewer kernels cover all records.
    settings : ThemeSettings, optional
        `IMPROVED` with the size `even_size` if None.
    terms : Terms, optional
        The choice of the records' terms; `IMPROVED_FIELDS` if None.
    labels : int
        Number of terms of each theme.
    seed : int
        Seed for drawing the candidates for kernels and the held-out records.
    threads : int, optional
        Number of themes that are found at the same time; by default one for each processor.
    progress : callable, optional
        Called with the number of themes found and the total.

    Returns
    -------
    ThemeMap
        A map for `relsent_ir.themes.draw_map`.

    Raises
    ------
    InputError
        If there is no index, no record, or no term that distinguishes records.
    UsageError
        If `count` or `labels` is too small.
    """
    if count < 2 or labels < 1:
        raise UsageError(f"a map of {count} themes with {labels} terms", fix="at least 2, and 1")
    settings = settings or replace(IMPROVED, size=even_size(collection, count))
    known: dict[ThemeTopic, Floats] = {}
    finder = ThemeFinder(collection, settings, terms, known=known)
    rows = choose_kernels(finder.matrix, _CHOICE * count, seed=seed)
    if not len(rows):
        raise InputError(
            "no record has a term that tells it from others",
            where=finder.index.folder,
            fix="take a smaller --max-df, or more records",
        )
    names = [finder.matrix.ids[row] for row in rows.tolist()]
    topics = {name: ThemeTopic((name,)) for name in names}

    def read(_topic: ThemeTopic, theme: Theme) -> _Facts:
        matrix, model = finder.matrix, theme.model
        found = tuple(term.term for term in label_theme(matrix, theme, labels))
        records = records_on_theme(matrix, theme, _SHOWN, keep_kernel=True).ids.tolist()
        more = (1 - model.lam) * (model.p - model.q)
        return _Facts(theme.on, theme.log_odds, more, found, coherence(matrix, found), records)

    rest = finder.find(topics, read, threads=threads, progress=progress)
    left, chosen = np.ones(len(finder.matrix.ids)), dict[str, _Facts]()
    while rest and len(chosen) < count:  # add the theme with most of the remaining records
        best = max(rest, key=lambda name: float(left @ rest[name].on))
        chosen[best] = rest.pop(best)
        left = left * (1 - chosen[best].on)
    kernels = [finder.rows([name]) for name in chosen]
    similarities = [known.get(topics[name]) for name in chosen]
    gains = held_out_gains(finder.matrix, kernels, settings, similarities, seed)
    return _assemble(finder, chosen, gains)


@dataclass(frozen=True)
class _Facts:
    """The facts of a theme for a map; `more` measures how much likelier its terms make records."""

    on: Floats
    log_odds: Floats
    more: Floats
    terms: tuple[str, ...]
    coherence: float | None
    records: list[str]


def _assemble(
    finder: ThemeFinder, chosen: Mapping[str, _Facts], gains: Sequence[float]
) -> ThemeMap:
    on = np.array([facts.on for facts in chosen.values()])
    odds = np.array([facts.log_odds for facts in chosen.values()])
    likely = on >= LIKELY
    nearest = np.where(likely, odds, -np.inf).argmax(axis=0)
    titles = [record.title for record in finder.index.records(list(chosen))]
    themes = tuple(
        MapTheme(
            kernel=name,
            title=title,
            name=", ".join(facts.terms[:_NAMING]) or title,
            terms=facts.terms,
            size=float(facts.on.sum()),
            likely=int(likely[i].sum()),
            own=int((likely[i] & (nearest == i)).sum()),
            records=tuple(facts.records),
            coherence=facts.coherence,
            held_out=gain,
        )
        for i, (title, (name, facts), gain) in enumerate(
            zip(titles, chosen.items(), gains, strict=True)
        )
    )
    sizes = on.sum(axis=1)
    overlaps = on @ on.T / np.minimum.outer(sizes, sizes)
    np.fill_diagonal(overlaps, 1)
    more = np.array([facts.more for facts in chosen.values()])
    norms = np.sqrt((more**2).sum(axis=1))
    likeness: Floats = more @ more.T / np.outer(norms, norms).clip(1e-300)
    coherences = [theme.coherence for theme in themes if theme.coherence is not None]
    return ThemeMap(
        themes,
        overlaps,
        likeness,
        len(finder.matrix.ids),
        float((1 - np.prod(1 - on, axis=0)).mean()),
        float(np.mean(coherences)) if coherences else None,
        diversity([theme.terms for theme in themes]),
        float(np.mean([theme.held_out for theme in themes])),
    )


_FIELD: Final = 460.0  # pixels, the side of the square that contains the circles
_LARGEST: Final = 46.0  # radius of the largest theme
_SMALLEST: Final = 13.0
_GAP: Final = 4.0  # between circles
_LINE: Final = 34.0  # height of a theme in the list
_WIDTH: Final = 1000.0
_ROUNDS: Final = 400  # of moving circles apart
_DRAWN: Final = 0.1  # least overlap for which a line is drawn
_COLOURS: Final = ((0.3, "#2a7f9e"), (0.15, "#6fb1c7"), (-1.0, "#c3d7de"))
"""Colours, by the least coherence for each."""


def draw_map(map_: ThemeMap, links: Sequence[str] = ()) -> str:
    """Draw a map of themes.

    Parameters
    ----------
    map_ : ThemeMap
    links : sequence of str
        Link targets of the themes' circles; without them there are no links.

    Returns
    -------
    str
        An SVG document. A circle is a theme: its size shows the number of its own records, a darker
        colour more coherence. Similar themes are near each other; the width of a line shows the
        share of records that two themes have in common. A circle's label is the theme's first term,
        its `title` the kernel's; a list beside has names and figures.
    """
    largest = max(1, *(theme.own for theme in map_.themes))
    sizes = (_LARGEST * sqrt(theme.own / largest) for theme in map_.themes)
    radii = np.array([max(_SMALLEST, size) for size in sizes])
    places = _apart(_places(map_.likeness), radii)
    height = max(_FIELD, _LINE * len(map_.themes)) + 60
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH:.0f} {height:.0f}" '
        f'width="{_WIDTH:.0f}" height="{height:.0f}" font-family="sans-serif" font-size="12">',
        f"<title>{len(map_.themes)} themes of {map_.records:,} records</title>",
        '<rect width="100%" height="100%" fill="#ffffff"/>',
    ]
    for i, j, share in sorted(map_.pairs(_DRAWN)):
        (x1, y1), (x2, y2) = places[i].tolist(), places[j].tolist()
        parts.append(
            f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" '
            f'stroke="#b9a98c" stroke-width="{max(0.5, 12 * share):.1f}" opacity="0.6"/>'
        )
    for number, (theme, (x, y), radius) in enumerate(
        zip(map_.themes, places.tolist(), radii.tolist(), strict=True), 1
    ):
        value = -1.0 if theme.coherence is None else theme.coherence
        colour = next(colour for least, colour in _COLOURS if value >= least)
        dark = colour == _COLOURS[0][1]
        opening, closing = "<g>", "</g>"
        if links:
            opening, closing = f'<a href="{escape(links[number - 1], quote=True)}">', "</a>"
        parts.append(
            f"{opening}<title>{escape(f'{theme.kernel}: {theme.title}')}</title>"
            f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{radius:.1f}" fill="{colour}" '
            f'stroke="#ffffff"/><text x="{x:.1f}" y="{y + 4:.1f}" text-anchor="middle" '
            f'fill="{"#ffffff" if dark else "#1c2b30"}">{number}</text>'
            f'<text x="{x:.1f}" y="{y + 18:.1f}" text-anchor="middle" font-size="11" '
            f'fill="#1c2b30" stroke="#ffffff" stroke-width="3" paint-order="stroke">'
            f"{escape(theme.name.partition(', ')[0])}</text>{closing}"
        )
    for number, theme in enumerate(map_.themes, 1):
        y = 28 + _LINE * (number - 1)
        figures = f"{theme.own:,} records, NPMI {_figure(theme.coherence)}"
        figures += f", held out {theme.held_out:+.2f}"
        parts.append(
            f'<text x="{_FIELD + 40:.0f}" y="{y:.0f}"><tspan font-weight="bold">{number} '
            f'{escape(theme.name)}</tspan><tspan x="{_FIELD + 40:.0f}" dy="14" fill="#5a6b70">'
            f"{escape(figures)}</tspan></text>"
        )
    whole = f"{100 * map_.coverage:.0f} % of {map_.records:,} records on some theme; "
    whole += f"topic diversity {map_.diversity:.2f}, NPMI {_figure(map_.coherence)}"
    parts.append(f'<text x="20" y="{height - 14:.0f}" fill="#5a6b70">{escape(whole)}</text>')
    return "\n".join([*parts, "</svg>"]) + "\n"


def _figure(value: float | None) -> str:
    return "–" if value is None else f"{value:.2f}"


def _places(likeness: NDArray[np.float64]) -> NDArray[np.float64]:
    """Place similar themes near each other, by classical scaling; shape (themes, 2)."""
    distances = 2 * (1 - likeness)  # squared distances of vectors of length 1
    centre = np.eye(len(distances)) - 1 / len(distances)
    values, vectors = np.linalg.eigh(-centre @ distances @ centre / 2)
    best = vectors[:, [-1, -2]] * np.sqrt(np.maximum(values[[-1, -2]], 0))
    best *= np.where(best[np.abs(best).argmax(axis=0), [0, 1]] < 0, -1, 1)  # of two mirror images
    reach = float(np.abs(best).max()) or 1.0
    places: NDArray[np.float64] = _FIELD / 2 + 20 + best / reach * (_FIELD / 2 - _LARGEST)
    return places


def _apart(places: NDArray[np.float64], radii: NDArray[np.float64]) -> NDArray[np.float64]:
    """Move overlapping circles away from each other, inside the field."""
    places = places + np.arange(len(places))[:, None] * [1e-3, -1e-3]  # to separate equal places
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
