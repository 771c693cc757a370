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
from typing import ClassVar, Final

import numpy as np

from relsent_ir.counts.weighting import SLOPE
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
from relsent_ir.method import MANY, Method, parameter

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
class Rocchio(Method):
    """Expand topics by Rocchio's feedback; the defaults are Pyserini's.

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

    flag: ClassVar[str] = "--rocchio"
    role: ClassVar[str] = "expand"

    fb_terms: int = parameter(10, "Terms that feedback adds.", "--fb-terms", low=1, high=MANY)
    fb_docs: int = parameter(10, "Documents that it reads.", "--fb-docs", low=1, high=MANY)
    alpha: float = parameter(1.0, "The topic's weight.", "--alpha", "--rocchio.alpha", low=0)
    beta: float = parameter(0.75, "The first documents' weight.", "--beta", "--rocchio.beta", low=0)
    gamma: float = parameter(0.0, "The last hits' weight.", "--gamma", "--rocchio.gamma", low=0)
    bottom_fb_terms: int = parameter(
        10, "Terms of the last hits.", "--bottom-fb-terms", low=1, high=MANY
    )
    bottom_fb_docs: int = parameter(10, "How many last hits.", "--bottom-fb-docs", low=1, high=MANY)
    weighting: str = parameter(
        TF_ONLY,
        "How terms weigh in documents; a SMART triple or bm25.",
        "--fb-weighting",
        metavar="tf|bm25|ltn...",
    )
    documents: str = parameter(
        "uniform", "How documents weigh.", "--fb-doc-weights", choices=DOCUMENT_WEIGHTS
    )
    scaled: bool = parameter(True, "Vectors keep their lengths, as in Ruch 2006.", "--unscaled")
    max_df: float = parameter(
        MOST,
        "No terms that are in a greater share of the documents.",
        "--fb-max-df",
        low=0,
        above=True,
        high=1,
        metavar="SHARE",
    )
    slope: float = parameter(SLOPE, "SMART's letter u.", "--slope", low=0, high=1)
    pivot: float | None = parameter(
        None, "SMART's letter u.  [default: mean distinct terms]", "--pivot", low=0, above=True
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        if not self.alpha + self.beta:
            raise UsageError("Rocchio with alpha 0, beta 0", fix="one of them above 0")
        check_weighting(self.weighting)

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
