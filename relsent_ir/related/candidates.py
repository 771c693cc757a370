"""How Huber+ finds candidates among all sentences: shared words by idf², and the cosine.

``score(A, B) = γ · sum of idf(w)² over the words of A ∩ B + β · cosine of their vectors``. Both
weights are learned for ranking (`relsent_ir.related.ranking`). A word that the model does not know
counts as one of a single sentence: a name that two sentences share is telling wherever it is new.
"""

from typing import Final

import numpy as np

from relsent_ir.related.features import Lexicon
from relsent_ir.related.measures import COSINE, word_idf
from relsent_ir.related.scoring import FeatureModel
from relsent_ir.related.statistics import Statistics
from relsent_ir.related.weights import BoundWeights
from relsent_ir.typing import Floats

COLUMNS: Final = ("idf of shared, squared", COSINE)
"""The measures that its weights are learned for."""


class CandidateModel(FeatureModel):
    """The part of the score that is a sum over features; the cosine is added where vectors are.

    Parameters
    ----------
    statistics : Statistics
        Where idf comes from.
    weights : ndarray of float64, shape (2,)
        γ and β.
    stopwords : tuple of str
    """

    name = "candidates"

    def __init__(self, statistics: Statistics, weights: Floats, stopwords: tuple[str, ...]) -> None:
        self.statistics = statistics
        self.weights = weights
        self.stopwords = stopwords

    @property
    def cosine(self) -> float:
        """β."""
        return float(self.weights[1])

    def on(self, lexicon: Lexicon) -> BoundWeights:
        """Carry the model over to a lexicon's features."""
        shared = np.zeros(len(lexicon))
        idf = word_idf(self.statistics.on(lexicon), lexicon)
        shared[: len(idf)] = self.weights[0] * idf**2
        return BoundWeights(shared, np.zeros(len(lexicon)), 0.0)
