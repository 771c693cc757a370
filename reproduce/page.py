"""The request for an experiment, and the parts of its page."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from importlib.resources import files
from io import BytesIO
from pathlib import Path
from string import Formatter
from typing import TYPE_CHECKING, Final

import numpy as np
from numpy.typing import NDArray

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
        Include slow parts, such as ablations, and the texts that the page only names.
    example : Path or None
        A user's file of texts that may not be in the repository.
    indexes : Path
        The folder of the collections' indexes; missing ones are built.
    progress : callable
        Gets the number of steps done and the total, or None.
    """

    full: bool = False
    example: Path | None = None
    indexes: Path = Path("indexes")
    progress: Progress = silent

    def command(self, name: str) -> str:
        """Return the command of this request for an experiment."""
        return f"python -m reproduce {name}{' --full' if self.full else ''}"


class Steps:
    """Counts the steps of an experiment whose total is unknown.

    Parameters
    ----------
    request : Request
        Its progress callback gets the count.
    """

    def __init__(self, request: Request) -> None:
        self._progress, self._done = request.progress, 0

    def __call__(self, _done: int = 0, _total: int | None = None) -> None:
        """Report one more step; used as a `Progress`, count the calls."""
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
        SVG files by name; the text refers to them as NAME.svg.
    texts : str
        Texts that may not be in the repository, such as sentences; "" if there are none.
    """

    text: str
    plots: dict[str, bytes] = field(default_factory=dict)
    texts: str = ""


def prose(module: str, template: str = "page.md", **values: str) -> str:
    """Fill a template that lies beside a module.

    Parameters
    ----------
    module : str
        The module's ``__name__``.
    template : str
        The file's name.
    **values : str
        By mark, as for `fill_marks`.
    """
    path = files(module.rpartition(".")[0]) / template
    return fill_marks(path.read_text(encoding="utf-8"), values)


def fill_marks(template: str, values: Mapping[str, str]) -> str:
    """Replace the marks of a text by values.

    A mark is a name in braces; ``{{`` and ``}}`` are braces. Line ends around a value are removed,
    so that a table's mark can have a line of its own, between empty ones, as in any Markdown.

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
    """State which of two figures is above the other, as far as a test supports it.

    Pages use only this function to call something better, so that no sentence outlives its
    measurement.

    Parameters
    ----------
    a, b : float
        The figures; for a test that counts topics, the numbers on which each is ahead.
    p : float
        From the test of their difference.
    form : str
        The format of p, as in the page's tables.

    Returns
    -------
    str
        The relation of `a` to `b`, such as ``above (p 0.003)`` or ``not significantly above (p
        0.88)``.
    """
    shown = f"(p {p:{form}})" if p >= 0.001 else "(p < 0.001)"
    if a == b:
        return f"level {shown}"
    sure = "" if p < SIGNIFICANT else "not significantly "
    return f"{sure}{'above' if a > b else 'below'} {shown}"


def table(header: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Write a table: the first column is aligned left, the others right."""
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
        For each tenth that is not empty: its number from 0, its size, the mean of `p`, the share
        right.
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
    """Draw one plot, and add it to `plots` as SVG at the end of the block.

    The same data give the same bytes.

    Parameters
    ----------
    plots : dict of str to bytes
        The plots of a `Page`.
    name : str
        The plot's name.
    x, y : str
        Labels of the axes.
    """
    from matplotlib import rc_context
    from matplotlib.figure import Figure

    with rc_context({"svg.hashsalt": name, "svg.fonttype": "none", "font.size": 9}):
        drawn, file = Figure(figsize=(6.4, 4.0), layout="constrained"), BytesIO()
        axes = drawn.add_subplot()
        axes.set(xlabel=x, ylabel=y)
        axes.grid(alpha=0.3)
        yield axes
        if axes.get_legend_handles_labels()[0]:
            axes.legend(frameon=False)
        drawn.savefig(file, format="svg", metadata={"Date": None, "Creator": None})
    plots[name] = file.getvalue()
