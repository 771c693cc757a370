"""PubMed's own "similar articles": the pmra model.

``sim(c, d) = Σ_t w(t, c) · w(t, d)`` with ``w = √idf / (1 + (μ/λ)^(tf-1) · e^((λ-μ) · length))``:
the probability that a document is about a term when it has the term tf times, two Poisson
distributions being mixed (λ for documents about the term, μ for others).

References
----------
J. Lin, W. J. Wilbur. PubMed related articles: a probabilistic topic-based model for content
similarity. BMC Bioinformatics 8:423, 2007.
"""

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

import numpy as np

from relsent_ir.citation.weights import row_terms
from relsent_ir.errors import UsageError
from relsent_ir.feedback import Smart, SmartSearcher, TermMatrix
from relsent_ir.hits import Run
from relsent_ir.lucene.analyzers import Analysis

if TYPE_CHECKING:
    from scipy.sparse import csr_array

LAMBDA: Final = 0.022
MU: Final = 0.013
"""As the paper tuned them, per term of a document."""


def pmra_weights(matrix: TermMatrix, lambda_: float = LAMBDA, mu: float = MU) -> "csr_array":
    """Weigh the terms of all documents; a document is weighed alike as topic and as target.

    Parameters
    ----------
    matrix : TermMatrix
    lambda_, mu : float
        Rates of a term in documents that are about it, and that are not.

    Returns
    -------
    scipy.sparse.csr_array of float64, shape of the matrix's counts

    Raises
    ------
    UsageError
        If a rate is not above 0.
    """
    if not (0 < lambda_ < math.inf and 0 < mu < math.inf):
        raise UsageError(f"lambda {lambda_}, mu {mu}", fix="both above 0, as 0.022 and 0.013")
    from scipy.sparse import csr_array
    from scipy.special import expit

    counts = matrix.counts
    lengths = np.repeat(np.asarray(counts.sum(axis=1)).ravel(), np.diff(counts.indptr))
    idf = np.log(max(1, len(matrix)) / np.maximum(matrix.df, 1))
    about = expit((counts.data - 1) * np.log(lambda_ / mu) - (lambda_ - mu) * lengths)
    weights = np.sqrt(idf)[counts.indices] * about
    return csr_array((weights, counts.indices, counts.indptr), shape=counts.shape)


def pmra_search(
    matrix: TermMatrix,
    analysis: Analysis,
    ids: Sequence[str],
    k: int = 1000,
    *,
    lambda_: float = LAMBDA,
    mu: float = MU,
) -> Run:
    """Find the documents most similar to documents of the same matrix, themselves included."""
    weights = pmra_weights(matrix, lambda_, mu)
    rows = weights[matrix.rows(ids)]
    topics = {name: row_terms(matrix, rows, row) for row, name in enumerate(ids)}
    searcher = SmartSearcher(matrix, Smart.parse("nnn.nnn"), analysis, weights=weights)
    return searcher.search(topics, k)
