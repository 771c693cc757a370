"""Queries in the form of a cluster: bags of weighted terms, and filters."""

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final
from unicodedata import category

import numpy as np

Query = dict[str, Any]
ALL: Final[Query] = {"match_all": {}}

_BOOST_MOST: Final = np.float32(3.4e38)
_WILD: Final = re.compile("[?*]")
_RUNS: Final = ("Lu", "Ll", "Lt", "Lm", "Lo", "Nd")  # characters of words as written


def boost(weight: float, k1: float | None) -> float:
    """Return the boost with which a term has the same weight in the cluster.

    The cluster's BM25 multiplies the boost by k1 + 1, as Lucene did before version 8. The result is
    the single-precision number whose product gives the weight; if there is none, it is the nearest,
    and the last bit of a score may differ.
    """
    wanted = np.float32(weight)
    if k1 is None or not wanted:
        return float(wanted)
    factor = np.float32(1) + np.float32(k1)
    near = np.float32(wanted / factor)
    others = near, np.nextafter(near, np.float32(0)), np.nextafter(near, _BOOST_MOST)
    return float(min(others, key=lambda one: abs(float(one * factor) - float(wanted))))


def bag(field: str, weights: Mapping[str, float], k1: float | None = None) -> Query:
    """Return the query for weighted terms, any of which may match."""
    terms = [
        {"term": {field: {"value": term, "boost": boost(weight, k1)}}}
        for term, weight in weights.items()
    ]
    return {"bool": {"should": terms}}


def any_of(queries: Sequence[Query]) -> Query:
    """Join queries, at least one of which must match."""
    if len(queries) == 1:
        return queries[0]
    return {"bool": {"should": list(queries), "minimum_should_match": 1}}


def all_of(queries: Sequence[Query]) -> Query:
    """Join queries, all of which must match; scores are 0."""
    return {"bool": {"filter": list(queries)}}


def filtered(query: Query, passing: Query | None) -> Query:
    """Restrict a query to documents that match a filter, without changing scores."""
    return {"bool": {"must": [query], "filter": [passing]}} if passing else query


def value(field: str, text: str) -> Query:
    """Return the query for a value; for authors by family name, with or without initials."""
    same: Query = {"term": {field: text}}
    if not field.endswith("author"):
        return same
    return any_of([same, {"prefix": {field: text if " " in text else f"{text} "}}])


def but_not(query: Query, other: Query) -> Query:
    """Exclude the documents of one query from those of another; scores are 0."""
    return {"bool": {"filter": [query], "must_not": [other]}}


def years(field: str, first: int, last: int) -> Query:
    """Return the query for a range of years."""
    return {"range": {field: {"gte": first, "lte": last}}}


def strategy(steps: Iterable[tuple[str, str, str, int, int]]) -> Query:
    """Build the query of a strategy in postfix, like relsent.Strategy.build in Java.

    Parameters
    ----------
    steps : iterable of (kind, fields, text, number, other)
        Field names are separated by blanks; any of the fields may match.
    """
    built: list[Query] = []
    for kind, fields, text, number, other in steps:
        if kind in ("and", "or"):
            parts = built[-number:]
            del built[-number:]
            built.append(any_of(parts) if kind == "or" else all_of(parts))
        elif kind == "not":
            without = built.pop()
            built.append(but_not(built.pop(), without))
        elif kind == "years":
            built.append(years(fields, number, other))
        else:
            made = [_operand(kind, field, text, number) for field in fields.split(" ")]
            built.append(any_of(made))
    return built.pop()


def _operand(kind: str, field: str, text: str, number: int) -> Query:
    if kind == "value":
        return value(field, text)
    if kind == "values":
        return {"prefix": {field: text}}
    if kind == "terms":
        return {"match_phrase": {field: text}}
    if kind == "near":
        near = [
            [_span(field, _words(one)) for one in line.split("\t")] for line in text.split("\n")
        ]
        spans = [some[0] if len(some) == 1 else {"span_or": {"clauses": some}} for some in near]
        return _near(spans, number, ordered=False)
    words = _words(text)
    wild = any(_WILD.search(word) for word in words)
    if len(words) == 1 and wild:
        return _pattern(field, words[0])
    if wild:
        return _span(field, words)
    return {"match_phrase": {field: " ".join(words)}}  # without words it matches nothing


def _words(text: str) -> list[str]:
    """Return the words of a text in indexed form, with the stars and ? that follow letters."""
    words: list[str] = []
    for part in text.lower().split(" "):
        runs = "".join(c if c in "_?*" or category(c) in _RUNS else " " for c in part).split()
        words += (run for run in runs if run.strip("?*"))
    return words


def _pattern(field: str, word: str) -> Query:
    expression = word.replace("?", ".?").replace("*", ".*")
    return {"regexp": {field: {"value": expression, "flags": "NONE"}}}


def _span(field: str, words: Sequence[str]) -> Query:
    """Return the query for adjacent words; a star stands for any letters, ? for one or none."""
    parts: list[Query] = [
        {"span_multi": {"match": _pattern(field, word)}}
        if _WILD.search(word)
        else {"span_term": {field: word}}
        for word in words
    ]
    return _near(parts, 0, ordered=True)


def _near(parts: Sequence[Query], slop: int, *, ordered: bool) -> Query:
    if len(parts) == 1:
        return parts[0]
    return {"span_near": {"clauses": list(parts), "slop": slop, "in_order": ordered}}
