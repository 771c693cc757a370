"""Plots as SVG: the same data give the same bytes."""

from collections.abc import Iterator
from contextlib import contextmanager
from io import BytesIO
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from matplotlib.axes import Axes


@contextmanager
def plot(plots: dict[str, bytes], name: str, x: str, y: str) -> Iterator["Axes"]:
    """Draw one plot; at the end of the block it is put among `plots` as SVG.

    Parameters
    ----------
    plots : dict of str to bytes
        Those of a `relsent_ir.experiments.request.Page`.
    name : str
        The plot's name among them.
    x, y : str
        What the axes show.
    """
    from matplotlib import rc_context
    from matplotlib.figure import Figure

    with rc_context({"svg.hashsalt": name, "svg.fonttype": "none", "font.size": 9}):
        figure = Figure(figsize=(6.4, 4.0), layout="constrained")
        axes = figure.add_subplot()
        axes.set(xlabel=x, ylabel=y)
        axes.grid(alpha=0.3)
        yield axes
        if axes.get_legend_handles_labels()[0]:
            axes.legend(frameon=False)
        file = BytesIO()
        figure.savefig(file, format="svg", metadata={"Date": None, "Creator": None})
    plots[name] = file.getvalue()
