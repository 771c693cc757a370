"""Retrieval: how well a sentence finds the others of its abstract among those of many.

It is nearer than break-even to what the best match among all sentences is for: not half of what is
scored is related, but a few in thousands.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from relsent_ir.errors import MismatchError
from relsent_ir.related.compact import compact
from relsent_ir.related.corpus import Corpus
from relsent_ir.related.features import Sentences
from relsent_ir.related.huber_plus import HuberPlusModel
from relsent_ir.related.linear import linear
from relsent_ir.related.scoring import FeatureModel, Model, PairMethod
from relsent_ir.related.weights import BoundWeights
from relsent_ir.typing import Floats, Progress

SENTENCES: Final = 11_000
QUERIES: Final = 1_000
DEPTH: Final = 1_000  # sentences that Huber+ scores for a query


@dataclass(frozen=True)
class Haystack:
    """Whole records' sentences, and those of them that look for the others of their record.

    Attributes
    ----------
    rows : ndarray of int32, ascending
        Of the corpus.
    record : ndarray of int32, as `rows`
        The record of each.
    queries : ndarray of int, ascending
        Places in `rows`.
    """

    rows: NDArray[np.int32]
    record: NDArray[np.int32]
    queries: NDArray[np.intp]


def draw_haystack(
    corpus: Corpus,
    kept: NDArray[np.bool_],
    records: NDArray[np.bool_],
    sentences: int = SENTENCES,
    queries: int = QUERIES,
    seed: int = 0,
) -> Haystack:
    """Draw records until they have so many sentences, and some of these as queries.

    Parameters
    ----------
    corpus : Corpus
    kept : ndarray of bool, shape (sentences,)
        As `relsent_ir.related.pairs.surviving` gives them; the others are left out.
    records : ndarray of bool, shape (records,)
        Those that may be drawn.
    sentences, queries : int
        How many, or all if there are fewer; the last record is taken whole.
    seed : int

    Raises
    ------
    MismatchError
        If no record has two kept sentences.
    """
    sizes = np.bincount(corpus.record[kept], minlength=len(corpus.records))
    usable = np.flatnonzero(records & (sizes > 1))
    if not len(usable):
        raise MismatchError(
            "no record has two sentences that could find each other",
            fix="index more records, or raise --content-share",
        )
    generator = np.random.default_rng(seed)
    order = generator.permutation(usable)
    before = np.cumsum(sizes[order]) - sizes[order]
    drawn = np.zeros(len(corpus.records), dtype=bool)
    drawn[order[before < sentences]] = True
    rows = np.flatnonzero(kept & drawn[corpus.record]).astype(np.int32)
    asked = np.sort(generator.permutation(len(rows))[:queries])
    return Haystack(rows, corpus.record[rows], asked)


def measure_retrieval(
    haystack: Haystack,
    score: Callable[[int], Floats],
    seed: int = 0,
    progress: Progress | None = None,
) -> tuple[Floats, Floats]:
    """Rank all other sentences for each query.

    Parameters
    ----------
    haystack : Haystack
    score : callable
        Takes a query, as a place in the haystack's rows, and gives the scores of all rows.
    seed : int
        Ties are broken at random.
    progress : callable, optional
        Gets the number of queries done, and of all.

    Returns
    -------
    precision, first : ndarray of float64, shape (queries,)
        The average precision of each query, and whether the first sentence is of its record.
    """
    lots = np.random.default_rng(seed).permutation(len(haystack.rows))
    precision, first = np.empty(len(haystack.queries)), np.empty(len(haystack.queries))
    for i, query in enumerate(haystack.queries.tolist()):
        order = np.lexsort((lots, -score(query)))
        found = haystack.record[order[order != query]] == haystack.record[query]
        ranks = 1 + np.flatnonzero(found)
        precision[i] = np.mean(np.arange(1, len(ranks) + 1) / ranks)
        first[i] = found[0]
        if progress:
            progress(i + 1, len(haystack.queries))
    return precision, first


def model_scorer(model: Model, corpus: Corpus, haystack: Haystack) -> Callable[[int], Floats]:
    """Score a haystack's sentences by a model, as `measure_retrieval` asks for them.

    Huber+ scores the first `DEPTH` of its candidates, as when it is used; the others follow in
    their order.
    """
    sentences = compact(corpus.sentences, haystack.rows)
    if isinstance(model, HuberPlusModel):
        return _two_stages(model, sentences)
    if isinstance(model, FeatureModel):
        method = model.on(sentences.lexicon)
        form = linear(method)
        if form:
            return _products(sentences, method, *form)
    rows = np.arange(len(sentences))
    return lambda query: model.query_scores(sentences, query, rows)


def _two_stages(model: HuberPlusModel, sentences: Sentences) -> Callable[[int], Floats]:
    unit = model.knowledge.on(sentences.lexicon).sentence_vectors(sentences.words)
    depth = min(DEPTH, len(sentences))
    method = model.candidates.on(sentences.lexicon)
    sparse = _products(sentences, method, method.shared, method.threshold)

    def score(query: int) -> Floats:
        cosines = (unit @ unit[query]).astype(np.float64)
        scores: Floats = sparse(query) + model.candidates.cosine * cosines
        first = np.argpartition(-scores, depth - 1)[:depth]
        found = model.query_scores(sentences, query, first)
        scores[first] = found + (scores.max() - found.min() + 1.0)
        return scores

    return score


def _products(
    sentences: Sentences, method: PairMethod, weights: Floats, constant: float
) -> Callable[[int], Floats]:
    """Score by one product with the features of all sentences, which are held in memory."""
    counts = sentences.counts(slice(None))
    alone = np.zeros(len(sentences))
    if isinstance(method, BoundWeights):
        alone = method.sentence(counts)
    counts.data = np.ones(counts.nnz)

    def score(query: int) -> Floats:
        own = counts.indices[counts.indptr[query] : counts.indptr[query + 1]]
        asked = np.zeros(len(sentences.lexicon))
        asked[own] = weights[own]
        return np.asarray(constant + alone + alone[query] + counts @ asked)

    return score
