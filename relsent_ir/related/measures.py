"""The dense features of Huber+: formulas and associations of a pair of sentences.

The features are all fixed formulas, the simplest also over words alone, the lengths of the
sentences, the alignment of their words, and the cosine of their vectors.

Soft alignment measures how strongly the unshared words of two sentences are associated. ``best(w)``
is `SHARED` if the other sentence also has w, else the strongest association of w with any of its
words. The alignment of a sentence is ``sum of idf(w) best(w) / sum of idf(w)`` over its words,
after Corley, Mihalcea: Measuring the semantic similarity of texts. ACL workshop on empirical
modeling of semantic equivalence and entailment, 2005.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Final, NamedTuple

import numpy as np

from relsent_ir.related.associations import Associations
from relsent_ir.related.features import Lexicon, Sentences, chunks, presence
from relsent_ir.related.formulas import FORMULAS, Statistics
from relsent_ir.related.vectors import locate_parts, units, vector_cosines, word_parts
from relsent_ir.sparse import sums
from relsent_ir.text.vocabulary import ranges
from relsent_ir.typing import Floats, NDArray, Sparse

SHARED: Final = 8.0
ALIGNMENT: Final = (
    "alignment",  # the sum over both sentences
    "alignment difference",
    "best of unshared",  # the sum of both sentences' means
    "best of unshared, idf",
    "mean association",  # of unshared words of either sentence with each other
    "mean association, idf",
    "root mean square association",
    "strongest association",
    "associated share",
)
"""The columns of `alignment_features`."""

Lookup = Callable[[NDArray[np.integer], NDArray[np.integer]], NDArray[np.floating]]


class _Side(NamedTuple):
    """The alignment of one sentence of each pair with the other sentence."""

    aligned: Floats
    best: Floats
    best_by_idf: Floats
    unshared: NDArray[np.bool_]  # for each word
    number: Floats  # number of unshared words


def alignment_features(
    words: Sparse,
    a: NDArray[np.integer],
    b: NDArray[np.integer],
    idf: NDArray[np.floating],
    strength: Lookup,
) -> Floats:
    """Measure how the words of pairs of sentences are associated.

    Parameters
    ----------
    words : scipy.sparse.csr_array, shape (sentences, words)
        Not 0 if the sentence has the word.
    a, b : ndarray of int, shape (pairs,)
        The pairs, as rows of `words`.
    idf : ndarray of float, shape (words,)
    strength : callable
        Returns the associations of words w[i] and v[i], w of the first sentence, v of the second.

    Returns
    -------
    ndarray of float64, shape (pairs, len(ALIGNMENT))
        All values are 0 if a sentence has no word.
    """
    length = np.diff(words.indptr).astype(np.intp)
    features = np.zeros((len(a), len(ALIGNMENT)))
    filled = np.flatnonzero((length[a] > 0) & (length[b] > 0))
    if not len(filled):
        return features
    a, b = a[filled], b[filled]
    n_a, n_b = length[a], length[b]
    sizes = n_a * n_b
    starts = np.cumsum(sizes) - sizes
    pair = np.repeat(np.arange(len(a)), sizes)
    # the words of each pair against each other by rows; `turned` is the same by columns
    times = np.repeat(n_b, n_a)  # for each word of the first sentence
    first = np.repeat(words.indices[ranges(words.indptr[a], n_a)], times)
    second = words.indices[ranges(np.repeat(words.indptr[b], n_a), times)]
    column = ranges(np.zeros_like(times), times)
    turned = np.repeat(ranges(starts, n_a), times) + column * n_a[pair]
    same = first == second
    strengths = np.where(same, 0.0, strength(first, second))
    strengths_turned, same_turned = np.empty_like(strengths), np.empty_like(same)
    strengths_turned[turned], same_turned[turned] = strengths, same
    side_a = _side(words, a, n_b, idf, strengths, same)
    side_b = _side(words, b, n_a, idf, strengths_turned, same_turned)
    others = np.repeat(side_b.unshared, np.repeat(n_a, n_b))[turned]
    unshared = np.repeat(side_a.unshared, np.repeat(n_b, n_a)) & others
    total = partial(sums, pair, n=len(a))
    strengths = strengths * unshared
    weights = idf[first] * idf[second] * unshared
    number = np.maximum(side_a.number * side_b.number, 1.0)
    columns = {
        "alignment": side_a.aligned + side_b.aligned,
        "alignment difference": np.abs(side_a.aligned - side_b.aligned),
        "best of unshared": side_a.best + side_b.best,
        "best of unshared, idf": side_a.best_by_idf + side_b.best_by_idf,
        "mean association": total(strengths) / number,
        "mean association, idf": _ratio(total(weights * strengths), total(weights)),
        "root mean square association": np.sqrt(total(strengths * strengths) / number),
        "strongest association": np.maximum.reduceat(strengths, starts),
        "associated share": total(strengths > 0) / number,
    }
    features[filled] = np.stack([columns[name] for name in ALIGNMENT], axis=1)
    return features


def _side(
    words: Sparse,
    rows: NDArray[np.integer],
    opposite: NDArray[np.intp],
    idf: NDArray[np.floating],
    strengths: Floats,
    same: NDArray[np.bool_],
) -> _Side:
    """Align one sentence of each pair; `opposite` is the number of words of the other."""
    length = np.diff(words.indptr).astype(np.intp)[rows]
    pair = np.repeat(np.arange(len(rows)), length)
    within = np.arange(len(pair)) - np.repeat(np.cumsum(length) - length, length)
    weight = idf[words.indices[words.indptr[rows][pair] + within]]
    starts = np.cumsum(opposite[pair]) - opposite[pair]
    best = np.maximum.reduceat(strengths, starts)
    shared = np.logical_or.reduceat(same, starts)
    unshared = ~shared
    total = partial(sums, pair, n=len(rows))
    number = total(unshared)
    return _Side(
        _ratio(total(weight * np.where(shared, SHARED, best)), total(weight)),
        _ratio(total(best * unshared), number),
        _ratio(total(weight * best * unshared), total(weight * unshared)),
        unshared,
        number,
    )


WORD_MEASURES: Final = (
    "shared words",
    "Dice, words",
    "idf of shared",
    "idf of shared, squared",
    "idf of shared, cubed",
    "cosine, words",
    "idf Dice, words",
    "log product of lengths",
    "log sum of lengths",
    "log ratio of lengths",
    "log product of idf",
    "mean idf",
)
COSINE: Final = "cosine, vectors"
MEASURES: Final = (*FORMULAS, *WORD_MEASURES, *ALIGNMENT, COSINE)
"""The columns before scaling."""


@dataclass(frozen=True)
class Knowledge:
    """Statistics, associations and vectors, from which dense features are computed.

    Attributes
    ----------
    statistics : Statistics
    associations : Associations
        Associations of the words of the statistics' lexicon, or of the collection's lexicon.
    vectors : ndarray of float16, shape (words, dimensions)
    parts : ndarray of float16, shape (parts, dimensions)
        Vectors of words and of parts of words (`relsent_ir.related.vectors.tuned_vectors`).
    collection : Statistics, optional
        Statistics of the collection that is matched, which are added to `statistics`.
    measures : tuple of str
        The measures of `MEASURES` to compute, formulas first: the columns that the model names.
    """

    statistics: Statistics
    associations: Associations
    vectors: NDArray[np.float16]
    parts: NDArray[np.float16]
    collection: Statistics | None = None
    measures: tuple[str, ...] = MEASURES

    @property
    def formulas(self) -> list[str]:
        """The names of the formulas among the measures."""
        return [name for name in self.measures if name in FORMULAS]

    @property
    def associated(self) -> Lexicon:
        """The lexicon of the words that have associations."""
        return (self.collection or self.statistics).lexicon

    def figures(self, lexicon: Lexicon) -> Statistics:
        """Return all statistics for the features of another lexicon."""
        statistics = self.statistics.on(lexicon)
        return statistics.joined(self.collection.on(lexicon)) if self.collection else statistics


class Measures:
    """Compute measures of pairs of sentences from some knowledge, on one lexicon.

    Attributes
    ----------
    number, associated : ndarray of int32, shape (words,)
        The place of each word in the knowledge's lexicon, and in the lexicon of associated words;
        -1 if it is missing there.
    formulas : list of Formula
        Formulas of the knowledge, on this lexicon.
    idf : ndarray of float64, shape (words,)
    """

    def __init__(self, knowledge: Knowledge, lexicon: Lexicon) -> None:
        self.knowledge = knowledge
        self.lexicon = lexicon
        self.number = knowledge.statistics.lexicon.locate_words(lexicon)
        self.associated = self.number
        if knowledge.collection:
            self.associated = knowledge.associated.locate_words(lexicon)
        statistics = knowledge.figures(lexicon)
        self.formulas = [FORMULAS[name](statistics) for name in knowledge.formulas]
        self.idf = word_idf(statistics, lexicon)

    @cached_property
    def vectors(self) -> NDArray[np.float32]:
        """The vector of each word of the lexicon; for an unknown word, the vector of its parts."""
        knowledge, lexicon = self.knowledge, self.lexicon
        vectors = knowledge.vectors[self.number].astype(np.float32)
        unknown = np.flatnonzero(self.number < 0)
        if len(unknown):
            places = locate_parts(knowledge.statistics.lexicon, lexicon)
            parts = np.zeros((len(places), vectors.shape[1]), dtype=np.float32)
            parts[places >= 0] = knowledge.parts[places[places >= 0]]
            vectors[unknown] = word_parts(lexicon, unknown) @ parts
        return vectors

    def covered(self, words: Sparse, query: int, rows: NDArray[np.integer]) -> Floats:
        """Compute the share of a sentence's idf that similar words of others cover; shape (rows,).

        Each word of the sentence counts with the highest cosine between its vector and those of the
        other sentence's words: 1 for the same word, 0 if no word is similar (Zuccon et al.:
        Integrating and evaluating neural word embeddings in information retrieval. ADCS 2015).
        """
        start, end = words.indptr[query : query + 2]
        own, others = words.indices[start:end], words[rows]
        unit, _ = units(self.vectors)
        cosines = np.maximum(unit[own] @ unit.T, 0.0)
        cosines[np.arange(len(own)), own] = 1.0  # also for words without a vector
        cosines = cosines[:, others.indices]
        idf, filled = self.idf[own], np.flatnonzero(np.diff(others.indptr))
        shares: Floats = np.zeros(len(rows))
        if len(filled) and idf.sum() > 0:
            nearest = np.maximum.reduceat(cosines, others.indptr[filled], axis=1)
            shares[filled] = idf @ nearest / idf.sum()
        return shares

    def of_pairs(
        self,
        formulas: Floats,
        sentences: Sentences,
        a: NDArray[np.integer] | int,
        b: NDArray[np.integer],
    ) -> Floats:
        """Compute the measures of pairs; shape (pairs, measures of the knowledge).

        Parameters
        ----------
        formulas : ndarray of float64, shape (formulas, pairs)
            The scores of the pairs by `formulas`.
        sentences : Sentences
        a, b : ndarray of int, shape (pairs,)
            Rows of `sentences`; fewer look-ups are needed if `a` is always the same sentence.
        """
        words, vectors, associations = sentences.words, self.vectors, self.knowledge.associations
        number = self.associated
        first = np.full(len(b), a) if isinstance(a, int) else a
        strength: Lookup = (
            query_strength(associations, number, words.indices[slice(*words.indptr[a : a + 2])])
            if isinstance(a, int)
            else lambda w, v: associations.between(number[w], number[v])
        )
        return pair_measures(
            *(self.knowledge.measures, formulas, words, first, b, self.idf, strength),
            lambda part: vector_cosines(words, first[part], b[part], vectors),
        )


def query_strength(
    associations: Associations, number: NDArray[np.integer], own: NDArray[np.integer]
) -> Lookup:
    """Return a function that looks up associations of a sentence's words in a table built once.

    Parameters
    ----------
    associations : Associations
    number : ndarray of int, shape (words,)
        The place of each word among the words with associations, or -1.
    own : ndarray of int
        The words of the sentence.
    """
    table = associations.rows(number[own], number)
    place = np.zeros(len(number), dtype=np.intp)
    place[own] = np.arange(len(own))
    return lambda w, v: table[place[w], v]


def pair_measures(
    measures: Sequence[str],
    formulas: Floats,
    words: Sparse,
    a: NDArray[np.integer],
    b: NDArray[np.integer],
    idf: Floats,
    strength: Lookup,
    cosines: Callable[[slice], NDArray[np.floating]],
) -> Floats:
    """Compute the measures of pairs of sentences; shape (pairs, measures).

    Parameters
    ----------
    measures : sequence of str
        A subset of `MEASURES`, formulas first.
    formulas : ndarray of float64, shape (formulas, pairs)
        The scores of the pairs by the formulas.
    words, a, b, idf, strength
        As in `alignment_features`.
    cosines : callable
        Returns the cosines between the vectors of the sentences of some pairs.
    """
    values = np.empty((len(a), len(measures)))
    values[:, : len(formulas)] = formulas.T
    by_words = (*WORD_MEASURES, *ALIGNMENT, COSINE)
    columns = [by_words.index(name) for name in measures[len(formulas) :]]
    for part in chunks(len(a)):
        pairs = words, a[part], b[part], idf
        each = word_measures(*pairs), alignment_features(*pairs, strength), cosines(part)
        values[part, len(formulas) :] = np.column_stack(each)[:, columns]
    return values


def word_idf(statistics: Statistics, lexicon: Lexicon) -> Floats:
    """Return ln(N / n) of each word, with n at least 1; `statistics` must be on the lexicon."""
    n = np.maximum(statistics.frequency[: len(lexicon.words)], 1)
    return np.maximum(np.log(max(1, statistics.sentences) / n), 0.0)


def word_measures(
    words: Sparse, a: NDArray[np.integer], b: NDArray[np.integer], idf: Floats
) -> Floats:
    """Compare pairs by the sentences' distinct words; shape (pairs, len(WORD_MEASURES))."""
    present = presence(words, np.float64)
    first, second = present[a], present[b]
    shared = (first * second).tocsr()
    n_a, n_b, number = (np.diff(matrix.indptr) for matrix in (first, second, shared))
    total_a, total_b = first @ idf, second @ idf
    sum_1, sum_2, sum_3 = (shared @ idf**power for power in (1, 2, 3))
    length = np.sqrt((first @ idf**2) * (second @ idf**2))
    log_a, log_b = np.log(np.maximum(n_a, 1)), np.log(np.maximum(n_b, 1))
    columns = {
        "shared words": number,
        "Dice, words": 2.0 * number / np.maximum(n_a + n_b, 1),
        "idf of shared": sum_1,
        "idf of shared, squared": sum_2,
        "idf of shared, cubed": sum_3,
        "cosine, words": _ratio(sum_2, length),
        "idf Dice, words": _ratio(2.0 * sum_1, total_a + total_b),
        "log product of lengths": log_a + log_b,
        "log sum of lengths": np.log(np.maximum(n_a + n_b, 1)),
        "log ratio of lengths": np.abs(log_a - log_b),
        "log product of idf": np.log1p(total_a) + np.log1p(total_b),
        "mean idf": (total_a + total_b) / np.maximum(n_a + n_b, 1),
    }
    return np.column_stack([columns[name] for name in WORD_MEASURES])


def _ratio(above: Floats, below: Floats) -> Floats:
    """Divide; the result is 0 if both are 0."""
    return np.divide(above, below, out=np.zeros_like(above), where=below > 0)
