"""The test protocol of related sentences: every method on the same pairs of unseen records."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import ArrayLike, NDArray

from relsent_ir import models
from relsent_ir.related.formulas import FORMULAS, FormulaModel, Statistics
from relsent_ir.related.model import Model, TrainedModel, method_scores
from relsent_ir.related.pairs import (
    Corpus,
    Pairs,
    break_even,
    draw_pairs,
    held_out,
    surviving,
    top_half,
)
from relsent_ir.related.training.learning import Task
from relsent_ir.related.training.train import HITS, TEST_SHARE, first_hits, train_task
from relsent_ir.related.vectors import WordKnowledge, learn_words
from relsent_ir.typing import Floats
from reproduce.page import Steps, brier, plot, reliability_bins, silent, table

SEED: Final = 0
TRAINING: Final = 100_000  # positive pairs, at most
TEST_PAIRS: Final = 20_000
FIXED: Final = tuple(name for name in FORMULAS if not name.startswith("L"))
LEARNED: Final = ("bayes", "huber", "huber-plus")

Scores = NDArray[np.float64]


def mcnemar(first: ArrayLike, second: ArrayLike) -> tuple[int, int, float]:
    """Compare two methods on the same items by McNemar's test (the paper's section 2.5).

    Parameters
    ----------
    first, second : array_like, shape (items,)
        The result of each method on each item: whether it was right, or a number.

    Returns
    -------
    b, c : int
        The numbers of items on which the first did better, and the second.
    p : float
        Of (b - c)² / (b + c) under χ² with 1 degree of freedom; 1 if there is no difference.
    """
    from scipy.special import chdtrc

    difference = np.asarray(first, dtype=np.float64) - np.asarray(second, dtype=np.float64)
    b, c = int((difference > 0).sum()), int((difference < 0).sum())
    return b, c, float(chdtrc(1, (b - c) ** 2 / (b + c))) if b + c else 1.0


@dataclass
class Protocol:
    """All methods on the same test pairs, at one share of sentences with a content word.

    Attributes
    ----------
    share : float
    pairs : Pairs
    training : int
        The number of positive pairs of the learned models.
    scores : dict of str to ndarray, each of shape (pairs,)
        By method.
    models : dict of str to TrainedModel
    """

    share: float
    pairs: Pairs
    training: int = 0
    scores: dict[str, Scores] = field(default_factory=dict)
    models: dict[str, Model] = field(default_factory=dict)

    def be(self, name: str) -> float:
        """Return a method's break-even in percent."""
        return break_even(self.scores[name], self.pairs.related, SEED)

    def against(self, first: str, second: str) -> tuple[int, int, float]:
        """Return McNemar's test of two methods: how often only one is right, and p."""
        related = self.pairs.related
        return mcnemar(
            top_half(self.scores[first], SEED) == related,
            top_half(self.scores[second], SEED) == related,
        )

    def best_formula(self) -> str:
        """Name the fixed formula with the highest break-even."""
        return max(FIXED, key=self.be)


@dataclass(eq=False)
class Trainer:
    """A trainer of models on two thirds of a corpus, which loads those of an earlier run.

    Parameters
    ----------
    corpus : Corpus
    stopwords : tuple of str
    folder : Path
        Of the models.
    command : str
        The command that the models record.
    steps : Steps
        Counts the models.
    testing : ndarray of bool, shape (records,), optional
        The records that no model is trained on, instead of a third.
    note : str
        The name of `testing` that the models record.
    """

    corpus: Corpus
    stopwords: tuple[str, ...]
    folder: Path
    command: str
    steps: Steps
    testing: NDArray[np.bool_] | None = None
    note: str = ""
    _eligible: dict[float, NDArray[np.bool_]] = field(default_factory=dict)
    _learned: dict[bytes, WordKnowledge] = field(default_factory=dict)

    @cached_property
    def unseen(self) -> NDArray[np.bool_]:
        """The records that no model is trained on; shape (records,)."""
        if self.testing is not None:
            return self.testing
        return held_out(self.corpus.records, SEED, TEST_SHARE)

    def eligible(self, share: float) -> NDArray[np.bool_]:
        """Return the sentences that pairs are made of."""
        if share not in self._eligible:
            self._eligible[share] = surviving(self.corpus, share)
        return self._eligible[share]

    def learn(self, corpus: Corpus, records: NDArray[np.bool_], *rest: Any) -> WordKnowledge:
        """Learn of words once for all models: pairs make no difference."""
        key = np.packbits(records[corpus.record]).tobytes()
        if key not in self._learned:
            self._learned[key] = learn_words(corpus, records, *rest)
        return self._learned[key]

    def forget(self) -> None:
        """Free the memory of what was learned of words."""
        self._learned.clear()

    def path(self, kind: str, share: float, pairs: int = TRAINING) -> Path:
        """Name a model's folder."""
        return self.folder / f"{kind}-{share}-{pairs}"

    def model(
        self, kind: str, share: float, pairs: int = TRAINING, *, calibrated: bool = True
    ) -> TrainedModel:
        """Return a model of `pairs` positive training pairs."""
        path = self.path(kind, share, pairs)
        facts: dict[str, Any] = {
            "command": self.command,
            "data": self.corpus.fingerprint,
            "seed": SEED,
            "all_records": False,
            "content_share": share,
            **({"testing": self.note} if self.note else {}),
        }
        if path.exists():
            stored: TrainedModel = models.load(path, "related")
            if {name: stored.facts.get(name) for name in facts} == facts:
                self.steps()
                return stored
        settings = pairs, SEED, self.stopwords, None, facts, lambda _stage: silent
        task = Task(self.corpus, self.eligible(share), ~self.unseen, *settings, self.learn)
        trained = train_task(kind, task, calibrated=calibrated)
        models.save(path, trained)
        self.steps()
        return trained


