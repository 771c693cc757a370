"""Preferences: pairs of candidates of which one is better, and an SVM that learns from them.

The linear SVM sees the differences of two candidates' features, each pair in both orders and no
intercept, so that the preference of a over b is the opposite of that of b over a; its weights then
score a candidate alone, and ranking by that score is what comparing them all would give.

References
----------
C. O. Tudor, K. Vijay-Shanker. RankPref: ranking sentences describing relations between biomedical
entities with an application. BioNLP 2012, 163-171: section 2.2.
"""

import random
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from relsent_ir.relations.candidates import Candidate

if TYPE_CHECKING:
    from scipy.sparse import csr_array

_T = TypeVar("_T")


def preference_pairs(
    candidates: Sequence[Candidate], cap: int, seed: int = 0, *, inside: bool = False
) -> NDArray[np.intp]:
    """Pair candidates of one group whose grades differ, the better one first.

    Parameters
    ----------
    cap : int
        Of a group with more pairs, so many are drawn.
    inside : bool
        Pairs inside one sentence too.

    Returns
    -------
    ndarray of int, shape (pairs, 2)
        Rows of `candidates`.
    """
    members: dict[str, list[int]] = {}
    for i, candidate in enumerate(candidates):
        members.setdefault(candidate.group, []).append(i)
    draw = random.Random(seed)  # noqa: S311 (no secret)
    pairs: list[tuple[int, int]] = []
    for rows in members.values():
        found = [
            (i, j)
            for i in rows
            for j in rows
            if _grade(candidates[i]) > _grade(candidates[j])
            and (inside or candidates[i].text != candidates[j].text)
        ]
        pairs += draw.sample(found, cap) if len(found) > cap else found
    return np.array(pairs, dtype=np.intp).reshape(-1, 2)


def _grade(candidate: Candidate) -> float:
    assert candidate.grade is not None
    return candidate.grade


def train_svm(
    features: "csr_array", pairs: NDArray[np.intp], cost: float, seed: int = 0
) -> NDArray[np.float64]:
    """Learn the weights of features from preferences.

    Parameters
    ----------
    features : scipy.sparse.csr_array of float, shape (candidates, features)
    pairs : ndarray of int, shape (pairs, 2)
        Better, worse.
    cost : float
        The SVM's C.

    Returns
    -------
    ndarray of float64, shape (features,)
    """
    from scipy.sparse import vstack
    from sklearn.svm import LinearSVC

    rows = pairs.astype(np.int32)  # scikit-learn takes no wider indices
    differences = features[rows[:, 0]] - features[rows[:, 1]]
    both: Any = vstack([differences, -differences], format="csr")
    preferred = np.repeat([1, -1], len(pairs))
    machine = LinearSVC(C=cost, fit_intercept=False, dual="auto", random_state=seed, max_iter=5000)
    machine.fit(both, preferred)
    weights: NDArray[np.float64] = machine.coef_[0]
    return weights


def eliminate(items: Sequence[_T], prefers: Callable[[_T, _T], bool], seed: int = 0) -> _T:
    """Find the best item as the paper does: the winner of each comparison meets a random other.

    Parameters
    ----------
    items : sequence
        At least one.
    prefers : callable
        Tells whether its first argument is preferred to its second.
    """
    order = list(items)
    random.Random(seed).shuffle(order)  # noqa: S311 (no secret)
    best = order[0]
    for other in order[1:]:
        if not prefers(best, other):
            best = other
    return best
