"""Classifiers of answer sentences: our linear one with two slots, and the paper's decision tree.

The linear one: a finding (RESULTS: figures, p values) or the conclusion may answer a question. Each
slot has its weights: the softmax over the abstract's sentences of a weighted sum of features
(`relsent_ir.answers.sentence_features`). They maximise the likelihood that an answer sentence is
drawn, with an L2 penalty. A logistic regression on the parts of the question (`question_features`)
predicts its slot; it is learned from the place of the evidence, with equal weight for both slots. A
question that predicts the conclusion, and has its evidence there, teaches that slot; all others
teach the finding, wherever their evidence is. A sentence's score is its share of the predicted
slot.

A second logistic regression turns scores into probabilities that a sentence answers (Platt). It is
learned from the scores of records that were left out, as is the threshold for answers, by their F1.

The tree: Weka's J48 splits by the gain ratio, and prunes by its own confidence bound;
scikit-learn's tree, here, splits by the gain of entropy, and the cost of complexity (Breiman et al.
1984) is chosen by cross-validation over records. A sentence of a claim zone has four features
(section 3.2.2); an abbreviation may be defined anywhere in the abstract::

    role-label  0 for RESULTS, 1 for CONCLUSION (from labels, else from the CRF)
    st-sim      cosine of the sentence and the title, 0 to 50, long forms as their abbreviations
    sq-sim      the same of the sentence and the question
    Z-score     the largest Z in steps of 0.1 with st-sim >= mean + Z * deviation over the zone

References
----------
A. Alamri, M. Stevenson. Automatic detection of answers to research questions from Medline
abstracts. BioNLP 2015, 141-146.
D. McFadden. Conditional logit analysis of qualitative choice behavior. 1974.
J. C. Platt. Probabilistic outputs for support vector machines. 1999.
J. R. Quinlan. C4.5: programs for machine learning. 1993.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final

import numpy as np

from relsent_ir.answers.questions import folds
from relsent_ir.moves.features import title_similarities
from relsent_ir.records import Sentence
from relsent_ir.typing import Floats, NDArray

PENALTY: Final = 100.0
FOLDS: Final = 10
CALIBRATED: Final = 4
LEAST: Final = 0.5
MOST: Final = 0.5
PLATEAU: Final = 0.002
_STEPS: Final = np.round(np.arange(0.05, 0.95, 0.01), 2).tolist()
SLOTS: Final = ("finding", "conclusion")
SLOT_MOVES: Final = ("RESULTS", "CONCLUSION")
"""Each slot's move: the likeliest sentence of this move fills the slot."""
Bools = NDArray[np.bool_]


@dataclass(frozen=True)
class Example:
    """A question with its abstract, as features.

    Attributes
    ----------
    record : str
        The abstract's id.
    features : ndarray of float64, shape (sentences, features)
    question : ndarray of float64, shape (question features,)
        From `question_features`, to predict the slot.
    answers : ndarray of bool, shape (sentences,)
    concludes : bool
        Most answers are in the CONCLUSION.
    whole : bool
        The question's parts are hidden, so it does not teach the slots' order.
    moves : tuple of str
        The sentences' moves.
    """

    record: str
    features: Floats
    question: Floats
    answers: Bools
    concludes: bool = False
    whole: bool = False
    moves: tuple[str, ...] = ()


@dataclass(frozen=True)
class Step:
    """The softmax of one slot: a sentence's sum is ``x / deviation @ weights``.

    Attributes
    ----------
    deviation, weights : ndarray of float64, shape (features,)
    """

    deviation: Floats
    weights: Floats

    def shares(self, features: Floats) -> Floats:
        """Return each sentence's probability of being the slot's best; they sum to one."""
        sums = features / self.deviation @ self.weights
        powers = np.exp(sums - sums.max(initial=-np.inf))
        shares: Floats = powers / powers.sum() if len(powers) else powers
        return shares


