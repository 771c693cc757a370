"""Training Huber+ on pairs whose dense features come from records that they are no part of.

Associations would know a pair that they were counted on. So the training records are cut into
halves by a hash, the pairs are drawn inside a half, their negatives permuted inside it, and the
associations that measure them are counted on the other half. The model itself keeps those of all
training records.
"""

from contextlib import suppress
from dataclasses import replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from relsent_ir.errors import MismatchError
from relsent_ir.related.compact import compact
from relsent_ir.related.corpus import held_out
from relsent_ir.related.design import PairDesign
from relsent_ir.related.huber import minimise
from relsent_ir.related.huber_plus import HuberPlusModel
from relsent_ir.related.learning import (
    ROUGH,
    TUNING_SHARE,
    Task,
    fit,
    tune,
    tuning_records,
    weight_model,
)
from relsent_ir.related.measures import COSINE, MEASURES, Knowledge
from relsent_ir.related.pairs import Pairs
from relsent_ir.related.scaling import Scaling
from relsent_ir.related.scoring import method_scores
from relsent_ir.related.statistics import Statistics
from relsent_ir.typing import Floats

LAMBDA0: Final = 1e-4  # where there are too few records to tune it
CANDIDATE_LAMBDA0: Final = 1e-6
_RIDGE: Final = 1e-3  # added to the dense features' variances before they are made uncorrelated


class JointDesign:
    """Sparse and dense features side by side: a `relsent_ir.related.design.LinearDesign`.

    Parameters
    ----------
    sparse : PairDesign
    dense : ndarray of float64, shape (pairs, columns)
    """

    def __init__(self, sparse: PairDesign, dense: Floats) -> None:
        self.sparse = sparse
        self.dense = dense
        self.cut = sparse.shape[1]
        self.shape = sparse.shape[0], self.cut + dense.shape[1]

    def dot(self, weights: Floats) -> Floats:
        """X w; shape (pairs,)."""
        scores: Floats = self.sparse.dot(weights[: self.cut]) + self.dense @ weights[self.cut :]
        return scores

    def transposed_dot(self, values: Floats) -> Floats:
        """Xᵀ v; shape (weights,)."""
        return np.concatenate([self.sparse.transposed_dot(values), values @ self.dense])

    def squared_transposed_dot(self, values: Floats) -> Floats:
        """(X ∘ X)ᵀ v; shape (weights,)."""
        dense = np.einsum("i,ij,ij->j", values, self.dense, self.dense)
        return np.concatenate([self.sparse.squared_transposed_dot(values), dense])

    def sizes(self) -> Floats:
        """The number of sparse features of each pair, so that λ means what it means for Huber."""
        return self.sparse.sizes()


def train_huber_plus(task: Task) -> HuberPlusModel:
    """Minimise the Huber cost over sparse and dense features together.

    Raises
    ------
    MismatchError
        If there are too few training records to cut them into parts.
    """
    whole = task.corpus
    rows = np.flatnonzero(task.training[whole.record])
    corpus = replace(
        whole,
        sentences=compact(whole.sentences, rows),
        record=whole.record[rows],
        number=whole.number[rows],
    )
    task = replace(task, corpus=corpus, kept=task.kept[rows])
    statistics = Statistics.collect(corpus.sentences, np.flatnonzero(task.kept))
    second = held_out([f"half:{name}" for name in corpus.records], task.seed, 1 / 2)
    halves = [_half(task, inside) for inside in (~second, second)]
    words = [
        task.learn(corpus, records, task.seed, task.progress)
        for records in (second, ~second, np.ones_like(second))
    ]
    measures = np.concatenate(
        [
            _measured(task, Knowledge(statistics, *others), pairs)
            for (pairs, _), others in zip(halves, words, strict=False)
        ]
    )
    pairs = Pairs.joined([pairs for pairs, _ in halves])
    tuning = np.concatenate([tuning for _, tuning in halves])
    scaling = Scaling.fit(measures)
    turn = _decorrelation(scaling.apply(measures))
    sparse = PairDesign(corpus.sentences, pairs.a, pairs.b)
    design = JointDesign(sparse, scaling.apply(measures) @ turn)
    first = JointDesign(sparse, measures[:, [MEASURES.index(COSINE)]])
    del measures
    tuned: dict[str, float] = {}
    start = None
    lambda0 = task.lambda0
    if lambda0 is None and tuning.any():
        lambda0, tuned, start = tune(task, design, pairs, tuning)
    lambda0 = lambda0 or LAMBDA0
    found = fit(task, design, pairs, lambda0, tuned, start)
    simple = minimise(
        first,
        np.where(pairs.related, 1.0, -1.0),
        CANDIDATE_LAMBDA0 * float(np.sqrt(design.sizes()).mean()) ** 2,
        tolerance=ROUGH,
        progress=task.progress("Minimising for candidates"),
    )
    weights = weight_model("huber-plus", task, sparse, found.weights[: design.cut], found.threshold)
    candidates = weight_model("huber", task, sparse, simple.weights[: design.cut], simple.threshold)
    lexicon = corpus.sentences.lexicon  # of all training sentences, as the associations
    return HuberPlusModel(
        weights.carried_over(lexicon),
        candidates.carried_over(lexicon),
        float(simple.weights[-1]),
        Knowledge(statistics, *words[-1]),
        scaling,
        turn @ found.weights[design.cut :],
        task.facts,
    )


def _half(task: Task, inside: NDArray[np.bool_]) -> tuple[Pairs, NDArray[np.bool_]]:
    """Draw a half's pairs, and tell which are for tuning; these come from records of their own."""
    half = task.training & inside
    aside = tuning_records(task.corpus.records, task.seed)
    try:
        if task.lambda0 is None:
            with suppress(MismatchError):
                tuning = task.draw(half & aside, TUNING_SHARE / 2)
                others = task.draw(half & ~aside, (1 - TUNING_SHARE) / 2)
                pairs = Pairs.joined([others, tuning])
                return pairs, np.arange(len(pairs)) >= len(others)
        pairs = task.draw(half, 1 / 2)
    except MismatchError as error:
        raise MismatchError(
            "too few records to learn associations on one half for the other",
            fix="index more",
        ) from error
    return pairs, np.zeros(len(pairs), dtype=bool)


def _measured(task: Task, knowledge: Knowledge, pairs: Pairs) -> Floats:
    """Measure pairs by what was learned from other records."""
    sentences = task.corpus.sentences
    measures = knowledge.on(sentences.lexicon)
    formulas = method_scores(measures.formulas, sentences, pairs.a, pairs.b)
    return measures.of_pairs(formulas, sentences, pairs.a, pairs.b)


def _decorrelation(dense: Floats) -> Floats:
    """A matrix that makes columns uncorrelated, and so the cost easy to minimise."""
    values, vectors = np.linalg.eigh(dense.T @ dense / len(dense))
    turn: Floats = vectors / np.sqrt(np.maximum(values, 0.0) + _RIDGE)
    return turn
