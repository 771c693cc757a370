"""The first hits of sampled sentences and their scores, while a model is trained.

What `relsent_ir.related.exact` does for a collection that is indexed for matching is done here for
the sentences in memory, and more simply: sentences are scored in the order of an upper bound until
none that is left can be better. Huber+ is asked for the best of its candidates' score.
"""

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from relsent_ir.related.candidates import CandidateModel
from relsent_ir.related.contrast import Vectors
from relsent_ir.related.corpus import Corpus
from relsent_ir.related.features import chunks
from relsent_ir.related.huber_plus import HuberPlusModel
from relsent_ir.related.scoring import Model, query_method_scores
from relsent_ir.related.weights import WeightModel
from relsent_ir.typing import Floats, Progress

CANDIDATES: Final = 1000
HITS: Final = 10
_FIRST: Final = 4096  # sentences that are scored at first


@dataclass(frozen=True)
class FirstHits:
    """What sampled sentences find among all others.

    Attributes
    ----------
    scores : ndarray of float64, shape (hits,)
        Of the first `HITS` sentences for each sampled one, its own record's among them.
    own : ndarray of bool, shape (hits,)
        Whether the hit is of the sentence's own record.
    best : ndarray of float64, shape (sampled sentences,)
        The best score of other records' sentences, minus infinity where there is none.
    """

    scores: Floats
    own: NDArray[np.bool_]
    best: Floats


def first_hits(
    model: Model,
    corpus: Corpus,
    kept: NDArray[np.bool_],
    sample: NDArray[np.integer],
    progress: Progress | None = None,
) -> FirstHits:
    """Find the first hits of sentences, and how well they are matched in other records.

    Parameters
    ----------
    model : Model
        Of weights, or Huber+.
    corpus : Corpus
    kept : ndarray of bool, shape (sentences,)
        The sentences that may be hits.
    sample : ndarray of int
        Rows of the corpus.
    progress : callable, optional
        Gets the number of sentences done, and of all.
    """
    linear, unit = model, np.zeros((len(corpus), 1), dtype=np.float32)
    weight = 0.0
    if isinstance(model, HuberPlusModel):
        linear, weight = model.candidates, model.candidates.cosine
        measures = model.knowledge.on(corpus.sentences.lexicon)
        unit = measures.sentence_vectors(corpus.sentences.words)
    assert isinstance(linear, WeightModel | CandidateModel)
    search = _Search(linear, corpus, kept, unit, weight)
    best = np.full(len(sample), -np.inf)
    hits, owns = [np.empty(0)], [np.empty(0, dtype=bool)]
    for i, query in enumerate(sample.tolist()):
        if model is linear:
            scores = search.best(query, HITS)[1]
        else:
            rows = search.best(query, CANDIDATES)[0]
            scores = model.query_scores(corpus.sentences, query, rows)
        best[i] = scores.max(initial=-np.inf)
        beside = np.flatnonzero(kept & (corpus.record == corpus.record[query]))
        beside = beside[beside != query]
        together = np.append(scores, model.query_scores(corpus.sentences, query, beside))
        first = np.argsort(-together, kind="stable")[:HITS]
        hits.append(together[first])
        owns.append(first >= len(scores))
        if progress:
            progress(i + 1, len(sample))
    return FirstHits(np.concatenate(hits), np.concatenate(owns), best)


class _Search:
    """Searches the sentences of a corpus by linear weights, and by the cosines of vectors."""

    def __init__(
        self,
        model: WeightModel | CandidateModel,
        corpus: Corpus,
        kept: NDArray[np.bool_],
        unit: Vectors,
        weight: float,
    ) -> None:
        from scipy.sparse import csr_array

        self.unit, self.weight = unit, weight

        self.corpus = corpus
        self.kept = kept
        sentences = corpus.sentences
        self.method = model.on(sentences.lexicon)
        self.alone = np.empty(len(sentences))
        for part in chunks(len(sentences)):
            self.alone[part] = self.method.sentence(sentences.counts(part))
        words = sentences.words
        shape = words.shape
        self.words = csr_array((np.ones(words.nnz), words.indices, words.indptr), shape=shape)
        self.table = sentences.lexicon.binary.astype(np.float64)

    def best(self, query: int, k: int) -> tuple[NDArray[np.intp], Floats]:
        """Find the `k` best sentences of other records; rows and scores, in no order."""
        sentences, record = self.corpus.sentences, self.corpus.record
        own = sentences.counts(slice(query, query + 1)).indices
        gains = np.zeros(len(sentences.lexicon))
        gains[own] = np.maximum(self.method.shared[own], 0.0)
        bounds = self.words @ (self.table @ gains)
        cosines = self.weight * (self.unit @ self.unit[query]).astype(np.float64)
        bounds += self.alone + self.alone[query] + self.method.threshold + cosines
        bounds[~self.kept | (record == record[query])] = -np.inf
        possible = int(np.isfinite(bounds).sum())
        count = min(max(_FIRST, k), possible)
        while True:
            rows = np.argpartition(-bounds, count - 1)[:count] if count else np.arange(0)
            scores = query_method_scores([self.method], sentences, query, rows)[0] + cosines[rows]
            first = np.argsort(-scores, kind="stable")[:k]
            if count == possible or scores[first[-1]] >= bounds[rows].min():
                return rows[first], scores[first]
            count = min(4 * count, possible)
