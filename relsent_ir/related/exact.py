"""The exact M-match: the best-scoring of all sentences, found by an upper bound on their scores.

For methods whose score is ``c + d(A) + d(B) + sum of u[t] over A ∩ B``: learned weights, I_e, L_e
and O3. What a word w of B can add to the score is at most

    v(w) = sum of u[t] over t in A and w with u[t] > 0
         + if w is one of A's words: sum of u[t] / k[t] over t in A and w with u[t] < 0,

k[t] the number of A's words that have t. A positive feature counts once in the score and once for
each word of B in the bound; a negative one counts once in the score, and in the bound at most k
times a kth. So ``d(B) + sum of v(w) over B`` is never below the score, all of them are one sparse
product, and only sentences whose bound reaches the kth best score are scored. The cosines of
Huber+'s candidates are one product more, and need no bound: all are added as they are.
"""

from collections.abc import Callable, Sequence
from functools import cached_property
from threading import Lock
from typing import TYPE_CHECKING, Final

import numpy as np
from numpy.typing import NDArray

from relsent_ir.related.contrast import Vectors
from relsent_ir.related.linear import LinearScorer, Query, Rows, best_rows
from relsent_ir.typing import Floats

if TYPE_CHECKING:
    from scipy.sparse import csr_array

BLOCK: Final = 64  # sentences of which the largest bound is looked at first
_ROWS: Final = 256 * BLOCK  # sentences whose bounds are worked out together
BATCH: Final = 16  # queries whose bounds are worked out together
_BOUNDS: Final = 1 << 26  # bounds that are in memory at a time
_LEAST_SEEDS: Final = 512  # blocks whose best sentence is scored first


