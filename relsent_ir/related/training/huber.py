"""Minimising the modified Huber loss exactly (Smith & Wilbur 2010, section 2.4.2).

::

    C(w, θ) = λ/2 ‖w‖² + 1/T Σ h(y (θ + w·x)),   λ = λ0 ⟨‖x‖⟩²
    h(z) = -4z for z ≤ -1, (1-z)² for -1 < z < 1, 0 for z ≥ 1

Zhang: Solving large scale linear prediction problems using stochastic gradient descent algorithms.
ICML 2004. The cost is convex and piecewise quadratic; a trust region Newton method with
preconditioned conjugate gradients (Lin, Weng, Keerthi: Trust region Newton method for logistic
regression. JMLR 9, 2008; Hsia, Chiang, Lin: Preconditioned conjugate gradient methods in truncated
Newton frameworks. ACML 2018) reaches its minimum in some tens of steps.
"""

from dataclasses import dataclass
from typing import Final

import numpy as np

from relsent_ir.related.training.design import LinearDesign
from relsent_ir.typing import Floats, NDArray, Progress

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
    design: LinearDesign,
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
    design : LinearDesign
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

    def __init__(self, design: LinearDesign, y: Floats, penalty: float) -> None:
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
        return self._back(self.y * slopes / self.pairs) + self.penalty * x

    def hessian(self, curved: Floats, v: Floats) -> Floats:
        self.products += 1
        return self._back(curved * self.scores(v)) + self.penalty * v

    def _back(self, values: Floats) -> Floats:
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
        along = problem.hessian(curved, direction)
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
