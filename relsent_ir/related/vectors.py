"""Word vectors from a table of associations, tuned on neighbouring sentences.

1. *Start*: the truncated singular value decomposition of positive pointwise mutual information
   (Levy, Goldberg, Dagan: Improving distributional similarity with lessons learned from word
   embeddings. TACL 3, 2015), singular values to the power 1/2.
2. *Parts*: an unknown word has the vector of its parts, three characters each (Bojanowski et al.:
   Enriching word vectors with subword information. TACL 5, 2017; with one length, which is among
   the features of a word).
3. *Tuning*: a sentence's vector is to be nearer to its neighbour's than to others', by in-batch
   softmax (van den Oord, Li, Vinyals: Representation learning with contrastive predictive coding.
   arXiv:1807.03748, 2018; both directions, as Radford et al., ICML 2021): in a batch of pairs of
   sentences that are close together in a record, each first sentence must pick its second among
   those of the batch by the cosine, and the other way round. A sentence is the sum of its words'
   vectors, with random words dropped (Srivastava et al.: Dropout. JMLR 15, 2014), so that no word
   learns to stand for a record; a word's vector is the sum of its own and those of its parts. A
   word's weight is its vector's length. AdaGrad (Duchi, Hazan, Singer. JMLR 12, 2011) has a rate
   for each word and each part.
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
"""The place of parts among the levels of a lexicon's substrings."""


def count_parts(lexicon: Lexicon) -> int:
    """Return the number of parts of a lexicon's words."""
    return len(lexicon.substrings.levels[PART_LEVEL])


def word_parts(lexicon: Lexicon, words: NDArray[np.integer] | slice) -> Sparse:
    """Return the parts of some words.

    Returns
    -------
    scipy.sparse.csr_array of float32, shape (words, parts)
        1 / √n at each of a word's n parts, so that long words weigh no more.
    """
    table = lexicon.table[words]
    columns = table.indices - (len(lexicon.words) + lexicon.substrings.starts[PART_LEVEL])
    is_part = (columns >= 0) & (columns < count_parts(lexicon))
    starts = np.append(0, np.cumsum(is_part))[table.indptr]
    sizes = np.diff(starts)
    values = np.repeat(1 / np.sqrt(np.maximum(sizes, 1)), sizes).astype(np.float32)
    return csr((values, columns[is_part], starts), shape=(len(sizes), count_parts(lexicon)))


def locate_parts(lexicon: Lexicon, other: Lexicon) -> NDArray[np.int32]:
    """Return the part here of each of another lexicon's, -1 where there is none."""
    ours, theirs = (
        Substrings(some.substrings.alphabet, some.substrings.levels[: PART_LEVEL + 1])
        for some in (lexicon, other)
    )
    places = ours.locate(theirs)[theirs.starts[PART_LEVEL] :]
    return np.where(places < 0, -1, places - np.int32(ours.starts[PART_LEVEL]))


Vectors = NDArray[np.float32]

PAIRS: Final = 1_600_000  # pairs of all batches, none in more than …
PASSES: Final = 10
BATCH: Final = 512
TEMPERATURE: Final = 0.1
RATE: Final = 0.5  # falls to 0 in a straight line
DROPPED: Final = 0.4  # of the words of each sentence
IDF_POWER: Final = 1.5  # of the weights that words start from
_TINY: Final = 1e-6


