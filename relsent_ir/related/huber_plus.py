"""Huber+: one weight for each pair feature, and for each of the dense features, learned together.

To Smith & Wilbur's sparse features come the fixed formulas, lengths, and word associations learned
from the collection itself (`relsent_ir.related.measures`). The score is linear in all of them; the
sparse weights are learned from pairs, those of the dense features, and how much the sparse ones
count among them, for ranking (`relsent_ir.related.ranking`).
"""

from collections.abc import Collection
from typing import Any

import numpy as np
from numpy.typing import NDArray

from relsent_ir.models import Stored, check_arrays, check_columns
from relsent_ir.related.associations import Associations
from relsent_ir.related.candidates import CandidateModel
from relsent_ir.related.columns import columns
from relsent_ir.related.compact import compact
from relsent_ir.related.features import Lexicon, Sentences, chunks
from relsent_ir.related.measures import MEASURES, Knowledge, Measures
from relsent_ir.related.parts import count_parts
from relsent_ir.related.scaling import Scaling
from relsent_ir.related.scoring import TrainedModel, method_scores, query_method_scores
from relsent_ir.related.statistics import Statistics
from relsent_ir.related.weights import BoundWeights, WeightModel
from relsent_ir.typing import Floats


class HuberPlusModel(TrainedModel):
    """A model of sparse and dense features.

    Parameters
    ----------
    sparse : WeightModel
        The weights of the sparse features, and the threshold.
    candidates : ndarray of float64, shape (2,)
        The weights of what finds candidates among all sentences
        (`relsent_ir.related.candidates`).
    knowledge : Knowledge
        On the same lexicon.
    scaling : Scaling
    dense : ndarray of float64, shape (2 measures,)
        The weights of the scaled dense features.
    facts : dict of str to Any
        What made it.
    """

    name = "huber-plus"

    def __init__(
        self,
        sparse: WeightModel,
        candidates: Floats,
        knowledge: Knowledge,
        scaling: Scaling,
        dense: Floats,
        facts: dict[str, Any],
    ) -> None:
        self.sparse = sparse
        self.candidates = CandidateModel(knowledge.statistics, candidates, sparse.stopwords)
        self.knowledge = knowledge
        self.scaling = scaling
        self.dense = dense
        self.stopwords = sparse.stopwords
        self.facts = facts
        self._bound: tuple[Lexicon, BoundWeights, Measures] | None = None

    @property
    def lexicon(self) -> Lexicon:
        """The words that the model knows, and their features."""
        return self.sparse.lexicon

    def scores(
        self, sentences: Sentences, a: NDArray[np.integer], b: NDArray[np.integer]
    ) -> Floats:
        """Score the pairs of sentences `a[i]`, `b[i]`; shape (pairs,)."""
        sparse, measures = self._on(sentences.lexicon)
        scores = np.empty(len(a))
        for part in chunks(len(a)):
            some = sentences, a[part], b[part]
            found = method_scores([sparse, *measures.formulas], *some)
            scores[part] = found[0] + self._weigh(measures.of_pairs(found[1:], *some))
        return scores

    def query_scores(self, sentences: Sentences, query: int, rows: NDArray[np.integer]) -> Floats:
        """Score one sentence against others; shape (rows,)."""
        if self._bound is None or self._bound[0] is not sentences.lexicon:
            # A large lexicon is not worth carrying everything over to for a few sentences.
            used, places = np.unique(np.append(rows, query), return_inverse=True)
            if 4 * len(used) < len(sentences):
                sentences = compact(sentences, used)
                rows, query = places[:-1], int(places[-1])
        sparse, measures = self._on(sentences.lexicon)
        scores = np.empty(len(rows))
        for part in chunks(len(rows)):
            some = sentences, query, rows[part]
            found = query_method_scores([sparse, *measures.formulas], *some)
            scores[part] = found[0] + self._weigh(measures.of_query(found[1:], *some))
        return scores

    def contributions(self, sentences: Sentences, query: int, row: int) -> list[tuple[str, float]]:
        """Give what each dense measure adds to the score of two sentences, with its logarithm."""
        _, measures = self._on(sentences.lexicon)
        some = sentences, query, np.array([row])
        values = measures.of_query(query_method_scores(measures.formulas, *some), *some)
        parts = (self.scaling.apply(values)[0] * self.dense).reshape(2, -1).sum(axis=0)
        return list(zip(MEASURES, parts.tolist(), strict=True))

    def association(self, word: str, others: Collection[str]) -> float:
        """Give the strongest association of a word with any of some others; 0 for unknown ones."""
        known = self.knowledge.statistics.lexicon.words
        number = known.find(word)
        places = np.array([known.find(other) for other in others], dtype=np.int64)
        if number < 0 or not (places >= 0).any():
            return 0.0
        return float(self.knowledge.associations.rows(np.array([number]))[0, places].max())

    def _weigh(self, measures: Floats) -> Floats:
        weighed: Floats = self.scaling.apply(measures) @ self.dense
        return weighed

    def _on(self, lexicon: Lexicon) -> tuple[BoundWeights, Measures]:
        """Carry the model over to a lexicon, and keep that for the next call."""
        bound = self._bound  # read once: another thread may change it
        if bound is None or bound[0] is not lexicon:
            bound = lexicon, self.sparse.on(lexicon), self.knowledge.on(lexicon)
            self._bound = bound
        return bound[1:]

    def to_stored(self) -> tuple[dict[str, Any], dict[str, NDArray[Any]]]:
        """Give the facts and the arrays to save, and what the dense features are."""
        facts, arrays = super().to_stored()
        return {**facts, "columns": columns()}, arrays

    def to_arrays(self) -> dict[str, NDArray[Any]]:
        """Give the arrays to save."""
        return {
            **self.sparse.to_arrays(),
            "candidates": self.candidates.weights,
            **self.knowledge.statistics.to_arrays(),
            **self.knowledge.associations.to_arrays(),
            "vectors": self.knowledge.vectors,
            "part_vectors": self.knowledge.parts,
            **self.scaling.to_arrays(),
            "dense": self.dense,
        }

    @classmethod
    def read(cls, stored: Stored, stopwords: tuple[str, ...]) -> "HuberPlusModel":
        """Read what `to_arrays` gave."""
        check_columns(stored, columns())
        arrays = stored.arrays
        sparse = WeightModel.read(stored, stopwords)
        lexicon = sparse.lexicon
        check_arrays(
            arrays,
            {
                "candidates": "float 2",
                "association_starts": "int starts",
                "vectors": "float words dimensions",
                "part_vectors": "float parts dimensions",
                "measure_unit": "float measures",
                "dense": "float weights",
            },
            words=len(lexicon.words),
            parts=count_parts(lexicon),
            starts=len(lexicon.words) + 1,
            measures=len(MEASURES),
            weights=2 * len(MEASURES),
        )
        knowledge = Knowledge(
            Statistics.from_arrays(lexicon, arrays),
            Associations.from_arrays(arrays),
            arrays["vectors"],
            arrays["part_vectors"],
        )
        scaling = Scaling.from_arrays(arrays)
        dense = np.asarray(arrays["dense"])
        candidates = np.asarray(arrays["candidates"])
        return cls(sparse, candidates, knowledge, scaling, dense, stored.facts)
