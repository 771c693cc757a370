"""Rocchio's feedback: the topic moves towards the documents that were found first.

With the defaults it is Anserini's, to the last bit: Q' = alpha·Q + beta·R - gamma·N, where Q is the
topic's counts, R the mean of the first documents' counts, each divided by its length, and N that of
the last ones; R and N are cut to their best terms; all are of length 1; weights of 0 and less are
dropped.

References
----------
Rocchio: Relevance feedback in information retrieval. The SMART retrieval system, 1971.
Ruch et al.: Argumentative feedback. COLING/ACL 2006 posters, 675-682.
Anserini: io.anserini.rerank.lib.RocchioReranker.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

import numpy as np

from relsent_ir.counts.weighting import SLOPE, check_pivot
from relsent_ir.errors import UsageError
from relsent_ir.feedback.pool import Pool
from relsent_ir.feedback.terms import (
    DOCUMENT_WEIGHTS,
    MOST,
    TF_ONLY,
    Floats,
    allowed,
    best,
    check_weighting,
    document_weights,
    norms,
    only,
    weigh,
)

_LEAST: Final = np.float32(0.001)  # Anserini passes over documents with a smaller norm


@dataclass(frozen=True)
class Expansion:
    """A topic after feedback.

    Attributes
    ----------
    weights : dict of str to float
        The new query: analysed terms, from the highest weight.
    original, feedback, associated : dict of str to float
        What the topic itself, feedback and word associations give to them.
    fallback : str
        Why feedback was other than asked for; "" if it was not.
    """

    weights: dict[str, float]
    original: dict[str, float] = field(default_factory=dict)
    feedback: dict[str, float] = field(default_factory=dict)
    fallback: str = ""
    associated: dict[str, float] = field(default_factory=dict)


@dataclass(frozen=True)
class Rocchio:
    """The settings of Rocchio's feedback; the defaults are Pyserini's.

    Attributes
    ----------
    fb_terms, fb_docs : int
        How many terms of how many of the first documents.
    alpha, beta, gamma : float
        The weights of the topic, of the first documents and of the last ones.
    bottom_fb_terms, bottom_fb_docs : int
        How many terms of how many of the last hits; read if gamma is above 0.
    weighting : str
        How terms weigh in documents: ``tf``, ``bm25``, or a SMART triple such as ``ltn``.
    documents : {"uniform", "rank", "score"}
        How much each of the first documents counts.
    scaled : bool
        Q, R and N are brought to length 1. Without, the formula is that of Ruch et al.
    max_df : float
        Terms in a greater share of the documents are not taken, from 0 to 1.
    slope, pivot : float
        Of letter u of the weighting; the pivot is the collection's mean number of distinct terms
        of a document if None.
    """

    fb_terms: int = 10
    fb_docs: int = 10
    alpha: float = 1.0
    beta: float = 0.75
    gamma: float = 0.0
    bottom_fb_terms: int = 10
    bottom_fb_docs: int = 10
    weighting: str = TF_ONLY
    documents: str = "uniform"
    scaled: bool = True
    max_df: float = MOST
    slope: float = SLOPE
    pivot: float | None = None

    def __post_init__(self) -> None:
        counts = (self.fb_terms, self.fb_docs, self.bottom_fb_terms, self.bottom_fb_docs)
        if not all(1 <= count < 2**31 for count in counts):
            raise UsageError(
                f"Rocchio with {self.fb_terms} terms of {self.fb_docs} documents", fix="at least 1"
            )
        shares = (self.alpha, self.beta, self.gamma)
        if not all(0 <= share < math.inf for share in shares) or not self.alpha + self.beta:
            raise UsageError(
                f"Rocchio with alpha {self.alpha}, beta {self.beta}, gamma {self.gamma}",
                fix="0 or more, and alpha or beta above 0",
            )
        if self.documents not in DOCUMENT_WEIGHTS:
            raise UsageError(
                f"no document weights {self.documents!r}",
                fix=f"one of {', '.join(DOCUMENT_WEIGHTS)}",
            )
        if not 0 < self.max_df <= 1:
            raise UsageError(f"the share of documents {self.max_df}", fix="above 0, at most 1")
        check_weighting(self.weighting)
        check_pivot(self.slope, self.pivot)

    def expand(
        self, queries: Sequence[Mapping[str, float]], top: Pool, bottom: Pool | None = None
    ) -> list[Expansion]:
        """Make each topic's new query.

        Parameters
        ----------
        queries : sequence of mapping of str to float
            The topics' own terms and weights.
        top, bottom : Pool
            Their first documents, and their last ones if gamma is above 0.
        """
        towards = self._means(top, self.fb_terms, self.documents)
        away: list[dict[str, np.float32]] = [{}] * len(queries)
        if bottom is not None and self.gamma:
            away = self._means(bottom, self.bottom_fb_terms, "uniform")
        return [self._combine(*parts) for parts in zip(queries, towards, away, strict=True)]

    def _combine(
        self,
        query: Mapping[str, float],
        towards: Mapping[str, np.float32],
        away: Mapping[str, np.float32],
    ) -> Expansion:
        terms = list(dict.fromkeys((*query, *towards, *away)))
        zero = np.float32(0)
        own = np.array([query.get(term, 0.0) for term in terms], dtype=np.float32)
        if self.scaled:
            own = _unit(own)
        own *= np.float32(self.alpha)
        gain = np.array([towards.get(t, zero) for t in terms], np.float32) * np.float32(self.beta)
        loss = np.array([away.get(t, zero) for t in terms], np.float32) * np.float32(self.gamma)
        weights = own + gain - loss
        order = [i for i in np.argsort(-weights, kind="stable").tolist() if weights[i] > 0]
        return Expansion(
            {terms[i]: float(weights[i]) for i in order},
            {terms[i]: float(own[i]) for i in order if own[i]},
            {terms[i]: float(gain[i] - loss[i]) for i in order if gain[i] or loss[i]},
        )

    def _means(self, pool: Pool, m: int, documents: str) -> list[dict[str, np.float32]]:
        """The mean vector of each topic's documents, cut to its best terms."""
        key = (
            ("rocchio", m, documents, self.scaled, self.max_df),
            (self.weighting, self.slope, self.pivot),
        )
        if key not in pool.memo:
            pool.memo[key] = self._computed(pool, m, documents)
        found: list[dict[str, np.float32]] = pool.memo[key]
        return found

    def _computed(self, pool: Pool, m: int, documents: str) -> list[dict[str, np.float32]]:
        weighed = weigh(pool, self.weighting, self.slope, self.pivot)
        weights = only(weighed, allowed(pool, self.max_df))
        lengths = norms(weights, 2)
        sums = np.zeros(len(pool.terms), dtype=np.float32)
        found = []
        for topic in range(len(pool.starts) - 1):
            rows = pool.rows(topic)
            shares = document_weights(documents, pool.scores[rows.start : rows.stop])
            sums[:] = 0
            for row, share in zip(rows, shares, strict=True):
                if lengths[row] > _LEAST:
                    span = slice(weights.indptr[row], weights.indptr[row + 1])
                    values = weights.data[span]
                    values = values / lengths[row] if self.scaled else values
                    sums[weights.indices[span]] += values * share
            columns = np.flatnonzero(sums)
            mean = sums[columns] / shares.sum() if len(rows) else sums[columns]
            places = best(pool.ranks, columns, mean, m)
            chosen = _unit(mean[places]) if self.scaled else mean[places]
            names = [pool.terms[column] for column in columns[places].tolist()]
            found.append(dict(zip(names, chosen, strict=True)))
        return found


def _unit(values: Floats) -> Floats:
    length = math.sqrt(float((values.astype(np.float64) ** 2).sum()))
    return (values.astype(np.float64) / length).astype(np.float32) if length else values
