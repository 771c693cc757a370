"""Expanding topics with terms of feedback documents, by Rocchio's method or RM3.

With its defaults, Rocchio gives exactly Anserini's result: Q' = alpha·Q + beta·R - gamma·N. Q is
the vector of the topic's counts; R is the mean of the first documents' count vectors, each divided
by its length, and N that of the last ones. R and N are cut to their best terms; all three have
length 1; terms with weights of 0 or less are dropped.

RM3 over whole documents also equals Anserini's. Each document's counts are cut to its best terms
and divided by their sum; these vectors are summed with the documents' scores as weights, cut to the
best terms again, divided by their sum, and mixed with the topic's own counts. Both methods accept
any source of terms, including argumentative moves.

References
----------
Rocchio: Relevance feedback in information retrieval. The SMART retrieval system, 1971.
Ruch et al.: Argumentative feedback. COLING/ACL 2006 posters, 675-682.
Abdul-Jaleel et al.: UMass at TREC 2004: novelty and HARD. TREC 2004.
Anserini: io.anserini.rerank.lib.RocchioReranker, io.anserini.rerank.lib.Rm3Reranker.
"""

import math
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

import numpy as np

from relsent_ir.counts.weighting import bm25_idf, bm25_weights, smart_weights, totals_of
from relsent_ir.feedback.pool import Pool
from relsent_ir.methods import FEEDBACK_DF_SHARE_MAX, RM3, SLOPE, TF_ONLY, Rocchio
from relsent_ir.sparse import by_places, lazy_csr, like
from relsent_ir.typing import NDArray, Sparse

Singles = NDArray[np.float32]
"""Computations are in single precision, as in Anserini."""

LENGTHS: Final = range(2, 21)
"""Lengths of terms, in characters, that feedback accepts; Anserini's."""
BM25: Final = "bm25"
K1, B = 0.9, 0.4

_LEAST: Final = np.float32(0.001)  # Anserini skips documents with a smaller norm
_ORIGINS: Final = 4  # origins that are listed for a term
_PLAIN: Final = re.compile("[a-z0-9]+")


_DOCUMENT_WEIGHTS: Final[dict[str, Callable[[Singles], Singles]]] = {
    "uniform": np.ones_like,
    "rank": lambda scores: (1 / np.sqrt(np.arange(1, len(scores) + 1))).astype(np.float32),
    "score": lambda scores: scores,
}
"""The weights of feedback documents, the best document first."""


@dataclass(frozen=True)
class Expansion:
    """A topic after feedback.

    Attributes
    ----------
    weights : dict of str to float
        The new query: analysed terms in order of descending weight.
    original, feedback : dict of str to float
        The parts of these weights that come from the topic and from feedback.
    fallback : str
        Why feedback differs from what was requested; "" if it does not.
    """

    weights: dict[str, float]
    original: dict[str, float] = field(default_factory=dict)
    feedback: dict[str, float] = field(default_factory=dict)
    fallback: str = ""

    def to_dict(self, origins: Mapping[str, list[str]]) -> dict[str, Any]:
        """Return the expansion for JSON, with the origins of each term."""
        parts = {"topic": self.original, "feedback": self.feedback}
        return {
            "fallback": self.fallback,
            "terms": [
                {"term": term, "weight": weight}
                | {name: of.get(term, 0.0) for name, of in parts.items()}
                | {"from": origins.get(term, [])}
                for term, weight in self.weights.items()
            ],
        }


def table_of_terms(terms: Sequence[Mapping[str, Any]]) -> str:
    """Write the terms of `Expansion.to_dict` as a table, each with its first origins."""
    from relsent_ir.drawing import aligned

    names = ["weight", "topic", "feedback"]
    rows = []
    for term in terms:
        origins, left = term["from"][:_ORIGINS], len(term["from"]) - _ORIGINS
        more = f" and {left} more" if left > 0 else ""
        weights = [f"{term[name]:.4f}" for name in names]
        rows.append([term["term"], *weights, ", ".join(origins) + more])
    width = max((len(row[-1]) for row in rows), default=0)  # the first column is left-aligned
    table = [[*row[:-1], row[-1].ljust(width)] for row in rows]
    return aligned([["term", *names, "from".ljust(width)], *table], right=True)


def expand(
    feedback: Rocchio | RM3,
    queries: Sequence[Mapping[str, float]],
    top: Pool,
    bottom: Pool | None = None,
) -> list[Expansion]:
    """Compute the new query of each topic with Rocchio or RM3.

    Parameters
    ----------
    feedback : Rocchio or RM3
    queries : sequence of mapping of str to float
        The terms of each topic with their weights.
    top, bottom : Pool
        The first documents of the topics; the last documents if gamma is above 0.
    """
    if isinstance(feedback, RM3):
        key = "rm3", feedback.fb_terms
        if key not in top.memo:
            top.memo[key] = _models(feedback, top)
        return [_mix(feedback, *both) for both in zip(queries, top.memo[key], strict=True)]
    towards = _means(feedback, top, feedback.fb_terms, feedback.documents)
    away: list[dict[str, np.float32]] = [{}] * len(queries)
    if bottom is not None and feedback.gamma:
        away = _means(feedback, bottom, feedback.bottom_fb_terms, "uniform")
    return [_combine(feedback, *parts) for parts in zip(queries, towards, away, strict=True)]


