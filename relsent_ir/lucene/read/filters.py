"""Fields that hits are filtered by, and the filters.

All documents of a record have the fields: its sentences have its ``year``, ``journal`` and so on.
The command line has its flags from here, so nothing heavy is imported.
"""

import logging
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from typing import TYPE_CHECKING, Any, Final

from relsent_ir.errors import Advising, MismatchError, UsageError
from relsent_ir.lucene.documents import folded

if TYPE_CHECKING:
    import numpy as np

    from relsent_ir.lucene.read.index import Index
    from relsent_ir.records import Record
    from relsent_ir.typing import NDArray

Shared = tuple[tuple[str, ...], ...]
_LONGEST: Final = 8000  # characters of a term: more might be too many bytes for Lucene
_FIRST: Final = 0
_LAST: Final = 9999
_YEAR: Final = re.compile("(?:[0-9]{4})?")

_log = logging.getLogger(__name__)


def _terms(*texts: str) -> tuple[str, ...]:
    terms = dict.fromkeys(map(folded, texts))
    return tuple(term for term in terms if 0 < len(term) <= _LONGEST)


def _uncounted(*texts: str) -> tuple[str, ...]:
    """Return values of a facet that are searched, and not counted."""
    return tuple(f"{term}\t" for term in _terms(*texts))


def _printed(*texts: str) -> tuple[str, ...]:
    """Return each value for relsent.Feed as it is compared and, behind a tab, as it is printed."""
    printed: dict[str, str] = {}
    for text in texts:
        term = folded(text)
        if 0 < len(term) <= _LONGEST:
            printed.setdefault(term, " ".join(text.split()))
    return tuple(f"{term}\t{text}" for term, text in printed.items())


FILTER_FIELDS: Final = {
    "pmid": "term",
    "year": "number",
    "journal": "facet",
    "publication_type": "facet",
    "doi": "term",
    "heading": "facet",
    "major": "term",
    "author": "term",
    "language": "facet",
    "own": "term",
    "qualifier": "term",
    "substance": "term",
    "keyword": "words",
    "first_author": "term",
    "last_author": "term",
}
"""The fields that all documents of a record share, with their kinds.

A facet is a term that is counted too: its doc values have it as printed.
"""

FACETS: Final = ("year", *(n for n, kind in FILTER_FIELDS.items() if kind == "facet"), "move")
"""The fields whose values `relsent_ir.lucene.read.facets` counts."""


def filter_values(record: "Record") -> Shared:
    """Return the values of filters, in the order of `FILTER_FIELDS`; some, one or none of each.

    A year has four digits. Headings are also indexed with each qualifier: ``asthma/drug therapy``.
    """
    from relsent_ir.records.fields import JOURNAL

    year, headings = record.year, record.mesh
    pairs = [(mesh.heading, name) for mesh in headings for name in mesh.qualifiers]
    qualified = [f"{heading}/{name.lstrip('*')}" for heading, name in pairs]
    starred = [text for text, (_, name) in zip(qualified, pairs, strict=True) if name[:1] == "*"]
    titles = [value for name, value in record.own if name == JOURNAL]
    values: dict[str, tuple[str, ...]] = {
        "pmid": _terms(record.pmid),
        "year": (year,) if len(year) == 4 and year.isascii() and year.isdecimal() else (),
        "journal": (*_printed(record.journal), *_uncounted(*titles)),
        "publication_type": _printed(*record.publication_types),
        "doi": _terms(record.doi),
        "heading": (*_printed(*(mesh.heading for mesh in headings)), *_uncounted(*qualified)),
        "major": _terms(*(mesh.heading for mesh in headings if mesh.major), *starred),
        "author": _terms(*record.authors),
        "language": _printed(*record.languages),
        "own": _terms(*(f"{name}={value}" for name, value in record.own)),
        "qualifier": _terms(*(name.lstrip("*") for _, name in pairs)),
        "substance": _terms(*record.chemicals),
        "keyword": record.keywords,
        "first_author": _terms(*record.authors[:1]),
        "last_author": _terms(*record.authors[-1:]),
    }
    return tuple(values[name] for name in FILTER_FIELDS)


@dataclass(frozen=True)
class Condition:
    """A filter of hits by the values of a field.

    Attributes
    ----------
    field : str
        Of the index.
    flag, metavar, help : str
        Of the command line.
    """

    field: str
    flag: str
    metavar: str
    help: str


def condition(*declared: str) -> Any:
    """Declare an attribute of `Filters` by a `Condition`."""
    return field(default=(), metadata={"condition": Condition(*declared)})


