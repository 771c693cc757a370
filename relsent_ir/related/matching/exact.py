"""The exact M-match: the best-scoring of all sentences, found by an upper bound on their scores.

The match serves methods whose score is ``c + d(A) + d(B) + sum of u[t] over A ∩ B``: learned
weights, I_e, L_e and O3. A word w of B adds at most v(w) to the score::

    v(w) = sum of u[t] over t in A and w with u[t] > 0
         + if w is one of A's words: sum of u[t] / k[t] over t in A and w with u[t] < 0,

where k[t] is the number of A's words that have t. A positive feature counts once in the score and
once for each word of B in the bound; a negative one counts once in the score, and in the bound at
most k times a kth. So ``d(B) + sum of v(w) over B`` is never below the score.

Bounds are whole steps in 16 bits, every summand rounded up: all of them are one sparse product that
the processor's cache holds. Where memory is too small for all, only the largest bound of each few
sentences is stored. Bounds that reach the kth best score are computed again for their sentences,
not rounded up, and only the sentences whose exact bound reaches it are scored.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from threading import Lock
from typing import Any, Final

import numpy as np

from relsent_ir.budget import check
from relsent_ir.related.matching.linear import LinearQuery, LinearScorer, Rows, best_rows
from relsent_ir.typing import Floats, NDArray, Progress

Steps = NDArray[np.int16]

BLOCK: Final = 4  # sentences of a block, which shares one bound, where memory is too small for all
_BOUNDS: Final = 1 << 27  # 256 MB
_TOGETHER: Final = 1 << 18  # bounds that are computed together
_LARGEST: Final = 1 << 15  # sentences, likewise
BATCH: Final = 64  # queries whose bounds are computed together
_GROUP: Final = 64  # blocks, of which the best one may be a seed
_FIRST: Final = 512  # blocks that are searched after the seeds; then four times as many
_LEAST_SEEDS: Final = 256  # blocks whose best sentence is scored first
_WORDS: Final = 30_000  # the most steps that the words of a sentence add up to
_ALONE: Final = 1_000  # the most steps of d
_OUT: Final = np.int16(-(2**15))  # the bound of excluded sentences, below all others
_LONG: Final = 80  # words; 16 bits may be too few for longer sentences, which have no steps
_SHORT: Final = 0.999  # the share of sentences that have steps, whatever their length
_PIECE: Final = 1 << 14  # blocks that are searched together, and words


@dataclass(frozen=True)
class _Bounds:
    """The parts of the bounds of some queries.

    Attributes
    ----------
    queries : sequence of LinearQuery
    excluded : list of ndarray
        The rows that each query excludes.
    values : ndarray of float32, shape (queries, words)
        v, or a little more.
    words : ndarray of int16, shape (words, queries)
        The same in steps.
    steps : ndarray of float64, shape (queries,)
        The size of a step.
    slack : ndarray of float64, shape (queries,)
        A score is at most the sum of ``query.alone``, the slack and the bound.
    block, blocks : int
        The sentences of a block, and the blocks of a part.
    passing : ndarray of bool, shape (sentences,), or None
        The sentences that may be hits; None for all.
    """

    queries: Sequence[LinearQuery]
    excluded: list[Rows]
    values: NDArray[np.float32]
    words: Steps
    steps: Floats
    slack: Floats
    block: int
    blocks: int
    passing: NDArray[np.bool_] | None


class ExactMatcher:
    """A search for the best of all sentences of a store; threads that share one take turns.

    Parameters
    ----------
    scorer : LinearScorer
        Of the store and a model.
    """

    def __init__(self, scorer: LinearScorer) -> None:
        self.scorer = scorer
        self._record, self._alone = scorer.store.record, scorer.alone
        words = scorer.store.sentences.words
        self._starts, self._columns = words.indptr, words.indices
        sizes = np.bincount(np.diff(self._starts), minlength=_LONG + 1)
        self._longest = len(sizes) - 1
        most = int(np.searchsorted(np.cumsum(sizes), len(scorer.store) * _SHORT))
        self._most = min(max(_LONG, most), _WORDS // 2)
        self._long = np.flatnonzero(np.diff(self._starts) > self._most)
        self._highest = float(self._alone.max(initial=-np.inf)) if len(self._alone) else 0.0
        self._farthest = max(self._highest, -float(self._alone.min(initial=0.0)))
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
        best = []
        for start in range(0, len(queries), BATCH):
            with self._turn:
                bounds = self._prepared(queries[start : start + BATCH], passing)
                tops = self._tops(bounds)
                best += [self._top(bounds, i, tops[i], k) for i in range(len(bounds.queries))]
            if progress:
                progress(len(best), len(queries))
        return best

    def _prepared(
        self, queries: Sequence[LinearQuery], passing: NDArray[np.bool_] | None
    ) -> _Bounds:
        """Round the words' bounds up to whole steps, as small as 16 bits allow."""
        scorer = self.scorer
        n = len(scorer.store.lexicon.words)
        values = np.empty((len(queries), n), dtype=np.float32)
        largest, weights = np.empty(len(queries)), np.empty(len(queries))
        longest, features = self._longest + 4, 4
        for i, query in enumerate(queries):
            values[i] = scorer.word_values(query)
            values[i] += np.abs(values[i]) * np.float32(2.0**-21)  # float32 rounds down, too
            largest[i] = values[i].max(initial=0.0)
            weights[i] = np.abs(query.weights).sum() + abs(query.alone) + self._farthest
            features = max(features, len(query.features) + 4)
        # A sum of n numbers in float64 is off by n * 2**-53 times the sum of their sizes.
        slack = longest * (longest + features) * 2.0**-52 * weights
        least = self._highest / _ALONE or self._farthest / _ALONE or 1e-30
        steps = np.maximum(largest / (_WORDS // self._most - 1), least)
        steps = 2.0 ** (np.ceil(2.0 * np.log2(steps)) / 2.0)  # few different ones
        words = _aligned(n, len(queries))
        for first in range(0, n, _PIECE):
            piece = slice(first, first + _PIECE)
            words[piece] = _rounded_up(values[:, piece].T, steps, _WORDS // self._most)
        excluded = [self._record_rows(query) for query in queries]
        rows = min(_TOGETHER // len(queries), _LARGEST, len(self._record))
        block = 1 if len(queries) * len(self._record) <= _BOUNDS else BLOCK
        blocks = (rows // block // _GROUP + 1) * _GROUP
        return _Bounds(queries, excluded, values, words, steps, slack, block, blocks, passing)

    def _parts(self, size: int) -> Iterator[Any]:
        """Yield the words of `size` sentences at a time, as a csr_array of ones."""
        from scipy.sparse import csr_array

        words = self.scorer.store.sentences.words
        ones = np.empty(0, dtype=np.int16)
        part: Any = csr_array((0, 0))
        for first in range(0, words.shape[0], size):
            starts = self._starts[first : first + size + 1]
            columns = self._columns[starts[0] : starts[-1]]
            if len(ones) < len(columns):
                ones = np.ones(len(columns) * 5 // 4, dtype=np.int16)
            if part.shape[0] != len(starts) - 1:
                part = csr_array((len(starts) - 1, words.shape[1]), dtype=np.int16)
            part.indptr = starts - starts[0]
            part.indices, part.data = columns, ones[: len(columns)]  # the constructor would copy
            yield part

    def _tops(self, bounds: _Bounds) -> Steps:
        """Bound all scores, and return the largest bound of each block; shape (queries, blocks).

        A part is as large as the processor's cache, and the sentences of a block are as far apart
        as the part has blocks, so that maxima run along the memory.
        """
        count, blocks = len(bounds.queries), bounds.blocks
        size = blocks * bounds.block
        tops = np.empty((count, -(-len(self._record) // size) * blocks), dtype=np.int16)
        excluded = self._by_part(bounds.excluded, size)
        different, place = np.unique(bounds.steps, return_inverse=True)
        steps = bounds.words[:, 0] if count == 1 else bounds.words
        for number, part in enumerate(self._parts(size)):
            first = number * size
            sums: Steps = (part @ steps).reshape(part.shape[0], count)
            if self._farthest:
                alone = self._alone[first : first + len(sums), None]
                sums += np.take(_rounded_up(alone, different, _ALONE), place, axis=1, mode="clip")
            for i, rows in excluded.get(number, ()):
                sums[rows - first, i] = _OUT
            if bounds.passing is not None:
                sums[~bounds.passing[first : first + len(sums)]] = _OUT
            if len(sums) < size:
                sums = np.concatenate([sums, np.full((size - len(sums), count), _OUT)])
            largest = sums.reshape(bounds.block, blocks, count).max(axis=0)
            tops[:, number * blocks : (number + 1) * blocks] = largest.T
        return tops

    def _by_part(
        self, excluded: list[Rows], size: int
    ) -> dict[int, list[tuple["int | slice", Rows]]]:
        """Return the rows that queries exclude, and long ones, by the number of their part."""
        by_part: dict[int, list[tuple[int | slice, Rows]]] = {}
        each: list[tuple[int | slice, Rows]] = [*enumerate(excluded), (slice(None), self._long)]
        for i, rows in each:
            numbers = rows // size
            for number in np.unique(numbers).tolist():
                by_part.setdefault(number, []).append((i, rows[numbers == number]))
        return by_part

    def _record_rows(self, query: LinearQuery) -> Rows:
        """Return the rows of the record that a query excludes, ascending."""
        if query.record < 0:
            return np.empty(0, dtype=np.intp)
        store = self.scorer.store
        name = store.records[query.record]
        first, end = store.ids.place(f"{name}."), store.ids.place(f"{name}/")  # what follows "."
        return first + np.flatnonzero(self._record[first:end] == query.record)

    def _top(self, bounds: _Bounds, i: int, tops: Steps, k: int) -> tuple[Rows, Floats]:
        """Score the best sentences of the best blocks, then all that may be as good."""
        query = bounds.queries[i]
        seeds = self._seeds(bounds, i, tops, k)
        best, scores = best_rows(seeds, self.scorer.scores(query, seeds), k)
        limit, least = self._limit(bounds, i, scores, k)
        blocks = np.flatnonzero(tops >= least)
        blocks = blocks[np.argsort(-tops[blocks].astype(np.int32), kind="stable")]
        rows = np.setdiff1d(self._long, bounds.excluded[i], assume_unique=True)
        if bounds.passing is not None:
            rows = rows[bounds.passing[rows]]
        start, size = 0, _FIRST
        while True:
            check()
            rows = rows[self._bound(bounds, i, rows) >= limit]
            rows = np.setdiff1d(rows, seeds, assume_unique=True)
            scored = self.scorer.scores(query, rows)
            rows, scored = np.concatenate([best, rows]), np.concatenate([scores, scored])
            best, scores = best_rows(rows, scored, k)
            limit, least = self._limit(bounds, i, scores, k)
            piece = blocks[start : start + size]
            piece = piece[tops[piece] >= least]
            if not len(piece):
                break
            rows = self._rows(bounds, i, piece).reshape(-1)
            rows = rows[rows >= 0]
            start, size = start + size, min(4 * size, _PIECE)
        return best, scores

    def _limit(self, bounds: _Bounds, i: int, scores: Floats, k: int) -> tuple[float, int]:
        """Return the least bound that may reach the kth best score so far, also in steps."""
        if len(scores) < k:
            return -np.inf, int(_OUT) + 1
        limit = float(scores[-1] - bounds.queries[i].alone - bounds.slack[i])
        return limit, max(int(np.floor(limit / bounds.steps[i])), int(_OUT) + 1)

    def _seeds(self, bounds: _Bounds, i: int, tops: Steps, k: int) -> Rows:
        """Return the best sentences of the best blocks of the best groups of blocks."""
        groups = tops.reshape(-1, _GROUP)
        count = min(len(groups), max(_LEAST_SEEDS, 2 * k))
        best = np.argpartition(groups.max(axis=1), len(groups) - count)[len(groups) - count :]
        rows = self._rows(bounds, i, best * _GROUP + groups[best].argmax(axis=1))
        bound = np.full(rows.shape, -np.inf)
        bound[rows >= 0] = self._bound(bounds, i, rows[rows >= 0])
        seeds: Rows = rows[np.arange(len(rows)), bound.argmax(axis=1)]
        return seeds[seeds >= 0]

    def _rows(self, bounds: _Bounds, i: int, blocks: Rows) -> Rows:
        """Return the rows of blocks, -1 for excluded ones; shape (blocks, block)."""
        part, place = np.divmod(blocks, bounds.blocks)
        first = part * (bounds.blocks * bounds.block) + place
        rows = first[:, None] + np.arange(bounds.block) * bounds.blocks
        rows[rows >= len(self._record)] = -1
        if bounds.queries[i].record >= 0:
            rows[self._record[rows] == bounds.queries[i].record] = -1
        if bounds.passing is not None:
            rows[~bounds.passing[rows]] = -1
        if len(self._long):
            rows[self._starts[rows + 1] - self._starts[rows] > self._most] = -1
        return rows

    def _bound(self, bounds: _Bounds, i: int, rows: Rows) -> Floats:
        """Bound the scores of some sentences, not rounded up."""
        sentences = self.scorer.store.sentences.words[rows]
        bound = np.array(self._alone[rows])
        filled = np.flatnonzero(np.diff(sentences.indptr))
        if len(filled):
            values = bounds.values[i][sentences.indices]
            bound[filled] += np.add.reduceat(values.astype(np.float64), sentences.indptr[filled])
        return bound


def _aligned(rows: int, columns: int) -> Steps:
    """Allocate memory in which no row of 32 crosses a cache line of 64 bytes."""
    room = np.empty(rows * columns + 32, dtype=np.int16)
    first = -room.ctypes.data % 64 // 2
    return room[first : first + rows * columns].reshape(rows, columns)


def _rounded_up(values: NDArray[np.floating], steps: Floats, most: int) -> Steps:
    """Return each column of values in whole steps of its own, none below ``-most``."""
    whole = np.ceil(values * (1.0 / steps).astype(values.dtype))
    return np.asarray(np.maximum(whole, -most).astype(np.int16))
