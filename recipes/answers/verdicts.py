"""Learn to read verdicts: a logistic regression, and its threshold."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

import numpy as np

from relsent_ir.answers.directions import VERDICTS, Verdicts
from relsent_ir.typing import Floats, NDArray

INVERSE_PENALTY: Final = 0.05
RARE: Final = 3  # fewest sentences with a feature
DEFINITE: Final = 2  # labels that may be sure, the first ones
ACCURACY: Final = 0.89  # of the sure verdicts, on records left out
STEP: Final = 0.01  # of the threshold


def fit_verdicts(
    features: Sequence[frozenset[str]], y: NDArray[np.int64], importance: Floats | None = None
) -> Verdicts:
    """Learn the weights, with the threshold 0; `y` are places among the labels."""
    from sklearn.feature_extraction import DictVectorizer
    from sklearn.linear_model import LogisticRegression

    vectorizer = DictVectorizer()
    x = vectorizer.fit_transform([dict.fromkeys(names, 1.0) for names in features])
    least = min(RARE, len(y) // 10 + 1)
    frequent = np.flatnonzero(np.asarray(x.sum(axis=0)).ravel() >= least)
    names = tuple(vectorizer.get_feature_names_out()[frequent].tolist())
    weights = np.zeros((len(names) + 1, len(VERDICTS)))
    classes = np.unique(y)
    if len(classes) == 1:
        weights[-1, classes[0]] = 20.0
        return Verdicts(names, weights, 0.0)
    fitted = LogisticRegression(C=INVERSE_PENALTY, max_iter=2000)
    fitted.fit(x[:, frequent], y, sample_weight=importance)
    coefficients, intercepts = fitted.coef_, fitted.intercept_
    if len(classes) == 2:  # scikit-learn has one row then, the second class's
        coefficients = np.vstack([0 * coefficients, coefficients])
        intercepts = np.append(0.0, intercepts)
    weights[:-1, classes] = coefficients.T
    weights[-1, classes] = intercepts
    return Verdicts(names, weights, 0.0)


def unseen_verdicts(
    features: Sequence[frozenset[str]],
    y: NDArray[np.int64],
    held: Sequence[NDArray[np.bool_]],
    importance: Floats | None = None,
) -> Floats:
    """Return the probabilities of the sentences in each fold, learned from the other folds."""
    probabilities = np.full((len(y), len(VERDICTS)), 1 / len(VERDICTS))
    for out in held:
        if out.any() and not out.all():
            part = [features[n] for n in np.flatnonzero(~out).tolist()]
            model = fit_verdicts(part, y[~out], None if importance is None else importance[~out])
            rest = [features[n] for n in np.flatnonzero(out).tolist()]
            probabilities[out] = model.probabilities(rest)
    return probabilities


def train_verdicts(
    features: Sequence[frozenset[str]],
    labels: Sequence[str],
    held: Sequence[NDArray[np.bool_]],
    importance: Floats | None = None,
    judged: NDArray[np.bool_] | None = None,
) -> Verdicts:
    """Learn the weights and the threshold.

    Parameters
    ----------
    features : sequence of frozenset of str
    labels : sequence of str
    held : sequence of ndarray of bool
        Folds, on which the threshold is chosen: the least with `ACCURACY` reached.
    importance : ndarray of float64, shape (sentences,), optional
    judged : ndarray of bool, shape (sentences,), optional
        The sentences on which the threshold is chosen; all if None.
    """
    y = np.array([VERDICTS.index(label) for label in labels])
    rows = np.ones(len(y), dtype=bool) if judged is None else judged
    probabilities = unseen_verdicts(features, y, held, importance)[rows][:, :DEFINITE]
    best, right = probabilities.max(axis=1), probabilities.argmax(axis=1) == y[rows]
    steps: list[float] = np.round(np.arange(0.34, 1.0, STEP), 2).tolist()
    good = (s for s in steps if (best >= s).any() and right[best >= s].mean() >= ACCURACY)
    return replace(fit_verdicts(features, y, importance), threshold=next(good, steps[-1]))
