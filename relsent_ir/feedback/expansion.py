"""Expanding topics by the terms of feedback documents: Rocchio's feedback, and RM3.

With its defaults Rocchio is Anserini's, to the last bit: Q' = alpha·Q + beta·R - gamma·N, where Q
is the topic's counts, R the mean of the first documents' counts, each divided by its length, and N
that of the last ones; R and N are cut to their best terms; all are of length 1; weights of 0 and
less are dropped.

RM3 over whole documents is Anserini's too: each document's counts are cut to its best terms and
divided by their sum, added up with the documents' scores as weights, cut to the best terms again,
divided by their sum, and mixed with the topic's own counts. Both take any source of terms,
argumentative moves included.

References
----------
Rocchio: Relevance feedback in information retrieval. The SMART retrieval system, 1971.
Ruch et al.: Argumentative feedback. COLING/ACL 2006 posters, 675-682.
Abdul-Jaleel et al.: UMass at TREC 2004: novelty and HARD. TREC 2004.
Anserini: io.anserini.rerank.lib.RocchioReranker, io.anserini.rerank.lib.Rm3Reranker.
"""

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar, Final

import numpy as np
from numpy.typing import NDArray

from relsent_ir.counts.weighting import (
    DF,
    NORM,
    SLOPE,
    TF,
    bm25_idf,
    bm25_weights,
    smart_weights,
)
from relsent_ir.errors import UsageError
from relsent_ir.feedback.pool import Pool
from relsent_ir.method import MANY, Method, parameter

if TYPE_CHECKING:
    from scipy.sparse import csr_array

Singles = NDArray[np.float32]
"""Anserini computes in single precision."""

LENGTHS: Final = range(2, 21)
"""Characters of a term that feedback takes, as in Anserini."""
MOST: Final = 0.1
"""In what share of the documents a term may be, in Anserini."""
BM25: Final = "bm25"
TF_ONLY: Final = "tf"
K1, B = 0.9, 0.4
DOCUMENT_WEIGHTS: Final = ("uniform", "rank", "score")

_LEAST: Final = np.float32(0.001)  # Anserini passes over documents with a smaller norm
_PLAIN: Final = re.compile("[a-z0-9]+")


