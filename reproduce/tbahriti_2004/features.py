"""Features and weights of the linear combinations: only this experiment compares whole collections.

Articles are compared as wholes, by the scores of a run, and sentence by sentence, with a model of
related sentences: the best score of each of the topic's sentences among the other article's
sentences (the M-match of Smith & Wilbur 2010, within one article), and the mean of these best
scores, over all sentences and over each move.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from relsent_ir.counts.weighting import pmra_weights, weigh_rows
from relsent_ir.errors import MismatchError
from relsent_ir.feedback import TermMatrix
from relsent_ir.hits import Run
from relsent_ir.methods import Smart
from relsent_ir.moves import MOVES
from relsent_ir.records import Sentence
from relsent_ir.related.features import Sentences
from relsent_ir.typing import Floats, Progress, Sparse
from reproduce.tbahriti_2004.articles import PARTS, TITLE, Parts

if TYPE_CHECKING:
    from relsent_ir.related import Model

SCHEME: Final = Smart("ltc.atn")
DIMENSIONS: Final = (50, 100)
"""Dimensions of latent semantic indexing (Deerwester et al. 1990)."""
NEIGHBOURS: Final = 5
SHARE: Final = 1.5
"""Weight of the nearest articles' mean relative to the topic's own vector, as Rocchio's beta."""
DEPTH: Final = 300
"""Articles of each topic that are learned from."""
STRENGTHS: Final = (0.0003, 0.001, 0.01, 0.1)
"""Values of the regression's C: the smaller, the stronger the regularisation."""
FOLDS: Final = 5
COLUMNS: Final = ("ALL", TITLE, *MOVES)
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


def move_features(parts: Parts, rows: NDArray[np.integer]) -> dict[str, Floats]:
    """Compare each part of the topic with whole articles, and the topic with each of their parts.

    Parameters
    ----------
    parts : Parts
        n articles.
    rows : ndarray of int, shape (topics,)
        The articles that are topics.
    """
    matrix = parts.matrix
    whole = weigh_rows(SCHEME, SCHEME.document, matrix.counts, matrix).T.tocsr()
    topics = weigh_rows(SCHEME, SCHEME.query, matrix.counts[rows], matrix)
    features = {}
    for part in PARTS:
        queries = weigh_rows(SCHEME, SCHEME.query, parts.counts[part][rows], matrix)
        features[f"{part} of the topic"] = scaled((queries @ whole).toarray(), rows)
        others = weigh_rows(SCHEME, "ltc", parts.counts[part], matrix)
        features[f"{part} of the other"] = scaled((topics @ others.T).toarray(), rows)
    return features


def whole_scores(
    matrix: TermMatrix, documents: Sparse, rows: NDArray[np.integer]
) -> dict[str, Floats]:
    """Compare topics with all articles as wholes: by ltc.atn, pmra, and nearest articles."""
    topics = weigh_rows(SCHEME, SCHEME.query, matrix.counts[rows], matrix)
    weights = pmra_weights(matrix)
    own = scaled((topics @ documents.T).toarray(), rows)
    return {
        "ltc.atn": own,
        "pmra": scaled((weights[rows] @ weights.T).toarray(), rows),
        "neighbours": scaled(_near(documents, own, rows), rows),
    }


def latent(points: Floats, rows: NDArray[np.integer]) -> Floats:
    """Compare articles by the cosine of their coordinates on the singular vectors."""
    points = points / np.maximum(np.linalg.norm(points, axis=1, keepdims=True), 1e-12)
    return scaled(points[rows] @ points.T, rows)


def _near(documents: Sparse, scores: Floats, rows: NDArray[np.integer]) -> Floats:
    """Score all articles against topics that were moved towards their nearest articles."""
    moved = np.empty_like(scores)
    for i, row in enumerate(rows):
        others = scores[i].copy()
        others[row] = -np.inf
        near = np.argsort(-others, kind="stable")[:NEIGHBOURS]
        mean = np.asarray(documents[near].mean(axis=0)).ravel()
        moved[i] = documents @ (documents[[row]].toarray()[0] + SHARE * mean)
    return moved


def scaled(scores: Floats, rows: NDArray[np.integer]) -> Floats:
    """Divide each topic's scores by the largest score of another article."""
    others = scores.copy()
    others[np.arange(len(rows)), rows] = -np.inf
    largest: Floats = others.max(axis=1, keepdims=True)
    return scores / np.where(largest > 0, largest, 1.0)


def whole_features(matrix: TermMatrix, rows: NDArray[np.integer]) -> dict[str, Floats]:
    """Compare whole articles: ltc.atn, pmra, nearest articles, and latent semantic indexing."""
    from scipy.sparse import csr_matrix
    from scipy.sparse.linalg import svds

    documents = weigh_rows(SCHEME, SCHEME.document, matrix.counts, matrix)
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


def learn(
    x: Sequence[Floats],
    y: Sequence[NDArray[np.bool_]],
    measure: Callable[[NDArray[np.intp], Floats], Floats],
    strengths: Sequence[float] = STRENGTHS,
) -> tuple[Floats, float]:
    """Learn weights from topics, with the C that is best in cross-validation over them.

    Parameters
    ----------
    x : sequence of ndarray of float64, shape (candidates, features)
        By topic.
    y : sequence of ndarray of bool, shape (candidates,)
        Which candidates are targets.
    measure : callable
        Takes numbers of topics, and weights; returns the average precision of each topic.
    strengths : sequence of float
        The values of C to choose from.

    Returns
    -------
    weights : ndarray of float64, shape (features,)
    strength : float
        The C that was chosen.

    Raises
    ------
    MismatchError
        If no topic has a target, and another article, among its candidates.
    """
    if not any(labels.any() and not labels.all() for labels in y):
        raise MismatchError("the tuning topics have no targets to learn from")
    chosen = strengths[0]
    if len(strengths) > 1 and len(x) >= FOLDS:
        means = [_validated(x, y, measure, strength) for strength in strengths]
        chosen = strengths[int(np.argmax(means))]
    return _regress(x, y, chosen), chosen


def _validated(
    x: Sequence[Floats],
    y: Sequence[NDArray[np.bool_]],
    measure: Callable[[NDArray[np.intp], Floats], Floats],
    strength: float,
) -> float:
    """Return the mean average precision over topics that were held out in turn."""
    fold = np.arange(len(x)) % FOLDS
    means = []
    for number in range(FOLDS):
        learned = np.flatnonzero(fold != number).tolist()
        weights = _regress([x[i] for i in learned], [y[i] for i in learned], strength)
        means.append(measure(np.flatnonzero(fold == number), weights))
    return float(np.concatenate(means).mean())


def _regress(
    features: Sequence[Floats], targets: Sequence[NDArray[np.bool_]], strength: float
) -> Floats:
    """Regress on standardised features; return weights for the features as they are."""
    from sklearn.linear_model import LogisticRegression

    x, y = np.concatenate(features), np.concatenate(targets)
    if y.all() or not y.any():
        return np.ones(x.shape[-1])
    deviation = x.std(axis=0)
    deviation = np.where(deviation > 0, deviation, 1.0)
    model = LogisticRegression(C=strength, max_iter=3000).fit((x - x.mean(axis=0)) / deviation, y)
    weights: Floats = model.coef_[0] / deviation
    return weights


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
