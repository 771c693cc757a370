"""Weighted topics: terms with weights, as searchers take them."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, TypeAlias

from relsent_ir.feedback import Smart, TermMatrix

if TYPE_CHECKING:
    from scipy.sparse import csr_array

WeightedTopics: TypeAlias = dict[str, dict[str, float]]
"""Weight by term, by topic."""


def smart_topics(
    matrix: TermMatrix, smart: Smart, topics: Mapping[str, Mapping[str, float]]
) -> WeightedTopics:
    """Weigh topics that are counts of terms by the query's triple of a scheme."""
    queries = smart.weigh_queries(matrix, matrix.bags(list(topics.values())))
    return {name: row_terms(matrix, queries, row) for row, name in enumerate(topics)}


def row_terms(matrix: TermMatrix, rows: "csr_array", row: int) -> dict[str, float]:
    """Give a row of weights by term."""
    span = slice(rows.indptr[row], rows.indptr[row + 1])
    terms = (matrix.terms[column] for column in rows.indices[span])
    return dict(zip(terms, map(float, rows.data[span]), strict=True))
