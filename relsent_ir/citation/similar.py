"""Records similar to other records of an index: BM25, more-like-this, SMART, pmra, neighbours.

- *More-like-this* is Lucene's ``org.apache.lucene.queries.mlt.MoreLikeThis`` with its defaults:
  among the terms that occur at least twice in a document and in at least five documents, it takes
  the 25 with the highest tf · idf, with equal weights.
- *pmra* is PubMed's own "similar articles": ``sim(c, d) = Σ_t w(t, c) · w(t, d)``, with the weights
  of `relsent_ir.counts.weighting`.
- *Neighbours* is our own method: a topic moves towards the records nearest to it, and is searched
  again. It gains words that the nearest records have and its own record lacks. This is Rocchio's
  feedback with records as topics, in the space of ltc.ltc.

References
----------
J. Lin, W. J. Wilbur. PubMed related articles: a probabilistic topic-based model for content
similarity. BMC Bioinformatics 8:423, 2007.
"""

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Final, TypeAlias

import numpy as np

from relsent_ir.counts import weighting
from relsent_ir.engines import TermVectors
from relsent_ir.errors import UsageError
from relsent_ir.feedback import SmartSearcher, TermMatrix
from relsent_ir.hits import Run
from relsent_ir.lucene.analyzers import Analysis
from relsent_ir.lucene.read.collection import Indexes
from relsent_ir.lucene.read.index import Index
from relsent_ir.lucene.read.search import open_searcher
from relsent_ir.methods import BM25, Similar, Smart
from relsent_ir.sparse import csr, like
from relsent_ir.typing import Sparse

WeightedTopics: TypeAlias = dict[str, dict[str, float]]
"""Weight by term, by topic."""


def named_rows(
    matrix: TermMatrix | TermVectors, rows: Sparse, names: Iterable[str]
) -> WeightedTopics:
    """Return rows of weights by term, keyed by name."""
    named: WeightedTopics = {}
    for row, name in enumerate(names):
        span = slice(rows.indptr[row], rows.indptr[row + 1])
        terms = (matrix.terms[column] for column in rows.indices[span])
        named[name] = dict(zip(terms, map(float, rows.data[span]), strict=True))
    return named


def more_like_this(
    counts: Mapping[str, int],
    df: Mapping[str, int],
    n: int,
    *,
    max_terms: int = 25,
    min_tf: int = 2,
    min_df: int = 5,
) -> dict[str, float]:
    """Choose the terms of a document.

    Parameters
    ----------
    counts : mapping of str to int
        Counts of the document's terms.
    df : mapping of str to int
        Numbers of documents that have each term.
    n : int
        Number of documents in the index.
    max_terms : int
        Largest number of terms to choose.
    min_tf, min_df : int
        Least count of a term in the document, and least number of documents that have it.

    Returns
    -------
    dict of str to float
        1 for each term, the best term first; ties are sorted by term.
    """
    scored = [
        (-tf * (1 + math.log((n + 1) / (df[term] + 1))), term)
        for term, tf in counts.items()
        if tf >= min_tf and df[term] >= min_df
    ]
    return {term: 1.0 for _, term in sorted(scored)[:max_terms]}


NEAREST: Final = 10
BETA: Final = 1.0
"""The values were chosen on the development halves of docs/results/tbahriti-2004.md."""
SPACE: Final = Smart("ltc.ltc")


class Neighbours:
    """Find the documents that are most similar to documents of a matrix.

    Parameters
    ----------
    matrix : TermMatrix
    analysis : Analysis
    """

    def __init__(self, matrix: TermMatrix, analysis: Analysis) -> None:
        self.matrix = matrix
        self._weights = weighting.weigh_rows(SPACE, SPACE.document, matrix.counts, matrix)
        self._searcher = SmartSearcher(matrix, SPACE, analysis, weights=self._weights)

    def search(
        self, ids: Sequence[str], k: int = 1000, *, nearest: int = NEAREST, beta: float = BETA
    ) -> Run:
        """Find the documents most similar to some documents, including these.

        Parameters
        ----------
        ids : sequence of str
            The documents that are topics.
        k : int
            Number of hits for each document.
        nearest : int
            Number of first hits towards which a topic moves, weighted by 1/√rank.
        beta : float
            How far a topic moves; its own vector and that of the nearest have length 1.
        """
        rows = self._weights[self.matrix.rows(ids)]
        return self.search_weights(rows, ids, ids, k, nearest=nearest, beta=beta)

    def weigh(self, bags: Sequence[Mapping[str, int]]) -> Sparse:
        """Weight the terms of texts, and return rows for `search_weights`."""
        return weighting.weigh_rows(SPACE, SPACE.query, self.matrix.bags(bags), self.matrix)

    def search_weights(
        self,
        weights: Sparse,
        names: Sequence[str],
        own: Sequence[str | None],
        k: int = 1000,
        *,
        nearest: int = NEAREST,
        beta: float = BETA,
    ) -> Run:
        """Find the documents most similar to rows of weights, as `search` does.

        Parameters
        ----------
        weights : scipy.sparse.csr_array, shape (topics, m)
            Rows of length 1.
        names : sequence of str
            The ids of the topics.
        own : sequence of str or None
            The document that is the topic; a topic does not move towards itself.
        k, nearest, beta
            As in `search`.
        """
        matrix = self.matrix
        first = self._searcher.search(named_rows(matrix, weights, names), nearest + 1)
        lists = [
            first[name].without(itself or "").ids.tolist()[:nearest]
            for name, itself in zip(names, own, strict=True)
        ]
        sizes = list(map(len, lists))
        shares = np.concatenate([np.empty(0), *(1 / np.sqrt(np.arange(1, n + 1)) for n in sizes)])
        places = matrix.rows(name for of in lists for name in of)
        starts = np.cumsum([0, *sizes])
        nearby = csr((shares, places, starts), (len(lists), len(matrix))) @ self._weights
        moved = weights + beta * _unit(nearby)
        return self._searcher.search(named_rows(matrix, moved.tocsr(), names), k)


