"""Features that compare a topic's article with other articles.

Each feature is an array of topics times articles, divided by each topic's largest value among the
other articles, so that topics have one scale.
"""

from functools import cache
from typing import Final

import numpy as np

from relsent_ir.citation.candidates import Parts, Sample
from relsent_ir.citation.documents import PARTS
from relsent_ir.counts import weighting
from relsent_ir.feedback import TermMatrix
from relsent_ir.methods import BM25, Smart
from relsent_ir.models import Columns, figures
from relsent_ir.typing import Floats, NDArray, Sparse

SCHEME: Final = Smart("ltc.atn")
DIMENSIONS: Final = (50, 100)
"""Dimensions of latent semantic indexing (Deerwester et al. 1990)."""
NEIGHBOURS: Final = 5
SHARE: Final = 1.5
"""Weight of the nearest articles' mean relative to the topic's own vector, as Rocchio's beta."""
PEER: Final = BM25(1.2, 0.75)
COLUMNS: Final = (
    SCHEME.scheme,
    "BM25",
    "pmra",
    "neighbours",
    *(f"latent {size}" for size in DIMENSIONS),
    *(f"{part} of the {side}" for side in ("topic", "other") for part in PARTS),
)
"""The features of a hit that a citation model weighs, in order."""


def hit_features(sample: Sample, parts: Parts) -> dict[str, Floats]:
    """Compute the features of a topic's hits.

    Parameters
    ----------
    sample : Sample
        The topic, then its hits.
    parts : Parts
        Of the same articles.

    Returns
    -------
    dict of str to ndarray of float64, shape (hits,)
        By the names in `COLUMNS`.
    """
    own = np.zeros(1, dtype=np.intp)
    features = {
        **move_features(parts, own),
        **few_features(sample, own),
        "BM25": scaled(_bm25(sample), own),
    }
    return {name: values[0, 1:] for name, values in features.items()}


def _bm25(sample: Sample) -> Floats:
    """Score all documents against the first; shape (1, documents)."""
    counts, df = sample.counts, np.minimum(sample.df, sample.size)
    factors = weighting.bm25_idf(df, sample.size)
    weights = weighting.bm25_weights(counts, factors, sample.mean_length or 1.0, PEER.k1, PEER.b)
    scores: Floats = (counts[[0]].astype(np.float64) @ weights.T).toarray()
    return scores


@cache
def columns() -> Columns:
    """Compute the features of eight invented articles, which tell versions apart."""
    from scipy.sparse import csr_array

    article, term = np.arange(8)[:, None], np.arange(12)
    dense = [
        np.maximum(0, (article**2 * (number + 2) + article * term + 5 * term + number) % 7 - 4)
        for number in range(len(PARTS))
    ]
    counts = {part: csr_array(table) for part, table in zip(PARTS, dense, strict=True)}
    total = csr_array(np.sum(dense, axis=0))
    names, terms = [str(row) for row in range(8)], [f"term{column}" for column in range(12)]
    df = np.diff(total.tocsc().indptr).astype(np.int64)
    sample = Sample(names, terms, total, df + term % 3, 30, 9.0)
    values = hit_features(sample, Parts(sample, counts))
    return {name: figures(values[name]) for name in COLUMNS}


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
    whole = weighting.weigh_documents(SCHEME, matrix).T.tocsr()
    topics = weighting.weigh_queries(SCHEME, matrix, matrix.counts[rows])
    features = {}
    for part in PARTS:
        queries = weighting.weigh_queries(SCHEME, matrix, parts.counts[part][rows])
        features[f"{part} of the topic"] = scaled((queries @ whole).toarray(), rows)
        others = weighting.weigh_rows(SCHEME, "ltc", parts.counts[part], matrix)
        features[f"{part} of the other"] = scaled((topics @ others.T).toarray(), rows)
    return features


def few_features(matrix: TermMatrix, rows: NDArray[np.integer]) -> dict[str, Floats]:
    """Compare articles by `whole_scores` and latent semantics, with all products in memory."""
    documents = weighting.weigh_documents(SCHEME, matrix)
    features = whole_scores(matrix, documents, rows)
    values, vectors = np.linalg.eigh((documents @ documents.T).toarray())
    points = vectors * np.sqrt(np.maximum(values, 0.0))  # the least singular value first
    for size in DIMENSIONS:
        k = min(size, min(documents.shape) - 1)
        features[f"latent {size}"] = latent(points[:, -k:], rows)
    return features


def whole_scores(
    matrix: TermMatrix, documents: Sparse, rows: NDArray[np.integer]
) -> dict[str, Floats]:
    """Compare topics with all articles as wholes: by ltc.atn, pmra, and nearest articles."""
    topics = weighting.weigh_queries(SCHEME, matrix, matrix.counts[rows])
    weights = weighting.pmra_weights(matrix)
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
