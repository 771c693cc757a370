"""Word vectors from a table of associations, tuned on neighbouring sentences.

1. *Start*: the truncated singular value decomposition of positive pointwise mutual information
   (Levy, Goldberg, Dagan: Improving distributional similarity with lessons learned from word
   embeddings. TACL 3, 2015), singular values to the power 1/2.
2. *Parts*: the vector of an unknown word is that of its parts, of three characters each (Bojanowski
et al.: Enriching word vectors with subword information. TACL 5, 2017; we use one length, which is
among the features of a word).
3. *Tuning*: the vector of a sentence should be nearer to that of its neighbour than to others. The
loss is in-batch softmax (van den Oord, Li, Vinyals: Representation learning with contrastive
predictive coding. arXiv:1807.03748, 2018; in both directions, as Radford et al., ICML 2021): in a
batch of pairs of sentences that are near each other in a record, each first sentence must select
its second among those of the batch by the cosine, and vice versa. The vector of a sentence is the
sum of its words' vectors, some dropped at random (Srivastava et al.: Dropout. JMLR 15, 2014), so
that no word learns to represent a record; a word's vector is the sum of its own and its parts'
vectors. A word's weight is the length of its vector. AdaGrad (Duchi, Hazan, Singer. JMLR 12, 2011)
adapts a rate for each word and part.
"""

from collections.abc import Callable
from typing import Final, NamedTuple

import numpy as np

from relsent_ir.counts.weighting import idf
from relsent_ir.related.associations import Associations, close_pairs, learn_associations
from relsent_ir.related.features import Lexicon, presence, without_empty
from relsent_ir.related.pairs import Corpus
from relsent_ir.related.tokens import SHORTEST, Substrings
from relsent_ir.sparse import csr
from relsent_ir.typing import NDArray, Progress, Sparse

LENGTH: Final = 3
PART_LEVEL: Final = LENGTH - SHORTEST
"""The index of parts among the levels of a lexicon's substrings."""


def count_parts(lexicon: Lexicon) -> int:
    """Return the number of distinct parts of a lexicon's words."""
    return len(lexicon.substrings.levels[PART_LEVEL])


def word_parts(lexicon: Lexicon, words: NDArray[np.integer] | slice) -> Sparse:
    """Return the parts of some words.

    Returns
    -------
    scipy.sparse.csr_array of float32, shape (words, parts)
        1 / √n for each of a word's n parts, so that long words do not weigh more.
    """
    table = lexicon.table[words]
    columns = table.indices - (len(lexicon.words) + lexicon.substrings.starts[PART_LEVEL])
    is_part = (columns >= 0) & (columns < count_parts(lexicon))
    starts = np.append(0, np.cumsum(is_part))[table.indptr]
    sizes = np.diff(starts)
    values = np.repeat(1 / np.sqrt(np.maximum(sizes, 1)), sizes).astype(np.float32)
    return csr((values, columns[is_part], starts), shape=(len(sizes), count_parts(lexicon)))


def locate_parts(lexicon: Lexicon, other: Lexicon) -> NDArray[np.int32]:
    """Return this lexicon's number of each part of another lexicon, -1 if it is missing here."""
    ours, theirs = (
        Substrings(some.substrings.alphabet, some.substrings.levels[: PART_LEVEL + 1])
        for some in (lexicon, other)
    )
    places = ours.locate(theirs)[theirs.starts[PART_LEVEL] :]
    return np.where(places < 0, -1, places - np.int32(ours.starts[PART_LEVEL]))


Vectors = NDArray[np.float32]

PAIRS: Final = 1_600_000  # pairs in all batches, none of them more often than …
PASSES: Final = 10
BATCH: Final = 512
TEMPERATURE: Final = 0.1
RATE: Final = 0.5  # initial rate, which falls linearly to 0
DROPPED: Final = 0.4  # share of each sentence's words
IDF_POWER: Final = 1.5  # exponent of idf in the initial weights of words
_TINY: Final = 1e-6


class TunedVectors(NamedTuple):
    """Vectors of words, with those of their parts added, and of parts; shape (…, dimensions)."""

    words: NDArray[np.float16]
    parts: NDArray[np.float16]