def _combine(
    settings: Rocchio,
    query: Mapping[str, float],
    towards: Mapping[str, np.float32],
    away: Mapping[str, np.float32],
) -> Expansion:
    terms = list(dict.fromkeys((*query, *towards, *away)))
    own = _over(terms, query)
    if settings.scaled:
        own = _unit(own)
    own *= np.float32(settings.alpha)
    gain = _over(terms, towards) * np.float32(settings.beta)
    loss = _over(terms, away) * np.float32(settings.gamma)
    weights = own + gain - loss
    order = [i for i in np.argsort(-weights, kind="stable").tolist() if weights[i] > 0]
    return Expansion(
        {terms[i]: float(weights[i]) for i in order},
        {terms[i]: float(own[i]) for i in order if own[i]},
        {terms[i]: float(gain[i] - loss[i]) for i in order if gain[i] or loss[i]},
    )


def _means(settings: Rocchio, pool: Pool, m: int, documents: str) -> list[dict[str, np.float32]]:
    """Compute the mean vector of each topic's documents, cut to the best terms."""
    key = (
        ("rocchio", m, documents, settings.scaled, settings.max_df),
        (settings.weighting, settings.slope, settings.pivot),
    )
    if key in pool.memo:
        cached: list[dict[str, np.float32]] = pool.memo[key]
        return cached
    weighed = weigh(pool, settings.weighting, settings.slope, settings.pivot)
    weights = _columns(weighed, allowed(pool, settings.max_df))
    rows = np.repeat(np.arange(weights.shape[0]), np.diff(weights.indptr))
    # summed in double precision, as in Anserini
    squares = totals_of(weights.data.astype(np.float64) ** 2, weights.indptr)
    lengths = np.asarray(np.sqrt(squares), dtype=np.float32)[rows]
    counted = lengths > _LEAST
    rows, columns, values = rows[counted], weights.indices[counted], weights.data[counted]
    if settings.scaled:
        values = values / lengths[counted]
    spans = map(slice, pool.starts[:-1], pool.starts[1:])
    shares = [_DOCUMENT_WEIGHTS[documents](pool.scores[span]) for span in spans]
    values = values * np.concatenate([np.empty(0, np.float32), *shares])[rows]
    means = []
    for (terms, sums), share in zip(_sums(pool, rows, columns, values), shares, strict=True):
        mean = sums / share.sum() if len(share) else sums
        places = best(pool.ranks, terms, mean, m)
        chosen = _unit(mean[places]) if settings.scaled else mean[places]
        names = [pool.terms[term] for term in terms[places].tolist()]
        means.append(dict(zip(names, chosen, strict=True)))
    pool.memo[key] = means
    return means


def _models(settings: RM3, top: Pool) -> list[dict[str, np.float32]]:
    """Compute the relevance model of each topic: its best terms with their shares."""
    if "rm3" not in top.memo:  # the terms that may be used, by row and weight
        weights = _columns(weigh(top, TF_ONLY), allowed(top, plain=True))
        rows = np.repeat(np.arange(weights.shape[0]), np.diff(weights.indptr))
        levels = np.unique(-weights.data)
        by_level = np.searchsorted(levels, -weights.data), len(levels)
        by_rank = top.ranks[weights.indices], len(top.ranks)
        order = by_places(by_rank, by_level, (rows, weights.shape[0]))
        places = np.arange(len(rows)) - weights.indptr[rows]
        top.memo["rm3"] = rows, places, weights.indices[order], weights.data[order]
    rows, places, all_columns, all_values = top.memo["rm3"]
    first = places < settings.fb_terms
    rows, columns, values = rows[first], all_columns[first], all_values[first]
    begins = np.flatnonzero(np.diff(rows, prepend=-1))
    sizes = np.zeros(0, dtype=np.float32)
    if len(rows):
        sizes = np.add.reduceat(values.astype(np.float64), begins).astype(np.float32)
    norms = np.repeat(sizes, np.diff(begins, append=len(rows)))
    counted = norms > _LEAST
    shares = values[counted] / norms[counted] * top.scores[rows[counted]]
    models = []
    for terms, sums in _sums(top, rows[counted], columns[counted], shares):
        places = best(top.ranks, terms, sums, settings.fb_terms)
        names = [top.terms[term] for term in terms[places].tolist()]
        models.append(dict(zip(names, _shares(sums[places]), strict=True)))
    return models


