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

d of every sentence of a store is computed once for each model and kept beside the store. The sum
over A ∩ B is taken for many sentences at once: words' features are bits, or-ed over the words of a
sentence, and their weights are looked up byte by byte (`Sharing`).
"""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, field
from threading import Lock, local
from typing import Final

import numpy as np

from relsent_ir.budget import check
from relsent_ir.errors import InputError
from relsent_ir.models import load_folder, save_folder
from relsent_ir.related.features import Lexicon, Sentences, chunks
from relsent_ir.related.formulas import FormulaModel, InverseFrequency, Okapi
from relsent_ir.related.model import FeatureModel, Model, PairMethod
from relsent_ir.related.store import Store
from relsent_ir.related.weights import BoundWeights, WeightModel
from relsent_ir.sparse import csr
from relsent_ir.text.vocabulary import ranges
from relsent_ir.typing import Floats, NDArray, Progress

Rows = NDArray[np.intp]
Bounds = NDArray[np.float32]

BATCH: Final = 16  # queries whose bounds are computed together: a cache line holds a word's values
_BOUNDS: Final = 1 << 26  # largest number of bounds in memory; 256 MB
_PART: Final = 1 << 15  # sentences whose bounds are computed together
_FIRST: Final = 512  # sentences scored first; then four times as many in each step
_LOWEST: Final = np.finfo(np.float32).min
_TINY: Final = np.finfo(np.float32).tiny
KIND: Final = "sentence-numbers"
_SCORED: Final = 8192  # largest number of sentences in a step
_BITS: Final = 48  # of a float64, which holds sums of so many powers of 2 exactly
_TOGETHER: Final = 64 * _BITS  # features whose bits are in memory at once


@dataclass(frozen=True, eq=False)
class Sharing:
    """Compute sums of weights over the features of sentences; threads may share an object.

    Parameters
    ----------
    sentences : Sentences
        Sentences that are mapped from a store.
    """

    sentences: Sentences
    _here: local = field(default_factory=local)

    def sums(self, features: NDArray[np.int32], weights: Floats, rows: Rows) -> Floats:
        """Sum the weights of the features that each sentence has.

        The order of summation is fixed, so that equal sentences have exactly equal sums.
        """
        shared = np.zeros(len(rows))
        for start in range(0, len(features), _TOGETHER):
            part = slice(start, start + _TOGETHER)
            shared += self._shared(features[part], weights[part], rows)
        return shared

    def _shared(self, features: NDArray[np.int32], weights: Floats, rows: Rows) -> Floats:
        """Sum the weights of shared features: bits of words are or-ed, and looked up by byte."""
        shared, matrix = np.zeros(len(rows)), self.sentences.words
        # the sum of the weights of every combination of the bits of each byte; (bytes, 256)
        padded = np.zeros(-(-len(weights) // _BITS) * 64)
        places = np.arange(len(weights))
        padded[places // _BITS * 64 + places % _BITS] = weights
        bits = np.unpackbits(np.arange(256, dtype=np.uint8)[:, None], axis=1, bitorder="little")
        sums = np.asarray(padded.reshape(-1, 8) @ bits.T.astype(np.float64))
        firsts = 256 * np.arange(len(sums), dtype=np.int32)
        for start in range(0, len(rows), _SCORED):
            step = rows[start : start + _SCORED]
            begins = matrix.indptr[step].astype(np.intp)
            sizes = matrix.indptr[step + 1] - begins
            filled = np.flatnonzero(sizes)
            if len(filled):
                words = matrix.indices[ranges(begins, sizes)]
                heads = (np.cumsum(sizes) - sizes)[filled]
                union = np.empty((len(filled), len(sums) // 8), dtype="<u8")
                number, of_words = self._bits(features, words)
                for i, part in enumerate(of_words):
                    union[:, i] = np.bitwise_or.reduceat(part[number], heads)
                looked_up = np.take(sums, union.view(np.uint8) + firsts)
                shared[start + filled] = looked_up.sum(axis=1)
        return shared

    def _bits(
        self, features: NDArray[np.int32], words: NDArray[np.integer]
    ) -> tuple[NDArray[np.int32], NDArray[np.uint64]]:
        """Set a bit for each of some features of a word.

        Returns each word's column, and the bits, of shape (features / 48, different words). A word
        has no feature twice, so that adding powers of 2 sets bits.
        """
        if not hasattr(self._here, "zeros"):  # this thread's, which are 0 again at the end
            features_zeros = np.zeros(len(self.sentences.lexicon), np.int16)
            self._here.zeros = features_zeros, np.zeros(len(self.sentences.lexicon.words), np.int32)
        place_of, number = self._here.zeros  # new ones would take longer than the work on them
        number[words] = 1
        different = np.flatnonzero(number)
        number[different] = np.arange(len(different), dtype=np.int32)
        places = number[words]
        number[different] = 0
        table = self.sentences.lexicon.table[different]
        place_of[features] = np.arange(1, len(features) + 1)
        feature_places = place_of[table.indices]
        place_of[features] = 0
        there = np.flatnonzero(feature_places != 0)
        feature = feature_places[there] - 1
        word = np.repeat(np.arange(len(different), dtype=np.int32), np.diff(table.indptr))[there]
        width = -(-len(features) // _BITS)
        column, bit = np.divmod(np.arange(width * _BITS), _BITS)
        sums = np.bincount(
            word + (column * len(different))[feature],
            weights=np.ldexp(1.0, bit)[feature],
            minlength=width * len(different),
        )
        return places, sums.astype("<u8").reshape(width, len(different))


@dataclass(frozen=True)
class LinearQuery:
    """A sentence to be matched, in the features of a store.

    Attributes
    ----------
    features : ndarray of int32, shape (n,)
        Features of the sentence that are in the store, ascending.
    weights : ndarray of float64, shape (n,)
        The weight u of each feature.
    words : ndarray of int32
        Words of the sentence that are in the store.
    alone : float
        c + d(A).
    record : int
        The record to leave out, as its place in the store's records; -1 for none.
    """

    features: NDArray[np.int32]
    weights: Floats
    words: NDArray[np.int32]
    alone: float
    record: int = -1


def linear(method: PairMethod) -> tuple[Floats, float] | None:
    """Return u and c of a method if its score has the form above, else None."""
    if isinstance(method, BoundWeights):
        return method.shared, method.threshold
    if isinstance(method, InverseFrequency) or (isinstance(method, Okapi) and not method.power):
        return method.weights, 0.0
    return None


class LinearScorer:
    """Score the sentences of a store, and search for the best of all.

    Threads may share a scorer; they search one at a time.

    Parameters
    ----------
    store : Store
    model : FeatureModel
        A model whose method is linear.
    alone : ndarray of float64, shape (sentences,)
        The number d of each sentence of the store.
    """

    def __init__(self, store: Store, model: FeatureModel, alone: Floats) -> None:
        self.store = store
        self.model = model
        self.alone = alone
        self._sharing = Sharing(store.sentences)
        self._longest = int(np.diff(store.sentences.words.indptr).max(initial=0)) + 4
        self._farthest = float(np.abs(alone).max(initial=0.0))
        self._turn = Lock()  # so that only one batch's bounds are in memory

    def queries(self, texts: Sequence[str], records: Sequence[int]) -> list[LinearQuery]:
        """Split texts into features and weight these; `records` are to be left out."""
        sentences = Sentences.from_texts(texts, self.model.stopwords)
        method = self.model.on(sentences.lexicon)
        form = linear(method)
        assert form
        weights, constant = form
        features = self.store.lexicon.locate(sentences.lexicon)
        words = features[: len(sentences.lexicon.words)]
        counts = sentences.counts(slice(None))
        alone = method.sentence(counts)
        queries = []
        for row, record in enumerate(records):
            columns = counts.indices[counts.indptr[row] : counts.indptr[row + 1]]
            columns = columns[features[columns] >= 0]
            columns = columns[np.argsort(features[columns])]
            start, end = sentences.words.indptr[row : row + 2]
            known = words[sentences.words.indices[start:end]]
            known = known[known >= 0]
            number = constant + float(alone[row])
            query = LinearQuery(features[columns], weights[columns], known, number, record)
            queries.append(query)
        return queries

    def scores(self, query: LinearQuery, rows: Rows) -> Floats:
        """Score sentences; shape (rows,).

        The order of summation is fixed, so that equal sentences have exactly equal scores.
        """
        shared = self._sharing.sums(query.features, query.weights, rows)
        return query.alone + self.alone[rows] + shared

    def word_values(self, query: LinearQuery) -> Floats:
        """Compute a bound on the contribution of each word to a score; shape (words,).

        The docstring of the module defines the bound, and proves it.
        """
        lexicon = self.store.lexicon
        gained = np.flatnonzero(query.weights > 0.0)
        begins = lexicon.feature_starts[query.features[gained]].astype(np.intp)
        sizes = lexicon.feature_starts[query.features[gained] + 1] - begins
        words = lexicon.feature_words[ranges(begins, sizes)]
        starts = np.append(0, np.cumsum(sizes)).astype(np.int32)
        shape = len(gained), len(lexicon.words)
        postings = csr((np.ones(len(words)), words, starts), shape=shape)
        bounds = np.asarray(postings.T @ query.weights[gained])
        table = lexicon.table[query.words]
        shared = np.flatnonzero(np.isin(table.indices, query.features))
        word = np.repeat(np.arange(len(query.words)), np.diff(table.indptr))[shared]
        feature = np.searchsorted(query.features, table.indices[shared])
        repeated = np.bincount(feature)
        negative = np.minimum(query.weights, 0.0)[feature] / repeated[feature]
        bounds[query.words] += np.bincount(word, weights=negative, minlength=len(query.words))
        return bounds

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
            The sentences that can be hits; all if None.
        progress : callable, optional
            Called with the number of queries done, and of all.

        Returns
        -------
        list of (rows, scores)
            Score descending, ties by id ascending; fewer than `k` if there are no more.
        """
        best: list[tuple[Rows, Floats]] = []
        store = self.store
        size = max(1, min(BATCH, _BOUNDS // max(1, len(self.alone))))
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
        """Compute bounds on all scores, without `LinearQuery.alone`; shape (queries, sentences).

        The rounding error of a sum of n numbers is at most n 2**-24 times the sum of their sizes.
        """
        words = self.store.sentences.words
        values = np.empty((words.shape[1], len(queries)), dtype=np.float32)
        for i, query in enumerate(queries):
            of_words = self.word_values(query)
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
            bounds += self.alone.astype(np.float32)
        return bounds

    def _best(self, query: LinearQuery, bounds: Bounds, k: int) -> tuple[Rows, Floats]:
        """Score the sentences with the highest bounds, then all that may be as good."""
        size = max(_FIRST, 2 * k)
        least = np.partition(bounds, -size)[-size] if size < len(bounds) else _LOWEST
        rows = np.flatnonzero(bounds >= max(least, _LOWEST))
        best, scores = best_rows(rows, self.scores(query, rows), k)
        rest = np.flatnonzero((bounds >= self._limit(query, scores, k)) & (bounds < least))
        rest = rest[np.argsort(-bounds[rest])]
        while len(rest):
            check()
            rows, rest = rest[:size], rest[size:]
            scores = np.concatenate([scores, self.scores(query, rows)])
            best, scores = best_rows(np.concatenate([best, rows]), scores, k)
            rest, size = rest[bounds[rest] >= self._limit(query, scores, k)], 4 * size
        return best, scores

    def _limit(self, query: LinearQuery, scores: Floats, k: int) -> np.float32:
        """Return the lowest bound with which a sentence may reach the current kth best score.

        The rounding error of a sum of n float64 numbers is at most n 2**-53 times their sizes' sum.
        """
        if len(scores) < k:
            return _LOWEST
        sizes = float(np.abs(query.weights).sum()) + abs(query.alone) + self._farthest
        number = self._longest * (self._longest + len(query.features) + 4)
        limit = float(scores[-1]) - query.alone - number * 2.0**-52 * sizes
        limit -= (abs(limit) + self._farthest) * 2.0**-22 + float(_TINY)  # to 32 bits
        return np.float32(np.nextafter(np.float32(limit), _LOWEST))


def open_scorer(
    store: Store, model: Model, progress: Progress | None = None
) -> LinearScorer | None:
    """Open the scorer of a model on a store; None if the model has another form.

    For a learned model, the first use computes d of every sentence, and saves it.

    Parameters
    ----------
    store : Store
    model : Model
    progress : callable, optional
        Called with the number of sentences done, and of all.

    Raises
    ------
    OutputError
        If d cannot be saved.
    """
    if isinstance(model, FormulaModel):
        zeros = np.broadcast_to(np.float64(0.0), len(store))
        method = model.on(Lexicon.of(()))
        return LinearScorer(store, model, zeros) if linear(method) else None
    if not isinstance(model, WeightModel):
        return None
    digest = hashlib.blake2b(digest_size=6)
    for array in (model.one, *model.lexicon.to_arrays().values()):
        digest.update(array.tobytes())
    path = store.path.with_name(f"{store.path.name}-{digest.hexdigest()}")
    if not path.exists():
        alone = sentence_numbers(model.on(store.lexicon), store.sentences, progress)
        save_folder(path, KIND, {"model": model.name}, {"alone": alone})
    stored = load_folder(path).arrays.get("alone", np.zeros(0))
    if stored.shape != store.record.shape:
        raise InputError("these are no sentences' numbers", where=path, fix="delete the folder")
    return LinearScorer(store, model, stored)


def sentence_numbers(
    method: PairMethod, sentences: Sentences, progress: Progress | None = None
) -> Floats:
    """Compute d of every sentence by a method on the sentences' lexicon; shape (sentences,)."""
    alone = np.empty(len(sentences))
    for part in chunks(len(sentences)):
        alone[part] = method.sentence(sentences.counts(part))
        if progress:
            progress(part.stop, len(sentences))
    return alone


def best_rows(rows: Rows, scores: Floats, k: int) -> tuple[Rows, Floats]:
    """Return the `k` best and their scores; rows are in the order of ids, which breaks ties."""
    if 0 < k < len(rows):  # sorting all rows would take longest
        best = scores >= np.partition(scores, len(scores) - k)[len(scores) - k]
        rows, scores = rows[best], scores[best]
    order = np.lexsort((rows, -scores))[:k]
    return rows[order], scores[order]