@dataclass(frozen=True)
class Expansion:
    """A topic after feedback.

    Attributes
    ----------
    weights : dict of str to float
        The new query: analysed terms, from the highest weight.
    original, feedback, associated : dict of str to float
        The parts of these weights from the topic itself, from feedback and from word associations.
    fallback : str
        Why feedback was other than requested; "" if it was not.
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
        own = _over(terms, query)
        if self.scaled:
            own = _unit(own)
        own *= np.float32(self.alpha)
        gain = _over(terms, towards) * np.float32(self.beta)
        loss = _over(terms, away) * np.float32(self.gamma)
        weights = own + gain - loss
        order = [i for i in np.argsort(-weights, kind="stable").tolist() if weights[i] > 0]
        return Expansion(
            {terms[i]: float(weights[i]) for i in order},
            {terms[i]: float(own[i]) for i in order if own[i]},
            {terms[i]: float(gain[i] - loss[i]) for i in order if gain[i] or loss[i]},
        )

    def _means(self, pool: Pool, m: int, documents: str) -> list[dict[str, np.float32]]:
        """Compute the mean vector of each topic's documents, cut to its best terms."""
        key = (
            ("rocchio", m, documents, self.scaled, self.max_df),
            (self.weighting, self.slope, self.pivot),
        )
        if key not in pool.memo:
            pool.memo[key] = self._compute_means(pool, m, documents)
        means: list[dict[str, np.float32]] = pool.memo[key]
        return means

    def _compute_means(self, pool: Pool, m: int, documents: str) -> list[dict[str, np.float32]]:
        weighed = weigh(pool, self.weighting, self.slope, self.pivot)
        weights = _columns(weighed, allowed(pool, self.max_df))
        lengths = _lengths(weights)
        sums = np.zeros(len(pool.terms), dtype=np.float32)
        means = []
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
            means.append(dict(zip(names, chosen, strict=True)))
        return means


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
        return [self._mix(*both) for both in zip(queries, top.memo[key], strict=True)]

    def _models(self, top: Pool) -> list[dict[str, np.float32]]:
        """Compute the relevance model of each topic: its best terms with their shares."""
        if "rm3" not in top.memo:
            top.memo["rm3"] = _by_weight(top)
        rows, places, all_columns, all_values = top.memo["rm3"]
        first = places < self.fb_terms
        rows, columns, values = rows[first], all_columns[first], all_values[first]
        filled, begins, inverse = np.unique(rows, return_index=True, return_inverse=True)
        sizes = np.zeros(len(filled), dtype=np.float32)
        if len(filled):
            sizes = np.add.reduceat(values.astype(np.float64), begins).astype(np.float32)
        norms = sizes[inverse.ravel()]
        counted = norms > _LEAST
        shares = values[counted] / norms[counted] * top.scores[rows[counted]]
        rows, columns = rows[counted], columns[counted]
        sums = np.zeros(len(top.terms), dtype=np.float32)
        models = []
        for topic in range(len(top.starts) - 1):
            span = slice(*np.searchsorted(rows, top.starts[topic : topic + 2]))
            sums[:] = 0
            np.add.at(sums, columns[span], shares[span])  # row by row: rounded as Anserini does
            summed = np.unique(columns[span])
            summed = summed[sums[summed] != 0]
            summed = summed[best(top.ranks, summed, sums[summed], self.fb_terms)]
            names = [top.terms[column] for column in summed.tolist()]
            models.append(dict(zip(names, _shares(sums[summed]), strict=True)))
        return models

    def _mix(self, query: Mapping[str, float], model: Mapping[str, np.float32]) -> Expansion:
        terms = list(dict.fromkeys((*query, *model)))
        share = np.float32(self.original_query_weight)
        own = _shares(_over(terms, query)) * share
        gain = _over(terms, model) * (1 - share)
        weights = own + gain
        order = np.argsort(-weights, kind="stable").tolist()
        return Expansion(
            {terms[i]: float(weights[i]) for i in order},  # 0 too: Anserini keeps it
            {terms[i]: float(own[i]) for i in order if terms[i] in query},
            {terms[i]: float(gain[i]) for i in order if terms[i] in model},
        )


def check_weighting(name: str) -> None:
    """Refuse a term weighting other than ``tf``, ``bm25`` or a SMART triple such as ``ltn``.

    Raises
    ------
    UsageError
    """
    if name in (TF_ONLY, BM25):
        return
    if len(name) == 3 and name[0] in TF and name[1] in DF and name[2] in NORM:
        return
    raise UsageError(
        f"no term weighting {name!r}", fix="tf, bm25 or a SMART triple for documents, as ltn"
    )


def weigh(
    pool: Pool, weighting: str, slope: float = SLOPE, pivot: float | None = None
) -> "csr_array":
    """Weigh the terms of all rows of a pool; float64, the shape of its counts.

    A term whose parts weigh more than others (a move's weight, a classifier's score) gains in
    proportion. Letter u's pivot is the collection's mean number of distinct terms if None.
    """
    from scipy.sparse import csr_array

    weights = pool.counts
    size = max(1, pool.size)
    if weighting == BM25:
        factors = bm25_idf(np.maximum(pool.frequencies, 1), size)
        weights = bm25_weights(weights, factors, max(pool.mean_length, 1), K1, B)
    elif weighting != TF_ONLY:
        pivot = pool.mean_distinct if pivot is None else pivot
        weights = smart_weights(weighting, weights, pool.frequencies, size, slope, pivot)
    values = weights.data * pool.emphasis
    return csr_array((values, weights.indices, weights.indptr), shape=weights.shape)


