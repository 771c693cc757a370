"""Results of one text or record: hits that are read on access, shown as a table."""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from html import escape
from typing import TYPE_CHECKING, Final, TypeAlias, overload

import numpy as np
from numpy.typing import NDArray

from relsent_ir.drawing import aligned, cut
from relsent_ir.errors import Advising
from relsent_ir.hit import COLUMNS, Hit
from relsent_ir.hits import Hits
from relsent_ir.lazy import needed

if TYPE_CHECKING:
    import pandas as pd

Facts: TypeAlias = Mapping[str, object]

_HEAD: Final = ("rank", "id", "score", "title", "year", "journal", "move", "sentence")
_ROWS: Final = 10
_WIDTHS: Final = (0, 0, 0, 40, 0, 20, 0, 60)  # characters of a printed cell; 0 for no limit
_BLOCK: Final = 100  # hits that are read together


class Results(Advising, Sequence[Hit]):
    """Hits with their records and sentences, which are read from the collection on access.

    A sequence of `Hit`; a slice is again `Results`. `print` and notebooks show a table of it.

    Parameters
    ----------
    hits : Hits
        Ids and scores in ranked order.
    read : callable
        Reads some of the hits; ranks count from 1.
    facts : mapping of str to object, optional
        Values of the method for all hits together, such as the terms of a theme.

    Attributes
    ----------
    hits : Hits
    facts : mapping of str to object
    """

    def __init__(
        self, hits: Hits, read: Callable[[Hits], list[Hit]], facts: Facts | None = None
    ) -> None:
        self.hits = hits
        self.facts: Facts = facts or {}
        self._source = read
        self._cached: list[Hit] = []

    @property
    def ids(self) -> NDArray[np.object_]:
        """The ids of the hits in ranked order."""
        return self.hits.ids

    @property
    def scores(self) -> NDArray[np.float64]:
        """The scores of the hits."""
        return self.hits.scores

    def head(self, k: int) -> "Results":
        """Return the first `k` hits."""
        return self[:k]

    def to_json(self) -> str:
        """Write the hits as JSON, each in the form of `Hit.to_dict`."""
        return json.dumps([hit.to_dict() for hit in self], ensure_ascii=False)

    def to_dataframe(self) -> "pd.DataFrame":
        """Return a row for each hit: `relsent_ir.hit.COLUMNS`, and further values of the method.

        The id's column is ``docno``, as in the frames of runs; ranks count from 1.

        Raises
        ------
        MissingError
            If pandas is not installed.
        """
        pandas = needed("pandas", "pandas", "pandas")
        rows = [dict(zip(COLUMNS, hit.to_row(), strict=True)) for hit in self]
        more = [{n: v for n, v in hit.values.items() if n not in COLUMNS} for hit in self]
        names = dict.fromkeys(name for values in more for name in values)
        merged = [row | values for row, values in zip(rows, more, strict=True)]
        frame = pandas.DataFrame(merged, columns=[*COLUMNS, *names])
        return frame.rename(columns={"id": "docno"})

    def __len__(self) -> int:
        return len(self.hits)

    @overload
    def __getitem__(self, key: int | str) -> Hit: ...
    @overload
    def __getitem__(self, key: slice) -> "Results": ...
    def __getitem__(self, key: int | str | slice) -> "Hit | Results":
        if isinstance(key, slice):
            return type(self)(self.hits[key], self._source, self.facts)
        if isinstance(key, str):
            self.hits[key]  # raises an error for an unknown id
        place = self.ids.tolist().index(key) if isinstance(key, str) else range(len(self))[key]
        return self._read(place + 1)[place]

    def __iter__(self) -> Iterator[Hit]:
        for place in range(len(self)):
            yield self._read(place + 1)[place]

    def __contains__(self, hit: object) -> bool:
        """Return whether an id or a hit is among the results."""
        return (hit.id if isinstance(hit, Hit) else hit) in self.ids.tolist()

    def __eq__(self, other: object) -> bool:
        return self.hits == (other.hits if isinstance(other, Results) else other)

    __hash__ = None  # type: ignore[assignment]  # as of Hits, whose arrays have none

    def __repr__(self) -> str:
        return f"Results({self.hits!r})"

    def __str__(self) -> str:
        rows = [_HEAD, *(_cells(hit) for hit in self[:_ROWS])]
        shown = [[cut(c, w) for c, w in zip(row, _WIDTHS, strict=True)] for row in rows]
        more = [f"… {len(self) - _ROWS:,} more"] if len(self) > _ROWS else []
        return "\n".join([aligned(shown), *more])

    def _repr_html_(self) -> str:
        rows = [[escape(cell) for cell in _cells(hit)] for hit in self[:_ROWS]]
        lines = [f"<tr>{''.join(f'<td>{cell}</td>' for cell in row)}</tr>" for row in rows]
        if len(self) > _ROWS:
            rest = f"… {len(self) - _ROWS:,} more"
            lines.append(f"<tr><td colspan={len(_HEAD)}>{rest}</td></tr>")
        head = "".join(f"<th>{name}</th>" for name in _HEAD)
        return f"<table><tr>{head}</tr>{''.join(lines)}</table>"

    def _read(self, count: int) -> list[Hit]:
        """Read at least the first `count` hits."""
        while len(self._cached) < count:
            start = len(self._cached)
            block = self._source(self.hits[start : start + _BLOCK])
            self._cached += [replace(hit, rank=start + n) for n, hit in enumerate(block, 1)]
        return self._cached


def _cells(hit: Hit) -> tuple[str, ...]:
    record, text = hit.record, hit.evidence.text or (hit.sentence.text if hit.sentence else "")
    score = f"{hit.score:.4f}"
    cells = (hit.rank, hit.id, score, hit.title, record.year, record.journal, hit.move, text)
    return tuple(map(str, cells))
