"""The generative model of a theme, and one step of its EM (Shatkay & Wilbur 2000, sections 2, 3).

Shatkay, Wilbur: Finding themes in Medline documents: probabilistic similarity search. IEEE Advances
in Digital Libraries, 2000.

Each record is on theme with probability P. Each of its terms follows the collection's probability
DB with probability λ, else the theme's p (on theme) or q (off theme), present or absent. Given
whether a record is on theme, a term has two outcomes, so all that a step needs of the records is
the sum over those that have the term, and the total: two products with the sparse matrix.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from relsent_ir.themes.matrix import PresenceMatrix
from relsent_ir.typing import Floats

_LEAST: Final = 1e-150  # so that ratios of two probabilities and their products stay finite
_NOTHING: Final = 1e-30  # a probability far below the rounding of the sums that it goes into
_TINY: Final = 1e-290  # a product of probabilities below it may have lost digits
_TOGETHER: Final = 64  # probabilities that are multiplied before their logarithm is taken
_BLOCK: Final = 8192  # terms whose numbers stay in a processor's cache while they are worked on


@dataclass(frozen=True)
class Sample:
    """The records, and how many times each counts when p, q and λ are estimated.

    Attributes
    ----------
    matrix : PresenceMatrix
    weights : ndarray of float64, shape (records,)
    frequencies : ndarray of float64, shape (terms,)
        The weights' sum over the records that have each term.
    total : float
        The weights' sum.
    """

    matrix: PresenceMatrix
    weights: Floats
    frequencies: Floats
    total: float

    @classmethod
    def of(cls, matrix: PresenceMatrix, rows: NDArray[np.integer], weight: float) -> "Sample":
        """Count some records `weight` times, and all others once."""
        weights = np.ones(len(matrix.ids))
        weights[rows] = weight
        extra = matrix.sums(rows, weights[rows] - 1)
        return cls(matrix, weights, matrix.frequencies + extra, float(weights.sum()))


@dataclass(frozen=True)
class Model:
    """The parameters of a theme; arrays of shape (terms,).

    Attributes
    ----------
    p, q : ndarray of float64
        The probability of each term in a record on theme and off theme.
    lam : ndarray of float64
        λ, the probability that a term's presence says nothing about the theme.
    db : ndarray of float64
        The share of all records that have the term.
    prior : float
        P, the probability of any record to be on theme.
    """

    p: Floats
    q: Floats
    lam: Floats
    db: Floats
    prior: float


@dataclass(frozen=True)
class Posterior:
    """What the E-step knows of the terms; arrays of shape (terms,).

    Attributes
    ----------
    weights : ndarray of float64
        What a term's presence in place of its absence adds to a record's log-odds.
    off : ndarray of float64
        ln of a term's odds to be present in a record off theme.
    log_absent : tuple of float
        ln of the probability that a record on theme, or off it, has no term at all.
    on_present, on_absent, off_present, off_absent : ndarray of float64
        Pr(Z_i=1 | Z_d, δ_di): that p (on theme) or q (off theme), and not DB, made the term present
        or absent.
    """

    weights: Floats
    off: Floats
    log_absent: tuple[float, float]
    on_present: Floats
    on_absent: Floats
    off_present: Floats
    off_absent: Floats

    @classmethod
    def of(cls, model: Model) -> "Posterior":
        """Work it out from the parameters."""
        arrays = _by_blocks(_posterior, model.p, model.q, model.lam, model.db)
        weights, off, on_0, off_0, *made = arrays
        return cls(weights, off, (_log_product(on_0), _log_product(off_0)), *made)

    def evidence(self, matrix: PresenceMatrix) -> Floats:
        """Give what all terms say of each record: ln Pr(d|Z=1) / Pr(d|Z=0); shape (records,)."""
        on, off = self.log_absent
        found: Floats = matrix.by_term.T @ self.weights + (on - off)
        return found

    def log_likelihood(self, matrix: PresenceMatrix, prior: float, evidence: Floats) -> float:
        """Give ln Pr(all records | the model)."""
        off_theme = matrix.frequencies @ self.off + len(matrix.ids) * self.log_absent[1]
        either = np.logaddexp(np.log1p(-prior), np.log(prior) + evidence)
        return float(off_theme + either.sum())


def _by_blocks(work: Callable[..., tuple[Floats, ...]], *arrays: Floats) -> tuple[Floats, ...]:
    """Give what `work` makes of arrays of shape (terms,), element by element."""
    terms = len(arrays[0])
    if terms <= _BLOCK:
        return work(*arrays)
    found: tuple[Floats, ...] = ()
    for start in range(0, terms, _BLOCK):
        block = slice(start, start + _BLOCK)
        parts = work(*(array[block] for array in arrays))
        found = found or tuple(np.empty(terms) for _ in parts)
        for whole, part in zip(found, parts, strict=True):
            whole[block] = part
    return found


def _posterior(p: Floats, q: Floats, lam: Floats, db: Floats) -> tuple[Floats, ...]:
    on_1, on_present = _outcome(lam, db, p)
    on_0, on_absent = _outcome(lam, 1 - db, 1 - p)
    off_1, off_present = _outcome(lam, db, q)
    off_0, off_absent = _outcome(lam, 1 - db, 1 - q)
    off = np.log(off_1 / off_0)
    weights = np.log(on_1 / on_0) - off
    return weights, off, on_0, off_0, on_present, on_absent, off_present, off_absent


def _log_product(values: Floats) -> float:
    """Give ln of the product of probabilities of `_LEAST` or more; a logarithm is not cheap."""
    starts = np.arange(0, len(values), _TOGETHER)
    products = np.multiply.reduceat(values, starts)
    logs = np.log(np.maximum(products, _TINY))
    for i in np.flatnonzero(products < _TINY).tolist():
        logs[i] = np.log(values[starts[i] : starts[i] + _TOGETHER]).sum()
    return float(logs.sum())


def _outcome(lam: Floats, db: Floats, theme: Floats) -> tuple[Floats, Floats]:
    """Give an outcome's probability, and the share of it that p or q made."""
    specific = (1 - lam) * theme
    mix = np.maximum(lam * db + specific, _LEAST)
    return mix, specific / mix