@dataclass(frozen=True)
class Weights:
    """The weights of the linear classifier.

    Attributes
    ----------
    slots : tuple of two Step
        In the order of `SLOTS`.
    order : ndarray of float64, shape (question features + 1,)
        For the log odds that the conclusion answers a question, the intercept last.
    calibration : ndarray of float64, shape (`CALIBRATED`,)
        For the columns of `_calibration_columns`, the intercept last.
    least : float
        The least probability of an answer.
    """

    slots: tuple[Step, Step]
    order: Floats
    calibration: Floats
    least: float = LEAST

    def concludes(self, question: Floats) -> float:
        """Return the probability that the conclusion answers a question."""
        return float(sigmoid(question @ self.order[:-1] + self.order[-1]))

    def slot(self, question: Floats) -> int:
        """Return the place in `SLOTS` of a question's slot."""
        return int(self.concludes(question) > 0.5)

    def shares(self, features: Floats) -> Floats:
        """Return each sentence's share of each slot; shape (2, sentences)."""
        return np.stack([slot.shares(features) for slot in self.slots])

    def scores(self, features: Floats, question: Floats) -> Floats:
        """Return each sentence's probability of being the best answer; they sum to one."""
        return self.slots[self.slot(question)].shares(features)

    def answers(self, scores: Floats, question: Floats) -> Floats:
        """Return each sentence's probability of being an answer."""
        x = _calibration_columns(scores, self.slot(question))
        return sigmoid(x @ self.calibration[:-1] + self.calibration[-1])


def train_weights(
    examples: Sequence[Example],
    penalty: float = PENALTY,
    *,
    unseen: Sequence[int] = (),
    calibrated: bool = True,
) -> Weights:
    """Learn the slots, their order, and the calibration.

    Parameters
    ----------
    examples : sequence of Example
    penalty : float
        On the slots' weights.
    unseen : sequence of int
        Columns of the features that are hidden from the finding.
    calibrated : bool
        If False, probabilities are scores; that takes a tenth of the time.
    """
    whole = _uncalibrated(examples, penalty, unseen)
    if not calibrated:
        return whole
    scores = [whole.scores(example.features, example.question) for example in examples]
    for held in folds([example.record for example in examples], FOLDS):
        rest = [example for example, out in zip(examples, held, strict=True) if not out]
        if not held.any() or not any(example.answers.any() for example in rest):
            continue
        part = _uncalibrated(rest, penalty, unseen)
        for i in np.flatnonzero(held).tolist():
            scores[i] = part.scores(examples[i].features, examples[i].question)
    pairs = [  # a question without its parts has no slot of its own
        (row, e) for row, e in zip(scores, examples, strict=True) if len(row) and not e.whole
    ]
    x = np.vstack([_calibration_columns(row, whole.slot(e.question)) for row, e in pairs])
    right = np.concatenate([example.answers for _, example in pairs])
    calibration = logistic(x, right)
    least = best_threshold(sigmoid(x @ calibration[:-1] + calibration[-1]), right, _STEPS)
    return Weights(whole.slots, whole.order, calibration, least)


