"""Learning weights from pairs: naive Bayes and Huber (Smith & Wilbur 2010, section 2.4).

Naive Bayes (section 2.4.1): ``w = ln(p (1 - q) / (q (1 - p)))``, where p and q are the shares of
related and of unrelated training pairs with the feature. Half a pair is added to each count, so
that no share is 0 or 1. `relsent_ir.related.training.huber` minimises Huber's cost.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from relsent_ir.errors import MismatchError
from relsent_ir.related.pairs import Corpus, Pairs, break_even, draw_pairs, held_out
from relsent_ir.related.training.huber import Design, Minimum, PairDesign, minimise
from relsent_ir.related.vectors import WordKnowledge, learn_words
from relsent_ir.related.weights import WeightModel
from relsent_ir.typing import Floats, NDArray, Progress

SMOOTHING: Final = 0.5


def bayes_weights(
    design: Design, labels: NDArray[np.floating], used: NDArray[np.bool_]
) -> NDArray[np.float64]:
    """Compute the weights of a binary design matrix.

    Parameters
    ----------
    design : Design
        A binary matrix of shape (pairs, weights).
    labels : ndarray of float, shape (pairs,)
        1 for related, -1 for unrelated, 0 for a pair to leave out.
    used : ndarray of bool, shape (weights,)
        The features that get a weight; other weights are 0.
    """
    odds = []
    for label in (1, -1):
        chosen = (labels == label).astype(np.float64)
        share = (design.transposed_dot(chosen) + SMOOTHING) / (chosen.sum() + 2 * SMOOTHING)
        odds.append(np.log(share) - np.log1p(-share))
    return np.where(used, odds[0] - odds[1], 0.0)


TUNING_SHARE: Final = 1 / 5  # of the training records that are not used for calibration
POWERS: Final = range(-3, -10, -1)  # of ten, tried for λ0
RECORDED: Final = ("cost", "gradient_norm", "gap", "converged")  # facts of the minimum
ROUGH: Final = 1e-3  # tolerance of the minimiser while λ0 is tuned

Stages = Callable[[str], Progress]


@dataclass(frozen=True)
class Task:
    """The input of a trainer.

    Attributes
    ----------
    corpus : Corpus
    eligible : ndarray of bool, shape (sentences,)
        The sentences from which pairs are drawn.
    training : ndarray of bool, shape (records,)
        The records from which to learn.
    pairs : int or None
        The number of positive pairs; None for all.
    seed : int
    stopwords : tuple of str
    lambda0 : float or None
        λ0 of Huber; None to tune it.
    facts : dict of str to Any
        Facts about the training, stored with the model; a trainer adds to them.
    progress : callable
        Called with the name of a stage; returns a progress callback for it.
    learn : callable
        The function `relsent_ir.related.vectors.learn_words`, or a cached form of it.
    topical : ndarray of bool, shape (records,), optional
        The records on which λ0 is tuned, instead of a fifth of all.
    """

    corpus: Corpus
    eligible: NDArray[np.bool_]
    training: NDArray[np.bool_]
    pairs: int | None
    seed: int
    stopwords: tuple[str, ...]
    lambda0: float | None
    facts: dict[str, Any]
    progress: Stages
    learn: Callable[..., WordKnowledge] = learn_words
    topical: NDArray[np.bool_] | None = None

    @property
    def tuning(self) -> NDArray[np.bool_]:
        """The records on which λ0 is tuned, so far as they are training records."""
        if self.topical is not None:
            return self.topical
        return held_out([f"tuning:{name}" for name in self.corpus.records], self.seed, TUNING_SHARE)

    def draw(self, records: NDArray[np.bool_], share: float = 1.0) -> Pairs:
        """Draw pairs from records: `share` of the requested number."""
        n = None if self.pairs is None else max(1, round(share * self.pairs))
        return draw_pairs(self.corpus, self.eligible, records, n, self.seed)


def train_bayes(task: Task) -> WeightModel:
    """Train naive Bayes on pairs of the training records."""
    pairs = task.draw(task.training)
    design = PairDesign(task.corpus.sentences, pairs.a, pairs.b)
    weights = bayes_weights(design, np.where(pairs.related, 1.0, -1.0), design.used)
    task.facts["training"] = {"positive_pairs": len(pairs) // 2}
    return weight_model("bayes", task, design, weights, 0.0)


def train_huber(task: Task) -> WeightModel:
    """Minimise the Huber cost on pairs of the training records, and tune λ0 on some of these.

    Raises
    ------
    MismatchError
        If no pairs can be drawn from the tuning records, or from the others.
    """
    tuned: dict[str, float] = {}
    start = None
    lambda0 = task.lambda0
    if lambda0 is None:
        inside = task.tuning
        try:
            tuned_on = task.draw(task.training & inside, TUNING_SHARE)
            others = task.draw(task.training & ~inside, 1.0 - TUNING_SHARE)
        except MismatchError as error:
            raise MismatchError(
                "too few records to tune λ0 on some and learn from the others",
                fix="index more, or give --lambda0",
            ) from error
        pairs = Pairs.joined([others, tuned_on])
        tuning = np.arange(len(pairs)) >= len(others)
    else:
        pairs = task.draw(task.training)
    design = PairDesign(task.corpus.sentences, pairs.a, pairs.b)
    sizes = design.sizes()
    if lambda0 is None:
        lambda0, tuned, start = tune(task, design, sizes, pairs, tuning)
    minimum = fit(task, design, sizes, pairs, lambda0, tuned, start)
    return weight_model("huber", task, design, minimum.weights, minimum.threshold)


def fit(
    task: Task,
    design: Design,
    sizes: Floats,
    pairs: Pairs,
    lambda0: float,
    tuned: dict[str, float],
    start: tuple[Floats, float] | None,
) -> Minimum:
    """Minimise the Huber cost over all pairs; record the minimum and the tuning of λ0.

    `sizes` are the squared norms of the rows of the design, which scale λ0.
    """
    labels = np.where(pairs.related, 1.0, -1.0)
    penalty = lambda0 * float(np.sqrt(sizes).mean()) ** 2
    minimum = minimise(design, labels, penalty, start=start, progress=task.progress("Minimising"))
    task.facts["training"] = {
        "positive_pairs": len(pairs) // 2,
        "lambda0": lambda0,
        "lambda": penalty,
        **{name: getattr(minimum, name) for name in RECORDED},
    }
    task.facts["scores"] = {"tuning_be": tuned}
    return minimum


def tune(
    task: Task, design: Design, sizes: Floats, pairs: Pairs, tuning: NDArray[np.bool_]
) -> tuple[float, dict[str, float], tuple[Floats, float]]:
    """Lower λ0 by powers of ten until the break-even of the tuning pairs drops."""
    labels = np.where(pairs.related, 1.0, -1.0) * ~tuning
    size = float(np.sqrt(sizes[~tuning]).mean()) ** 2
    tuned: dict[str, float] = {}
    best, best_lambda0 = 0.0, 0.0
    start = best_start = np.zeros(design.shape[1]), 0.0
    for power in POWERS:
        lambda0 = 10.0**power
        tick = task.progress(f"Tuning, λ0 = {lambda0:.0e}")
        minimum = minimise(
            design, labels, lambda0 * size, start=start, tolerance=ROUGH, progress=tick
        )
        start = minimum.weights, minimum.threshold
        scores = design.dot(minimum.weights)[tuning]
        reached = break_even(scores, pairs.related[tuning], task.seed)
        tuned[f"{lambda0:.0e}"] = round(reached, 3)
        if reached < best:
            break
        best, best_lambda0, best_start = reached, lambda0, start
    return best_lambda0, tuned, best_start


def weight_model(
    name: str, task: Task, design: PairDesign, weights: Floats, threshold: float
) -> WeightModel:
    """Create a model of weights whose lexicon has only the words of training sentences."""
    both, one = np.split(weights, 2)
    return WeightModel(name, design.lexicon, both, one, threshold, task.stopwords, task.facts)