def maximise(
    sample: Sample, model: Model, posterior: Posterior, on: Floats, *, literal: bool = False
) -> Model:
    """Do the M-step: new p, q and λ.

    Parameters
    ----------
    sample : Sample
    model : Model
        The one that `posterior` is of.
    posterior : Posterior
    on : ndarray of float64, shape (records,)
        Pr(Z=1|d).
    literal : bool
        Take γ as the paper's equations 3 to 5 print it, conditioned on the one term alone. Then
        γ, ξ and ψ do not add up to 1, and the likelihood may fall.
    """
    rows = np.flatnonzero(on > _NOTHING)
    weighted = on[rows] * sample.weights[rows]
    size, total = weighted.sum(), sample.total

    def estimate(
        p: Floats, q: Floats, lam: Floats, db: Floats, n: Floats, on_1: Floats, *made: Floats
    ) -> tuple[Floats, ...]:
        on_0 = np.maximum(size - on_1, 0)
        off_1 = np.maximum(n - on_1, 0)
        off_0 = np.maximum(total - n - on_0, 0)
        by_p, by_q = (made[0] * on_1, made[1] * on_0), (made[2] * off_1, made[3] * off_0)
        if literal:
            anyone = model.prior * p + (1 - model.prior) * q
            from_db = _literal(anyone, lam, db, n, total)
        else:
            from_db = on_1 - by_p[0] + on_0 - by_p[1] + off_1 - by_q[0] + off_0 - by_q[1]
        return _share(*by_p, p), _share(*by_q, q), from_db / total

    made = posterior.on_present, posterior.on_absent, posterior.off_present, posterior.off_absent
    sums = sample.matrix.sums(rows, weighted)
    before = model.p, model.q, model.lam, model.db
    p, q, lam = _by_blocks(estimate, *before, sample.frequencies, sums, *made)
    return Model(p, q, lam, model.db, model.prior)


def _share(present: Floats, absent: Floats, before: Floats) -> Floats:
    """Give the share of presence; as before where a term is neither expected."""
    both = present + absent
    return np.divide(present, both, out=before.copy(), where=both > 0)


def _literal(anyone: Floats, lam: Floats, db: Floats, n: Floats, total: float) -> Floats:
    """Sum γ up as equations 3 to 5 have it, with the prior in the place of each record's."""
    _, present = _outcome(lam, db, anyone)
    _, absent = _outcome(lam, 1 - db, 1 - anyone)
    found: Floats = (1 - present) * n + (1 - absent) * (total - n)
    return found