def best_threshold(values: Floats, right: Bools, steps: Sequence[float]) -> float:
    """Return the threshold among the steps with the best F1 of the values from it on.

    It is the middle one of the steps whose F1 is within `PLATEAU` of the best, the lower of two:
    one question more or less moves the best step itself by a tenth.
    """

    def f1(least: float) -> float:
        positive = values >= least
        return float(2 * (positive & right).sum() / max(1, positive.sum() + right.sum()))

    scores = [f1(step) for step in steps]
    good = [s for s, value in zip(steps, scores, strict=True) if value >= max(scores) - PLATEAU]
    return good[(len(good) - 1) // 2]


def logistic(x: Floats, y: Bools, weights: Floats | None = None) -> Floats:
    """Fit a logistic regression; one weight for each column, and the intercept.

    If all of `y` are the same, only the intercept counts, near certainty.
    """
    from sklearn.linear_model import LogisticRegression

    if y.all() or not y.any():
        return np.append(np.zeros(x.shape[1]), 20.0 if y.all() else -20.0)
    fitted = LogisticRegression(max_iter=1000).fit(x, y, sample_weight=weights)
    return np.append(fitted.coef_[0], fitted.intercept_[0])


def sigmoid(sums: Floats) -> Floats:
    """Return probabilities for log odds."""
    values: Floats = 1.0 / (1.0 + np.exp(-sums))
    return values


def _uncalibrated(examples: Sequence[Example], penalty: float, unseen: Sequence[int]) -> Weights:
    """Learn the order of the slots, and the slots."""
    taught = [example for example in examples if example.answers.any()]
    in_parts = [example for example in taught if not example.whole]
    concludes = np.array([example.concludes for example in in_parts])
    sizes = np.where(concludes, concludes.sum(), (~concludes).sum())
    questions = np.stack([example.question for example in in_parts])
    order = logistic(questions, concludes, 1 / sizes * len(in_parts) / 2)
    none = Step(np.zeros(0), np.zeros(0))
    ordered = Weights((none, none), order, np.array([1.0, 0.0, 0.0, 0.0]))
    parts: list[list[Example]] = [[], []]
    for example in taught:
        parts[int(example.concludes and ordered.slot(example.question))].append(example)
    finding = _step(parts[0] or taught, penalty, unseen)  # an empty slot is like the other
    return replace(ordered, slots=(finding, _step(parts[1] or taught, penalty, ())))


def _step(taught: Sequence[Example], penalty: float, unseen: Sequence[int]) -> Step:
    """Learn one slot; unseen columns get weight 0."""
    from scipy.optimize import minimize

    x = np.vstack([example.features for example in taught])
    x[:, list(unseen)] = 0.0
    y = np.concatenate([example.answers for example in taught])
    owner = np.repeat(np.arange(len(taught)), [len(example.answers) for example in taught])
    starts = np.flatnonzero(np.diff(owner, prepend=-1))
    deviation = x.std(axis=0)
    deviation[deviation < 1e-9] = 1.0
    x = (x - x.mean(axis=0)) / deviation

    def cost(w: Floats) -> tuple[float, Floats]:
        sums = x @ w
        powers = np.exp(sums - np.maximum.reduceat(sums, starts)[owner])
        share = powers / np.add.reduceat(powers, starts)[owner]
        right = np.add.reduceat(share * y, starts)
        target = share * y / right[owner]
        return 0.5 * penalty * w @ w - np.log(right).sum(), x.T @ (share - target) + penalty * w

    minimum = minimize(cost, np.zeros(x.shape[1]), jac=True, method="L-BFGS-B")
    return Step(deviation, minimum.x)


def _calibration_columns(scores: Floats, concludes: int) -> Floats:
    """Return the columns of the calibration: log odds, the slot (0 or 1), and their product."""
    clipped = np.clip(scores, 1e-4, 1 - 1e-4)
    odds = np.log(clipped / (1 - clipped))
    return np.column_stack([odds, np.full(len(odds), float(concludes)), odds * concludes])


@dataclass(frozen=True)
class Verdict:
    """A model's judgement of the sentences of an abstract.

    Attributes
    ----------
    scores : ndarray of float64, shape (sentences,)
        For their ranks.
    probabilities : ndarray of float64, shape (sentences,)
        Probabilities that they are answers.
    answers : ndarray of bool, shape (sentences,)
        The sentences that the model regards as answers.
    slots : dict of str to int
        The best sentence for each of `SLOTS`, among those of its move; the question's slot first.
    """

    scores: Floats
    probabilities: Floats
    answers: Bools
    slots: Mapping[str, int] = field(default_factory=dict)

    def order(self) -> NDArray[np.intp]:
        """Return the sentences by score, ties in the order of the abstract."""
        return np.argsort(-self.scores, kind="stable")


def judge_abstract(
    weights: Weights,
    features: Floats,
    question: Floats,
    moves: Sequence[str],
    named: Sequence[Sequence[Floats]] = ((), ()),
    is_void: Callable[[int], bool] = lambda _: False,
) -> Verdict:
    """Judge the sentences of an abstract by their features and their moves, as `best_slots`."""
    shares, first = weights.shares(features), weights.slot(question)
    probabilities = weights.answers(shares[first], question)
    slots = best_slots(shares, first, moves, named, is_void)
    return Verdict(shares[first], probabilities, probabilities >= weights.least, slots)


def best_slots(
    shares: Floats,
    first: int,
    moves: Sequence[str],
    named: Sequence[Sequence[Floats]] = ((), ()),
    is_void: Callable[[int], bool] = lambda _: False,
) -> dict[str, int]:
    """Return the best sentence of each slot among those of its move, if there are any.

    Parameters
    ----------
    shares : ndarray of float64, shape (2, sentences)
    first : int
        The place in `SLOTS` of the slot that comes first.
    moves : sequence of str
        The sentences' moves.
    named : pair of sequences of ndarray of float64, shape (sentences,)
        For each slot, how far they name what it is on. The best sentence, if it does not at all,
        gives way to one that does mostly.
    is_void : callable
        Whether a sentence gives way to any other of its move.
    """
    slots = {}
    for slot in (first, 1 - first):
        candidates = [n for n, move in enumerate(moves) if move == SLOT_MOVES[slot]]
        candidates.sort(key=lambda n: -shares[slot][n])
        if not candidates:
            continue
        best = next((n for n in candidates if not is_void(n)), candidates[0])
        for share in named[slot]:
            if not share[best]:
                best = next((n for n in candidates if share[n] > MOST and not is_void(n)), best)
        slots[SLOTS[slot]] = best
    return slots


FEATURES: Final = ("st-sim", "sq-sim", "Z-score", "role-label")
FEATURE_SETS: Final[dict[int, tuple[str, ...]]] = {
    1: ("st-sim", "sq-sim"),
    2: ("Z-score", "sq-sim"),
    3: ("st-sim", "role-label"),
    4: ("Z-score", "role-label"),
    5: ("st-sim", "sq-sim", "role-label"),
    6: ("Z-score", "sq-sim", "role-label"),
}
"""By their number in the paper."""
SCALE: Final = 50
STEP: Final = 0.1  # the paper tries "all possible Z values"


def zone_features(question: str, title: str, tagged: Sequence[Sentence], zone: Bools) -> Floats:
    """Describe the sentences of a claim zone.

    Parameters
    ----------
    question, title : str
        The similarities to an empty one are 0.
    tagged : sequence of Sentence
        All sentences of the abstract.
    zone : ndarray of bool, shape (len(tagged),)
        The sentences of the zone.

    Returns
    -------
    ndarray of float64, shape (sentences of the zone, 4)
        In the order of `FEATURES`.
    """
    texts = [sentence.text for sentence in tagged]
    to_title = np.round(SCALE * np.array(title_similarities(title, texts)))[zone]
    to_question = np.round(SCALE * np.array(title_similarities(question, texts)))[zone]
    role = np.array([sentence.move == "CONCLUSION" for sentence in tagged], dtype=np.float64)[zone]
    return np.column_stack([to_title, to_question, z_scores(to_title), role])


def z_scores(values: Floats) -> Floats:
    """Return each value's standard score, rounded down to steps of 0.1; 0 if all are the same."""
    deviation = values.std() if len(values) else 0.0
    if not deviation:
        return np.zeros(len(values))
    scores: Floats = np.floor((values - values.mean()) / deviation / STEP + 1e-9)
    return scores * STEP


LEAF: Final = 2  # examples in a leaf, as J48 has it
CANDIDATES: Final = 20  # costs of complexity to try
TREE_FOLDS: Final = 5


@dataclass(frozen=True)
class Tree:
    """A decision tree.

    Attributes
    ----------
    features : tuple of str
        Names of the columns.
    split : ndarray of int, shape (nodes,)
        The column of a node's test, -1 in a leaf; node 0 is the root.
    threshold : ndarray of float64, shape (nodes,)
        A value of at most this leads to the left.
    left, right : ndarray of int, shape (nodes,)
    probability : ndarray of float64, shape (nodes,)
        The share of answers among the node's examples.
    """

    features: tuple[str, ...]
    split: NDArray[np.int64]
    threshold: Floats
    left: NDArray[np.int64]
    right: NDArray[np.int64]
    probability: Floats

    def predict(self, values: Floats) -> Floats:
        """Return the probability that each row answers; `values` has shape (rows, features)."""
        node = np.zeros(len(values), dtype=np.int64)
        rows = np.arange(len(values))
        while (inner := self.split[node] >= 0).any():
            column = np.maximum(self.split[node], 0)
            low = values[rows, column] <= self.threshold[node]
            node = np.where(inner, np.where(low, self.left[node], self.right[node]), node)
        return self.probability[node]

    def __str__(self) -> str:
        return "\n".join(self._lines(0, ""))

    def _lines(self, node: int, indent: str) -> list[str]:
        if self.split[node] < 0:
            answer = "answer" if self.probability[node] > 0.5 else "no answer"
            return [f"{indent}{answer} ({self.probability[node]:.2f})"]
        name, value = self.features[self.split[node]], self.threshold[node]
        return [
            f"{indent}{name} <= {value:.4g}",
            *self._lines(int(self.left[node]), indent + "|   "),
            f"{indent}{name} > {value:.4g}",
            *self._lines(int(self.right[node]), indent + "|   "),
        ]


def train_tree(values: Floats, answers: Bools, records: Sequence[str], number: int) -> Tree:
    """Grow a tree and prune it by cross-validation over records.

    Parameters
    ----------
    values : ndarray of float64, shape (sentences, 4)
        From `zone_features`.
    answers : ndarray of bool, shape (sentences,)
    records : sequence of str
        The sentences' records.
    number : int
        A key of `FEATURE_SETS`.
    """
    names = FEATURE_SETS[number]
    x = values[:, [FEATURES.index(name) for name in names]]
    costs = np.unique(np.maximum(_grower().cost_complexity_pruning_path(x, answers).ccp_alphas, 0))
    if len(costs) > CANDIDATES:
        costs = costs[np.linspace(0, len(costs) - 1, CANDIDATES).round().astype(int)]
    cost = _chosen(x, answers, records, costs)
    return _read(_grower(cost).fit(x, answers), names)


def _grower(cost: float = 0.0) -> Any:
    from sklearn.tree import DecisionTreeClassifier

    return DecisionTreeClassifier(
        criterion="entropy", min_samples_leaf=LEAF, ccp_alpha=cost, random_state=0
    )


def _chosen(x: Floats, answers: Bools, records: Sequence[str], costs: Floats) -> float:
    """Choose the cost whose trees have the best F1 on the records left out, the highest of ties."""
    right, positive = np.zeros(len(costs)), np.zeros(len(costs))
    for held in folds(records, TREE_FOLDS):
        if not held.any() or held.all():
            continue
        for i, cost in enumerate(costs.tolist()):
            predicted = _grower(cost).fit(x[~held], answers[~held]).predict(x[held])
            right[i] += (predicted & answers[held]).sum()
            positive[i] += predicted.sum()
    f1 = 2 * right / np.maximum(positive + answers.sum(), 1)
    return float(costs[len(costs) - 1 - int(np.argmax(f1[::-1]))])


def _read(fitted: Any, names: tuple[str, ...]) -> Tree:
    """Convert scikit-learn's tree."""
    grown = fitted.tree_
    counts = grown.value[:, 0, :]
    place = list(fitted.classes_).index(True) if True in fitted.classes_ else None
    share = np.zeros(len(counts)) if place is None else counts[:, place] / counts.sum(axis=1)
    leaf = grown.children_left < 0
    return Tree(
        names,
        np.where(leaf, -1, grown.feature).astype(np.int64),
        grown.threshold.astype(np.float64),
        grown.children_left.astype(np.int64),
        grown.children_right.astype(np.int64),
        share,
    )
