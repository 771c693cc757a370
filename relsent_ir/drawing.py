"""Tables as text."""

from collections.abc import Sequence


def cut(text: str, width: int) -> str:
    """Shorten a text to `width` characters, the last of which is then …; 0 for no limit."""
    return text if not width or len(text) <= width else f"{text[: width - 1]}…"


def aligned(rows: Sequence[Sequence[str]], *, right: bool = False) -> str:
    """Write cells in aligned columns; a row may be shorter than the first row.

    Parameters
    ----------
    rows : sequence of sequence of str
    right : bool
        Align all columns but the first to the right.
    """
    widths = [max(len(row[i]) for row in rows if i < len(row)) for i in range(len(rows[0]))]
    signs = ["<", *(">" if right else "<") * len(widths)]
    lines = (
        "  ".join(f"{c:{s}{w}}" for c, s, w in zip(row, signs, widths, strict=False))
        for row in rows
    )
    return "\n".join(line.rstrip() for line in lines)
