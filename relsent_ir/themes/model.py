"""The generative model of a theme, and one step of its EM (Shatkay & Wilbur 2000, sections 2, 3).

Shatkay, Wilbur: Finding themes in Medline documents: probabilistic similarity search. IEEE Advances
in Digital Libraries, 2000.

Each record is on theme with probability P. Each of its terms follows the collection's probability
DB with probability λ, else the theme's p (on theme) or q (off theme), present or absent. Given
whether a record is on theme, a term has two outcomes, so all that a step needs of the records is
the sum over those that have the term, and the total: two products with the sparse matrix.
"""

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from relsent_ir.themes.matrix import PresenceMatrix
from relsent_ir.typing import Floats

_LEAST: Final = 1e-150  # so that ratios of two probabilities and their products stay finite
_NOTHING: Final = 1e-30  # a probability far below the rounding of the sums that it goes into


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
    present, absent : ndarray of float64
        What a term's presence, or absence, adds to a record's log-odds.
    log_off : tuple of ndarray of float64
        ln of the probability of a term's presence, and of its absence, in a record off theme.
    on_present, on_absent, off_present, off_absent : ndarray of float64
        Pr(Z_i=1 | Z_d, δ_di): that p (on theme) or q (off theme), and not DB, made the term present
        or absent.
    """

    present: Floats
    absent: Floats
    log_off: tuple[Floats, Floats]
    on_present: Floats
    on_absent: Floats
    off_present: Floats
    off_absent: Floats

    @classmethod
    def of(cls, model: Model) -> "Posterior":
        """Work it out from the parameters."""
        on_1, on_present = _outcome(model.lam, model.db, model.p)
        on_0, on_absent = _outcome(model.lam, 1 - model.db, 1 - model.p)
        off_1, off_present = _outcome(model.lam, model.db, model.q)
        off_0, off_absent = _outcome(model.lam, 1 - model.db, 1 - model.q)
        return cls(
            np.log(on_1 / off_1),
            np.log(on_0 / off_0),
            (np.log(off_1), np.log(off_0)),
            on_present,
            on_absent,
            off_present,
            off_absent,
        )

    def evidence(self, matrix: PresenceMatrix) -> Floats:
        """Give what all terms say of each record: ln Pr(d|Z=1) / Pr(d|Z=0); shape (records,)."""
        found: Floats = matrix.presence @ (self.present - self.absent) + self.absent.sum()
        return found

    def log_likelihood(self, matrix: PresenceMatrix, prior: float, evidence: Floats) -> float:
        """Give ln Pr(all records | the model)."""
        records, n = len(matrix.ids), matrix.frequencies
        off_theme = n @ self.log_off[0] + (records - n) @ self.log_off[1]
        either = np.logaddexp(np.log1p(-prior), np.log(prior) + evidence)
        return float(off_theme + either.sum())


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
    n, size = sample.frequencies, weighted.sum()
    on_present = sample.matrix.sums(rows, weighted)
    on_absent = np.maximum(size - on_present, 0)
    off_present = np.maximum(n - on_present, 0)
    off_absent = np.maximum(sample.total - n - on_absent, 0)
    xi = posterior.on_present * on_present, posterior.on_absent * on_absent
    psi = posterior.off_present * off_present, posterior.off_absent * off_absent
    if literal:
        from_db = _literal(model, n, sample.total)
    else:
        from_db = (
            on_present - xi[0] + on_absent - xi[1] + off_present - psi[0] + off_absent - psi[1]
        )
    return Model(
        _share(*xi, model.p), _share(*psi, model.q), from_db / sample.total, model.db, model.prior
    )


def _share(present: Floats, absent: Floats, before: Floats) -> Floats:
    """Give the share of presence; as before where a term is neither expected."""
    both = present + absent
    return np.divide(present, both, out=before.copy(), where=both > 0)


def _literal(model: Model, frequencies: Floats, total: float) -> Floats:
    """Sum γ up as equations 3 to 5 have it, with the prior in the place of each record's."""
    anyone = model.prior * model.p + (1 - model.prior) * model.q
    _, present = _outcome(model.lam, model.db, anyone)
    _, absent = _outcome(model.lam, 1 - model.db, 1 - anyone)
    found: Floats = (1 - present) * frequencies + (1 - absent) * (total - frequencies)
    return found
