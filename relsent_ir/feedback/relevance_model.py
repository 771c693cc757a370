"""Relevance-model feedback (RM3) over any source of terms, argumentative moves included.

Over whole documents it is Anserini's RM3: each document's counts are cut to its best terms and
divided by their sum, added up with the documents' scores as weights, cut to the best terms again,
divided by their sum, and mixed with the topic's own counts.

References
----------
Abdul-Jaleel et al.: UMass at TREC 2004: novelty and HARD. TREC 2004.
Anserini: io.anserini.rerank.lib.Rm3Reranker.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Final

import numpy as np
from numpy.typing import NDArray

from relsent_ir.feedback.pool import Pool
from relsent_ir.feedback.rocchio import Expansion
from relsent_ir.feedback.terms import Floats, allowed, best, only, weigh
from relsent_ir.method import MANY, Method, parameter

_LEAST: Final = np.float32(0.001)


@dataclass(frozen=True)
class RM3(Method):
    """Expand topics with a relevance model; the defaults are Anserini's.

    Attributes
    ----------
    fb_terms, fb_docs : int
        How many terms and documents the relevance model is made of.
    original_query_weight : float
        The share of the topic's own words.
    """

    flag: ClassVar[str] = "--rm3"
    role: ClassVar[str] = "expand"

    fb_terms: int = parameter(10, "Terms that feedback adds.", "--fb-terms", low=1, high=MANY)
    fb_docs: int = parameter(10, "Documents that it reads.", "--fb-docs", low=1, high=MANY)
    original_query_weight: float = parameter(
        0.5, "The weight of the topic's own words.", "--original-query-weight", low=0, high=1
    )
    gamma: ClassVar[float] = 0.0
    """RM3 reads no last hits."""

    def expand(
        self,
        queries: Sequence[Mapping[str, float]],
        top: Pool,
        bottom: Pool | None = None,  # noqa: ARG002 (Rocchio's)
    ) -> list[Expansion]:
        """Make each topic's new query; parameters as those of `Rocchio.expand`."""
        key = "rm3", self.fb_terms
        if key not in top.memo:
            top.memo[key] = self._models(top)
        return [self._mixed(*both) for both in zip(queries, top.memo[key], strict=True)]

    def _models(self, top: Pool) -> list[dict[str, np.float32]]:
        """The relevance model of each topic: its best terms with their shares."""
        if "rm3" not in top.memo:
            top.memo["rm3"] = _ordered(top)
        rows, places, all_columns, all_values = top.memo["rm3"]
        kept = places < self.fb_terms
        rows, columns, values = rows[kept], all_columns[kept], all_values[kept]
        filled, first, inverse = np.unique(rows, return_index=True, return_inverse=True)
        sizes = np.zeros(len(filled), dtype=np.float32)
        if len(filled):
            sizes = np.add.reduceat(values.astype(np.float64), first).astype(np.float32)
        norms = sizes[inverse.ravel()]
        counted = norms > _LEAST
        shares = values[counted] / norms[counted] * top.scores[rows[counted]]
        rows, columns = rows[counted], columns[counted]
        sums = np.zeros(len(top.terms), dtype=np.float32)
        found = []
        for topic in range(len(top.starts) - 1):
            span = slice(*np.searchsorted(rows, top.starts[topic : topic + 2]))
            sums[:] = 0
            np.add.at(sums, columns[span], shares[span])  # row by row: rounded as Anserini does
            summed = np.unique(columns[span])
            summed = summed[sums[summed] != 0]
            summed = summed[best(top.ranks, summed, sums[summed], self.fb_terms)]
            chosen = _shares(sums[summed])
            names = [top.terms[column] for column in summed.tolist()]
            found.append(dict(zip(names, chosen, strict=True)))
        return found

    def _mixed(self, query: Mapping[str, float], model: Mapping[str, np.float32]) -> Expansion:
        terms = list(dict.fromkeys((*query, *model)))
        own = _shares(np.array([query.get(term, 0.0) for term in terms], dtype=np.float32))
        share = np.float32(self.original_query_weight)
        own *= share
        gain = np.array([model.get(term, 0.0) for term in terms], np.float32) * (1 - share)
        weights = own + gain
        order = np.argsort(-weights, kind="stable").tolist()
        return Expansion(
            {terms[i]: float(weights[i]) for i in order},  # 0 too: Anserini keeps it
            {terms[i]: float(own[i]) for i in order if terms[i] in query},
            {terms[i]: float(gain[i]) for i in order if terms[i] in model},
        )


def _ordered(top: Pool) -> tuple[NDArray[Any], ...]:
    """The terms that may be taken: rows, places in them from the best, columns, values."""
    weights = only(weigh(top, "tf"), allowed(top, plain=True))
    rows = np.repeat(np.arange(weights.shape[0]), np.diff(weights.indptr))
    order = np.lexsort((top.ranks[weights.indices], -weights.data, rows))
    places = np.arange(len(rows)) - weights.indptr[rows]
    return rows, places, weights.indices[order], weights.data[order]


def _shares(values: Floats) -> Floats:
    total = float(values.astype(np.float64).sum())
    return (values.astype(np.float64) / total).astype(np.float32) if total else values
