"""Tables as text, and plots as SVG, the same bytes for the same data."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from io import BytesIO
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def aligned(rows: Sequence[Sequence[str]], *, right: bool = False) -> str:
    """Write cells in columns; rows may be shorter than the first.

    Parameters
    ----------
    rows : sequence of sequence of str
    right : bool
        All columns but the first stand to the right.
    """
    widths = [max(len(row[i]) for row in rows if i < len(row)) for i in range(len(rows[0]))]
    signs = ["<", *(">" if right else "<") * len(widths)]
    lines = (
        "  ".join(f"{c:{s}{w}}" for c, s, w in zip(row, signs, widths, strict=False))
        for row in rows
    )
    return "\n".join(line.rstrip() for line in lines)


@contextmanager
def figure(
    name: str, width: float = 6.4, height: float = 4.0
) -> "Iterator[tuple[Figure, BytesIO]]":
    """Yield an empty figure, and the buffer that holds its SVG at the end of the block.

    Parameters
    ----------
    name : str
        From which ids in the SVG are made; text stays text.
    width, height : float
        In inches.
    """
    from matplotlib import rc_context
    from matplotlib.figure import Figure

    with rc_context({"svg.hashsalt": name, "svg.fonttype": "none", "font.size": 9}):
        drawn, file = Figure(figsize=(width, height), layout="constrained"), BytesIO()
        yield drawn, file
        drawn.savefig(file, format="svg", metadata={"Date": None, "Creator": None})
