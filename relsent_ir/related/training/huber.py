"""Minimising the modified Huber loss exactly (Smith & Wilbur 2010, section 2.4.2).

::

    C(w, θ) = λ/2 ‖w‖² + 1/T Σ h(y (θ + w·x)),   λ = λ0 ⟨‖x‖⟩²
    h(z) = -4z for z ≤ -1, (1-z)² for -1 < z < 1, 0 for z ≥ 1

Zhang: Solving large scale linear prediction problems using stochastic gradient descent algorithms.
ICML 2004. The cost is convex and piecewise quadratic; a trust region Newton method with
preconditioned conjugate gradients (Lin, Weng, Keerthi: Trust region Newton method for logistic
regression. JMLR 9, 2008; Hsia, Chiang, Lin: Preconditioned conjugate gradient methods in truncated
Newton frameworks. ACML 2018) reaches its minimum in some tens of steps.

The design matrix of pairs has a form that is a tenth of its size. A pair's features are (t, I), t
in both sentences, and (t, D), t in exactly one. With w the weights, the score of a pair is
``d(A) + d(B) + sum of (wI[t] - 2 wD[t]) over A ∩ B``, where ``d(S) = sum of wD[t] over S``: the D
features, eight of nine entries, need no row of their own. And a sentence's features are those of
its words, less the repetitions among its words: ``F = W T - E``, W the words of the sentences, T
the features of the words, E that excess. All these matrices have ones only, and share one array of
them.
"""

from dataclasses import dataclass
from typing import Final, TypeAlias

import numpy as np

from relsent_ir.related.features import Sentences, chunks, compact, presence
from relsent_ir.sparse import csr
from relsent_ir.typing import Floats, NDArray, Progress

LEAST_PAIRS: Final = 2  # a feature in fewer training pairs gets no weight (the paper's rule)


class PairDesign:
    """The features of training pairs; weights are those of (t, I), then those of (t, D).

    Parameters
    ----------
    sentences : Sentences
    a, b : ndarray of int, shape (pairs,)
        The pairs, as rows of `sentences`.

    Attributes
    ----------
    lexicon : Lexicon
        The words of the pairs' sentences, and their features, which the weights are for.
    shape : (int, int)
        Pairs, and twice the features of the lexicon.
    used : ndarray of bool, shape (weights,)
        The features in two or more of the pairs; the weights of the others stay 0.
    """

    def __init__(
        self, sentences: Sentences, a: NDArray[np.integer], b: NDArray[np.integer]
    ) -> None:
        rows, places = np.unique(np.concatenate([a, b]), return_inverse=True)
        sentences = compact(sentences, rows)
        self.lexicon = sentences.lexicon
        self.features = len(self.lexicon)
        self.shape = len(a), 2 * self.features
        self._a, self._b = places[: len(a)].astype(np.int32), places[len(a) :].astype(np.int32)
        patterns = [
            (sentences.words.indptr, sentences.words.indices),
            (self.lexicon.table.indptr, self.lexicon.table.indices),
            _excess(sentences),
            _intersections(sentences, self._a, self._b),
        ]
        ones = np.ones(max(len(columns) for _, columns in patterns))
        words, features = len(self.lexicon.words), self.features
        shapes = [(len(rows), words), (words, features), (len(rows), features), (len(a), features)]
        matrices = self._words, self._table, self._excess, self._both = [
            csr((ones[: len(columns)], columns, starts), shape=shape)
            for (starts, columns), shape in zip(patterns, shapes, strict=True)
        ]
        # Views of the same arrays, made once: making one takes longer than a small product.
        self._words_t, self._table_t, self._excess_t, self._both_t = (m.T for m in matrices)
        self.used = np.ones(self.shape[1], dtype=bool)
        self.used = np.rint(self.transposed_dot(np.ones(len(a)))) >= LEAST_PAIRS

    def dot(self, weights: Floats) -> Floats:
        """Return X w; shape (pairs,)."""
        weights = np.where(self.used, weights, 0.0)
        both, one = weights[: self.features], weights[self.features :]
        alone = self._words @ (self._table @ one) - self._excess @ one
        scores: Floats = self._both @ (both - 2.0 * one)
        scores += alone[self._a]
        scores += alone[self._b]
        return scores

    def transposed_dot(self, values: Floats) -> Floats:
        """Return Xᵀ v; shape (weights,)."""
        sides = np.bincount(self._a, weights=values, minlength=self._words.shape[0])
        sides += np.bincount(self._b, weights=values, minlength=self._words.shape[0])
        result = np.empty(self.shape[1])
        both, one = result[: self.features], result[self.features :]
        both[:] = self._both_t @ values
        one[:] = self._table_t @ (self._words_t @ sides) - self._excess_t @ sides - 2.0 * both
        result[~self.used] = 0.0
        return result

    squared_transposed_dot = transposed_dot  # X has zeros and ones, so X ∘ X = X

    def sizes(self) -> Floats:
        """Count the features of each pair that have weights: its squared norm; shape (pairs,)."""
        return np.rint(self.dot(np.ones(self.shape[1])))