class ExactMatcher:
    """Finds the best of all sentences of a store; threads that share one take turns.

    Parameters
    ----------
    scorer : LinearScorer
        Of the store and a model.
    """

    def __init__(self, scorer: LinearScorer) -> None:
        self.scorer = scorer
        self._record = np.asarray(scorer.store.record)
        self._alone = np.asarray(scorer.alone, dtype=np.float32)
        self._farthest = float(np.abs(self._alone).max(initial=0.0))
        starts = np.asarray(scorer.store.sentences.words.indptr)
        self._longest = int(np.diff(starts).max(initial=0))
        self._room = np.empty((0, 0), dtype=np.float32)  # for bounds: it is not asked for anew
        self._turn = Lock()  # to use the room

    @cached_property
    def _words(self) -> "list[csr_array]":
        """Which words each sentence has: float32 ones, shape (`_ROWS`, words) each.

        All share one array of ones; what is worked out of one part stays in the processor's cache.
        """
        from scipy.sparse import csr_array

        words = self.scorer.store.sentences.words
        starts, columns = np.asarray(words.indptr), np.asarray(words.indices)
        cuts = [starts[first : first + _ROWS + 1] for first in range(0, words.shape[0], _ROWS)]
        ones = np.ones(max(int(cut[-1] - cut[0]) for cut in cuts), dtype=np.float32)
        return [
            csr_array(
                (ones[: cut[-1] - cut[0]], columns[cut[0] : cut[-1]], cut - cut[0]),
                shape=(len(cut) - 1, words.shape[1]),
            )
            for cut in cuts
        ]

    def best(self, queries: Sequence[Query], k: int) -> list[tuple[Rows, Floats]]:
        """Find the `k` best sentences for each query, out of all.

        Returns
        -------
        list of (rows, scores)
            Score descending, ties by id ascending; fewer than `k` if there are no more.
        """
        size = max(1, min(BATCH, _BOUNDS // len(self._record)))
        found = []
        for start in range(0, len(queries), size):
            with self._turn:
                found += self._best(queries[start : start + size], k)
        return found

    def _best(self, queries: Sequence[Query], k: int) -> list[tuple[Rows, Floats]]:
        scorer = self.scorer
        postings = [scorer.postings(query) for query in queries]
        words = np.empty((len(scorer.store.lexicon.words), len(queries)), dtype=np.float32)
        below = np.empty(len(queries))
        for i, query in enumerate(queries):
            values = scorer.word_values(query, postings[i])
            words[:, i] = values
            below[i] = np.minimum(values, 0.0).sum()
        bounds, tops = self._bounds(queries, words)
        rounding = most = 0.0
        if scorer.cosines:
            rounding, most = scorer.cosines.slack, abs(scorer.cosines.weight)
        whole = len(bounds) // BLOCK * BLOCK
        blocks = bounds[:whole].reshape(-1, BLOCK, len(queries))
        found = []
        for i, query in enumerate(queries):
            last = whole + np.flatnonzero(bounds[whole:, i] > -np.inf)
            largest = max(tops[i].max(initial=0.0), bounds[whole:, i].max(initial=0.0))
            slack = query.alone + self._slack(float(largest) + most, float(below[i])) + rounding
            scores = scorer.scores_of(query, postings[i])
            found.append(_top(scores, blocks[:, :, i], tops[i], last, k, slack))
        return found

    def _bounds(self, queries: Sequence[Query], words: Vectors) -> tuple[Vectors, Vectors]:
        """Bound all scores; shape (sentences, queries), and the largest of each whole block."""
        if self._room.shape[1] != len(queries):
            self._room = np.empty((len(self._record), len(queries)), dtype=np.float32)
        bounds = self._room
        tops = np.empty((len(queries), len(bounds) // BLOCK), dtype=np.float32)
        vectors = np.stack([query.vector for query in queries])
        left_out = self._own_rows(queries)
        for number, part in enumerate(self._words):
            first = number * _ROWS
            here = slice(first, first + part.shape[0])
            some = part @ words
            some += self._alone[here, None]
            if self.scorer.cosines:
                self.scorer.cosines.add_all(vectors, some, first)
            for i, rows in left_out.get(number, ()):
                some[rows, i] = -np.inf
            bounds[here] = some
            whole = len(some) // BLOCK
            blocks = some[: whole * BLOCK].reshape(whole, BLOCK, len(queries))
            tops[:, first // BLOCK : first // BLOCK + whole] = blocks.max(axis=1).T
        return bounds, tops

    def _own_rows(self, queries: Sequence[Query]) -> dict[int, list[tuple[int, Rows]]]:
        """By the number of a part, the queries that leave out some of its rows, and which."""
        found: dict[int, list[tuple[int, Rows]]] = {}
        order, starts = self._by_record
        for i, query in enumerate(queries):
            if query.record >= 0:
                rows = order[starts[query.record] : starts[query.record + 1]]
                for number in np.unique(rows // _ROWS).tolist():
                    own = rows[rows // _ROWS == number] - number * _ROWS
                    found.setdefault(number, []).append((i, own))
        return found

    @cached_property
    def _by_record(self) -> tuple[Rows, Rows]:
        """All rows by record, and where each record's begin."""
        order = np.argsort(self._record, kind="stable")
        sizes = np.bincount(self._record, minlength=len(self.scorer.store.records))
        return order, np.concatenate([[0], np.cumsum(sizes)])

    def _slack(self, top: float, below: float) -> float:
        """By how much a bound in float32 may lie under the real one, twice over.

        A sum of L numbers is off by at most L * 2**-24 times the sum of their sizes; that is at
        most the largest sum, which is the largest bound less d, and twice what is below 0.
        """
        largest = abs(top) + 2.0 * self._farthest - 3.0 * below
        return (self._longest + 4) * 2.0**-23 * largest


def _top(
    score: Callable[[Rows], Floats],
    blocks: NDArray[np.float32],
    tops: NDArray[np.float32],
    last: Rows,
    k: int,
    slack: float,
) -> tuple[Rows, Floats]:
    """Score the best of the best blocks and the `last` rows, then all that may be as good.

    Parameters
    ----------
    score : callable
        Gives rows' scores.
    blocks : ndarray of float32, shape (blocks, BLOCK)
        The bounds.
    tops : ndarray of float32, shape (blocks,)
        The largest of each block.
    last : ndarray of int
        Rows that are in no block.
    k : int
    slack : float
        A score is at most the bound plus this.
    """
    seeds = min(len(tops), max(_LEAST_SEEDS, 2 * k))
    best = np.argpartition(tops, len(tops) - seeds)[len(tops) - seeds :] if seeds else last[:0]
    rows = best * BLOCK + blocks[best].argmax(axis=1)
    rows = np.concatenate([rows[tops[best] > -np.inf], last])
    scores = score(rows)
    limit = float(np.finfo(np.float32).min)
    if len(rows) >= k:
        limit = float(np.partition(scores, len(rows) - k)[len(rows) - k]) - slack
    left = np.flatnonzero(tops >= limit)
    block, place = np.nonzero(blocks[left] >= limit)
    others = np.setdiff1d(left[block] * BLOCK + place, rows, assume_unique=True)
    return best_rows(np.concatenate([rows, others]), np.concatenate([scores, score(others)]), k)
