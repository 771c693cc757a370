"""The request for an experiment, and the parts of its page."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from importlib.resources import files
from pathlib import Path
from string import Formatter
from typing import TYPE_CHECKING, Final

import numpy as np
from numpy.typing import NDArray

from relsent_ir.drawing import figure
from relsent_ir.trec.significance import interval as interval
from relsent_ir.typing import Floats, Progress

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Bools = NDArray[np.bool_]
SIGNIFICANT: Final = 0.05
BINS: Final = 10


def silent(_done: int, _total: int | None) -> None:
    """Show no progress."""


@dataclass(frozen=True)
class Request:
    """The settings of an experiment.

    Attributes
    ----------
    full : bool
        Also what takes long, such as ablations, and the texts that the page only names.
    example : Path or None
        A file of the user's with texts that may not be in the repository.
    indexes : Path
        The folder in which collections' indexes are, or are built.
    progress : callable
        Gets what is done and the total, or None.
    """

    full: bool = False
    example: Path | None = None
    indexes: Path = Path("indexes")
    progress: Progress = silent

    def command(self, name: str) -> str:
        """Return the command that runs an experiment like this."""
        return f"python -m reproduce {name}{' --full' if self.full else ''}"


class Steps:
    """Counts what an experiment has done, where nobody knows how much there is.

    Parameters
    ----------
    request : Request
        Whose progress is told.
    """

    def __init__(self, request: Request) -> None:
        self._progress, self._done = request.progress, 0

    def __call__(self, _done: int = 0, _total: int | None = None) -> None:
        """Report one more step; as a `Progress` it counts the calls."""
        self._done += 1
        self._progress(self._done, None)


@dataclass(frozen=True)
class Page:
    """The result of an experiment.

    Attributes
    ----------
    text : str
        The page, in Markdown.
    plots : dict of str to bytes
        SVG files by name, which the text refers to as NAME.svg.
    texts : str
        What may not be in the repository, such as sentences; "" if there is nothing.
    """

    text: str
    plots: dict[str, bytes] = field(default_factory=dict)
    texts: str = ""


def prose(module: str, template: str = "page.md", **values: str) -> str:
    """Put values into a template that lies beside a module.

    Parameters
    ----------
    module : str
        The module's ``__name__``.
    template : str
        The file's name.
    **values : str
        By mark, as `fill_marks` takes them.
    """
    path = files(module.rpartition(".")[0]) / template
    return fill_marks(path.read_text(encoding="utf-8"), values)


def fill_marks(template: str, values: Mapping[str, str]) -> str:
    """Put values into the marks of a text.

    A mark is a name in braces; ``{{`` and ``}}`` are braces. Line ends around a value are left out,
    so that a mark for a table has a line of its own, between empty ones, as in any Markdown.

    Raises
    ------
    ValueError
        If a mark has no value, a value has no mark, or a brace stands alone.
    """
    parts, unused = [], set(values)
    for text, mark, spec, conversion in Formatter().parse(template):
        parts.append(text)
        if mark is not None:
            if mark not in values or spec or conversion:
                raise ValueError(f"no value for the mark {mark!r}")
            unused.discard(mark)
            parts.append(values[mark].strip("\n"))
    if unused:
        raise ValueError(f"no mark for {', '.join(sorted(unused))}")
    return "".join(parts).strip("\n") + "\n"


def compared(a: float, b: float, p: float, form: str = ".2g") -> str:
    """Describe which of two figures is above the other, as far as a test supports it.

    No page says otherwise that something is better, so that no sentence outlives its measurement.

    Parameters
    ----------
    a, b : float
        The figures; where the test counts topics, in how many each is ahead.
    p : float
        Of the test of their difference.
    form : str
        How p is written, as in the page's tables.

    Returns
    -------
    str
        What `a` is to `b`, such as ``above (p 0.003)`` or ``not significantly above (p 0.88)``.
    """
    told = f"(p {p:{form}})" if p >= 0.001 else "(p < 0.001)"
    if a == b:
        return f"level {told}"
    sure = "" if p < SIGNIFICANT else "not significantly "
    return f"{sure}{'above' if a > b else 'below'} {told}"


def table(header: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Write a table: the first column to the left, the others to the right."""
    rule = ["---", *["---:"] * (len(header) - 1)]
    return "\n".join(f"| {' | '.join(row)} |" for row in (header, rule, *rows)) + "\n"


def brier(p: Floats, right: Bools) -> float:
    """Return the mean squared difference of probabilities and outcomes (Brier 1950)."""
    return float(np.mean((p - right) ** 2))


def reliability_bins(p: Floats, right: Bools) -> list[tuple[int, int, float, float]]:
    """Compare probabilities with outcomes in tenths of the range.

    Parameters
    ----------
    p : ndarray of float64, shape (n,)
    right : ndarray of bool, shape (n,)

    Returns
    -------
    list of (int, int, float, float)
        Of each tenth that has any: its number from 0, its size, the mean of `p`, the share right.
    """
    place = np.minimum((p * BINS).astype(int), BINS - 1)
    inside = ((n, place == n) for n in range(BINS))
    return [
        (n, int(some.sum()), float(p[some].mean()), float(right[some].mean()))
        for n, some in inside
        if some.any()
    ]


def paired(a: Mapping[str, float], b: Mapping[str, float]) -> tuple[list[float], list[float]]:
    """Return two systems' values on the topics of the first, in the same order."""
    return list(a.values()), [b[topic] for topic in a]


@contextmanager
def plot(plots: dict[str, bytes], name: str, x: str, y: str) -> Iterator["Axes"]:
    """Draw one plot; at the end of the block it is put among `plots` as SVG.

    The same data give the same bytes.

    Parameters
    ----------
    plots : dict of str to bytes
        Those of a `Page`.
    name : str
        The plot's name among them.
    x, y : str
        What the axes show.
    """
    with figure(name) as (drawn, file):
        axes = drawn.add_subplot()
        axes.set(xlabel=x, ylabel=y)
        axes.grid(alpha=0.3)
        yield axes
        if axes.get_legend_handles_labels()[0]:
            axes.legend(frameon=False)
    plots[name] = file.getvalue()
