"""A model with one weight for each pair feature, as learned by naive Bayes and Huber."""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from relsent_ir.models import Stored, check_arrays
from relsent_ir.related.features import Lexicon, Shared, carried, row_sums
from relsent_ir.related.model import FeatureModel, PairMethod, TrainedModel
from relsent_ir.typing import Floats, NDArray, Sparse


@dataclass(eq=False)
class WeightModel(FeatureModel, TrainedModel):
    """Weights of features that both sentences have, and of features that only one has.

    ``score(A, B) = threshold + d(A) + d(B) + sum of u[t] over A ∩ B``, with
    ``u = both - 2 * one`` and ``d(S) = sum of one[t] over S``.

    Parameters
    ----------
    name : str
        The kind: ``bayes`` or ``huber``.
    lexicon : Lexicon
    both, one : ndarray of float, shape (features,)
        wI and wD: the weight of a feature if both sentences have it, and if only one has it.
    threshold : float
        θ; a score above 0 means related.
    stopwords : tuple of str
    facts : dict of str to Any
        The origin of the model.
    """

    name: str
    lexicon: Lexicon
    both: NDArray[np.floating]
    one: NDArray[np.floating]
    threshold: float
    stopwords: tuple[str, ...]
    facts: dict[str, Any]

    def on(self, lexicon: Lexicon) -> "BoundWeights":
        """Return the weights for the features of a lexicon; unknown features weigh 0."""
        where = self.lexicon.locate(lexicon)
        both, one = (carried(w, where).astype(np.float64) for w in (self.both, self.one))
        return BoundWeights(both - 2.0 * one, one, self.threshold)

    def carried_over(self, lexicon: Lexicon) -> "WeightModel":
        """Return the model with the features of another lexicon."""
        where = self.lexicon.locate(lexicon)
        both, one = (carried(w, where) for w in (self.both, self.one))
        return replace(self, lexicon=lexicon, both=both, one=one)

    def to_arrays(self) -> dict[str, NDArray[Any]]:
        """Return the arrays to save."""
        return {
            **self.lexicon.to_arrays(),
            "both": self.both.astype(np.float32),
            "one": self.one.astype(np.float32),
            "threshold": np.array([self.threshold]),
        }

    @classmethod
    def read(cls, stored: Stored, stopwords: tuple[str, ...]) -> "WeightModel":
        """Read the arrays of `to_arrays`."""
        arrays = stored.arrays
        lexicon = Lexicon.from_arrays(arrays)
        kinds = {"both": "float n", "one": "float n", "threshold": "float 1"}
        check_arrays(arrays, kinds, n=len(lexicon))
        both, one, threshold = arrays["both"], arrays["one"], float(arrays["threshold"][0])
        return cls(stored.kind, lexicon, both, one, threshold, stopwords, stored.facts)


@dataclass(eq=False)
class BoundWeights(PairMethod):
    """A weight model for the features of one lexicon.

    Attributes
    ----------
    shared : ndarray of float64, shape (features,)
        The weights u.
    one : ndarray of float64, shape (features,)
        The weights wD.
    threshold : float
    """

    shared: Floats
    one: Floats
    threshold: float

    def sentence(self, counts: Sparse) -> Floats:
        """Return d(S)."""
        return row_sums(counts, self.one[counts.indices])

    def pair(self, shared: Shared, a: Floats, b: Floats) -> Floats:
        """Score pairs."""
        return self.threshold + a + b + shared.sum(self.shared[shared.features])
