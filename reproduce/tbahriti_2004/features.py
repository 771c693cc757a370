"""Features and weights of the linear combinations: only this experiment compares whole collections.

Articles are compared as wholes, by the scores of a run, and sentence by sentence, with a model of
related sentences: for each sentence of the topic its best score among the other article's sentences
(the M-match of Smith & Wilbur 2010, within one article), and the mean of these, over all and over
each move.
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
"""Which of the topic's sentences a column of features is the mean of."""

Spoken: TypeAlias = list[tuple[str, str]]
"""The sentences of an article, each with its part."""


def spoken(tagged: Iterable[Sentence]) -> Spoken:
    """Give a record's title and sentences, each with its part."""
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
        By id; at least the run's.
    model : Model
        As `relsent_ir.related.open_model` gives it.
    progress : callable, optional
        Gets the number of topics done, and of all.

    Returns
    -------
    dict of str to ndarray of float64, shape (hits, len(COLUMNS))
        By topic; NaN where the topic has no sentence of the move, or the hit has none at all.
    """
    first: dict[str, int] = {}
    flat: list[str] = []
    for name in dict.fromkeys(n for topic, hits in run.items() for n in (topic, *hits.ids)):
        first[name] = len(flat)
        flat += [text for _, text in articles[name]]
    together = Sentences.from_texts(flat, model.stopwords)
    found = {}
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
        found[topic] = _means(best, [part for part, _ in own])
        if progress:
            progress(len(found), len(run))
    return found


def _means(best: NDArray[np.float64], parts: Sequence[str]) -> NDArray[np.float64]:
    """Average the best scores of the topic's sentences, of all and by part."""
    columns = []
    for column in COLUMNS:
        kept = [i for i, part in enumerate(parts) if column in ("ALL", part)]
        columns.append(best[kept].mean(axis=0) if kept else np.full(best.shape[1], np.nan))
    return np.stack(columns, axis=1)


def whole_features(matrix: TermMatrix, rows: NDArray[np.integer]) -> dict[str, Floats]:
    """Articles as wholes: ltc.atn, pmra, the nearest articles, and latent semantic indexing."""
    from scipy.sparse import csr_matrix
    from scipy.sparse.linalg import svds

    documents = weigh_documents(SCHEME, matrix)
    found = whole_scores(matrix, documents, rows)
    for size in DIMENSIONS:
        k = min(size, min(documents.shape) - 1)
        u, s, _ = svds(csr_matrix(documents), k=k, v0=np.ones(min(documents.shape)))
        found[f"latent {size}"] = latent(u * s, rows)
    return found


def run_feature(matrix: TermMatrix, rows: NDArray[np.integer], run: Run) -> Floats:
    """Turn the scores of a run into a feature; its topics are in the order of `rows`."""
    found = np.zeros((len(rows), len(matrix)))
    for i, hits in enumerate(run.values()):
        found[i, matrix.rows(hits.ids)] = hits.scores
    return scaled(found, rows)


def sentence_feature(
    matrix: TermMatrix, rows: NDArray[np.integer], run: Run, matched: Mapping[str, Floats]
) -> Floats:
    """Turn what `match_articles` found into a feature: 0 for the worst hit, and for all others."""
    found = np.zeros((len(rows), len(matrix)))
    for i, (topic, hits) in enumerate(run.items()):
        scores = matched[topic][:, 0]
        least = np.nanmin(scores) if np.isfinite(scores).any() else 0.0
        found[i, matrix.rows(hits.ids)] = np.nan_to_num(scores, nan=least) - least
    return scaled(found, rows)


def fit(
    features: Floats,
    targets: NDArray[np.bool_],
    own: NDArray[np.integer],
    order: Floats,
    strengths: Sequence[float] = STRENGTHS,
) -> tuple[Floats, float]:
    """Learn from topics: weights, and the C that was chosen.

    Parameters
    ----------
    features : ndarray of float64, shape (topics, articles, features)
    targets : ndarray of bool, shape (topics, articles)
    own : ndarray of int, shape (topics,)
        The article that is the topic.
    order : ndarray of float64, shape (topics, articles)
        The scores by which articles are chosen to learn from.
    strengths : sequence of float
        The C to choose from.

    Raises
    ------
    MismatchError
        If no topic has a target, and another article, among those.
    """
    candidates = [_ranked_first(order[i], own[i]) for i in range(len(own))]
    x = [features[i, some] for i, some in enumerate(candidates)]
    y = [targets[i, some] for i, some in enumerate(candidates)]

    def measure(held: NDArray[np.intp], weights: Floats) -> Floats:
        return average_precision(features[held] @ weights, targets[held], own[held])

    return learn(x, y, measure, strengths)


def average_precision(
    scores: Floats, targets: NDArray[np.bool_], own: NDArray[np.integer]
) -> Floats:
    """Average precision of each topic over all other articles; ties count against a target.

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
    found = np.zeros(len(own))
    for i, row in enumerate(own):
        others = scores[i].copy()
        others[row] = -np.inf
        values = others[np.flatnonzero(targets[i])]
        ranks = np.sort((others[None, :] >= values[:, None]).sum(axis=1))
        if len(ranks):
            found[i] = (np.arange(1, len(ranks) + 1) / ranks).mean()
    return found


def _ranked_first(order: Floats, own: int) -> NDArray[np.integer]:
    scores = order.copy()
    scores[own] = -np.inf
    return np.argsort(-scores, kind="stable")[: min(DEPTH, len(order) - 1)]
