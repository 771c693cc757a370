"""Word vectors tuned so that a sentence's vector is nearer to its neighbour's than to others'.

In-batch softmax (van den Oord, Li, Vinyals: Representation learning with contrastive predictive
coding. arXiv:1807.03748, 2018; both directions, as Radford et al., ICML 2021): of a batch of pairs
of sentences that stand close together in a record, each first sentence must pick its second among
those of the batch by the cosine, and the other way round. A sentence is the sum of its words'
vectors, so that what is learned is one vector a word, its weight being its length; AdaGrad (Duchi,
Hazan, Singer. JMLR 12, 2011) with one rate a word.
"""

from typing import TYPE_CHECKING, Final

import numpy as np
from numpy.typing import NDArray

from relsent_ir.related.associations import WINDOW
from relsent_ir.typing import Progress

if TYPE_CHECKING:
    from scipy.sparse import csr_array

Vectors = NDArray[np.float32]

PAIRS: Final = 1_600_000  # that are looked at, none more often than …
PASSES: Final = 10
BATCH: Final = 512
TEMPERATURE: Final = 0.1
RATE: Final = 0.5  # falls to 0 in a straight line
IDF_POWER: Final = 1.5  # of the weights that words start from
_TINY: Final = 1e-6


def tuned_vectors(
    words: "csr_array",
    record: NDArray[np.integer],
    vectors: NDArray[np.floating],
    *,
    pairs: int = PAIRS,
    seed: int = 0,
    progress: Progress | None = None,
) -> NDArray[np.float16]:
    """Tune word vectors on sentences at most `WINDOW` apart.

    Parameters
    ----------
    words : scipy.sparse.csr_array, shape (sentences, words)
        Not 0 where the sentence holds the word.
    record : ndarray of int, shape (sentences,)
        Each sentence's record; those of one record follow each other in the order of the text.
    vectors : ndarray of float, shape (words, dimensions)
        Where to start from, as `relsent_ir.related.vectors.word_vectors` gives them.
    pairs : int
        How many pairs to look at, and at most each `PASSES` times; whole batches are taken.
    seed : int
        For the order of the pairs.
    progress : callable, optional
        Gets the number of batches done, and of all.

    Returns
    -------
    ndarray of float16, shape (words, dimensions)
        With the words' weights in them; their mean square is about 1.
    """
    held = presence(words)
    table = _weighted(held, vectors)
    first, second = _close_pairs(record)
    if not len(first):
        return table.astype(np.float16)
    generator = np.random.default_rng(seed)
    size = min(BATCH, len(first))
    batches = max(1, min(pairs, PASSES * len(first)) // size)
    squares = np.zeros(len(table), dtype=np.float32)
    order = np.empty(0, dtype=np.intp)
    for done in range(batches):
        if len(order) < size:
            order = generator.permutation(len(first))
        drawn, order = order[:size], order[size:]
        a, b = first[drawn], second[drawn]
        used, slopes = _slopes(held[np.concatenate([a, b])], record[a], record[b], table)
        squares[used] += np.einsum("ij,ij->i", slopes, slopes) / slopes.shape[1]
        rate = np.float32(RATE * (1 - done / batches))
        table[used] -= rate * slopes / np.sqrt(squares[used] + _TINY**2)[:, None]
        if progress:
            progress(done + 1, batches)
    return table.astype(np.float16)


def presence(words: "csr_array") -> "csr_array":
    """Give ones in float32 where there is a word, however often."""
    from scipy.sparse import csr_array

    ones = np.ones(words.nnz, dtype=np.float32)
    return csr_array((ones, words.indices, words.indptr), shape=words.shape)


def units(sums: Vectors) -> tuple[Vectors, Vectors]:
    """Give vectors of length 1, 0 where there is nothing, and the lengths; shape (rows, 1)."""
    lengths = np.linalg.norm(sums, axis=1, keepdims=True)
    return np.divide(sums, lengths, out=np.zeros_like(sums), where=lengths > 0), lengths


def _weighted(held: "csr_array", vectors: NDArray[np.floating]) -> Vectors:
    """Multiply the vectors by their words' idf to the power, and all by one number."""
    n = np.bincount(held.indices, minlength=held.shape[1])
    idf = np.maximum(np.log(max(1, held.shape[0]) / np.maximum(n, 1)), 0.0)
    table: Vectors = vectors.astype(np.float32) * (idf**IDF_POWER)[:, None].astype(np.float32)
    table[n == 0] = 0.0
    size = float(np.sqrt((table[n > 0] ** 2).mean())) if n.any() else 0.0
    return table / np.float32(size) if size > 0 else table


def _close_pairs(
    record: NDArray[np.integer],
) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Pair the sentences of each record that are at most `WINDOW` apart."""
    first, second = [], []
    for apart in range(1, WINDOW + 1):
        same = np.flatnonzero(record[:-apart] == record[apart:])
        first.append(same)
        second.append(same + apart)
    return np.concatenate(first), np.concatenate(second)


def _slopes(
    batch: "csr_array",
    record_a: NDArray[np.integer],
    record_b: NDArray[np.integer],
    table: Vectors,
) -> tuple[NDArray[np.integer], Vectors]:
    """Differentiate a batch's mean loss by the vectors of its words.

    Parameters
    ----------
    batch : scipy.sparse.csr_array, shape (2 pairs, words)
        All first sentences, then all second ones.
    record_a, record_b : ndarray of int, shape (pairs,)
        Their records: another sentence of its own record is no wrong choice, and left out.
    table : ndarray of float32, shape (words, dimensions)

    Returns
    -------
    used : ndarray of int
        The words.
    slopes : ndarray of float32, shape (len(used), dimensions)
    """
    from scipy.sparse import csr_array

    used, places = np.unique(batch.indices, return_inverse=True)
    held = csr_array(
        (batch.data, places.astype(np.int32), batch.indptr), shape=(batch.shape[0], len(used))
    )
    unit, lengths = units(np.asarray(held @ table[used]))
    a, b = np.split(unit, 2)
    own = np.arange(len(a))
    powers = np.exp(a @ b.T / np.float32(TEMPERATURE))  # at most e to the 1 / temperature
    hidden = record_a[:, None] == record_b
    hidden[own, own] = False
    powers[hidden] = 0.0
    by_a, by_b = powers.sum(axis=1, keepdims=True), powers.sum(axis=0, keepdims=True)
    slope = powers * (0.5 / by_a + 0.5 / by_b)  # the mean of both softmaxes
    slope[own, own] -= 1
    slope /= np.float32(TEMPERATURE * len(a))
    by_unit = np.concatenate([slope @ b, slope.T @ a])
    along = np.einsum("ij,ij->i", by_unit, unit)[:, None]
    by_sum = (by_unit - unit * along) / np.maximum(lengths, _TINY)
    return used, np.asarray(held.T @ by_sum)
