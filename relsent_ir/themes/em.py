"""Find a theme by EM: the generative model, its start from a kernel, and the iteration.

Each record is on theme with probability P. With probability λ, a term is present with the
probability DB, its share in the collection; otherwise with p if the record is on theme, with q if
it is off theme. Given whether a record is on theme, a term has two outcomes; so a step only needs
sums over the records that have the term, and totals: two products with the sparse matrix.

References
----------
Shatkay, Wilbur: Finding themes in Medline documents: probabilistic similarity search. IEEE Advances
in Digital Libraries, 2000, sections 2 and 3.
"""

from dataclasses import dataclass
from math import ceil
from typing import Final

import numpy as np

from relsent_ir.budget import check
from relsent_ir.errors import UsageError
from relsent_ir.themes.matrix import PresenceMatrix
from relsent_ir.typing import Floats, NDArray

LARGEST: Final = 1e9
"""Bound of the values; larger ones make results overflow."""


@dataclass(frozen=True)
class ThemeSettings:
    """The parameters of finding a theme. Defaults are the paper's values, where it states them.

    Attributes
    ----------
    prior : float
        P, the prior probability that a record is on theme.
    rare : float
        Terms in less than this share of the records are rare.
    few : int
        Terms in fewer records than this are rare in any collection: otherwise a collection of fewer
        than 2,000 records has no rare terms, since terms of a single record are dropped.
    max_iterations : int
        Largest number of iterations.
    kernel_weight : float
        Our addition: above 0, the kernel stays on theme and counts as this number of records.
    size : float
        Our addition: above 0, each iteration sets P so that so many records are expected on theme.
    sharpness : float
        Our addition: a factor of the evidence of a record's terms in its log-odds, since terms are
        not independent.
    similarity : float
        Our addition: P of a record grows with its score for Rocchio's feedback from the kernel;
        this value is added to the log-odds of a record with the same score as the kernel.
    """

    prior: float = 0.001
    rare: float = 0.001
    few: int = 3
    max_iterations: int = 100
    kernel_weight: float = 0.0
    size: float = 0.0
    sharpness: float = 1.0
    similarity: float = 0.0

    def __post_init__(self) -> None:
        if not 0 < self.prior < 1:
            raise UsageError(f"prior {self.prior}", fix="above 0 and under 1")
        numbers = ("rare", "few", "kernel_weight", "size", "sharpness", "similarity")
        for name in numbers:
            if not 0 <= getattr(self, name) <= LARGEST:
                raise UsageError(f"{name} {getattr(self, name)}", fix=f"0 to {LARGEST:g}")
        if self.max_iterations < 1:
            raise UsageError(f"max_iterations {self.max_iterations}", fix="at least 1")

    @property
    def published(self) -> bool:
        """Whether our additions are all off, so that each iteration raises the likelihood."""
        ours = (self.kernel_weight, self.size, self.sharpness, self.similarity)
        return ours == (0, 0, 1, 0)


IMPROVED: Final = ThemeSettings(few=0, kernel_weight=10, size=10, sharpness=0.3, similarity=100)
"""Our settings, chosen on the development half of docs/results/shatkay-wilbur-2000.md."""

IMPROVED_FIELDS: Final = ("title", "abstract", "mesh", "chemicals")
"""Fields from which our settings take terms: those of BM25."""


_LEAST: Final = 1e-150  # keeps ratios of two probabilities and their products finite
_TINY: Final = 1e-290  # products of probabilities below this may have lost digits
_TOGETHER: Final = 64  # probabilities that are multiplied before taking the logarithm
_NOTHING: Final = 1e-30  # a probability far below the rounding error of the sums that it enters


@dataclass(frozen=True)
class Weighted:
    """The records with their weights in the estimates of p, q and λ.

    Attributes
    ----------
    matrix : PresenceMatrix
    weights : ndarray of float64, shape (records,)
    frequencies : ndarray of float64, shape (terms,)
        The sum of the weights of the records that have each term.
    total : float
        The sum of all weights.
    """

    matrix: PresenceMatrix
    weights: Floats
    frequencies: Floats
    total: float

    @classmethod
    def of(cls, matrix: PresenceMatrix, rows: NDArray[np.integer], weight: float) -> "Weighted":
        """Count some records `weight` times, and all other records once."""
        weights = np.ones(len(matrix.ids))
        weights[rows] = weight
        extra = matrix.sums(rows, weights[rows] - 1)
        return cls(matrix, weights, matrix.frequencies + extra, float(weights.sum()))


@dataclass(frozen=True)
class Mixture:
    """The parameters of a theme; arrays of shape (terms,).

    Attributes
    ----------
    p, q : ndarray of float64
        The probability of each term in a record on theme and off theme.
    lam : ndarray of float64
        λ, the probability that a term's presence is independent of the theme.
    db : ndarray of float64
        The share of all records that have the term.
    prior : float
        P, the probability that any record is on theme.
    """

    p: Floats
    q: Floats
    lam: Floats
    db: Floats
    prior: float


