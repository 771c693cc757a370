"""Frames of PyTerrier, ir_measures and ranx, and ids that are texts."""

from collections.abc import Iterable
from numbers import Integral
from typing import Any, Final, Protocol

from relsent_ir.errors import InputError, UsageError

COLUMNS: Final = {
    "qid": ("qid", "query_id", "q_id"),
    "query": ("query", "text"),
    "docno": ("docno", "doc_id", "docid"),
    "score": ("score",),
    "label": ("label", "relevance", "rel", "score"),
}
"""The columns of frames, each as PyTerrier names it, then as ir_measures and ranx do."""


class Frame(Protocol):
    """A data frame, of which the columns are read by their names."""

    @property
    def columns(self) -> Iterable[object]:
        """The columns' names."""

    def __getitem__(self, name: str, /) -> Iterable[object]: ...


def column(frame: Any, name: str) -> list[Any]:
    """Return a frame's column, under any of its names in `COLUMNS`.

    Raises
    ------
    InputError
        If it has none of them.
    """
    for known in COLUMNS[name]:
        if known in frame.columns:
            return list(frame[known])
    raise InputError(f"the frame has no column {name!r}", fix=f"or {', '.join(COLUMNS[name][1:])}")


def text_id(name: object) -> str:
    """Return an id: a text, or a whole number as one.

    Raises
    ------
    UsageError
    """
    if isinstance(name, str):
        return name
    if isinstance(name, Integral) and not isinstance(name, bool):
        return str(name)
    fix = f'"{getattr(name, "id", name)!s:.40}"'
    raise UsageError(f"ids are texts, not {name!r:.40}", fix=fix)