def allowed(pool: Pool, most: float = MOST, *, plain: bool = False) -> NDArray[np.bool_]:
    """Tell which terms feedback may take: neither short nor long, nor in too many documents.

    Parameters
    ----------
    pool : Pool
    most : float
        In what share of the collection's documents a term may be.
    plain : bool
        Only terms of a-z and 0-9, as Anserini's RM3 (its Rocchio takes all).

    Returns
    -------
    ndarray of bool, shape (m,)
    """
    fits = [
        _java_length(term) in LENGTHS and (not plain or _PLAIN.fullmatch(term) is not None)
        for term in pool.terms
    ]
    return np.array(fits, dtype=bool) & (pool.share <= np.float32(most))


def document_weights(name: str, scores: Singles) -> Singles:
    """Weigh feedback documents, from the best on.

    ``uniform``: all the same, as in Rocchio; ``rank``: 1/√rank; ``score``: the score.
    """
    if name == "rank":
        return (1 / np.sqrt(np.arange(1, len(scores) + 1))).astype(np.float32)
    return scores if name == "score" else np.ones(len(scores), dtype=np.float32)


def best(
    ranks: NDArray[np.integer], columns: NDArray[np.integer], values: Singles, m: int
) -> NDArray[np.int64]:
    """Find the places of the `m` highest values, from the highest; ties by `Pool.ranks`."""
    places = np.arange(len(values))
    if len(values) > m:
        places = np.flatnonzero(values >= np.partition(values, len(values) - m)[len(values) - m])
    order = np.lexsort((ranks[columns[places]], -values[places]))
    chosen: NDArray[np.int64] = places[order[:m]]
    return chosen


def _columns(weights: "csr_array", chosen: NDArray[np.bool_]) -> "csr_array":
    """Drop the columns that are not chosen, as float32; the shape stays."""
    from scipy.sparse import csr_array

    taken = chosen[weights.indices]
    starts = np.concatenate([[0], np.cumsum(taken)])[weights.indptr]
    data = weights.data[taken].astype(np.float32)
    return csr_array((data, weights.indices[taken], starts), shape=weights.shape)


def _lengths(weights: "csr_array") -> Singles:
    """Compute the L2 norm of each row, added up in double precision, as Anserini does."""
    totals = np.zeros(weights.shape[0])
    full = np.diff(weights.indptr) > 0
    if weights.nnz:
        values = weights.data.astype(np.float64) ** 2
        totals[full] = np.add.reduceat(values, weights.indptr[:-1][full])
    return np.asarray(np.sqrt(totals), dtype=np.float32)


def _by_weight(top: Pool) -> tuple[NDArray[Any], ...]:
    """Order the terms that RM3 may take: rows, places in them from the best, columns, values."""
    weights = _columns(weigh(top, TF_ONLY), allowed(top, plain=True))
    rows = np.repeat(np.arange(weights.shape[0]), np.diff(weights.indptr))
    order = np.lexsort((top.ranks[weights.indices], -weights.data, rows))
    places = np.arange(len(rows)) - weights.indptr[rows]
    return rows, places, weights.indices[order], weights.data[order]


def _over(terms: Sequence[str], weights: Mapping[str, Any]) -> Singles:
    """Write weights in the order of terms, 0 for a term without one."""
    return np.array([weights.get(term, 0.0) for term in terms], dtype=np.float32)


def _unit(values: Singles) -> Singles:
    """Bring values to length 1."""
    length = math.sqrt(float((values.astype(np.float64) ** 2).sum()))
    return (values.astype(np.float64) / length).astype(np.float32) if length else values


def _shares(values: Singles) -> Singles:
    """Bring values to the sum of 1."""
    total = float(values.astype(np.float64).sum())
    return (values.astype(np.float64) / total).astype(np.float32) if total else values


def _java_length(term: str) -> int:
    return len(term) if term.isascii() else len(term.encode("utf-16-be")) // 2
