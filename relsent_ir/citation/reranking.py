"""Reranking by pmra, and by a combination of features learned from reference lists."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, ClassVar

import numpy as np

from relsent_ir import models
from relsent_ir.citation.candidate_features import COLUMNS, columns, hit_features
from relsent_ir.citation.candidates import Candidates
from relsent_ir.counts.weighting import pmra_weights
from relsent_ir.hits import Run
from relsent_ir.lucene.read.collection import Indexes
from relsent_ir.models import Stored, check_arrays
from relsent_ir.rank import RecordReranker, batches
from relsent_ir.typing import Floats, NDArray


@dataclass(frozen=True, eq=False)
class CitationModel:
    """Weights of the features of candidates (`relsent_ir.citation.training`).

    Attributes
    ----------
    weights : ndarray of float64, shape (features,)
        In the order of `COLUMNS`.
    facts : dict of str to Any
        Its origin: ``command``, ``data``, ``training``, ``scores``.
    """

    family: ClassVar[str] = "citations"
    kind: ClassVar[str] = "citations"

    weights: Floats
    facts: dict[str, Any] = field(default_factory=dict)

    def to_stored(self) -> tuple[dict[str, Any], dict[str, NDArray[Any]]]:
        """Return the facts and the arrays to save."""
        return {**self.facts, "columns": columns()}, {"weights": self.weights}

    @classmethod
    def from_stored(cls, stored: Stored) -> "CitationModel":
        """Read the result of `to_stored`."""
        models.check_columns(stored, columns())
        check_arrays(stored.arrays, {"weights": "float features"}, features=len(COLUMNS))
        return cls(np.array(stored.arrays["weights"]), stored.facts)


class CitationReranker(RecordReranker):
    """Orders records by a learned combination of features.

    Parameters
    ----------
    model : str, Path or CitationModel
        The folder of a model, or a model.
    """

    def __init__(self, model: str | Path | CitationModel) -> None:
        self.model: CitationModel = (
            model if isinstance(model, CitationModel) else models.load(model, "citations")
        )

    def score(self, collection: Indexes, run: Run, topics: Mapping[str, str]) -> Iterator[Floats]:
        """Score hits, which are records; see `relsent_ir.rank.RecordReranker`."""
        for _, features in candidate_features(collection, run, topics):
            yield features @ self.model.weights


class PmraReranker(RecordReranker):
    """Orders records by PubMed's similar-articles model (`relsent_ir.citation.similar`).

    A topic that is no article of the index is weighed as if its text were one.
    """

    def __init__(self, name: str = "pmra") -> None:
        self.name = name

    def score(self, collection: Indexes, run: Run, topics: Mapping[str, str]) -> Iterator[Floats]:
        """Score hits, which are records; see `relsent_ir.rank.RecordReranker`."""
        read = Candidates.read(collection, run, topics, parts=False)
        for topic in run:
            weights = pmra_weights(read.of(topic))
            yield (weights[1:] @ weights[[0]].T).toarray().ravel()


def candidate_features(
    collection: Indexes, run: Run, topics: Mapping[str, str]
) -> Iterator[tuple[str, Floats]]:
    """Compute the features that are learned from, topic by topic, of its hits alone.

    Yields
    ------
    (str, ndarray of float64, shape (hits, len(COLUMNS)))
        A topic, and the features of its hits in their order.
    """
    for batch in batches(run):
        read = Candidates.read(collection, batch, topics, parts=True)
        for topic, hits in batch.items():
            sample = read.of(topic)
            if not len(hits) or not sample.counts.nnz:
                yield topic, np.zeros((len(hits), len(COLUMNS)))
                continue
            features = hit_features(sample, read.parts_of(topic))
            yield topic, np.stack([features[name] for name in COLUMNS], axis=1)