@dataclass(frozen=True)
class Posterior:
    """The result of the E-step for each term; arrays of shape (terms,).

    Attributes
    ----------
    weights : ndarray of float64
        The gain in a record's log-odds from a term's presence relative to its absence.
    off : ndarray of float64
        ln of the odds that a term is present in a record off theme.
    log_absent : tuple of float
        ln of the probability that a record on theme, or off it, has no term at all.
    on_present, on_absent, off_present, off_absent : ndarray of float64
        Pr(Z_i=1 | Z_d, δ_di): the probability that p (on theme) or q (off theme), not DB, made the
        term present or absent.
    """

    weights: Floats
    off: Floats
    log_absent: tuple[float, float]
    on_present: Floats
    on_absent: Floats
    off_present: Floats
    off_absent: Floats

    @classmethod
    def of(cls, model: Mixture) -> "Posterior":
        """Compute the posterior from the parameters."""
        lam, db = model.lam, model.db
        on_1, on_present = _outcome(lam, db, model.p)
        on_0, on_absent = _outcome(lam, 1 - db, 1 - model.p)
        off_1, off_present = _outcome(lam, db, model.q)
        off_0, off_absent = _outcome(lam, 1 - db, 1 - model.q)
        off = np.log(off_1 / off_0)
        weights = np.log(on_1 / on_0) - off
        absent = _log_product(on_0), _log_product(off_0)
        return cls(weights, off, absent, on_present, on_absent, off_present, off_absent)

    def evidence(self, matrix: PresenceMatrix) -> Floats:
        """Return the evidence of all terms: ln Pr(d|Z=1) / Pr(d|Z=0); shape (records,)."""
        on, off = self.log_absent
        log_ratios: Floats = matrix.by_term.T @ self.weights + (on - off)
        return log_ratios

    def log_likelihood(self, matrix: PresenceMatrix, prior: float, evidence: Floats) -> float:
        """Return ln Pr(all records | the model)."""
        off_theme = matrix.frequencies @ self.off + len(matrix.ids) * self.log_absent[1]
        either = np.logaddexp(np.log1p(-prior), np.log(prior) + evidence)
        return float(off_theme + either.sum())


def _log_product(values: Floats) -> float:
    """Return ln of the product of probabilities of at least `_LEAST`, with few logarithms."""
    starts = np.arange(0, len(values), _TOGETHER)
    products = np.multiply.reduceat(values, starts)
    logs = np.log(np.maximum(products, _TINY))
    for i in np.flatnonzero(products < _TINY).tolist():
        logs[i] = np.log(values[starts[i] : starts[i] + _TOGETHER]).sum()
    return float(logs.sum())


def _outcome(lam: Floats, db: Floats, theme: Floats) -> tuple[Floats, Floats]:
    """Return the probability of an outcome, and the share of it that is due to p or q."""
    specific = (1 - lam) * theme
    mix = np.maximum(lam * db + specific, _LEAST)
    return mix, specific / mix


def maximise(sample: Weighted, model: Mixture, posterior: Posterior, on: Floats) -> Mixture:
    """Compute new p, q and λ (the M-step).

    Parameters
    ----------
    sample : Weighted
    model : Mixture
        The model from which `posterior` was computed.
    posterior : Posterior
    on : ndarray of float64, shape (records,)
        Pr(Z=1|d).
    """
    rows = np.flatnonzero(on > _NOTHING)
    weighted = on[rows] * sample.weights[rows]
    total = sample.total
    on_1 = sample.matrix.sums(rows, weighted)
    on_0 = np.maximum(weighted.sum() - on_1, 0)
    off_1 = np.maximum(sample.frequencies - on_1, 0)
    off_0 = np.maximum(total - sample.frequencies - on_0, 0)
    by_p = posterior.on_present * on_1, posterior.on_absent * on_0
    by_q = posterior.off_present * off_1, posterior.off_absent * off_0
    from_db = on_1 - by_p[0] + on_0 - by_p[1] + off_1 - by_q[0] + off_0 - by_q[1]
    p, q = _share(*by_p, model.p), _share(*by_q, model.q)
    return Mixture(p, q, from_db / total, model.db, model.prior)


def _share(present: Floats, absent: Floats, before: Floats) -> Floats:
    """Return the share of presence; the previous value if neither outcome is expected."""
    both = present + absent
    return np.divide(present, both, out=before.copy(), where=both > 0)


_KERNEL_P: Final = 0.9  # initial p of the kernel's terms (the paper: "large")
_ABSENT_P: Final = 1e-100  # initial p of frequent terms that the kernel lacks
_RARE_LAMBDA: Final = 0.002  # initial λ of the kernel's rare terms
_COMMON_LAMBDA: Final = 0.8  # initial λ of all other terms
_TOLERANCE: Final = 1e-6  # the EM ends when ln likelihood grows by less than this share of itself
_STILL: Final = 1e-3  # or, with our additions, when Pr(Z=1|d) changes by less than this share
_FAR: Final = -50.0  # log-odds of records that are too improbable to change the sum


