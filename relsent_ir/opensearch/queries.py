"""Queries as a cluster takes them: bags of weighted terms, and filters."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

import numpy as np

Query = dict[str, Any]

_BOOST_MOST: Final = np.float32(3.4e38)


def boost(weight: float, k1: float | None) -> float:
    """Return the boost under which a term weighs as much there as here.

    The cluster's BM25 multiplies it by k1 + 1, as Lucene did before version 8. Of the numbers of
    single precision that give the weight when they are multiplied, it is the one; where there is
    none, the nearest, and the last bit of a score may differ.
    """
    wanted = np.float32(weight)
    if k1 is None or not wanted:
        return float(wanted)
    factor = np.float32(1) + np.float32(k1)
    near = np.float32(wanted / factor)
    others = near, np.nextafter(near, np.float32(0)), np.nextafter(near, _BOOST_MOST)
    return float(min(others, key=lambda one: abs(float(one * factor) - float(wanted))))


def bag(field: str, weights: Mapping[str, float], k1: float | None = None) -> Query:
    """Return the query of weighted terms, any of which may be there."""
    terms = [
        {"term": {field: {"value": term, "boost": boost(weight, k1)}}}
        for term, weight in weights.items()
    ]
    return {"bool": {"should": terms}}


def any_of(queries: Sequence[Query]) -> Query:
    """Join queries, one of which has to match."""
    if len(queries) == 1:
        return queries[0]
    return {"bool": {"should": list(queries), "minimum_should_match": 1}}


def all_of(queries: Sequence[Query]) -> Query:
    """Join queries, all of which have to match; scores are 0."""
    return {"bool": {"filter": list(queries)}}


def filtered(query: Query, passing: Query | None) -> Query:
    """Let only pass what matches a filter; scores stay."""
    return {"bool": {"must": [query], "filter": [passing]}} if passing else query


def value(field: str, text: str) -> Query:
    """Return the query of a value; of authors the family name, with initials or without."""
    same: Query = {"term": {field: text}}
    if field != "author":
        return same
    return any_of([same, {"prefix": {field: text if " " in text else f"{text} "}}])


def years(field: str, first: int, last: int) -> Query:
    """Return the query of a range of years."""
    return {"range": {field: {"gte": first, "lte": last}}}


def conditions(span: Sequence[int], fields: Sequence[str], terms: Sequence[str]) -> Query:
    """Return the query of a range of years, and of any of the terms of each field."""
    groups: dict[str, list[Query]] = {}
    for field, term in zip(fields, terms, strict=True):
        groups.setdefault(field, []).append(value(field, term))
    return all_of([*([years("year", *span)] if span else []), *map(any_of, groups.values())])
