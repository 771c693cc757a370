"""Huber+: weights for pair features and for dense features, learned together.

The dense features are the fixed formulas, lengths, and word associations learned from the
collection itself (`relsent_ir.related.measures`); each is used with its logarithm, beside the
sparse features of Smith & Wilbur. The score is linear in all features. The sparse weights are
learned from pairs; the dense weights, and the weight of the sparse part among them, are learned to
rank (`relsent_ir.related.training.huber_plus`).

Among all sentences, candidates are selected by shared words and by the cosine of vectors::

    score(A, B) = γ · sum of idf(w)² over the words of A ∩ B + β · cosine of their vectors

Both weights are also learned to rank. A word that is unknown to the model counts as if one sentence
had it: it is telling if two sentences share a new name.

The packaged model is stored in a tenth of its size (`encode`). It keeps the words of most
sentences, and the parts of words that several sentences have; vectors and weights have 8 bits,
frequencies 8 bits of their logarithm. It has no associations. When it is matched, the collection's
associations are used and the collection's frequencies are added
(`relsent_ir.related.matching.stages`): a name that only this collection has is then rare, and a
word that all its sentences have counts little.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache
from typing import Any, Final

import numpy as np

from relsent_ir.models import Columns, Stored, check_arrays, check_columns, figures
from relsent_ir.related.associations import Associations
from relsent_ir.related.features import Lexicon, Sentences, chunks, compact
from relsent_ir.related.formulas import FORMULAS, Statistics
from relsent_ir.related.measures import COSINE, MEASURES, Knowledge, Measures, word_idf
from relsent_ir.related.model import FeatureModel, TrainedModel, method_scores, query_method_scores
from relsent_ir.related.tokens import LONGEST, SHORTEST
from relsent_ir.related.vectors import count_parts, sentence_vectors
from relsent_ir.related.weights import BoundWeights, WeightModel
from relsent_ir.typing import Floats, NDArray

COLUMNS: Final = ("idf of shared, squared", COSINE)
"""The measures for which the model has weights."""


@dataclass(eq=False)
class CandidateModel(FeatureModel):
    """The part of the score that is a sum over features; it excludes the cosine.

    Parameters
    ----------
    statistics : Statistics
        The statistics from which idf is computed.
    weights : ndarray of float64, shape (2,)
        The weights γ and β.
    stopwords : tuple of str
    """

    statistics: Statistics
    weights: Floats
    stopwords: tuple[str, ...]
    name = "candidates"

    def on(self, lexicon: Lexicon) -> BoundWeights:
        """Return the model's weights for the features of a lexicon."""
        shared = np.zeros(len(lexicon))
        idf = word_idf(self.statistics.on(lexicon), lexicon)
        shared[: len(idf)] = self.weights[0] * idf**2
        return BoundWeights(shared, np.zeros(len(lexicon)), 0.0)


_FARTHEST: Final = 6.0  # standard deviations from the mean to which values are clipped
_RARE: Final = 5  # percentile of a column's positive values that is its logarithm's unit
_FLAT: Final = 1e-9  # a column with a smaller deviation counts as constant


@dataclass(frozen=True)
class Scaling:
    """Scale measures and their logarithms to mean 0 and deviation 1 over training pairs.

    Attributes
    ----------
    unit : ndarray of float64, shape (measures,)
        The logarithm of x is computed as ``sign(x) ln(1 + |x| / unit)``.
    mean, deviation : ndarray of float64, shape (2 measures,)
    """

    unit: Floats
    mean: Floats
    deviation: Floats

    @classmethod
    def fit(cls, measures: Floats) -> "Scaling":
        """Fit the scaling to training pairs."""
        unit = np.ones(measures.shape[1])
        for i, column in enumerate(measures.T):
            positive = column[column > 0]
            if len(positive):
                unit[i] = np.percentile(positive, _RARE)
        values = _with_logarithms(measures, unit)
        deviation = values.std(axis=0)
        return cls(unit, values.mean(axis=0), np.where(deviation > _FLAT, deviation, 1.0))

    def apply(self, measures: Floats) -> Floats:
        """Scale measures; shape (pairs, 2 measures)."""
        values = _with_logarithms(measures, self.unit)
        values -= self.mean
        values /= self.deviation
        return np.clip(values, -_FARTHEST, _FARTHEST, out=values)

    def to_arrays(self) -> dict[str, NDArray[Any]]:
        """Return the arrays that `from_arrays` reads."""
        return {
            "measure_unit": self.unit,
            "measure_mean": self.mean,
            "measure_deviation": self.deviation,
        }

    @classmethod
    def from_arrays(cls, arrays: Mapping[str, NDArray[Any]]) -> "Scaling":
        """Read the arrays of `to_arrays`."""
        names = "measure_unit", "measure_mean", "measure_deviation"
        unit, mean, deviation = (arrays[name] for name in names)
        kinds = dict(zip(names, ("float n", "float twice", "float twice"), strict=True))
        check_arrays(arrays, kinds, n=len(unit), twice=2 * len(unit))
        if min(unit.min(initial=1.0), deviation.min(initial=1.0)) <= 0.0:
            raise ValueError("scales that are not above 0")
        return cls(unit, mean, deviation)


