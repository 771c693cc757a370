"""Data frames of PyTerrier, ir_measures and ranx, and ids as texts."""

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
"""The columns of frames: each name as in PyTerrier, then as in ir_measures and ranx."""


class Frame(Protocol):
    """A data frame whose columns can be read by name."""

    @property
    def columns(self) -> Iterable[object]:
        """The names of the columns."""

    def __getitem__(self, name: str, /) -> Iterable[object]: ...


def column(frame: Any, name: str) -> list[Any]:
    """Return a frame's column, under any of its names in `COLUMNS`.

    Raises
    ------
    InputError
        If the frame has no column of these names.
    """
    for known in COLUMNS[name]:
        if known in frame.columns:
            return list(frame[known])
    raise InputError(f"the frame has no column {name!r}", fix=f"or {', '.join(COLUMNS[name][1:])}")


def text_id(name: object) -> str:
    """Return an id as text; a whole number is accepted too.

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