Pattern = tuple[NDArray[np.int32], NDArray[np.int32]]


def _excess(sentences: Sentences) -> Pattern:
    """Return each feature of m words of a sentence m - 1 times."""
    parts, sizes = [], []
    binary = presence(sentences.lexicon.table, np.uint16)
    for part in chunks(len(sentences)):
        words = sentences.words[part]
        words.data = np.ones(words.nnz, dtype=np.uint16)
        counts = words @ binary
        parts.append(np.repeat(counts.indices, counts.data - 1))
        before = np.append(0, np.cumsum(counts.data - 1, dtype=np.int64))
        sizes.append(np.diff(before[counts.indptr]))
    return _joined(sizes, parts)


def _intersections(sentences: Sentences, a: NDArray[np.integer], b: NDArray[np.integer]) -> Pattern:
    parts, sizes = [], []
    for part in chunks(len(a)):
        shared = sentences.shared(a[part], b[part])
        parts.append(shared.features)
        sizes.append(np.diff(shared.starts))
    return _joined(sizes, parts)


def _joined(sizes: list[NDArray[np.int64]], parts: list[NDArray[np.int32]]) -> Pattern:
    starts = np.append(0, np.cumsum(np.concatenate(sizes))).astype(np.int32)
    columns = np.empty(starts[-1], dtype=np.int32)
    at = 0
    while parts:  # each is freed as soon as it is copied
        piece = parts.pop(0)
        columns[at : at + len(piece)] = piece
        at += len(piece)
    return starts, columns


class JointDesign:
    """Dense features in full, beside sparse ones if there are any.

    Parameters
    ----------
    dense : ndarray of float64, shape (pairs, columns)
    sparse : PairDesign, optional
    """

    def __init__(self, dense: Floats, sparse: PairDesign | None = None) -> None:
        self.sparse = sparse
        self.dense = dense
        self.cut = sparse.shape[1] if sparse else 0
        self.shape = len(dense), self.cut + dense.shape[1]

    def dot(self, weights: Floats) -> Floats:
        """Return X w; shape (pairs,)."""
        scores: Floats = self.dense @ weights[self.cut :]
        return self.sparse.dot(weights[: self.cut]) + scores if self.sparse else scores

    def transposed_dot(self, values: Floats) -> Floats:
        """Return Xᵀ v; shape (weights,)."""
        dense: Floats = values @ self.dense
        return np.append(self.sparse.transposed_dot(values), dense) if self.sparse else dense

    def squared_transposed_dot(self, values: Floats) -> Floats:
        """Return (X ∘ X)ᵀ v; shape (weights,)."""
        dense: Floats = np.einsum("i,ij,ij->j", values, self.dense, self.dense)
        return np.append(self.sparse.transposed_dot(values), dense) if self.sparse else dense


Design: TypeAlias = PairDesign | JointDesign
"""A matrix X of pairs × weights, by its products with vectors."""


TOLERANCE: Final = 1e-5
_MOST_STEPS: Final = 200
_MOST_INNER: Final = 500
_FORCING: Final = 0.1  # the accuracy of the solution of a step's linear system
_MOST_TRIALS: Final = 60
_LEVEL: Final = 1e-3  # the share of the slope that may remain at the end of a step


@dataclass(frozen=True)
class Minimum:
    """The point where the minimiser stopped.

    Attributes
    ----------
    weights : ndarray of float64, shape (weights,)
    threshold : float
        θ.
    cost : float
    gradient_norm : float
        Of the cost.
    gap : float
        The most that the cost can be above its minimum over w: ‖gradient‖² / 2λ, since the cost
        is λ-strongly convex in w.
    steps, products : int
        Newton steps, and products with the design matrix (each once and once transposed).
    converged : bool
        Whether the gap fell below the tolerance times the cost.
    """

    weights: Floats
    threshold: float
    cost: float
    gradient_norm: float
    gap: float
    steps: int
    products: int
    converged: bool


def loss(margins: Floats) -> Floats:
    """Return h(z)."""
    return np.where(margins <= -1, -4.0 * margins, np.maximum(0.0, 1.0 - margins) ** 2)


