"""Filters of documents, which leave scores as they are."""

import logging
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from relsent_ir.errors import MismatchError, UsageError
from relsent_ir.lucene.documents import CONDITIONS, folded
from relsent_ir.lucene.jvm import exclusive
from relsent_ir.lucene.read.index import Index

_FIRST: Final = 0
_LAST: Final = 9999

_log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Filters:
    """Conditions on hits: all of them hold, of each list at least one value.

    Attributes
    ----------
    years : int, or tuple of (int or None, int or None)
        One year, or the first and the last of publication; None for an end that is open. A record
        without a year passes no range; see `Index.without_year`.
    journals : tuple of str, or str
        As printed in the records; upper and lower case are one.
    publication_types, mesh, languages : tuple of str, or str
        Likewise; of MeSH the headings.
    authors : tuple of str, or str
        ``Okafor``, whatever the initials, or ``Okafor B``, who may have more of them.
    own : tuple of str, or str
        ``NAME=VALUE``, of the fields that the records' source has of its own.
    moves : tuple of str, or str
        Argumentative moves, of sentences.
    strategy : str
        A search strategy, whose set hits are in (`relsent_ir.text.strategy`).

    Raises
    ------
    UsageError
        If a range of years is empty, a move is unknown, or there is no such filter. A strategy is
        read when an index is searched: `StrategyError`.
    """

    years: int | tuple[int | None, int | None] = (None, None)
    journals: Sequence[str] = ()
    publication_types: Sequence[str] = ()
    moves: Sequence[str] = ()
    mesh: Sequence[str] = ()
    authors: Sequence[str] = ()
    languages: Sequence[str] = ()
    own: Sequence[str] = ()
    strategy: str = ""

    @classmethod
    def read(
        cls, year: str | None = None, moves: str | None = None, **values: Iterable[str]
    ) -> "Filters":
        """Make filters of texts: years as ``1990:2000``, moves with commas between, and the others.

        A comma parts moves only: "Clinical Trial, Phase II" is one publication type.

        Raises
        ------
        UsageError
            If a year cannot be read, or a move is unknown.
        """
        names = [name.strip().upper() for name in moves.split(",")] if moves else []
        listed = {**values, "moves": names}
        given: dict[str, Any] = {name: tuple(dict.fromkeys(of)) for name, of in listed.items()}
        return cls(_years(year) if year is not None else (None, None), **given)

    def __new__(cls, *_: object, **conditions: object) -> "Filters":
        """Refuse a condition that no index holds."""
        if unknown := sorted(conditions.keys() - cls.__dataclass_fields__.keys()):
            fix = f"one of {', '.join(cls.__dataclass_fields__)}"
            raise UsageError(f"no filter {unknown[0]!r}", fix=fix)
        return super().__new__(cls)

    def __post_init__(self) -> None:
        for name in (*CONDITIONS, "moves"):
            value = getattr(self, name)
            object.__setattr__(self, name, (value,) if isinstance(value, str) else tuple(value))
        if isinstance(self.years, int):
            object.__setattr__(self, "years", (self.years, self.years))
        ends = self.years if isinstance(self.years, tuple) else ()
        if len(ends) != 2 or not all(end is None or type(end) is int for end in ends):
            raise UsageError(f"no years {self.years!r}", fix="1975, or (1975, 1977), (1975, None)")
        first, last = self._range()
        if not _FIRST <= first <= last <= _LAST:
            raise UsageError(
                f"no year from {first} to {last}", fix="write 1990:2000, 1990: or :2000"
            )
        for condition in self.own:
            if not condition.partition("=")[2].strip():
                raise UsageError(f"cannot read the condition {condition!r}", fix="FIELD=VALUE")
        if self.moves:
            from relsent_ir.moves import MOVES

            unknown = [move for move in self.moves if move not in MOVES]
            if unknown:
                raise UsageError(f"no move {unknown[0]!r}", fix=f"one of {', '.join(MOVES)}")

    def __bool__(self) -> bool:
        return self != Filters()

    def query(self, index: Index, *, warn: bool = True) -> Any:
        """Build the engine's query of the documents that pass in an index.

        Parameters
        ----------
        index : Index
        warn : bool
            Log a warning of each value that no document has.

        Raises
        ------
        MismatchError
            If the index lacks the fields.
        """
        self._check(index)
        years = [] if self.years == (None, None) else list(self._range())
        terms = [("move", value, value) for value in self.moves]
        for name, condition in CONDITIONS.items():
            terms += [(condition.field, folded(value), value) for value in getattr(self, name)]
        for field, term, value in terms if warn else ():
            if field == "author":  # the beginning of names
                continue
            if not index.frequencies([term], field)[0]:
                _log.warning("no %s %r in %s", field.replace("_", " "), value, index.folder)
        fields, texts = [field for field, _, _ in terms], [term for _, term, _ in terms]
        query = index.filter(years, fields, texts)
        if not self.strategy:
            return query
        from relsent_ir.lucene.read.strategy import Strategy

        passing = Strategy(self.strategy, index).query()
        return index.both(query, passing) if years or fields else passing

    def passing(self, index: Index) -> NDArray[np.bool_]:
        """Return which documents of an index pass, by Lucene's numbers; deleted ones may.

        Raises
        ------
        MismatchError
            If the index does not hold what is asked for.
        """
        query = self.query(index)
        with exclusive():
            passing = index.call("Find.passing", index.reader, query)
        return np.frombuffer(passing.tostring(), np.bool_)

    def _range(self) -> tuple[int, int]:
        assert isinstance(self.years, tuple)  # of one year, `__post_init__` makes a range
        first, last = self.years
        return _FIRST if first is None else first, _LAST if last is None else last

    def _check(self, index: Index) -> None:
        if self.moves and (index.unit != "sentences" or not index.facts.moves):
            raise MismatchError(
                f"the {index.unit} of this index have no moves",
                where=index.folder,
                fix="search --unit sentences, after relsent-ir index --moves",
            )
        if self != Filters(moves=self.moves, strategy=self.strategy) and not index.facts.filters:
            raise MismatchError(
                "this index is older than filters of years, journals and publication types",
                where=index.folder,
                fix="build it again",
            )
        if any((self.mesh, self.authors, self.languages, self.own)) and not index.facts.facets:
            raise MismatchError(
                "this index is older than filters of headings, authors, languages and own fields",
                where=index.folder,
                fix="build it again",
            )


def _years(text: str) -> tuple[int | None, int | None]:
    ends = [part.strip() for part in text.split(":")]
    if len(ends) > 2 or not any(ends) or not all(e == "" or _is_year(e) for e in ends):
        raise UsageError(f"cannot read --year {text}", fix="write 1990:2000, 1990:, :2000 or 1990")
    first, last = (int(end) if end else None for end in (ends[0], ends[-1]))
    return first, last


def _is_year(text: str) -> bool:
    return len(text) == 4 and text.isascii() and text.isdecimal()
