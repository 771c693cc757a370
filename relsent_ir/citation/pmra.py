"""PubMed's own "similar articles": the pmra model.

``sim(c, d) = Σ_t w(t, c) · w(t, d)``, with the weights of `relsent_ir.counts.weighting`.

References
----------
J. Lin, W. J. Wilbur. PubMed related articles: a probabilistic topic-based model for content
similarity. BMC Bioinformatics 8:423, 2007.
"""

from collections.abc import Sequence

from relsent_ir.citation.weights import row_terms
from relsent_ir.counts.weighting import PMRA_LAMBDA, PMRA_MU, pmra_weights
from relsent_ir.feedback import Smart, SmartSearcher, TermMatrix
from relsent_ir.hits import Run
from relsent_ir.lucene.analyzers import Analysis


def pmra_search(
    matrix: TermMatrix,
    analysis: Analysis,
    ids: Sequence[str],
    k: int = 1000,
    *,
    lambda_: float = PMRA_LAMBDA,
    mu: float = PMRA_MU,
) -> Run:
    """Find the documents most similar to documents of the same matrix, themselves included."""
    weights = pmra_weights(matrix, lambda_, mu)
    rows = weights[matrix.rows(ids)]
    topics = {name: row_terms(matrix, rows, row) for row, name in enumerate(ids)}
    searcher = SmartSearcher(matrix, Smart("nnn.nnn"), analysis, weights=weights)
    return searcher.search(topics, k)
