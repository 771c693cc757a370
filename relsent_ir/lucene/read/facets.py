"""Facets: numbers of documents by year, journal, type, heading, language and move."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from relsent_ir.errors import MismatchError, UsageError
from relsent_ir.lucene.read.filters import FACETS
from relsent_ir.lucene.read.index import Index

MOST: Final = 20
"""The default number of values returned for a field."""

_NUMBERS: Final = ("year",)


@dataclass(frozen=True)
class Facets:
    """The facet counts of a set of documents.

    Attributes
    ----------
    documents : int
        The number of documents in the set.
    counts : mapping of str to mapping of str to int
        For each field, its values as printed, with the number of documents that have each. All
        years are listed, in order; of other fields the most frequent values, ties in alphabetical
        order.
    """

    documents: int
    counts: Mapping[str, Mapping[str, int]]


def count_facets(
    index: Index, found: Sequence[str] | Any, fields: Sequence[str] = FACETS, most: int = MOST
) -> Facets:
    """Count the values that the documents of a set have, read from doc values.

    Parameters
    ----------
    index : Index
        The index of records, or that of sentences, which have their record's values and a move.
    found : sequence of str, or org.apache.lucene.search.Query
        The ids of hits, or a query whose documents are all counted.
    fields : sequence of str
        A subset of `FACETS`. Records have no ``move``: its counts are empty.
    most : int
        Largest number of values for each field.

    Raises
    ------
    InputError
        If an id is not in the index.
    MismatchError
        If the index was built before there were facets.
    UsageError
        If a field is unknown, or `most` is not positive.
    """
    unknown = [field for field in fields if field not in FACETS]
    if unknown or most < 1:
        problem = f"no facet {unknown[0]!r}" if unknown else f"{most} values of a facet"
        raise UsageError(problem, fix=f"one of {', '.join(FACETS)}; values at least 1")
    if not index.facts.facets:
        raise MismatchError(
            "this index is older than facets", where=index.folder, fix="build it again"
        )
    numbers = [field for field in fields if field in _NUMBERS]
    names = [field for field in fields if field not in _NUMBERS]
    count, counted = index.facets(found, numbers, names, most)
    return Facets(count, {field: dict(counted[field]) for field in fields})
