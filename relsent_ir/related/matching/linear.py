"""Scores that are linear in the features: learned weights, I_e, L_e and O3, on a store.

They have the form ``c + d(A) + d(B) + sum of u[t] over A ∩ B``; d of every sentence of a store is
computed once for each model and kept beside the store.

The sum over A ∩ B is taken for many sentences at once: words' features are bits, or-ed over the
words of a sentence, and their weights are looked up byte by byte (`Sharing`).
"""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from threading import local
from typing import Final

import numpy as np

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

KIND: Final = "sentence-numbers"
_SCORED: Final = 8192  # sentences of a step
_BITS: Final = 48  # of a float64, which holds sums of so many powers of 2 exactly
_TOGETHER: Final = 64 * _BITS  # features whose bits are in memory at a time


class Sharing:
    """Sums of weights over the features that sentences have; threads may share one.

    Parameters
    ----------
    sentences : Sentences
        Mapped from a store.
    """

    def __init__(self, sentences: Sentences) -> None:
        self._lexicon = sentences.lexicon
        self._starts, self._columns = sentences.words.indptr, sentences.words.indices
        self._here = local()

    def sums(self, features: NDArray[np.int32], weights: Floats, rows: Rows) -> Floats:
        """Sum the weights of those features that each sentence has.

        The sum always runs in the same order, so that equal sentences have equal sums to the bit.
        """
        shared = np.zeros(len(rows))
        for start in range(0, len(features), _TOGETHER):
            part = slice(start, start + _TOGETHER)
            shared += self._shared(features[part], weights[part], rows)
        return shared

    def _shared(self, features: NDArray[np.int32], weights: Floats, rows: Rows) -> Floats:
        """Sum the weights of shared features: words' bits or-ed, looked up byte by byte."""
        shared = np.zeros(len(rows))
        # the sum of the weights of every combination of the bits of each byte; (bytes, 256)
        padded = np.zeros(-(-len(weights) // _BITS) * 64)
        places = np.arange(len(weights))
        padded[places // _BITS * 64 + places % _BITS] = weights
        bits = np.unpackbits(np.arange(256, dtype=np.uint8)[:, None], axis=1, bitorder="little")
        sums = np.asarray(padded.reshape(-1, 8) @ bits.T.astype(np.float64))
        firsts = 256 * np.arange(len(sums), dtype=np.int32)
        for start in range(0, len(rows), _SCORED):
            step = rows[start : start + _SCORED]
            begins = self._starts[step].astype(np.intp)
            sizes = self._starts[step + 1] - begins
            filled = np.flatnonzero(sizes)
            if len(filled):
                words = self._columns[ranges(begins, sizes)]
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
        """Set a bit for each of some features that a word has.

        Returns each word's column, and the bits, of shape (features / 48, different words). A word
        has no feature twice, so that adding powers of 2 sets bits.
        """
        if not hasattr(self._here, "zeros"):  # this thread's, which are 0 again at the end
            features_zeros = np.zeros(len(self._lexicon), np.int16)
            self._here.zeros = features_zeros, np.zeros(len(self._lexicon.words), np.int32)
        place_of, number = self._here.zeros  # new ones would take longer than the work on them
        number[words] = 1
        different = np.flatnonzero(number)
        number[different] = np.arange(len(different), dtype=np.int32)
        places = number[words]
        number[different] = 0
        table = self._lexicon.table[different]
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
    """A sentence to match, in the features of a store.

    Attributes
    ----------
    features : ndarray of int32, shape (n,)
        Its features that the store has, ascending.
    weights : ndarray of float64, shape (n,)
        u of each.
    words : ndarray of int32
        Its words that are in the store.
    alone : float
        c + d(A).
    record : int
        The record to leave out, as a place in the store's records; -1 for none.
    """

    features: NDArray[np.int32]
    weights: Floats
    words: NDArray[np.int32]
    alone: float
    record: int = -1


def linear(method: PairMethod) -> tuple[Floats, float] | None:
    """Return u and c of a method whose score has the form above; None for any other."""
    if isinstance(method, BoundWeights):
        return method.shared, method.threshold
    if isinstance(method, InverseFrequency) or (isinstance(method, Okapi) and not method.power):
        return method.weights, 0.0
    return None


class LinearScorer:
    """A scorer of the sentences of a store against texts.

    Parameters
    ----------
    store : Store
    model : FeatureModel
        Of a linear method.
    alone : ndarray of float64, shape (sentences,)
        d of each sentence of the store.
    """

    def __init__(self, store: Store, model: FeatureModel, alone: Floats) -> None:
        self.store = store
        self.model = model
        self.alone = alone
        self._sharing = Sharing(store.sentences)

    def queries(self, texts: Sequence[str], records: Sequence[int]) -> list[LinearQuery]:
        """Break texts into features and weigh them; `records` are those to leave out."""
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

        The sum over the shared features always runs in the same order, so that equal sentences have
        equal scores to the last bit.
        """
        shared = self._sharing.sums(query.features, query.weights, rows)
        return query.alone + self.alone[rows] + shared

    def word_values(self, query: LinearQuery) -> Floats:
        """Bound the part of each word in a score; shape (words,).

        `relsent_ir.related.matching.exact` defines the bound, and proves it.
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


def open_scorer(
    store: Store, model: Model, progress: Progress | None = None
) -> LinearScorer | None:
    """Open the scorer of a model on a store; None for a model of another form.

    The first use of a learned model computes d of every sentence, and saves it.

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
    """Compute d of every sentence by a method on their lexicon; shape (sentences,)."""
    alone = np.empty(len(sentences))
    for part in chunks(len(sentences)):
        alone[part] = method.sentence(sentences.counts(part))
        if progress:
            progress(part.stop, len(sentences))
    return alone


def best_rows(rows: Rows, scores: Floats, k: int) -> tuple[Rows, Floats]:
    """Return the `k` best and their scores; rows are in the order of ids, which breaks ties."""
    if 0 < k < len(rows):  # to sort the others would take longest
        best = scores >= np.partition(scores, len(scores) - k)[len(scores) - k]
        rows, scores = rows[best], scores[best]
    order = np.lexsort((rows, -scores))[:k]
    return rows[order], scores[order]