def run_protocol(trainer: Trainer, share: float) -> Protocol:
    """Score the test pairs by every method."""
    corpus, eligible = trainer.corpus, trainer.eligible(share)
    pairs = draw_pairs(corpus, eligible, trainer.unseen, TEST_PAIRS, SEED)
    rows = np.flatnonzero(eligible & ~trainer.unseen[corpus.record])
    statistics = Statistics.collect(corpus.sentences, rows)
    formulas = {name: FormulaModel(name, statistics, trainer.stopwords) for name in FIXED}
    methods = [model.on(corpus.sentences.lexicon) for model in formulas.values()]
    scores = method_scores(methods, corpus.sentences, pairs.a, pairs.b)
    protocol = Protocol(share, pairs, 0, dict(zip(formulas, scores, strict=True)), {**formulas})
    for name in LEARNED:
        model = protocol.models[name] = trainer.model(name, share)
        protocol.scores[name] = model.scores(corpus.sentences, pairs.a, pairs.b)
    protocol.training = trainer.model("huber", share).facts["training"]["positive_pairs"]
    return protocol


def learning_curve(
    trainer: Trainer, whole: Protocol, sizes: Sequence[int]
) -> dict[str, dict[int, float]]:
    """Measure the break-even of learned models by the number of their positive training pairs."""
    curve: dict[str, dict[int, float]] = {}
    sentences, pairs = trainer.corpus.sentences, whole.pairs
    for name in LEARNED:
        curve[name] = {}
        for size in sizes:
            if size == TRAINING:
                model, scores = whole.models[name], whole.scores[name]
            else:
                model = trainer.model(name, whole.share, size, calibrated=False)
                scores = model.scores(sentences, pairs.a, pairs.b)
            assert isinstance(model, TrainedModel)
            trained = int(model.facts["training"]["positive_pairs"])
            curve[name][trained] = break_even(scores, pairs.related, SEED)
    return curve


SENTENCES: Final = 1_000


def measure_reliability(
    model: TrainedModel, trainer: Trainer, share: float
) -> tuple[Floats, NDArray[np.bool_]]:
    """Search for sentences that the model was neither trained nor calibrated on.

    Returns
    -------
    ndarray of float64 and ndarray of bool, each of shape (hits,)
        P of the hits, and whether a hit is of the abstract of the sentence that was searched for.
    """
    corpus, eligible = trainer.corpus, trainer.eligible(share)
    rows = np.flatnonzero(eligible & trainer.unseen[corpus.record])
    sample = np.random.default_rng(SEED + 1).permutation(rows)[:SENTENCES]
    hits = first_hits(model, corpus, eligible, sample)
    if model.calibration is None or not len(hits.scores):
        return np.empty(0), np.empty(0, dtype=bool)
    return model.calibration.probability(hits.scores, int(eligible.sum())), hits.own


def reliability_marks(p: Floats, own: NDArray[np.bool_], plots: dict[str, bytes]) -> dict[str, str]:
    """Return the page's figures, and plot them; the base is Brier's score of the share alone."""
    if not len(p):
        return {"reliability": "Not calibrated.", "brier": "–", "base": "–", "hits": "0"}
    bins = reliability_bins(p, own)
    rows = [[f"{mean:.3f}", f"{share:.3f}", f"{count:,}"] for _, count, mean, share in bins]
    name = "smith-wilbur-2010-reliability"
    with plot(plots, name, "P", "share of the same abstract") as axes:
        points = np.array(bins)
        axes.plot([0, 1], [0, 1], color="0.7", label="P itself")
        axes.plot(points[:, 2], points[:, 3], marker="o", label=f"first {HITS} hits")
    shown = table(["mean P", "of the same abstract", "hits"], rows)
    base = float(own.mean()) * (1.0 - float(own.mean()))
    return {
        "reliability": f"{shown}\n\n![Share of the same abstract by P]({name}.svg)",
        "brier": f"{brier(p, own):.4f}",
        "base": f"{base:.4f}",
        "hits": f"{len(p):,}",
    }