def minimise(
    design: Design,
    labels: NDArray[np.floating],
    penalty: float,
    *,
    start: tuple[Floats, float] | None = None,
    tolerance: float = TOLERANCE,
    progress: Progress | None = None,
) -> Minimum:
    """Find the weights of least cost.

    Parameters
    ----------
    design : Design
        X, of shape (pairs, weights).
    labels : ndarray of float, shape (pairs,)
        y: 1 for related, -1 for unrelated, 0 for a pair that is left out (of T too).
    penalty : float
        λ, more than 0.
    start : (ndarray, float), optional
        Weights and θ to start from; else 0.
    tolerance : float
        Stop when the cost is surely within this share of its minimum.
    progress : callable, optional
        Called with the number of products so far, and None.
    """
    problem = _Problem(design, np.asarray(labels, dtype=np.float64), penalty)
    n = design.shape[1] + 1
    x = np.zeros(n) if start is None else np.append(*start)
    scores = problem.scores(x)
    steps = 0
    while True:
        cost = problem.cost(scores, x)
        gradient = problem.gradient(scores, x)
        norm = float(np.linalg.norm(gradient))
        gap = norm**2 / (2.0 * penalty)
        if gap <= tolerance * cost or steps == _MOST_STEPS:
            break
        steps += 1
        direction = _newton_direction(problem, scores, gradient)
        moved = problem.scores(direction)
        length = _line_search(problem, scores, moved, x, direction)
        if progress:
            progress(problem.products, None)
        if length * float(np.abs(direction).max()) < 1e-15 * float(np.abs(x).max()):
            break  # doubles cannot tell the next point from this one
        x = x + length * direction
        scores = scores + length * moved
    done = gap <= tolerance * cost
    return Minimum(x[:-1], float(x[-1]), cost, norm, gap, steps, problem.products, done)


class _Problem:
    """The cost and its derivatives; the vector's last element is θ, which is not penalised."""

    def __init__(self, design: Design, y: Floats, penalty: float) -> None:
        self.design = design
        self.y = y
        self.used = np.abs(y)
        self.pairs = float(self.used.sum())
        self.penalty = np.full(design.shape[1] + 1, penalty)
        self.penalty[-1] = 0.0
        self.products = 0

    def scores(self, x: Floats) -> Floats:
        return np.asarray(self.design.dot(x[:-1]) + x[-1])

    def cost(self, scores: Floats, x: Floats) -> float:
        return float(0.5 * self.penalty @ x**2 + self.used @ loss(self.y * scores) / self.pairs)

    def gradient(self, scores: Floats, x: Floats) -> Floats:
        margins = self.y * scores
        slopes = np.where(margins <= -1, -4.0, -2.0 * np.maximum(0.0, 1.0 - margins))
        return self.back(self.y * slopes / self.pairs) + self.penalty * x

    def back(self, values: Floats) -> Floats:
        return np.append(self.design.transposed_dot(values), values.sum())


def _newton_direction(problem: _Problem, scores: Floats, gradient: Floats) -> Floats:
    """Solve for the step to the minimum of the quadratic piece, by preconditioned CG."""
    # the second derivative of each pair's part of the cost, and the Hessian's diagonal
    curved = np.where(np.abs(scores) < 1.0, problem.used * (2.0 / problem.pairs), 0.0)
    values = np.append(problem.design.squared_transposed_dot(curved), curved.sum())
    scale = np.maximum(values + problem.penalty, 1e-12)
    step = np.zeros_like(gradient)
    residual = -gradient
    solved = residual / scale
    direction = solved
    rho = float(residual @ solved)
    goal = _FORCING**2 * rho
    for _ in range(_MOST_INNER):
        problem.products += 1
        along = problem.back(curved * problem.scores(direction)) + problem.penalty * direction
        size = rho / float(direction @ along)
        step += size * direction
        residual -= size * along
        solved = residual / scale
        new = float(residual @ solved)
        if new <= goal:
            break
        direction = solved + (new / rho) * direction
        rho = new
    return step


def _line_search(
    problem: _Problem, scores: Floats, moved: Floats, x: Floats, direction: Floats
) -> float:
    """Find the length at which the slope along a direction, which only rises, vanishes.

    No product with the design matrix is needed.
    """
    quadratic = float(problem.penalty @ direction**2)
    linear = float(problem.penalty @ (x * direction))

    def slope(length: float) -> tuple[float, float]:
        margins = problem.y * (scores + length * moved)
        turned = problem.y * moved
        flat = margins >= 1.0
        steep = margins <= -1.0
        slopes = np.where(flat, 0.0, np.where(steep, -4.0, 2.0 * (margins - 1.0)))
        bend = 2.0 * float(turned[~flat & ~steep] @ turned[~flat & ~steep]) / problem.pairs
        fall = float(slopes @ turned) / problem.pairs
        return linear + quadratic * length + fall, quadratic + bend

    first, bend = slope(0.0)
    low, high, length = 0.0, np.inf, 1.0
    for _ in range(_MOST_TRIALS):
        value, bend = slope(length)
        if abs(value) <= _LEVEL * abs(first):
            break
        if value < 0.0:
            low = length
        else:
            high = length
        length -= value / bend
        if not low < length < high:
            length = 0.5 * (low + high) if np.isfinite(high) else 2.0 * low
    return length
