"""The fixed formulas of Smith & Wilbur 2010 (section 2.3), over words and substrings.

A and B are sentences, f is the frequency of a feature in one of them, n_t is the number of
sentences with feature t, and N the number of all sentences (`Statistics`). A feature that is not in
the collection is treated as if it occurred once.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import Any, Final

import numpy as np

from relsent_ir.models import check_arrays
from relsent_ir.models.folders import check_places
from relsent_ir.related.features import Lexicon, Sentences, Shared, carried, chunks, row_sums
from relsent_ir.related.model import FeatureModel, PairMethod
from relsent_ir.typing import Floats, NDArray, Sparse


@dataclass(frozen=True)
class Statistics:
    """Frequencies of features in the sentences of a collection.

    Attributes
    ----------
    lexicon : Lexicon
    sentences : int
        N, the number of sentences.
    frequency : ndarray of int32, shape (features,)
        n_t, the number of sentences with the feature.
    total : ndarray of int64, shape (features,)
        The number of the feature's occurrences in all sentences.
    mean_length : float
        The mean number of features of a sentence, with repetitions.
    """

    lexicon: Lexicon
    sentences: int
    frequency: NDArray[np.int32]
    total: NDArray[np.int64]
    mean_length: float

    @classmethod
    def collect(cls, sentences: Sentences, rows: NDArray[np.integer]) -> "Statistics":
        """Count the features of some sentences."""
        lexicon = sentences.lexicon
        frequency = np.zeros(len(lexicon), dtype=np.int32)
        words = np.zeros(len(lexicon.words), dtype=np.int64)
        for part in chunks(len(rows)):
            np.add.at(frequency, sentences.counts(rows[part]).indices, np.int32(1))
            counts = sentences.words[rows[part]]
            np.add.at(words, counts.indices, counts.data.astype(np.int64))
        total = (lexicon.table.T.astype(np.int64) @ words).astype(np.int64)
        return cls(lexicon, len(rows), frequency, total, float(total.sum() / max(1, len(rows))))

    def on(self, lexicon: Lexicon) -> "Statistics":
        """Return the statistics for another lexicon's features; 0 for features that are new."""
        if lexicon is self.lexicon:
            return self
        where = self.lexicon.locate(lexicon)
        frequency, total = (carried(counts, where) for counts in (self.frequency, self.total))
        return replace(self, lexicon=lexicon, frequency=frequency, total=total)

    def joined(self, other: "Statistics") -> "Statistics":
        """Add the statistics of other sentences with the same lexicon."""
        sentences = self.sentences + other.sentences
        lengths = self.sentences * self.mean_length + other.sentences * other.mean_length
        frequency, total = self.frequency + other.frequency, self.total + other.total
        return Statistics(self.lexicon, sentences, frequency, total, lengths / max(1, sentences))

    def changed(self, gone: "Statistics", added: "Statistics") -> "Statistics":
        """Subtract some sentences and add others, whose lexicon the result has."""
        lexicon = added.lexicon
        before, less = self.on(lexicon), gone.on(lexicon)
        sentences = self.sentences - gone.sentences + added.sentences
        frequency = before.frequency - less.frequency + added.frequency
        total = before.total - less.total + added.total
        mean_length = float(total.sum() / max(1, sentences))
        return Statistics(lexicon, sentences, frequency, total, mean_length)

    def to_arrays(self) -> dict[str, NDArray[Any]]:
        """Return the arrays that `from_arrays` reads, without the lexicon."""
        return {
            "frequency": self.frequency,
            "total": self.total,
            "collection": np.array([self.sentences, self.mean_length], dtype=np.float64),
        }

    @classmethod
    def from_arrays(cls, lexicon: Lexicon, arrays: Mapping[str, NDArray[Any]]) -> "Statistics":
        """Read the arrays of `to_arrays`."""
        kinds = {"frequency": "int n", "total": "int n", "collection": "float 2"}
        check_arrays(arrays, kinds, n=len(lexicon))
        sentences, mean_length = arrays["collection"].tolist()
        frequency, total = arrays["frequency"], arrays["total"]
        check_places(frequency, int(sentences) + 1)
        if (total < frequency).any() or mean_length < 0.0:
            raise ValueError("counts that cannot be")
        return cls(lexicon, int(sentences), frequency, total, mean_length)


K1: Final = 1.2
B: Final = 0.75


@dataclass(eq=False)
class Formula(PairMethod):
    """A fixed formula with the statistics of a collection; subclasses define the sum."""

    statistics: Statistics

    @cached_property
    def n(self) -> Floats:
        """n_t, or 1 if that is 0."""
        return np.maximum(self.statistics.frequency, 1).astype(np.float64)


class Dice(Formula):
    """D = 2 |A ∩ B| / (|A| + |B|), each feature counted once; 0 for two empty sentences."""

    def sentence(self, counts: Sparse) -> Floats:
        """Return the number of distinct features."""
        return np.diff(counts.indptr).astype(np.float64)

    def pair(self, shared: Shared, a: Floats, b: Floats) -> Floats:
        """Score pairs."""
        return 2.0 * np.diff(shared.starts) / np.maximum(a + b, 1.0)


