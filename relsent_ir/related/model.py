"""Models that score pairs of sentences, from a number for each and a sum over shared features."""

import hashlib
from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any, ClassVar, Self

import numpy as np

from relsent_ir.errors import MismatchError
from relsent_ir.models import Stored
from relsent_ir.related.calibration import Calibration, Reader
from relsent_ir.related.features import Lexicon, Sentences, Shared, chunks
from relsent_ir.related.tokens import LONGEST, SHORTEST
from relsent_ir.typing import Floats, NDArray, Sparse


class PairMethod(ABC):
    """A scoring method for the features of one lexicon."""

    def sentence(self, counts: Sparse) -> Floats:
        """Return one number for each sentence; `counts` has shape (sentences, features).

        By default the number is 0: a sentence by itself contributes nothing to the score.
        """
        return np.zeros(counts.shape[0])

    @abstractmethod
    def pair(self, shared: Shared, a: Floats, b: Floats) -> Floats:
        """Score pairs from shared features and the sentences' numbers, of shape (pairs,) each."""


class Model(ABC):
    """Score pairs of sentences.

    Attributes
    ----------
    name : str
        ``I1.5``, ``bayes``, ``huber``, …
    stopwords : tuple of str
        Words to leave out of sentences.
    """

    name: str
    stopwords: tuple[str, ...]

    @abstractmethod
    def scores(
        self, sentences: Sentences, a: NDArray[np.integer], b: NDArray[np.integer]
    ) -> Floats:
        """Score the pairs of sentences `a[i]`, `b[i]`; shape (pairs,)."""

    @abstractmethod
    def query_scores(self, sentences: Sentences, query: int, rows: NDArray[np.integer]) -> Floats:
        """Score one sentence against others; shape (rows,)."""


class TrainedModel(Model):
    """A model that can be saved; its `name` is the kind by which it is loaded.

    Attributes
    ----------
    facts : dict of str to Any
        The origin of the model: ``command``, ``data``, ``seed``, ``all_records``,
        ``content_share``, ``training``, ``scores``.
    calibration : Calibration or None
        What its scores mean; None if too few records were left for the calibration.
    reader : Reader or None
        How readers judge its matches; only the packaged model has one.
    """

    family: ClassVar[str] = "related"
    facts: dict[str, Any]
    calibration: Calibration | None = None
    reader: Reader | None = None

    @property
    def kind(self) -> str:
        """The name of the model."""
        return self.name

    @abstractmethod
    def to_arrays(self) -> dict[str, NDArray[Any]]:
        """Return the arrays to save."""

    @classmethod
    @abstractmethod
    def read(cls, stored: Stored, stopwords: tuple[str, ...]) -> Self:
        """Create the model from the arrays of `to_arrays`."""

    def to_stored(self) -> tuple[dict[str, Any], dict[str, NDArray[Any]]]:
        """Return the facts and arrays to save, including those of the calibration."""
        features = {"shortest": SHORTEST, "longest": LONGEST, "stopwords": list(self.stopwords)}
        meaning = [part.to_arrays() for part in (self.calibration, self.reader) if part]
        arrays = {name: array for part in meaning for name, array in part.items()}
        return {**self.facts, "features": features}, {**self.to_arrays(), **arrays}

    @classmethod
    def from_stored(cls, stored: Stored) -> Self:
        """Read the facts and arrays of `to_stored`.

        Raises
        ------
        MismatchError
            If another version trained it with other features.
        """
        features = stored.facts["features"]
        if (features["shortest"], features["longest"]) != (SHORTEST, LONGEST):
            raise MismatchError(
                f"the model was not trained on substrings of {SHORTEST} to {LONGEST} characters",
                where=stored.path,
                fix="train it again with this version",
            )
        model = cls.read(stored, tuple(features["stopwords"]))
        model.calibration = Calibration.from_arrays(stored.arrays)
        model.reader = Reader.from_arrays(stored.arrays)
        return model

    def checksums(self) -> dict[str, str]:
        """Return a checksum of each stored array: once saved, those in its folder."""
        if stored := self.facts.get("checksums"):
            return dict(stored)
        arrays = self.to_stored()[1].items()
        return {name: hashlib.blake2b(array.tobytes()).hexdigest() for name, array in arrays}


class FeatureModel(Model):
    """A model that scores sentences by features only."""

    @abstractmethod
    def on(self, lexicon: Lexicon) -> PairMethod:
        """Return the model's method for the features of a lexicon."""

    def scores(
        self, sentences: Sentences, a: NDArray[np.integer], b: NDArray[np.integer]
    ) -> Floats:
        """Score the pairs of sentences `a[i]`, `b[i]`; shape (pairs,)."""
        return np.asarray(method_scores([self.on(sentences.lexicon)], sentences, a, b)[0])

    def query_scores(self, sentences: Sentences, query: int, rows: NDArray[np.integer]) -> Floats:
        """Score one sentence against others; shape (rows,)."""
        methods = [self.on(sentences.lexicon)]
        return np.asarray(query_method_scores(methods, sentences, query, rows)[0])


def method_scores(
    methods: Sequence[PairMethod],
    sentences: Sentences,
    a: NDArray[np.integer],
    b: NDArray[np.integer],
) -> Floats:
    """Score pairs by several methods; the shared features are computed once.

    Returns
    -------
    ndarray of float64, shape (methods, pairs)
    """
    rows, places = np.unique(np.concatenate([a, b]), return_inverse=True)
    alone = np.empty((len(methods), len(rows)))
    for part in chunks(len(rows)):
        counts = sentences.counts(rows[part])
        for i, method in enumerate(methods):
            alone[i, part] = method.sentence(counts)
    scores = np.empty((len(methods), len(a)))
    first, second = places[: len(a)], places[len(a) :]
    for part in chunks(len(a)):
        shared = sentences.shared(a[part], b[part])
        for i, method in enumerate(methods):
            scores[i, part] = method.pair(shared, alone[i, first[part]], alone[i, second[part]])
    return scores


def query_method_scores(
    methods: Sequence[PairMethod], sentences: Sentences, query: int, rows: NDArray[np.integer]
) -> Floats:
    """Score one sentence against others by several methods; shape (methods, rows)."""
    query_counts = sentences.counts(slice(query, query + 1))
    scores = np.empty((len(methods), len(rows)))
    for part in chunks(len(rows)):
        counts = sentences.counts(rows[part])
        shared = sentences.shared_with(query, rows[part])
        for i, method in enumerate(methods):
            others = method.sentence(counts)
            alone = np.repeat(method.sentence(query_counts), len(others))
            scores[i, part] = method.pair(shared, alone, others)
    return scores


def score_pairs(model: Model, pairs: Sequence[tuple[str, str]]) -> Floats:
    """Score pairs of texts; shape (pairs,).

    Parameters
    ----------
    model : Model
        A model returned by `relsent_ir.related.open_model`.
    pairs : list of (str, str)
        Pairs of sentences; the order within a pair has no effect.
    """
    sentences = Sentences.from_texts((text for pair in pairs for text in pair), model.stopwords)
    rows = np.arange(0, 2 * len(pairs), 2)
    return model.scores(sentences, rows, rows + 1)