@dataclass(frozen=True)
class Filters(Advising):
    """Conditions on hits: a hit meets all of them, and of each list at least one value.

    Attributes
    ----------
    years : int, or tuple of (int or None, int or None)
        One year, or the first and last year of publication; None for an open end. Records without a
        year pass no range; see `Index.without_year`.
    journals : tuple of str, or str
        Names as printed in the records, in any case.
    publication_types, mesh, languages : tuple of str, or str
        Likewise; for MeSH these are headings.
    authors : tuple of str, or str
        ``Okafor`` with any initials, or ``Okafor B`` with these initials and possibly more.
    own : tuple of str, or str
        ``NAME=VALUE``, for fields that only the records' source has.
    moves : tuple of str, or str
        Argumentative moves; for sentences only.
    retracted : bool
        Whether retracted publications pass the filters.
    strategy : str
        A search strategy whose set contains the hits (`relsent_ir.text.strategy`).

    Raises
    ------
    UsageError
        If a range of years is empty, or a move or filter is unknown. A strategy is parsed when an
        index is searched, and may then raise `StrategyError`.
    """

    years: int | tuple[int | None, int | None] = (None, None)
    journals: Sequence[str] = condition(
        "journal", "--journal", "NAME...", "Only of these journals, as printed in the records."
    )
    publication_types: Sequence[str] = condition(
        "publication_type",
        "--publication-type",
        "TYPE...",
        "Only of these publication types, as printed in the records.",
    )
    moves: Sequence[str] = ()
    mesh: Sequence[str] = condition(
        "heading", "--mesh", "HEADING...", "Only with one of these MeSH headings."
    )
    authors: Sequence[str] = condition(
        "author", "--author", "NAME...", "Only by one of these authors: Okafor, or Okafor B."
    )
    languages: Sequence[str] = condition(
        "language", "--language", "NAME...", "Only in these languages, as in the records: eng."
    )
    own: Sequence[str] = condition(
        "own", "--own", "FIELD=VALUE...", "Only with this value of a field of yours."
    )
    strategy: str = ""
    retracted: bool = True

    @classmethod
    def read(
        cls,
        year: str | None = None,
        moves: str | None = None,
        no_retracted: bool = False,
        **values: Iterable[str],
    ) -> "Filters":
        """Read filters from texts: years as ``1990:2000``, moves with commas between, and others.

        Only moves are split at commas: "Clinical Trial, Phase II" is one publication type.

        Raises
        ------
        UsageError
            If a year cannot be read, or a move is unknown.
        """
        names = [name.strip().upper() for name in moves.split(",")] if moves else []
        listed = {**values, "moves": names}
        given: dict[str, Any] = {name: tuple(dict.fromkeys(of)) for name, of in listed.items()}
        years = _years(year) if year is not None else (None, None)
        return cls(years, retracted=not no_retracted, **given)

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
        for text in self.own:
            if not text.partition("=")[2].strip():
                raise UsageError(f"cannot read the condition {text!r}", fix="FIELD=VALUE")
        if self.moves:
            from relsent_ir.moves import MOVES

            unknown = [move for move in self.moves if move not in MOVES]
            if unknown:
                raise UsageError(f"no move {unknown[0]!r}", fix=f"one of {', '.join(MOVES)}")

    def __bool__(self) -> bool:
        return self != Filters()

    def query(self, index: "Index", *, warn: bool = True) -> Any:
        """Build the engine's query for the documents of an index that pass the filters.

        Parameters
        ----------
        index : Index
        warn : bool
            Whether to log a warning of each value that no document has.

        Raises
        ------
        MismatchError
            If the index lacks the fields that the filters use.
        """
        self._check(index)
        years = [] if self.years == (None, None) else list(self._range())
        terms = [("move", value, value) for value in self.moves]
        for name, declared in CONDITIONS.items():
            terms += [(declared.field, folded(value), value) for value in getattr(self, name)]
        for of, term, value in terms if warn else ():
            if of == "author":  # the beginning of names
                continue
            if not index.frequencies([term], of)[0]:
                some = index.count(index.like(of, ".+"))
                hint = "" if some else ", nor any other: an index of before this filter lacks them"
                name = of.replace("_", " ")
                _log.warning("no %s %r in %s%s", name, value, index.folder, hint)
        names, texts = [of for of, _, _ in terms], [term for _, term, _ in terms]
        plain = bool(years or names or (self.retracted and not self.strategy))
        query = index.filter(years, names, texts) if plain else None
        if self.strategy:
            from relsent_ir.lucene.read.strategy import Strategy
            from relsent_ir.text.names import MESH, beside

            strategy = Strategy(self.strategy, index)
            for heading in strategy.unknown() if warn else ():
                hint = "" if beside(index.folder, MESH) else "; entry terms need MeSH: fetch mesh"
                _log.warning("no heading %r in %s%s", heading, index.folder, hint)
            passing = strategy.query()
            query = index.both(query, passing) if plain else passing
        if not self.retracted:
            from relsent_ir.records.fields import RETRACTED

            query = index.without(query, "publication_type", folded(RETRACTED))
        return query

    def passing(self, index: "Index") -> "NDArray[np.bool_]":
        """Return by Lucene's numbers which documents pass; deleted documents may pass.

        Raises
        ------
        MismatchError
            If the index lacks the fields that the filters use.
        """
        import numpy as np

        from relsent_ir.lucene.jvm import exclusive

        query = self.query(index)
        with exclusive():
            passing = index.call("Find.passing", index.reader, query)
        return np.frombuffer(passing.tostring(), np.bool_)

    def _range(self) -> tuple[int, int]:
        assert isinstance(self.years, tuple)  # of one year, `__post_init__` makes a range
        first, last = self.years
        return _FIRST if first is None else first, _LAST if last is None else last

    def _check(self, index: "Index") -> None:
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


CONDITIONS: Final[Mapping[str, Condition]] = {
    each.name: each.metadata["condition"] for each in fields(Filters) if each.metadata
}
"""The filters by values: an attribute of `Filters` each, and a flag."""


def _years(text: str) -> tuple[int | None, int | None]:
    ends = [part.strip() for part in text.split(":")]
    if len(ends) > 2 or not any(ends) or not all(map(_YEAR.fullmatch, ends)):
        raise UsageError(f"cannot read --year {text}", fix="write 1990:2000, 1990:, :2000 or 1990")
    first, last = (int(end) if end else None for end in (ends[0], ends[-1]))
    return first, last