@dataclass(eq=False)
class TextTiling(Formula):
    """T1, T2: tf.idf = f / (frequency of t in the collection), in a cosine or a dot product.

    Hearst: TextTiling. 1993.
    """

    cosine: bool

    @cached_property
    def total(self) -> Floats:
        """The frequency of each feature in the collection, or 1 if that is 0."""
        return np.maximum(self.statistics.total, 1).astype(np.float64)

    def sentence(self, counts: Sparse) -> Floats:
        """Return the length of the vector; for the dot product, 1."""
        if not self.cosine:
            return np.ones(counts.shape[0])
        squares = (counts.data / self.total[counts.indices]) ** 2
        return np.sqrt(row_sums(counts, squares))

    def pair(self, shared: Shared, a: Floats, b: Floats) -> Floats:
        """Score pairs."""
        total = self.total[shared.features]
        dot = shared.sum((shared.counts_a / total) * (shared.counts_b / total))
        lengths = a * b
        return np.divide(dot, lengths, out=np.zeros_like(dot), where=lengths > 0)


@dataclass(eq=False)
class Okapi(Formula):
    """O1, O2, O3: the sum of x * ln((N - n_t + 0.5) / (n_t + 0.5)) over A ∩ B.

    x is tf_A * tf_B, its square root, or 1; tf = f (k1 + 1) / (f + k1 (1 - b + b |S| / avg|S|)),
    |S| the sum of f over the sentence's features; k1 and b are ours, as the paper's table is not
    available. Robertson & Sparck Jones 1994.
    """

    power: float

    @cached_property
    def weights(self) -> Floats:
        """Robertson and Sparck Jones's weight of each feature."""
        return np.log((self.statistics.sentences - self.n + 0.5) / (self.n + 0.5))

    def sentence(self, counts: Sparse) -> Floats:
        """Return k1 (1 - b + b |S| / avg|S|), or 0 for O3, which does not need it."""
        if not self.power:
            return np.zeros(counts.shape[0])
        lengths = row_sums(counts, counts.data)
        return K1 * (1.0 - B + B * lengths / (self.statistics.mean_length or 1.0))

    def pair(self, shared: Shared, a: Floats, b: Floats) -> Floats:
        """Score pairs."""
        values = self.weights[shared.features]
        if self.power:
            tf_a = shared.counts_a * (K1 + 1.0) / (shared.counts_a + a[shared.pair])
            tf_b = shared.counts_b * (K1 + 1.0) / (shared.counts_b + b[shared.pair])
            values = values * (tf_a * tf_b) ** self.power
        return shared.sum(values)


class AutomaticTextStructuring(Formula):
    """A (atn): the sum of (0.5 + 0.5 f_A / max f_A) (0.5 + 0.5 f_B / max f_B) ln(N / n_t)².

    Salton & Buckley 1991.
    """

    @cached_property
    def weights(self) -> Floats:
        """The squared inverse document frequency of each feature."""
        return np.log(max(1, self.statistics.sentences) / self.n) ** 2

    def sentence(self, counts: Sparse) -> Floats:
        """Return the largest f."""
        if not counts.shape[1]:  # the collection has no word
            return np.zeros(counts.shape[0])
        return np.asarray(counts.max(axis=1).toarray(), dtype=np.float64).reshape(-1)

    def pair(self, shared: Shared, a: Floats, b: Floats) -> Floats:
        """Score pairs."""
        x_a = 0.5 + 0.5 * shared.counts_a / a[shared.pair]
        x_b = 0.5 + 0.5 * shared.counts_b / b[shared.pair]
        return shared.sum(x_a * x_b * self.weights[shared.features])


@dataclass(eq=False)
class InverseFrequency(Formula):
    """I_e: the sum of n_t^(-e) over A ∩ B; our variant L_e sums ln(N / n_t)^e."""

    power: float
    logarithmic: bool = False

    @cached_property
    def weights(self) -> Floats:
        """The weight of each feature."""
        if not self.logarithmic:
            return np.asarray(self.n**-self.power)
        idf = np.log(max(1, self.statistics.sentences) / self.n)
        return np.asarray(np.maximum(idf, 0.0) ** self.power)

    def pair(self, shared: Shared, a: Floats, b: Floats) -> Floats:  # noqa: ARG002 (PairMethod's)
        """Score pairs."""
        return shared.sum(self.weights[shared.features])


_POWERS: Final = ("0.5", "1", "1.5", "2", "3")

FORMULAS: Final[dict[str, Callable[[Statistics], Formula]]] = {
    "D": Dice,
    "T1": partial(TextTiling, cosine=True),
    "T2": partial(TextTiling, cosine=False),
    "O1": partial(Okapi, power=1.0),
    "O2": partial(Okapi, power=0.5),
    "O3": partial(Okapi, power=0.0),
    "A": AutomaticTextStructuring,
    **{f"I{e}": partial(InverseFrequency, power=float(e)) for e in _POWERS},
    **{f"L{e}": partial(InverseFrequency, power=float(e), logarithmic=True) for e in _POWERS},
}
"""The formulas, by name."""


@dataclass(eq=False)
class FormulaModel(FeatureModel):
    """A fixed formula together with the statistics of a collection.

    Parameters
    ----------
    name : str
        One of `FORMULAS`.
    statistics : Statistics
    stopwords : tuple of str
    """

    name: str
    statistics: Statistics
    stopwords: tuple[str, ...]

    def on(self, lexicon: Lexicon) -> Formula:
        """Return the formula for the features of a lexicon."""
        return FORMULAS[self.name](self.statistics.on(lexicon))