def _mix(settings: RM3, query: Mapping[str, float], model: Mapping[str, np.float32]) -> Expansion:
    terms = list(dict.fromkeys((*query, *model)))
    share = np.float32(settings.original_query_weight)
    own = _shares(_over(terms, query)) * share
    gain = _over(terms, model) * (1 - share)
    weights = own + gain
    order = np.argsort(-weights, kind="stable").tolist()
    return Expansion(
        {terms[i]: float(weights[i]) for i in order},  # including 0, which Anserini keeps
        {terms[i]: float(own[i]) for i in order if terms[i] in query},
        {terms[i]: float(gain[i]) for i in order if terms[i] in model},
    )


def weigh(pool: Pool, weighting: str, slope: float = SLOPE, pivot: float | None = None) -> Sparse:
    """Weight the terms of all rows of a pool; float64, in the shape of its counts.

    A term in parts that weigh more (by a move's weight, a classifier's score) gains in proportion.
    The pivot of letter u is by default the collection's mean number of distinct terms.
    """
    weights = pool.counts
    size = max(1, pool.size)
    if weighting == BM25:
        factors = bm25_idf(np.maximum(pool.frequencies, 1), size)
        weights = bm25_weights(weights, factors, max(pool.mean_length, 1), K1, B)
    elif weighting != TF_ONLY:
        pivot = pool.mean_distinct if pivot is None else pivot
        weights = smart_weights(weighting, weights, pool.frequencies, size, slope, pivot)
    values = weights.data * pool.emphasis
    return like(weights, values)


def allowed(
    pool: Pool, most: float = FEEDBACK_DF_SHARE_MAX, *, plain: bool = False
) -> NDArray[np.bool_]:
    """Return which terms feedback may use: not too short or long, nor in too many documents.

    Parameters
    ----------
    pool : Pool
    most : float
        The largest share of the collection's documents that a term may be in.
    plain : bool
        Whether only terms of a-z and 0-9 are used, as in Anserini's RM3 (its Rocchio uses all).

    Returns
    -------
    ndarray of bool, shape (m,)
    """
    text = "".join(pool.terms)
    sizes = [len(term) for term in pool.terms]
    if len(text.encode("utf-16-be")) != 2 * len(text):  # Java counts some characters as two
        sizes = [len(term.encode("utf-16-be")) // 2 for term in pool.terms]
    fits = np.array([size in LENGTHS for size in sizes], dtype=bool)
    if plain:
        fits &= np.array([_PLAIN.fullmatch(term) is not None for term in pool.terms], dtype=bool)
    return fits & (pool.share <= np.float32(most))


def best(
    ranks: NDArray[np.integer], columns: NDArray[np.integer], values: Singles, m: int
) -> NDArray[np.int64]:
    """Find the places of the `m` highest values, in descending order; ties by `Pool.ranks`."""
    places = np.arange(len(values))
    if len(values) > m:
        places = np.flatnonzero(values >= np.partition(values, len(values) - m)[len(values) - m])
    order = np.lexsort((ranks[columns[places]], -values[places]))
    chosen: NDArray[np.int64] = places[order[:m]]
    return chosen


def _columns(weights: Sparse, chosen: NDArray[np.bool_]) -> Sparse:
    """Remove columns that are not chosen, as float32; the shape does not change."""
    taken = chosen[weights.indices]
    starts = np.concatenate([[0], np.cumsum(taken)])[weights.indptr]
    data = weights.data[taken].astype(np.float32)
    return lazy_csr((data, weights.indices[taken], starts), weights.shape)


def _sums(
    pool: Pool, rows: NDArray[np.intp], columns: NDArray[np.integer], values: Singles
) -> Iterator[tuple[NDArray[np.integer], Singles]]:
    """Sum each topic's values by term, row by row, rounded as in Anserini; no sum is 0."""
    sums = np.zeros(len(pool.terms), dtype=np.float32)
    ends = np.searchsorted(rows, pool.starts).tolist()
    for span in map(slice, ends, ends[1:]):
        np.add.at(sums, columns[span], values[span])
        terms = np.unique(columns[span])
        terms = terms[sums[terms] != 0]
        yield terms, sums[terms]
        sums[terms] = 0


def _over(terms: Sequence[str], weights: Mapping[str, Any]) -> Singles:
    """Write weights in the order of the terms, 0 for a term without a weight."""
    return np.array([weights.get(term, 0.0) for term in terms], dtype=np.float32)


def _unit(values: Singles) -> Singles:
    """Scale values to length 1."""
    length = math.sqrt(float((values.astype(np.float64) ** 2).sum()))
    return (values.astype(np.float64) / length).astype(np.float32) if length else values


def _shares(values: Singles) -> Singles:
    """Scale values to the sum 1."""
    total = float(values.astype(np.float64).sum())
    return (values.astype(np.float64) / total).astype(np.float32) if total else values
