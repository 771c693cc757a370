"""Answer models: two kinds behind one interface."""

from abc import ABC, abstractmethod
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from relsent_ir import models
from relsent_ir.answers import relatedness
from relsent_ir.answers.columns import linear_columns, tree_columns
from relsent_ir.answers.features import sentence_features
from relsent_ir.answers.linear import Weights, repetitions
from relsent_ir.answers.paper import FEATURE_SETS, FEATURES, zone_features
from relsent_ir.answers.tree import Tree
from relsent_ir.answers.vectors import WordVectors
from relsent_ir.answers.zones import claim_zone
from relsent_ir.models import Columns, Stored
from relsent_ir.records import Sentence
from relsent_ir.related.weights import WeightModel
from relsent_ir.text.stopwords import default_stopwords


@dataclass(frozen=True)
class Judged:
    """What a model says of the sentences of an abstract.

    Attributes
    ----------
    scores : ndarray of float64, shape (sentences,)
        By which they are ranked.
    probabilities : ndarray of float64, shape (sentences,)
        That a sentence is an answer.
    answers : ndarray of bool, shape (sentences,)
        Whether the model takes it for one.
    """

    scores: NDArray[np.float64]
    probabilities: NDArray[np.float64]
    answers: NDArray[np.bool_]


class AnswerModel(ABC):
    """A model that judges sentences.

    Attributes
    ----------
    facts : dict of str to Any
        What made it: ``command``, ``data``, ``scores``.
    """

    family: ClassVar[str] = "answers"
    kind: ClassVar[str]
    facts: dict[str, Any]

    @property
    @abstractmethod
    def stopwords(self) -> Collection[str]:
        """Words of a question that say nothing of what it is about."""

    @abstractmethod
    def judge(self, question: str, title: str, tagged: Sequence[Sentence]) -> Judged:
        """Judge all sentences of an abstract, in their order."""

    @abstractmethod
    def columns(self) -> Columns:
        """Say what the features are (`relsent_ir.models.columns`)."""

    @abstractmethod
    def to_arrays(self) -> dict[str, NDArray[Any]]:
        """Give the arrays to save."""

    @classmethod
    @abstractmethod
    def from_stored(cls, stored: Stored) -> Self:
        """Read what `to_stored` gave."""

    def to_stored(self) -> tuple[dict[str, Any], dict[str, NDArray[Any]]]:
        """Give the facts and the arrays to save."""
        return {**self.facts, "columns": self.columns()}, self.to_arrays()


class LinearModel(AnswerModel):
    """Ours (`relsent_ir.answers.linear`).

    Parameters
    ----------
    weights : Weights
    vectors : WordVectors
    facts : dict of str to Any
    related : WeightModel, optional
        Adds the features of `relsent_ir.answers.relatedness`.
    """

    kind = "answers-linear"

    def __init__(
        self,
        weights: Weights,
        vectors: WordVectors,
        facts: dict[str, Any],
        related: WeightModel | None = None,
    ) -> None:
        self.weights = weights
        self.vectors = vectors
        self.facts = facts
        self.related = related

    @property
    def stopwords(self) -> Collection[str]:
        """Those of the vectors."""
        return self.vectors.stopwords

    def judge(self, question: str, title: str, tagged: Sequence[Sentence]) -> Judged:
        """Judge all sentences of an abstract; scores sum to one."""
        features = sentence_features(question, title, tagged, self.vectors, self.related)
        best = self.weights.best(features)
        repeats = repetitions([sentence.text for sentence in tagged])
        probabilities = self.weights.answers(best, repeats)
        return Judged(best, probabilities, probabilities >= self.weights.threshold)

    def columns(self) -> Columns:
        """Say what the features are."""
        return linear_columns(with_related=self.related is not None)

    def to_arrays(self) -> dict[str, NDArray[Any]]:
        """Give the arrays to save."""
        first = np.stack([self.weights.mean, self.weights.deviation, self.weights.weights])
        second = np.append(self.weights.second, self.weights.threshold)
        arrays = {"first": first, "second": second, **self.vectors.to_arrays()}
        if self.related is not None:
            arrays |= relatedness.to_arrays(self.related)
        return arrays

    @classmethod
    def from_stored(cls, stored: Stored) -> "LinearModel":
        """Read what `to_stored` gave."""
        arrays = stored.arrays
        related = relatedness.from_arrays(arrays, stored.path)
        models.check_columns(stored, linear_columns(with_related=related is not None))
        mean, deviation, weights = np.array(arrays["first"])
        *second, threshold = np.array(arrays["second"]).tolist()
        found = Weights(mean, deviation, weights, np.array(second), threshold)
        return cls(found, WordVectors.from_arrays(arrays), stored.facts, related)


class TreeModel(AnswerModel):
    """The paper's (`relsent_ir.answers.tree`): what is outside the claim zone is no answer.

    Parameters
    ----------
    tree : Tree
    facts : dict of str to Any
    """

    kind = "answers-tree"

    def __init__(self, tree: Tree, facts: dict[str, Any]) -> None:
        self.tree = tree
        self.facts = facts

    @property
    def stopwords(self) -> Collection[str]:
        """scikit-learn's."""
        return default_stopwords()

    def judge(self, question: str, title: str, tagged: Sequence[Sentence]) -> Judged:
        """Judge all sentences of an abstract."""
        zone = claim_zone(tagged)
        inside = [tagged[i] for i in np.flatnonzero(zone).tolist()]
        columns = [FEATURES.index(name) for name in self.tree.features]
        found = np.zeros(len(tagged))
        found[zone] = self.tree.predict(zone_features(question, title, inside)[:, columns])
        return Judged(found, found, found > 0.5)

    def columns(self) -> Columns:
        """Say what the features are."""
        return tree_columns(self.tree.features)

    def to_arrays(self) -> dict[str, NDArray[Any]]:
        """Give the arrays to save."""
        tree = self.tree
        return {
            "nodes": np.stack([tree.split, tree.left, tree.right]),
            "values": np.stack([tree.threshold, tree.probability]),
        }

    @classmethod
    def from_stored(cls, stored: Stored) -> "TreeModel":
        """Read what `to_stored` gave."""
        names = FEATURE_SETS[stored.facts["feature_set"]]
        split, left, right = np.array(stored.arrays["nodes"])
        threshold, probability = np.array(stored.arrays["values"])
        n = np.arange(len(split))
        inner = split >= 0
        if not (
            split.shape == threshold.shape
            and len(n)
            and (split < len(names)).all()
            and ((n < left) & (left < len(n)) & (n < right) & (right < len(n)))[inner].all()
        ):
            raise ValueError("no tree")
        models.check_columns(stored, tree_columns(names))
        return cls(Tree(names, split, threshold, left, right, probability), stored.facts)


def default_model() -> AnswerModel:
    """The model that comes with the package, read once."""
    model: AnswerModel = models.default("answers")
    return model