def _unit(rows: Sparse) -> Sparse:
    """Scale rows to length 1."""
    lengths = np.sqrt(np.asarray(rows.multiply(rows).sum(axis=1)).ravel())
    data = rows.data / np.repeat(np.where(lengths, lengths, 1), np.diff(rows.indptr))
    return like(rows, data)


def pmra_search(
    matrix: TermMatrix,
    analysis: Analysis,
    ids: Sequence[str],
    k: int = 1000,
    *,
    lambda_: float = weighting.PMRA_LAMBDA,
    mu: float = weighting.PMRA_MU,
) -> Run:
    """Find the documents most similar to documents of a matrix, including these."""
    weights = weighting.pmra_weights(matrix, lambda_, mu)
    rows = weights[matrix.rows(ids)]
    searcher = SmartSearcher(matrix, Smart("nnn.nnn"), analysis, weights=weights)
    return searcher.search(named_rows(matrix, rows, ids), k)


DEFAULT: Final = "neighbours"
BY_BM25: Final = ("bm25", "more-like-this")
METHODS: Final = (*BY_BM25, "pmra", DEFAULT)
"""The methods, in addition to SMART schemes such as ``ltc.atn``."""


def find_similar(
    collection: Indexes, ids: Sequence[str], method: Similar | str = Similar(), k: int = 1000
) -> Run:
    """Rank all other records by their similarity to given records.

    Parameters
    ----------
    collection : Indexes
    ids : sequence of str
        The records that are topics.
    method : Similar or str
        A name stands for ``Similar(name)``: one of `METHODS`, or a SMART scheme.
    k : int
        Number of hits for each record.

    Raises
    ------
    InputError
        If a record is not in the index.
    UsageError
        If the method is unknown.
    """
    way = Similar(method) if isinstance(method, str) else method
    method = way.method
    if method not in METHODS:
        try:
            Smart(method)
        except UsageError:
            fix = f"one of {', '.join(METHODS)}, or as ltc.atn"
            raise UsageError(f"no method {method!r}", fix=fix) from None
    index, analysis = collection.abstracts, collection.facts.analysis
    topics = document_terms(index, ids)
    if method == "pmra":
        rates = (("lambda_", way.lambda_), ("mu", way.mu))
        given = {name: rate for name, rate in rates if rate is not None}
        run = pmra_search(TermMatrix.read(index), analysis, ids, k + 1, **given)
    elif method == DEFAULT:
        run = Neighbours(TermMatrix.read(index), analysis).search(ids, k + 1)
    elif method in METHODS:
        weights: WeightedTopics = {name: dict(terms) for name, terms in topics.items()}
        if method == "more-like-this":
            terms = sorted({term for counts in topics.values() for term in counts})
            df = dict(zip(terms, index.frequencies(terms).tolist(), strict=True))
            weights = {n: more_like_this(of, df, len(index)) for n, of in topics.items()}
        run = open_searcher(index, BM25(way.k1, way.b)).search(weights, k + 1)
    else:
        matrix, smart = TermMatrix.read(index), Smart(method)
        bags = matrix.bags(list(topics.values()))
        queries = weighting.weigh_rows(smart, smart.query, bags, matrix)
        searcher = SmartSearcher(matrix, smart, analysis)
        run = searcher.search(named_rows(matrix, queries, topics), k + 1)
    return Run((name, hits.without(name).head(k)) for name, hits in run.items())


def document_terms(index: Index, ids: Sequence[str]) -> dict[str, Counter[str]]:
    """Count the analysed terms of records' `contents`.

    Raises
    ------
    InputError
        If a record is not in the index.
    """
    vectors = index.vectors(ids)
    rows = named_rows(vectors, vectors.counts, ids)
    return {name: Counter({t: int(n) for t, n in of.items()}) for name, of in rows.items()}
