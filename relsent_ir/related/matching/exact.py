"""The exact M-match: the best-scoring of all sentences, found by an upper bound on their scores.

The match serves methods whose score is ``c + d(A) + d(B) + sum of u[t] over A ∩ B``: learned
weights, I_e, L_e and O3. A word w of B adds at most v(w) to the score::

    v(w) = sum of u[t] over t in A and w with u[t] > 0
         + if w is one of A's words: sum of u[t] / k[t] over t in A and w with u[t] < 0,

where k[t] is the number of A's words that have t. A positive feature counts once in the score and
once for each word of B in the bound; a negative one counts once in the score, and in the bound at
most k times a kth. So ``d(B) + sum of v(w) over B`` is never below the score.

The bounds of all sentences are one sparse product. Sentences are scored by falling bounds, until
the next bound is below the kth best score by more than rounding can explain.
"""

from collections.abc import Sequence
from threading import Lock
from typing import Final

import numpy as np

from relsent_ir.budget import check
from relsent_ir.related.matching.linear import LinearQuery, LinearScorer, Rows, best_rows
from relsent_ir.sparse import csr
from relsent_ir.typing import Floats, NDArray, Progress

BATCH: Final = 16  # queries whose bounds are computed together: a cache line of a word's values
_BOUNDS: Final = 1 << 26  # bounds in memory, at most; 256 MB
_PART: Final = 1 << 15  # sentences that are bounded together
_FIRST: Final = 512  # sentences that are scored first; then four times as many
_LOWEST: Final = np.finfo(np.float32).min
_TINY: Final = np.finfo(np.float32).tiny

Bounds = NDArray[np.float32]


class ExactMatcher:
    """A search for the best of all sentences of a store; threads that share one take turns.

    Parameters
    ----------
    scorer : LinearScorer
        Of the store and a model.
    """

    def __init__(self, scorer: LinearScorer) -> None:
        self.scorer = scorer
        self._alone = scorer.alone
        self._longest = int(np.diff(scorer.store.sentences.words.indptr).max(initial=0)) + 4
        self._farthest = float(np.abs(self._alone).max(initial=0.0))
        self._turn = Lock()  # so that memory holds the bounds of one batch alone

    def best(
        self,
        queries: Sequence[LinearQuery],
        k: int,
        passing: NDArray[np.bool_] | None = None,
        progress: Progress | None = None,
    ) -> list[tuple[Rows, Floats]]:
        """Find the `k` best sentences for each query, out of all.

        Parameters
        ----------
        queries : sequence of LinearQuery
        k : int
        passing : ndarray of bool, shape (sentences,), optional
            The sentences that may be hits; all if None.
        progress : callable, optional
            Called with the number of queries done, and of all.

        Returns
        -------
        list of (rows, scores)
            Score descending, ties by id ascending; fewer than `k` if there are no more.
        """
        best: list[tuple[Rows, Floats]] = []
        store = self.scorer.store
        size = max(1, min(BATCH, _BOUNDS // max(1, len(self._alone))))
        for start in range(0, len(queries), size):
            batch = queries[start : start + size]
            with self._turn:
                for query, bounds in zip(batch, self._bounds(batch), strict=True):
                    if query.record >= 0:
                        name = store.records[query.record]
                        first, end = store.ids.place(f"{name}."), store.ids.place(f"{name}/")
                        of_record = store.record[first:end] == query.record  # "/" follows "."
                        bounds[first:end][of_record] = -np.inf
                    if passing is not None:
                        bounds[~passing] = -np.inf
                    best.append(self._best(query, bounds, k))
            if progress:
                progress(len(best), len(queries))
        return best

    def _bounds(self, queries: Sequence[LinearQuery]) -> Bounds:
        """Bound the scores of all sentences, without `LinearQuery.alone`; (queries, sentences).

        A sum of n numbers is off by n 2**-24 times the sum of their sizes, at most.
        """
        words = self.scorer.store.sentences.words
        values = np.empty((words.shape[1], len(queries)), dtype=np.float32)
        for i, query in enumerate(queries):
            of_words = self.scorer.word_values(query)
            values[:, i] = of_words + np.abs(of_words) * (self._longest * 2.0**-22)
        bounds = np.empty((len(queries), words.shape[0]), dtype=np.float32)
        ones = np.ones(1, dtype=np.float32)
        for first in range(0, words.shape[0], _PART):
            starts = words.indptr[first : first + _PART + 1]
            columns = words.indices[starts[0] : starts[-1]]
            if len(ones) < len(columns):
                ones = np.ones(len(columns), dtype=np.float32)
            shape = len(starts) - 1, words.shape[1]
            part = csr((ones[: len(columns)], columns, starts - starts[0]), shape=shape)
            sums = part @ (values[:, 0] if len(queries) == 1 else values)
            bounds[:, first : first + _PART] = sums.reshape(shape[0], -1).T
        if self._farthest:
            bounds += self._alone.astype(np.float32)
        return bounds

    def _best(self, query: LinearQuery, bounds: Bounds, k: int) -> tuple[Rows, Floats]:
        """Score the sentences of the highest bounds, then all that may be as good."""
        size = max(_FIRST, 2 * k)
        least = np.partition(bounds, -size)[-size] if size < len(bounds) else _LOWEST
        rows = np.flatnonzero(bounds >= max(least, _LOWEST))
        best, scores = best_rows(rows, self.scorer.scores(query, rows), k)
        rest = np.flatnonzero((bounds >= self._limit(query, scores, k)) & (bounds < least))
        rest = rest[np.argsort(-bounds[rest])]
        while len(rest):
            check()
            rows, rest = rest[:size], rest[size:]
            scores = np.concatenate([scores, self.scorer.scores(query, rows)])
            best, scores = best_rows(np.concatenate([best, rows]), scores, k)
            rest, size = rest[bounds[rest] >= self._limit(query, scores, k)], 4 * size
        return best, scores

    def _limit(self, query: LinearQuery, scores: Floats, k: int) -> np.float32:
        """Return the least bound that may reach the kth best score so far.

        A sum of n numbers of 64 bits is off by n 2**-53 times the sum of their sizes, at most.
        """
        if len(scores) < k:
            return _LOWEST
        sizes = float(np.abs(query.weights).sum()) + abs(query.alone) + self._farthest
        number = self._longest * (self._longest + len(query.features) + 4)
        limit = float(scores[-1]) - query.alone - number * 2.0**-52 * sizes
        limit -= (abs(limit) + self._farthest) * 2.0**-22 + float(_TINY)  # to 32 bits
        return np.float32(np.nextafter(np.float32(limit), _LOWEST))