def tuned_vectors(
    words: Sparse,
    record: NDArray[np.integer],
    vectors: NDArray[np.floating],
    parts: Sparse,
    *,
    pairs: int = PAIRS,
    seed: int = 0,
    progress: Progress | None = None,
) -> TunedVectors:
    """Tune word vectors on pairs of sentences at most `WINDOW` apart.

    Parameters
    ----------
    words : scipy.sparse.csr_array, shape (sentences, words)
        Not 0 if the sentence has the word.
    record : ndarray of int, shape (sentences,)
        The record of each sentence; sentences of a record are consecutive and in text order.
    vectors : ndarray of float, shape (words, dimensions)
        The initial vectors, from `word_vectors`.
    parts : scipy.sparse.csr_array of float32, shape (words, parts)
        The result of `word_parts`; the vectors of parts start at 0.
    pairs : int
        The number of training pairs, each used at most `PASSES` times; batches are complete.
    seed : int
        Seed for the order of the pairs and for dropping words.
    progress : callable, optional
        Called with the number of batches done and the total.

    Returns
    -------
    TunedVectors
        The vectors include the weights of words; their mean square is about 1.
    """
    present = presence(words)
    table = _weighted(present, vectors)
    of_parts = np.zeros((parts.shape[1], table.shape[1]), dtype=np.float32)
    first, second = close_pairs(record)
    if not len(first):
        return TunedVectors(table.astype(np.float16), of_parts.astype(np.float16))
    generator = np.random.default_rng(seed)
    size = min(BATCH, len(first))
    batches = max(1, min(pairs, PASSES * len(first)) // size)
    squares = [np.zeros(len(some), dtype=np.float32) for some in (table, of_parts)]
    order = np.empty(0, dtype=np.intp)
    for done in range(batches):
        if len(order) < size:
            order = generator.permutation(len(first))
        drawn, order = order[:size], order[size:]
        a, b = first[drawn], second[drawn]
        batch = present[np.concatenate([a, b])]
        batch.data[generator.random(batch.nnz, dtype=np.float32) < DROPPED] = 0.0
        batch.eliminate_zeros()
        batch, used = without_empty(batch)
        batch_parts, used_parts = without_empty(parts[used])
        vectors = table[used] + batch_parts @ of_parts[used_parts]
        slopes = _slopes(batch, record[a], record[b], vectors)
        rate = RATE * (1 - done / batches)
        adagrad_step(table, squares[0], used, slopes, rate)
        adagrad_step(of_parts, squares[1], used_parts, batch_parts.T @ slopes, rate)
        if progress:
            progress(done + 1, batches)
    return TunedVectors((table + parts @ of_parts).astype(np.float16), of_parts.astype(np.float16))


def adagrad_step(
    table: Vectors, squares: Vectors, rows: NDArray[np.integer], slopes: Vectors, rate: float
) -> None:
    """Move rows of a table, each once, against their gradients, in place.

    Steps become smaller the more a row has moved: `squares`, shape (rows,), sums gradients.
    """
    squares[rows] += np.einsum("ij,ij->i", slopes, slopes) / slopes.shape[1]
    sizes = np.sqrt(squares[rows] + _TINY**2)[:, None]
    table[rows] -= np.float32(rate) * slopes / sizes


def units(sums: Vectors) -> tuple[Vectors, Vectors]:
    """Return unit vectors, zero vectors unchanged, and the lengths, shape (rows, 1)."""
    lengths = np.linalg.norm(sums, axis=1, keepdims=True)
    return np.divide(sums, lengths, out=np.zeros_like(sums), where=lengths > 0), lengths


def _weighted(present: Sparse, vectors: NDArray[np.floating]) -> Vectors:
    """Multiply vectors by a power of their words' idf, and scale their mean square to 1."""
    n = np.bincount(present.indices, minlength=present.shape[1])
    factors = np.maximum(idf(n, present.shape[0]), 0.0)
    table: Vectors = vectors.astype(np.float32) * (factors**IDF_POWER)[:, None].astype(np.float32)
    table[n == 0] = 0.0
    size = float(np.sqrt((table[n > 0] ** 2).mean())) if n.any() else 0.0
    return table / np.float32(size) if size > 0 else table


def _slopes(
    batch: Sparse, record_a: NDArray[np.integer], record_b: NDArray[np.integer], vectors: Vectors
) -> Vectors:
    """Differentiate the mean loss of a batch by the vectors of words; shape (words, dimensions).

    Parameters
    ----------
    batch : scipy.sparse.csr_array, shape (2 pairs, words)
        All first sentences, followed by all second sentences.
    record_a, record_b : ndarray of int, shape (pairs,)
        Their records; other sentences of the same record are not counted as wrong choices.
    vectors : ndarray of float32, shape (words, dimensions)
    """
    unit, lengths = units(np.asarray(batch @ vectors))
    a, b = np.split(unit, 2)
    diagonal = np.arange(len(a))
    powers = np.exp(a @ b.T / np.float32(TEMPERATURE))  # at most e to the power 1 / temperature
    hidden = record_a[:, None] == record_b
    hidden[diagonal, diagonal] = False
    powers[hidden] = 0.0
    by_a, by_b = powers.sum(axis=1, keepdims=True), powers.sum(axis=0, keepdims=True)
    slope = powers * (0.5 / by_a + 0.5 / by_b)  # the mean over both softmaxes
    slope[diagonal, diagonal] -= 1
    slope /= np.float32(TEMPERATURE * len(a))
    by_unit = np.concatenate([slope @ b, slope.T @ a])
    along = np.einsum("ij,ij->i", by_unit, unit)[:, None]
    by_sum = (by_unit - unit * along) / np.maximum(lengths, _TINY)
    return np.asarray(batch.T @ by_sum)


DIMENSIONS: Final = 128
_PASSES: Final = 2  # over the table, after the first pass


def word_vectors(associations: Associations) -> NDArray[np.float16]:
    """Decompose a table of associations.

    Returns
    -------
    ndarray of float16, shape (words, dimensions)
        0 for a word that has no associations.
    """
    from sklearn.utils.extmath import randomized_svd

    dimensions = min(DIMENSIONS, len(associations))
    if not len(associations.values):
        return np.zeros((len(associations), dimensions), dtype=np.float16)
    u, singular, _ = randomized_svd(associations.matrix, dimensions, n_iter=_PASSES, random_state=0)
    return np.asarray(u * np.sqrt(singular), dtype=np.float16)


def vector_cosines(
    words: Sparse, a: NDArray[np.integer], b: NDArray[np.integer], vectors: NDArray[np.floating]
) -> NDArray[np.float64]:
    """Compute cosines between the summed vectors of pairs of sentences.

    Parameters
    ----------
    words : scipy.sparse.csr_array, shape (sentences, words)
        Not 0 if the sentence has the word.
    a, b : ndarray of int, shape (pairs,)
        The pairs, as rows of `words`.
    vectors : ndarray of float, shape (words, dimensions)
        Vectors that include the weights of words.

    Returns
    -------
    ndarray of float64, shape (pairs,)
        0 if a sentence has no known word.
    """
    rows, places = np.unique(np.concatenate([a, b]), return_inverse=True)
    unit = sentence_vectors(words[rows], vectors)
    first, second = places[: len(a)], places[len(a) :]
    cosines: NDArray[np.floating] = np.einsum("ij,ij->i", unit[first], unit[second])
    return cosines.astype(np.float64)


def sentence_vectors(words: Sparse, vectors: NDArray[np.floating]) -> NDArray[np.float32]:
    """Sum the vectors of each sentence's words to a unit vector; shape (sentences, dimensions)."""
    return units(np.asarray(presence(words) @ vectors.astype(np.float32, copy=False)))[0]


class WordKnowledge(NamedTuple):
    """Associations of the words of a corpus, and vectors of these words and of their parts.

    The vectors have the shapes (words, dimensions) and (parts, dimensions).
    """

    associations: Associations
    vectors: NDArray[np.float16]
    parts: NDArray[np.float16]


def learn_words(
    corpus: Corpus, records: NDArray[np.bool_], seed: int, progress: Callable[[str], Progress]
) -> WordKnowledge:
    """Learn associations and vectors.

    Parameters
    ----------
    corpus : Corpus
    records : ndarray of bool, shape (records,)
        The records from which to learn.
    seed : int
        Seed for the order of the pairs with which vectors are tuned.
    progress : callable
        Called with the name of a stage; returns a progress callback for it.
    """
    rows = np.flatnonzero(records[corpus.record])
    sample = corpus.sentences.words[rows], corpus.record[rows]
    associations = learn_associations(*sample, progress("Learning associations"))
    progress("Decomposing")(0, None)
    tuned = tuned_vectors(
        *sample,
        word_vectors(associations),
        word_parts(corpus.sentences.lexicon, slice(None)),
        pairs=round(PAIRS * len(rows) / max(1, len(corpus))),
        seed=seed,
        progress=progress("Tuning vectors"),
    )
    return WordKnowledge(associations, *tuned)
