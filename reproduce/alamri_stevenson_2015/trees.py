"""The paper's decision tree on the sentences of a claim zone.

Weka's J48 splits by the gain ratio, and prunes by its own confidence bound;
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
J. R. Quinlan. C4.5: programs for machine learning. 1993.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from recipes.answers.titles import folds
from relsent_ir.answers.classifiers import Bools
from relsent_ir.moves.features import title_similarities
from relsent_ir.records import Sentence
from relsent_ir.typing import Floats, NDArray

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