@dataclass(frozen=True)
class Theme:
    """A theme: its records and terms, as estimated by EM.

    Attributes
    ----------
    kernels : ndarray of int, shape (kernels,)
        The rows of the records from which the theme started.
    log_odds : ndarray of float64, shape (records,)
        The log-odds that each record is on theme.
    on : ndarray of float64, shape (records,)
        Pr(Z=1|d).
    model : Mixture
    posterior : Posterior
        The posterior of the model.
    sizes : list of float
        The expected number of records on theme after each iteration.
    log_likelihoods : list of float
        ln Pr(all records | model) after each iteration; with our additions, which do not use it,
        only after the last.
    converged : bool
        False if EM ended after `max_iterations`.
    moving : float
        The records moved on or off theme by the last iteration, over those on theme; at most 1.
    """

    kernels: NDArray[np.intp]
    log_odds: Floats
    on: Floats
    model: Mixture
    posterior: Posterior
    sizes: list[float]
    log_likelihoods: list[float]
    converged: bool
    moving: float

    @property
    def size(self) -> float:
        """The expected number of records on theme."""
        return float(self.on.sum())


def start(matrix: PresenceMatrix, kernels: NDArray[np.intp], settings: ThemeSettings) -> Mixture:
    """Set the initial p, q and λ from the kernels (section 3.1).

    If there are several kernels, p of a term is proportional to the share of them that has it.
    """
    db = matrix.frequencies / len(matrix.ids)
    rare = matrix.frequencies < max(settings.rare * len(matrix.ids), settings.few)
    share = matrix.sums(kernels, np.ones(len(kernels))) / len(kernels)
    elsewhere = np.where(rare, db, _ABSENT_P)
    p = np.where(share > 0, np.maximum(_KERNEL_P * share, elsewhere), elsewhere)
    lam = np.where(rare & (share > 0), _RARE_LAMBDA, _COMMON_LAMBDA)
    return Mixture(p, db, lam, db, settings.prior)


def find_theme(
    matrix: PresenceMatrix,
    kernels: NDArray[np.intp],
    settings: ThemeSettings | None = None,
    similarity: Floats | None = None,
) -> Theme:
    """Find the theme of one or more records.

    Parameters
    ----------
    matrix : PresenceMatrix
    kernels : ndarray of int, shape (kernels,)
        The rows of the records.
    settings : ThemeSettings, optional
        By default, the settings of the paper.
    similarity : ndarray of float64, shape (records,), optional
        The similarity of each record to the kernel, which has 1; needed for `settings.similarity`.
    """
    from scipy.special import expit, logit

    settings = settings or ThemeSettings()
    sample = Weighted.of(matrix, kernels, max(1.0, settings.kernel_weight))
    bias = 0.0 if similarity is None else settings.similarity * similarity
    model = start(matrix, kernels, settings)
    sizes: list[float] = []
    likelihoods: list[float] = []
    before = np.zeros(len(matrix.ids))
    while True:
        check()
        posterior = Posterior.of(model)
        evidence = posterior.evidence(matrix)
        log_odds = evidence * settings.sharpness + bias
        log_odds += _shift(log_odds, settings.size) if settings.size else logit(settings.prior)
        on = expit(log_odds)
        if settings.kernel_weight:
            on[kernels] = 1
        sizes.append(float(on.sum()))
        moving = float(np.abs(on - before).sum() / sizes[-1])
        if settings.published:
            likelihoods.append(posterior.log_likelihood(matrix, model.prior, evidence))
            *earlier, last = likelihoods
            converged = bool(earlier) and abs(last - earlier[-1]) <= _TOLERANCE * abs(last)
        else:
            converged = moving <= _STILL
        if converged or len(sizes) == settings.max_iterations:
            likelihoods = likelihoods or [posterior.log_likelihood(matrix, model.prior, evidence)]
            fitted = kernels, log_odds, on, model, posterior, sizes, likelihoods
            return Theme(*fitted, converged, moving)
        before = on
        model = maximise(sample, model, posterior, on)


def _shift(log_odds: Floats, size: float) -> float:
    """Return the number to add to all log-odds so that `size` records are expected on theme."""
    from scipy.optimize import brentq
    from scipy.special import expit, logit

    size = min(size, len(log_odds) / 2)
    likely = ceil(2 * size)  # so many records with p >= .5 make an expected size of at least `size`
    high = -np.partition(log_odds, -likely)[-likely]
    low = logit(size / len(log_odds)) - log_odds.max() - 1  # too few even if all equal the best
    near = log_odds[log_odds + high > _FAR]
    return float(brentq(lambda shift: expit(near + shift).sum() - size, low, high))
