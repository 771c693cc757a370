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
from typing import Final

import numpy as np

from relsent_ir.errors import UsageError
from relsent_ir.feedback.pool import Pool
from relsent_ir.feedback.rocchio import Expansion
from relsent_ir.feedback.weighting import Floats, allowed, best, only, weigh

_LEAST: Final = np.float32(0.001)


@dataclass(frozen=True)
class RelevanceModel:
    """RM3 from a pool of feedback texts; its settings are those of Anserini's.

    Attributes
    ----------
    fb_terms, fb_docs : int
        How many terms and documents the relevance model is made of.
    original_query_weight : float
        The share of the topic's own words.
    """

    fb_terms: int = 10
    fb_docs: int = 10
    original_query_weight: float = 0.5

    gamma: Final = 0.0
    """RM3 reads no last hits."""

    def __post_init__(self) -> None:
        counts_fit = all(1 <= count < 2**31 for count in (self.fb_terms, self.fb_docs))
        if not (counts_fit and 0 <= self.original_query_weight <= 1):
            raise UsageError(
                f"RM3 with {self.fb_terms} terms, {self.fb_docs} documents, "
                f"weight {self.original_query_weight}",
                fix="at least one of each, and a weight from 0 to 1",
            )

    def expand(
        self,
        queries: Sequence[Mapping[str, float]],
        top: Pool,
        bottom: Pool | None = None,  # noqa: ARG002 (Rocchio's)
    ) -> list[Expansion]:
        """Make each topic's new query; parameters as those of `Rocchio.expand`."""
        weights = only(weigh(top, "tf"), allowed(top, plain=True))
        sums = np.zeros(len(top.terms), dtype=np.float32)
        found = []
        for topic, query in enumerate(queries):
            sums[:] = 0
            for row in top.rows(topic):
                span = slice(weights.indptr[row], weights.indptr[row + 1])
                columns, values = weights.indices[span], weights.data[span]
                places = best(top.terms, columns, values, self.fb_terms)
                columns, values = columns[places], values[places]
                norm = np.float32(values.astype(np.float64).sum())
                if norm > _LEAST:
                    sums[columns] += values / norm * top.scores[row]
            summed = np.flatnonzero(sums)
            summed = summed[best(top.terms, summed, sums[summed], self.fb_terms)]
            chosen = _shares(sums[summed])
            names = [top.terms[column] for column in summed.tolist()]
            found.append(self._mixed(query, dict(zip(names, chosen, strict=True))))
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


def _shares(values: Floats) -> Floats:
    total = float(values.astype(np.float64).sum())
    return (values.astype(np.float64) / total).astype(np.float32) if total else values