def _with_logarithms(measures: Floats, unit: Floats) -> Floats:
    return np.hstack([measures, np.sign(measures) * np.log1p(np.abs(measures) / unit)])


LOGARITHM: Final = "logarithm"
"""The name of the logarithm in `columns`."""
_PROBE: Final = (
    "Murinol lowers the glucose of diabetic mice",
    "Glucose, and insulin with glucose, in mice that were given murinol",
    "Diabetic rats without insulin",
    "Larvae of the mosquito feed on algae",
)


@cache
def columns() -> Columns:
    """Return the columns before scaling, and the logarithm, as values for an artificial input."""
    sentences = Sentences.from_texts(_PROBE, ("the", "of", "and", "in"))
    rows = np.arange(len(_PROBE))
    n = len(sentences.lexicon.words)
    word, other = np.divmod(np.flatnonzero(~np.eye(n, dtype=bool)), n)
    associations = Associations(
        np.arange(n + 1) * (n - 1),
        other.astype(np.int32),
        ((word + other) % 5 / 4).astype(np.float16),
    )
    vectors = ((np.arange(n)[:, None] * 7 + np.arange(4) * 3) % 11 - 4.5).astype(np.float16)
    parts = np.zeros((count_parts(sentences.lexicon), 4), dtype=np.float16)
    knowledge = Knowledge(Statistics.collect(sentences, rows), associations, vectors, parts)
    measures = Measures(knowledge, sentences.lexicon)
    a, b = np.array([0, 0, 1, 0]), np.array([1, 2, 2, 3])
    values = measures.of_pairs(method_scores(measures.formulas, sentences, a, b), sentences, a, b)
    unit = np.ones(1)
    logarithm = Scaling(2 * unit, np.zeros(2), np.ones(2)).apply(np.array([[-9.0], [0.5], [3.0]]))
    named = zip((*MEASURES, LOGARITHM), (*values.T, logarithm.ravel()), strict=True)
    return {name: figures(column) for name, column in named}


