"""Filters of documents, which leave scores as they are."""

import logging
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from relsent_ir.errors import MismatchError, UsageError
from relsent_ir.lucene.analyzers import encodable
from relsent_ir.lucene.documents import folded
from relsent_ir.lucene.jvm import call, exclusive
from relsent_ir.lucene.read.index import Index

_FIRST: Final = 0
_LAST: Final = 9999

_log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Filters:
    """Conditions on hits: all of them hold, of each list at least one value.

    Attributes
    ----------
    years : tuple of (int or None, int or None)
        The first and the last year of publication; None for an end that is open. A record without
        a year passes no range; see `Index.without_year`.
    journals : tuple of str
        As printed in the records; upper and lower case are one.
    publication_types : tuple of str
        Likewise.
    moves : tuple of str
        Argumentative moves, of sentences.

    Raises
    ------
    UsageError
        If a range of years is empty, or a move is unknown.
    """

    years: tuple[int | None, int | None] = (None, None)
    journals: tuple[str, ...] = ()
    publication_types: tuple[str, ...] = ()
    moves: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        first, last = self._range()
        if not _FIRST <= first <= last <= _LAST:
            raise UsageError(
                f"no year from {first} to {last}", fix="write 1990:2000, 1990: or :2000"
            )
        if self.moves:
            from relsent_ir.moves import MOVES

            unknown = [move for move in self.moves if move not in MOVES]
            if unknown:
                raise UsageError(f"no move {unknown[0]!r}", fix=f"one of {', '.join(MOVES)}")

    def __bool__(self) -> bool:
        return self != Filters()

    def query(self, index: Index) -> Any:
        """Build the Lucene query of the documents that pass in an index.

        Raises
        ------
        MismatchError
            If the index lacks the fields.
        """
        self._check(index)
        years = [] if self.years == (None, None) else list(self._range())
        terms = [
            (field, encodable(value if field == "move" else folded(value)), value)
            for field, values in (
                ("journal", self.journals),
                ("publication_type", self.publication_types),
                ("move", self.moves),
            )
            for value in values
        ]
        for field, term, value in terms:
            counts = call("Bulk.frequencies", index.reader, field, [term], where=index.folder)
            if not counts[0]:
                _log.warning("no %s %r in %s", field.replace("_", " "), value, index.folder)
        fields, texts = [field for field, _, _ in terms], [term for _, term, _ in terms]
        with exclusive():
            return call("Find.filter", years, fields, texts, where=index.folder)

    def passing(self, index: Index) -> NDArray[np.bool_]:
        """Return which documents of an index pass, by Lucene's numbers; deleted ones may.

        Raises
        ------
        MismatchError
            If the index does not hold what is asked for.
        """
        query = self.query(index)
        with exclusive():
            passing = call("Find.passing", index.reader, query, where=index.folder)
        return np.frombuffer(passing.tostring(), np.bool_)

    def _range(self) -> tuple[int, int]:
        first, last = self.years
        return _FIRST if first is None else first, _LAST if last is None else last

    def _check(self, index: Index) -> None:
        if self.moves and (index.unit != "sentences" or not index.facts.moves):
            raise MismatchError(
                f"the {index.unit} of this index have no moves",
                where=index.folder,
                fix="search --unit sentences, after relsent-ir index --moves",
            )
        if self != Filters(moves=self.moves) and not index.facts.filters:
            raise MismatchError(
                "this index is older than filters of years, journals and publication types",
                where=index.folder,
                fix="build it again",
            )
