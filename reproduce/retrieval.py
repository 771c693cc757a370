"""Break-even and retrieval of a model on records that it has not seen.

Retrieval measures how well a sentence finds the others of its abstract among those of many. It is
nearer than break-even to the search for the best match among all sentences: of the scored sentences
not half are related, but a few in thousands.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

import numpy as np

from relsent_ir.errors import MismatchError
from relsent_ir.lucene.read.index import Index
from relsent_ir.related.associations import learn_associations
from relsent_ir.related.features import Sentences, compact
from relsent_ir.related.formulas import FORMULAS, FormulaModel, Statistics
from relsent_ir.related.huber_plus import HuberPlusModel
from relsent_ir.related.matching.exact import linear
from relsent_ir.related.measures import Measures
from relsent_ir.related.model import FeatureModel, Model, PairMethod, TrainedModel
from relsent_ir.related.pairs import (
    Corpus,
    break_even,
    draw_pairs,
    held_out,
    read_corpus,
    surviving,
)
from relsent_ir.related.store import check_model, load_related
from relsent_ir.related.training.train import TEST_SHARE
from relsent_ir.related.vectors import sentence_vectors
from relsent_ir.text.words import default_stopwords
from relsent_ir.typing import Floats, NDArray, Progress

SENTENCES: Final = 11_000
QUERIES: Final = 1_000
DEPTH: Final = 1_000  # sentences that Huber+ scores for a query


@dataclass(frozen=True)
class Haystack:
    """The sentences of whole records, and the queries among them.

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
    eligible: NDArray[np.bool_],
    records: NDArray[np.bool_],
    sentences: int = SENTENCES,
    queries: int = QUERIES,
    seed: int = 0,
) -> Haystack:
    """Draw records until they have enough sentences, and some of these as queries.

    Parameters
    ----------
    corpus : Corpus
    eligible : ndarray of bool, shape (sentences,)
        The sentences to take, as `relsent_ir.related.pairs.surviving` returns them.
    records : ndarray of bool, shape (records,)
        The records to draw from.
    sentences, queries : int
        The numbers to draw, or all if there are fewer; the last record is taken whole.
    seed : int

    Raises
    ------
    MismatchError
        If no record has two eligible sentences.
    """
    sizes = np.bincount(corpus.record[eligible], minlength=len(corpus.records))
    usable = np.flatnonzero(records & (sizes > 1))
    if not len(usable):
        raise MismatchError(
            "no record has two sentences that could find each other",
            fix="index more records, or raise --content-share",
        )
    generator = np.random.default_rng(seed)
    order = generator.permutation(usable)
    before = np.cumsum(sizes[order]) - sizes[order]
    drawn = order[before < sentences]
    rows = np.flatnonzero(eligible & np.isin(corpus.record, drawn)).astype(np.int32)
    drawn_queries = np.sort(generator.permutation(len(rows))[:queries])
    return Haystack(rows, corpus.record[rows], drawn_queries)


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
        Takes a query, as a place in the haystack's rows, and returns the scores of all rows.
    seed : int
        Ties are broken at random.
    progress : callable, optional
        Called with the number of queries done, and of all.

    Returns
    -------
    precision, first : ndarray of float64, shape (queries,)
        The average precision of each query, and whether the first sentence is of its record.
    """
    lots = np.random.default_rng(seed).permutation(len(haystack.rows))
    precision, first = np.empty(len(haystack.queries)), np.empty(len(haystack.queries))
    for i, query in enumerate(haystack.queries.tolist()):
        order = np.lexsort((lots, -score(query)))
        relevant = haystack.record[order[order != query]] == haystack.record[query]
        ranks = 1 + np.flatnonzero(relevant)
        precision[i] = np.mean(np.arange(1, len(ranks) + 1) / ranks)
        first[i] = relevant[0]
        if progress:
            progress(i + 1, len(haystack.queries))
    return precision, first


def model_scorer(model: Model, corpus: Corpus, haystack: Haystack) -> Callable[[int], Floats]:
    """Return the scorer of a haystack's sentences by a model, for `measure_retrieval`.

    Huber+ scores the first `DEPTH` of its candidates, as in a search; the others follow in their
    order.
    """
    sentences = compact(corpus.sentences, haystack.rows)
    if isinstance(model, HuberPlusModel):
        return _two_stages(model, sentences)
    if isinstance(model, FeatureModel):
        method = model.on(sentences.lexicon)
        if form := linear(method):
            return _products(sentences, method, *form)
    rows = np.arange(len(sentences))
    return lambda query: model.query_scores(sentences, query, rows)


def _two_stages(model: HuberPlusModel, sentences: Sentences) -> Callable[[int], Floats]:
    vectors = Measures(model.knowledge, sentences.lexicon).vectors
    unit = sentence_vectors(sentences.words, vectors)
    depth = min(DEPTH, len(sentences))
    statistics = model.knowledge.figures(sentences.lexicon)
    method = replace(model.candidates, statistics=statistics).on(sentences.lexicon)
    sparse = _products(sentences, method, method.shared, method.threshold)

    def score(query: int) -> Floats:
        cosines = (unit @ unit[query]).astype(np.float64)
        scores: Floats = sparse(query) + float(model.candidate_weights[1]) * cosines
        first = np.argpartition(-scores, depth - 1)[:depth]
        rescored = model.query_scores(sentences, query, first)
        scores[first] = rescored + (scores.max() - rescored.min() + 1.0)
        return scores

    return score


def _products(
    sentences: Sentences, method: PairMethod, weights: Floats, constant: float
) -> Callable[[int], Floats]:
    """Score by one product with the features of all sentences, which are in memory."""
    counts = sentences.counts(slice(None))
    alone = method.sentence(counts)
    counts.data = np.ones(counts.nnz)

    def score(query: int) -> Floats:
        features = counts.indices[counts.indptr[query] : counts.indptr[query + 1]]
        query_weights = np.zeros(len(sentences.lexicon))
        query_weights[features] = weights[features]
        return np.asarray(constant + alone + alone[query] + counts @ query_weights)

    return score


def unseen_records(corpus: Corpus, facts: dict[str, Any]) -> NDArray[np.bool_]:
    """Select the records of a corpus that a model was not trained on.

    In an index that shares a source file with the one that it was trained on, these are the third
    that its seed holds out, or none if it was trained on all records; elsewhere all records.

    Parameters
    ----------
    corpus : Corpus
    facts : dict of str to Any
        The model's: ``data``, ``seed``, ``all_records``.
    """
    if set(corpus.sources).isdisjoint(facts["data"]["sources"]):
        return np.ones(len(corpus.records), dtype=bool)
    if facts["all_records"]:
        return np.zeros(len(corpus.records), dtype=bool)
    return held_out(corpus.records, facts["seed"], TEST_SHARE)


def formula_model(
    name: str, corpus: Corpus, rows: NDArray[np.integer], stopwords: tuple[str, ...]
) -> FormulaModel:
    """Make the model of a formula with the statistics of some sentences."""
    return FormulaModel(name, Statistics.collect(corpus.sentences, rows), stopwords)


def evaluate_model(
    index: Index,
    name: str,
    *,
    pairs: int,
    seed: int = 0,
    content_share: float | None = None,
    queries: int = QUERIES,
    progress: Progress | None = None,
) -> dict[str, Any]:
    """Measure break-even and retrieval on records that the model has not seen.

    A formula is tested on the third that `seed` holds out, with the frequencies of the other two
    thirds; a packed model too, with their frequencies and associations added.

    Parameters
    ----------
    index : Index
        The abstracts of a collection.
    name : str
        A formula's name, or the folder of a trained model.
    pairs : int
        The number of positive pairs; as many negative ones are added.
    seed : int
        For drawing pairs and breaking ties.
    content_share : float, optional
        As `relsent_ir.related.training.train.train`; None takes the model's, 0.5 for a formula.
    queries : int
        The number of sentences that must find the others of their record; 0 measures no
        retrieval.
    progress : callable, optional
        Called with the number of records read, and of all.

    Returns
    -------
    dict
        ``be`` in percent, and ``pairs``, the number of positive ones; ``retrieval``: ``map``,
        ``p_at_1``, ``queries`` and ``sentences``.

    Raises
    ------
    MismatchError
        If there is no unseen record.
    """
    check_model(name)
    trained: TrainedModel | None = None if name in FORMULAS else load_related(name)
    stopwords = trained.stopwords if trained else default_stopwords()
    corpus = read_corpus(index, stopwords, progress=progress)
    if content_share is None:
        content_share = trained.facts["content_share"] if trained else 0.5
    eligible = surviving(corpus, content_share)
    if trained:
        records = unseen_records(corpus, trained.facts)
        if not records.any():
            raise MismatchError(
                f"no record of {index.folder} is left to test on: the model was trained on them",
                where=Path(name),
                fix="train without --all, or evaluate on another index",
            )
        if isinstance(trained, HuberPlusModel) and trained.packed:
            records &= held_out(corpus.records, seed, TEST_SHARE)
            rows = np.flatnonzero(~records[corpus.record])
            associations = learn_associations(corpus.sentences.words[rows], corpus.record[rows])
            trained = trained.joined(Statistics.collect(corpus.sentences, rows), associations)
    else:
        records = held_out(corpus.records, seed, TEST_SHARE)
    drawn = draw_pairs(corpus, eligible, records, pairs, seed)
    model = trained or formula_model(
        name, corpus, np.flatnonzero(eligible & ~records[corpus.record]), stopwords
    )
    scores = model.scores(corpus.sentences, drawn.a, drawn.b)
    be = break_even(scores, drawn.related, seed)
    measured: dict[str, Any] = {"be": be, "pairs": len(drawn) // 2}
    if queries:
        haystack = draw_haystack(corpus, eligible, records, queries=queries, seed=seed)
        score = model_scorer(model, corpus, haystack)
        precision, first = measure_retrieval(haystack, score, seed)
        measured["retrieval"] = {
            "map": float(precision.mean()),
            "p_at_1": float(first.mean()),
            "queries": len(haystack.queries),
            "sentences": len(haystack.rows),
        }
    return measured