class TunedVectors(NamedTuple):
    """Vectors of words, those of their parts added, and of the parts; shape (…, dimensions)."""

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
    """Tune word vectors on sentences at most `WINDOW` apart.

    Parameters
    ----------
    words : scipy.sparse.csr_array, shape (sentences, words)
        Not 0 where the sentence holds the word.
    record : ndarray of int, shape (sentences,)
        Each sentence's record; those of one record follow each other in the order of the text.
    vectors : ndarray of float, shape (words, dimensions)
        The start, as `word_vectors` returns it.
    parts : scipy.sparse.csr_array of float32, shape (words, parts)
        As `word_parts` returns them; their vectors start from 0.
    pairs : int
        The number of pairs to learn from, each at most `PASSES` times; whole batches are taken.
    seed : int
        For the order of the pairs, and the words that are dropped.
    progress : callable, optional
        Called with the number of batches done, and of all.

    Returns
    -------
    TunedVectors
        With the words' weights in them; their mean square is about 1.
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
    """Move some rows of a table, each once, against their slopes, in place.

    Steps grow shorter for a row the more it has moved: `squares`, shape (rows,), sums its slopes.
    """
    squares[rows] += np.einsum("ij,ij->i", slopes, slopes) / slopes.shape[1]
    sizes = np.sqrt(squares[rows] + _TINY**2)[:, None]
    table[rows] -= np.float32(rate) * slopes / sizes


def units(sums: Vectors) -> tuple[Vectors, Vectors]:
    """Return vectors of length 1, those of length 0 unchanged, and the lengths, shape (rows, 1)."""
    lengths = np.linalg.norm(sums, axis=1, keepdims=True)
    return np.divide(sums, lengths, out=np.zeros_like(sums), where=lengths > 0), lengths


def _weighted(present: Sparse, vectors: NDArray[np.floating]) -> Vectors:
    """Multiply vectors by a power of their words' idf, and bring their mean square to 1."""
    n = np.bincount(present.indices, minlength=present.shape[1])
    factors = np.maximum(idf(n, present.shape[0]), 0.0)
    table: Vectors = vectors.astype(np.float32) * (factors**IDF_POWER)[:, None].astype(np.float32)
    table[n == 0] = 0.0
    size = float(np.sqrt((table[n > 0] ** 2).mean())) if n.any() else 0.0
    return table / np.float32(size) if size > 0 else table


def _slopes(
    batch: Sparse, record_a: NDArray[np.integer], record_b: NDArray[np.integer], vectors: Vectors
) -> Vectors:
    """Differentiate a batch's mean loss by the vectors of its words; shape (words, dimensions).

    Parameters
    ----------
    batch : scipy.sparse.csr_array, shape (2 pairs, words)
        All first sentences, then all second ones.
    record_a, record_b : ndarray of int, shape (pairs,)
        Their records; other sentences of the same record are no wrong choice, and do not count.
    vectors : ndarray of float32, shape (words, dimensions)
    """
    unit, lengths = units(np.asarray(batch @ vectors))
    a, b = np.split(unit, 2)
    diagonal = np.arange(len(a))
    powers = np.exp(a @ b.T / np.float32(TEMPERATURE))  # at most e to the 1 / temperature
    hidden = record_a[:, None] == record_b
    hidden[diagonal, diagonal] = False
    powers[hidden] = 0.0
    by_a, by_b = powers.sum(axis=1, keepdims=True), powers.sum(axis=0, keepdims=True)
    slope = powers * (0.5 / by_a + 0.5 / by_b)  # the mean of both softmaxes
    slope[diagonal, diagonal] -= 1
    slope /= np.float32(TEMPERATURE * len(a))
    by_unit = np.concatenate([slope @ b, slope.T @ a])
    along = np.einsum("ij,ij->i", by_unit, unit)[:, None]
    by_sum = (by_unit - unit * along) / np.maximum(lengths, _TINY)
    return np.asarray(batch.T @ by_sum)


DIMENSIONS: Final = 128
_PASSES: Final = 2  # over the table, after the first


def word_vectors(associations: Associations) -> NDArray[np.float16]:
    """Decompose a table of associations.

    Returns
    -------
    ndarray of float16, shape (words, dimensions)
        0 for a word without associations.
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
    """Compare the summed vectors of pairs of sentences.

    Parameters
    ----------
    words : scipy.sparse.csr_array, shape (sentences, words)
        Not 0 where the sentence holds the word.
    a, b : ndarray of int, shape (pairs,)
        The pairs, as rows of `words`.
    vectors : ndarray of float, shape (words, dimensions)
        With the words' weights in them.

    Returns
    -------
    ndarray of float64, shape (pairs,)
        0 where a sentence has no known word.
    """
    rows, places = np.unique(np.concatenate([a, b]), return_inverse=True)
    unit = sentence_vectors(words[rows], vectors)
    first, second = places[: len(a)], places[len(a) :]
    cosines: NDArray[np.floating] = np.einsum("ij,ij->i", unit[first], unit[second])
    return cosines.astype(np.float64)


def sentence_vectors(words: Sparse, vectors: NDArray[np.floating]) -> NDArray[np.float32]:
    """Sum each sentence's words' vectors to one of length 1; shape (sentences, dimensions)."""
    return units(np.asarray(presence(words) @ vectors.astype(np.float32, copy=False)))[0]


class WordKnowledge(NamedTuple):
    """Associations of the words of a corpus, and vectors of these and of their parts.

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
        The records to learn from.
    seed : int
        For the order of the pairs that tune the vectors.
    progress : callable
        Takes the name of a stage and returns its callback.
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