@dataclass(eq=False)
class HuberPlusModel(TrainedModel):
    """A model with sparse and dense features.

    Parameters
    ----------
    sparse : WeightModel
        Weights of the sparse features, and the threshold.
    candidate_weights : ndarray of float64, shape (2,)
        The weights γ and β by which candidates are selected among all sentences.
    knowledge : Knowledge
        Knowledge on the same lexicon.
    scaling : Scaling
    dense : ndarray of float64, shape (2 measures,)
        Weights of the scaled dense features.
    facts : dict of str to Any
        The origin of the model.
    packed : bool
        Whether the model is stored in 8 bits without associations (`encode`).
    """

    sparse: WeightModel
    candidate_weights: Floats
    knowledge: Knowledge
    scaling: Scaling
    dense: Floats
    facts: dict[str, Any]
    packed: bool = False
    name = "huber-plus"

    def __post_init__(self) -> None:
        self.stopwords = self.sparse.stopwords
        statistics = self.knowledge.statistics
        self.candidates = CandidateModel(statistics, self.candidate_weights, self.stopwords)
        self._bound: tuple[Lexicon, BoundWeights, Measures] | None = None

    def scores(
        self, sentences: Sentences, a: NDArray[np.integer], b: NDArray[np.integer]
    ) -> Floats:
        """Score the pairs of sentences `a[i]`, `b[i]`; shape (pairs,)."""
        sparse, measures = self._on(sentences.lexicon)
        scores = np.empty(len(a))
        for part in chunks(len(a)):
            pairs = sentences, a[part], b[part]
            by_method = method_scores([sparse, *measures.formulas], *pairs)
            scores[part] = by_method[0] + self.weigh(measures.of_pairs(by_method[1:], *pairs))
        return scores

    def query_scores(self, sentences: Sentences, query: int, rows: NDArray[np.integer]) -> Floats:
        """Score one sentence against others; shape (rows,)."""
        if self._bound is None or self._bound[0] is not sentences.lexicon:
            # For a few sentences, mapping everything to a large lexicon does not pay.
            used, places = np.unique(np.append(rows, query), return_inverse=True)
            if 4 * len(used) < len(sentences):
                sentences = compact(sentences, used)
                rows, query = places[:-1], int(places[-1])
        sparse, measures = self._on(sentences.lexicon)
        scores = np.empty(len(rows))
        for part in chunks(len(rows)):
            pairs = sentences, query, rows[part]
            by_method = query_method_scores([sparse, *measures.formulas], *pairs)
            scores[part] = by_method[0] + self.weigh(measures.of_pairs(by_method[1:], *pairs))
        return scores

    def likeness(
        self, sentences: Sentences, query: int, rows: NDArray[np.integer]
    ) -> tuple[Floats, Floats]:
        """Compare one sentence with others: the vectors' cosines, and `Measures.covered`."""
        _, measures = self._on(sentences.lexicon)
        vectors = sentence_vectors(sentences.words, measures.vectors)
        cosines: Floats = (vectors[rows] @ vectors[query]).astype(np.float64)
        return cosines, measures.covered(sentences.words, query, rows)

    def contributions(self, sentences: Sentences, query: int, row: int) -> list[tuple[str, float]]:
        """Return the contribution of each dense measure to the score of two sentences."""
        _, measures = self._on(sentences.lexicon)
        pair = sentences, query, np.array([row])
        values = measures.of_pairs(query_method_scores(measures.formulas, *pair), *pair)
        parts = (self.scaling.apply(values)[0] * self.dense).reshape(2, -1).sum(axis=0)
        return list(zip(self.knowledge.measures, parts.tolist(), strict=True))

    def weigh(self, measures: Floats) -> Floats:
        """Return the contribution of the dense features to the scores of pairs; shape (pairs,)."""
        return np.asarray(self.scaling.apply(measures) @ self.dense)

    def _on(self, lexicon: Lexicon) -> tuple[BoundWeights, Measures]:
        """Return the model for a lexicon, cached for the next call."""
        bound = self._bound  # read once, since another thread may change it
        if bound is None or bound[0] is not lexicon:
            bound = lexicon, self.sparse.on(lexicon), Measures(self.knowledge, lexicon)
            self._bound = bound
        return bound[1:]

    def to_stored(self) -> tuple[dict[str, Any], dict[str, NDArray[Any]]]:
        """Return the facts and arrays to save, with the dense features by value."""
        facts, arrays = super().to_stored()
        named = (*self.knowledge.measures, LOGARITHM)
        return {**facts, "columns": {name: columns()[name] for name in named}}, arrays

    def joined(self, collection: Statistics, associations: Associations) -> "HuberPlusModel":
        """Return a packed model with the frequencies and associations of a collection added.

        Parameters
        ----------
        collection : Statistics
        associations : Associations
            The associations of the words of the collection's lexicon.
        """
        knowledge = replace(self.knowledge, collection=collection, associations=associations)
        model = replace(self, knowledge=knowledge)
        model.calibration, model.reader = self.calibration, self.reader
        return model

    def to_arrays(self) -> dict[str, NDArray[Any]]:
        """Return the arrays to save."""
        arrays = {
            **self.sparse.to_arrays(),
            "candidates": self.candidate_weights,
            **self.knowledge.statistics.to_arrays(),
            **self.knowledge.associations.to_arrays(),
            "vectors": self.knowledge.vectors,
            "part_vectors": self.knowledge.parts,
            **self.scaling.to_arrays(),
            "dense": self.dense,
        }
        return encode(arrays) if self.packed else arrays

    @classmethod
    def read(cls, stored: Stored, stopwords: tuple[str, ...]) -> "HuberPlusModel":
        """Read the arrays of `to_arrays`; only measures that the model names are computed."""
        known, recorded = columns(), stored.facts.get("columns", ())
        named = [name for name in recorded if name in known and name != LOGARITHM]
        named.sort(key=lambda name: name not in FORMULAS)
        check_columns(stored, {name: known[name] for name in (*named, LOGARITHM)})
        packed = "vectors_size" in stored.arrays
        if packed:
            stored = replace(stored, arrays=decode(stored.arrays))
        arrays = stored.arrays
        sparse = WeightModel.read(stored, stopwords)
        lexicon = sparse.lexicon
        kinds = {
            "candidates": "float 2",
            "association_starts": "int starts",
            "vectors": "float words dimensions",
            "part_vectors": "float parts dimensions",
            "measure_unit": "float measures",
            "dense": "float weights",
        }
        words, measures = len(lexicon.words), len(named)
        sizes = {"words": words, "starts": words + 1, "parts": count_parts(lexicon)}
        check_arrays(arrays, kinds, **sizes, measures=measures, weights=2 * measures)
        knowledge = Knowledge(
            Statistics.from_arrays(lexicon, arrays),
            Associations.from_arrays(arrays),
            arrays["vectors"],
            arrays["part_vectors"],
            measures=tuple(named),
        )
        parts = arrays["candidates"], knowledge, Scaling.from_arrays(arrays), arrays["dense"]
        return cls(sparse, *parts, stored.facts, packed=packed)


