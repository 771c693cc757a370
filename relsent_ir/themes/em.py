"""Finding a theme: the start from its kernel, and the EM until it converges.

Shatkay, Wilbur: Finding themes in Medline documents: probabilistic similarity search. IEEE Advances
in Digital Libraries, 2000, section 3.
"""

from dataclasses import dataclass
from math import ceil
from typing import Final

import numpy as np
from numpy.typing import NDArray

from relsent_ir.themes.matrix import PresenceMatrix
from relsent_ir.themes.model import Model, Posterior, Sample, maximise
from relsent_ir.themes.settings import Settings
from relsent_ir.typing import Floats

_STILL: Final = 1e-3
_FAR: Final = -50.0  # log-odds of records that are too improbable to change a sum of all


@dataclass(frozen=True)
class Theme:
    """What the EM found.

    Attributes
    ----------
    kernels : ndarray of int, shape (kernels,)
        The rows of the records that it started from.
    log_odds : ndarray of float64, shape (records,)
        Of each record to be on theme.
    on : ndarray of float64, shape (records,)
        Pr(Z=1|d).
    model : Model
    posterior : Posterior
        Of the model.
    sizes : list of float
        How many records were expected on theme, one an iteration.
    log_likelihoods : list of float
        ln Pr(all records | model), one an iteration; where something of ours is on, which does not
        look at it, only the last.
    converged : bool
        False if `max_iterations` ended it.
    """

    kernels: NDArray[np.intp]
    log_odds: Floats
    on: Floats
    model: Model
    posterior: Posterior
    sizes: list[float]
    log_likelihoods: list[float]
    converged: bool

    @property
    def size(self) -> float:
        """How many records are expected on theme."""
        return self.sizes[-1]


def start(matrix: PresenceMatrix, kernels: NDArray[np.intp], settings: Settings) -> Model:
    """Set p, q and λ from the kernels (section 3.1); of several, as `settings.kernels` says."""
    db = matrix.frequencies / len(matrix.ids)
    rare = matrix.frequencies < max(settings.rare * len(matrix.ids), settings.few)
    share = matrix.sums(kernels, np.ones(len(kernels))) / len(kernels)
    if settings.kernels == "common":
        share = np.floor(share)
    elif settings.kernels == "union":
        share = np.ceil(share)
    elsewhere = np.where(rare, db, settings.absent_p)
    p = np.where(share > 0, np.maximum(settings.kernel_p * share, elsewhere), elsewhere)
    lam = np.where(rare & (share > 0), settings.rare_lambda, settings.common_lambda)
    return Model(p, db, lam, db, settings.prior)


def find_theme(
    matrix: PresenceMatrix,
    kernels: NDArray[np.intp],
    settings: Settings | None = None,
    similarity: Floats | None = None,
) -> Theme:
    """Find the theme of one or more records.

    Parameters
    ----------
    matrix : PresenceMatrix
    kernels : ndarray of int, shape (kernels,)
        Their rows.
    settings : Settings, optional
        The paper's if None.
    similarity : ndarray of float64, shape (records,), optional
        Each record's, 1 being the kernel's own; needed for `settings.similarity`.
    """
    from scipy.special import expit, logit

    settings = settings or Settings()
    sample = Sample.of(matrix, kernels, max(1.0, settings.kernel_weight))
    bias = 0.0 if similarity is None else settings.similarity * similarity
    mean = matrix.lengths.mean()
    scale = settings.sharpness * (mean / np.maximum(matrix.lengths, 1)) ** settings.length
    model = start(matrix, kernels, settings)
    sizes: list[float] = []
    likelihoods: list[float] = []
    before: Floats | None = None
    while True:
        posterior = Posterior.of(model)
        evidence = posterior.evidence(matrix)
        log_odds = evidence * scale + bias
        log_odds += _shift(log_odds, settings.size) if settings.size else logit(settings.prior)
        on = expit(log_odds)
        if settings.kernel_weight:
            on[kernels] = 1
        sizes.append(float(on.sum()))
        if settings.published:
            likelihoods.append(posterior.log_likelihood(matrix, model.prior, evidence))
            converged = _settled(likelihoods, settings.tolerance)
        else:
            converged = before is not None and np.abs(on - before).sum() <= _STILL * on.sum()
        if converged or len(sizes) == settings.max_iterations:
            likelihoods = likelihoods or [posterior.log_likelihood(matrix, model.prior, evidence)]
            return Theme(
                kernels, log_odds, on, model, posterior, sizes, likelihoods, bool(converged)
            )
        before = on
        model = maximise(sample, model, posterior, on, literal=settings.literal)


def _settled(likelihoods: list[float], tolerance: float) -> bool:
    *earlier, last = likelihoods
    return bool(earlier) and abs(last - earlier[-1]) <= tolerance * abs(last)


def _shift(log_odds: Floats, size: float) -> float:
    """Find what to add to all log-odds so that `size` records are expected on theme."""
    from scipy.optimize import brentq
    from scipy.special import expit, logit

    size = min(size, len(log_odds) / 2)
    likely = ceil(2 * size)  # so many with even odds or better are `size` or more
    high = -np.partition(log_odds, -likely)[-likely]
    low = logit(size / len(log_odds)) - log_odds.max() - 1  # fewer, were all as the best
    near = log_odds[log_odds + high > _FAR]
    return float(brentq(lambda shift: expit(near + shift).sum() - size, low, high))
