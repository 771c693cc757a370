"""Features and weights of the linear combinations: only this experiment compares whole collections.

Articles are compared as wholes, by the scores of a run, and sentence by sentence, with a model of
related sentences: the best score of each of the topic's sentences among the other article's
sentences (the M-match of Smith & Wilbur 2010, within one article), and the mean of these best
scores, over all sentences and over each move.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, TypeAlias

import numpy as np
from numpy.typing import NDArray

from relsent_ir.citation.candidate_features import DIMENSIONS, SCHEME, latent, scaled, whole_scores
from relsent_ir.citation.documents import TITLE
from relsent_ir.citation.training import DEPTH, STRENGTHS, learn
from relsent_ir.counts.weighting import weigh_documents
from relsent_ir.feedback import TermMatrix
from relsent_ir.hits import Run
from relsent_ir.moves import MOVES
from relsent_ir.records import Sentence
from relsent_ir.related.features import Sentences
from relsent_ir.typing import Floats, Progress

if TYPE_CHECKING:
    from relsent_ir.related import Model

COLUMNS = ("ALL", TITLE, *MOVES)
"""Sets of the topic's sentences; each gives a column of means."""

Spoken: TypeAlias = list[tuple[str, str]]
"""The sentences of an article, each with its part."""


def spoken(tagged: Iterable[Sentence]) -> Spoken:
    """Return a record's title and sentences, each with its part."""
    return [(s.move if s.n else TITLE, s.text) for s in tagged]


def match_articles(
    run: Run, articles: Mapping[str, Spoken], model: "Model", *, progress: Progress | None = None
) -> dict[str, NDArray[np.float64]]:
    """Compare each topic's article with those of its hits.

    Parameters
    ----------
    run : Run
        Topics and hits are ids of articles.
    articles : mapping of str to Spoken
        By id, at least those of the run.
    model : Model
        From `relsent_ir.related.open_model`.
    progress : callable, optional
        Gets the number of topics done, and of all.

    Returns
    -------
    dict of str to ndarray of float64, shape (hits, len(COLUMNS))
        By topic; NaN if the topic has no sentence of the move, or the hit has no sentence.
    """
    first: dict[str, int] = {}
    flat: list[str] = []
    for name in dict.fromkeys(n for topic, hits in run.items() for n in (topic, *hits.ids)):
        first[name] = len(flat)
        flat += [text for _, text in articles[name]]
    together = Sentences.from_texts(flat, model.stopwords)
    means = {}
    for topic, hits in run.items():
        own = articles[topic]
        sizes = np.array([len(articles[name]) for name in hits.ids], dtype=np.intp)
        starts = np.cumsum(sizes) - sizes
        rows = np.arange(sizes.sum()) + np.repeat([first[n] for n in hits.ids] - starts, sizes)
        best = np.full((len(own), len(hits)), np.nan)
        filled = sizes > 0
        for i in range(len(own) if len(rows) else 0):
            scores = model.query_scores(together, first[topic] + i, rows)
            best[i, filled] = np.maximum.reduceat(scores, starts[filled])
        means[topic] = _means(best, [part for part, _ in own])
        if progress:
            progress(len(means), len(run))
    return means


def _means(best: NDArray[np.float64], parts: Sequence[str]) -> NDArray[np.float64]:
    """Average the best scores of the topic's sentences, of all and by part."""
    columns = []
    for column in COLUMNS:
        rows = [i for i, part in enumerate(parts) if column in ("ALL", part)]
        columns.append(best[rows].mean(axis=0) if rows else np.full(best.shape[1], np.nan))
    return np.stack(columns, axis=1)


def whole_features(matrix: TermMatrix, rows: NDArray[np.integer]) -> dict[str, Floats]:
    """Compare whole articles: ltc.atn, pmra, nearest articles, and latent semantic indexing."""
    from scipy.sparse import csr_matrix
    from scipy.sparse.linalg import svds

    documents = weigh_documents(SCHEME, matrix)
    features = whole_scores(matrix, documents, rows)
    for size in DIMENSIONS:
        k = min(size, min(documents.shape) - 1)
        u, s, _ = svds(csr_matrix(documents), k=k, v0=np.ones(min(documents.shape)))
        features[f"latent {size}"] = latent(u * s, rows)
    return features


def run_feature(matrix: TermMatrix, rows: NDArray[np.integer], run: Run) -> Floats:
    """Turn the scores of a run into a feature; its topics are in the order of `rows`."""
    feature = np.zeros((len(rows), len(matrix)))
    for i, hits in enumerate(run.values()):
        feature[i, matrix.rows(hits.ids)] = hits.scores
    return scaled(feature, rows)


def sentence_feature(
    matrix: TermMatrix, rows: NDArray[np.integer], run: Run, matched: Mapping[str, Floats]
) -> Floats:
    """Turn the result of `match_articles` into a feature: 0 for the worst hit and all non-hits."""
    feature = np.zeros((len(rows), len(matrix)))
    for i, (topic, hits) in enumerate(run.items()):
        scores = matched[topic][:, 0]
        least = np.nanmin(scores) if np.isfinite(scores).any() else 0.0
        feature[i, matrix.rows(hits.ids)] = np.nan_to_num(scores, nan=least) - least
    return scaled(feature, rows)


def fit(
    features: Floats,
    targets: NDArray[np.bool_],
    own: NDArray[np.integer],
    order: Floats,
    strengths: Sequence[float] = STRENGTHS,
) -> tuple[Floats, float]:
    """Learn weights from topics, and choose C.

    Parameters
    ----------
    features : ndarray of float64, shape (topics, articles, features)
    targets : ndarray of bool, shape (topics, articles)
    own : ndarray of int, shape (topics,)
        The article that is the topic.
    order : ndarray of float64, shape (topics, articles)
        Scores that select the articles to learn from.
    strengths : sequence of float
        The values of C to choose from.

    Raises
    ------
    MismatchError
        If no topic has both a target and another article among these.
    """
    candidates = [_ranked_first(order[i], own[i]) for i in range(len(own))]
    x = [features[i, rows] for i, rows in enumerate(candidates)]
    y = [targets[i, rows] for i, rows in enumerate(candidates)]

    def measure(held: NDArray[np.intp], weights: Floats) -> Floats:
        return average_precision(features[held] @ weights, targets[held], own[held])

    return learn(x, y, measure, strengths)


def average_precision(
    scores: Floats, targets: NDArray[np.bool_], own: NDArray[np.integer]
) -> Floats:
    """Return the average precision of topics over all other articles; ties favour non-targets.

    Parameters
    ----------
    scores : ndarray of float64, shape (topics, articles)
    targets : ndarray of bool, shape (topics, articles)
    own : ndarray of int, shape (topics,)
        The article that is the topic, which is no hit.

    Returns
    -------
    ndarray of float64, shape (topics,)
    """
    precision = np.zeros(len(own))
    for i, row in enumerate(own):
        others = scores[i].copy()
        others[row] = -np.inf
        values = others[np.flatnonzero(targets[i])]
        ranks = np.sort((others[None, :] >= values[:, None]).sum(axis=1))
        if len(ranks):
            precision[i] = (np.arange(1, len(ranks) + 1) / ranks).mean()
    return precision


def _ranked_first(order: Floats, own: int) -> NDArray[np.integer]:
    scores = order.copy()
    scores[own] = -np.inf
    return np.argsort(-scores, kind="stable")[: min(DEPTH, len(order) - 1)]