_ASCENDING: Final = ("word_ends", *(f"substrings_{n}" for n in range(SHORTEST, LONGEST + 1)))
_VECTORS: Final = ("vectors", "part_vectors")
_SPARSE: Final = ("both", "one")
_MOST: Final = 127  # the largest value of a signed byte
_LEVELS: Final = 255

Arrays = dict[str, NDArray[Any]]


def encode(arrays: Arrays) -> Arrays:
    """Write the arrays of a Huber+ model in compact form; `decode` reads them."""
    omitted = {"total", "association_starts", "association_words", "associations"}
    packed = {name: array for name, array in arrays.items() if name not in omitted}
    for name in _ASCENDING:
        steps = np.diff(arrays[name], prepend=0)  # not negative, so a small type can hold them
        packed[name] = steps.astype(np.min_scalar_type(int(steps.max(initial=0))))
    for name in _VECTORS:
        packed[name], packed[f"{name}_size"] = to_bytes(arrays[name].astype(np.float32))
    for name in _SPARSE:
        numbers, packed[f"{name}_size"] = to_bytes(arrays[name][None])
        packed[name] = numbers[0]
    step = np.log1p(arrays["collection"][0]) / _LEVELS
    packed["frequency"] = np.rint(np.log1p(arrays["frequency"]) / step).astype(np.uint8)
    return packed


def decode(packed: Arrays) -> Arrays:
    """Read the arrays of `encode`, without associations; totals equal the sentences' numbers.

    Raises
    ------
    KeyError
        If an array is missing.
    ValueError
        If two arrays are inconsistent.
    """
    kinds = {"frequency": "bytes n", "collection": "float 2"}
    for name in _SPARSE:
        kinds |= {name: "int n", f"{name}_size": "float 1"}
    for name in _VECTORS:
        kinds |= {name: f"int {name} dimensions", f"{name}_size": f"float {name}"}
    check_arrays(packed, kinds)
    arrays = {name: array for name, array in packed.items() if not name.endswith("_size")}
    for name in _ASCENDING:
        arrays[name] = np.cumsum(packed[name], dtype=np.int64)
    for name in _VECTORS:
        arrays[name] = from_bytes(packed[name], packed[f"{name}_size"]).astype(np.float16)
    for name in _SPARSE:
        arrays[name] = from_bytes(packed[name][None], packed[f"{name}_size"])[0]
    step = np.log1p(packed["collection"][0]) / _LEVELS
    levels = np.rint(np.expm1(np.arange(_LEVELS + 1) * step)).astype(np.int32)
    arrays["frequency"] = levels[packed["frequency"]]
    arrays["total"] = arrays["frequency"].astype(np.int64)
    starts = np.zeros(len(packed["word_ends"]) + 1, dtype=np.int64)
    none = Associations(starts, np.empty(0, dtype=np.int32), np.empty(0, dtype=np.float16))
    return {**arrays, **none.to_arrays()}


def to_bytes(vectors: NDArray[np.floating]) -> tuple[NDArray[np.int8], NDArray[np.float32]]:
    """Round each vector to multiples of its largest absolute value / 127; `from_bytes` reads them.

    Returns
    -------
    numbers : ndarray of int8, as `vectors`
    sizes : ndarray of float32, shape (vectors,)
    """
    sizes = np.abs(vectors).max(axis=1, initial=0.0).astype(np.float32) / np.float32(_MOST)
    divisors = np.where(sizes > 0.0, sizes, np.float32(1.0))[:, None]
    return np.rint(vectors / divisors).astype(np.int8), sizes


def from_bytes(numbers: NDArray[np.int8], sizes: NDArray[np.floating]) -> NDArray[np.float32]:
    """Return the vectors that `to_bytes` rounded."""
    return numbers.astype(np.float32) * sizes.astype(np.float32)[:, None]
