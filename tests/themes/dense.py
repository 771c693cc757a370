"""The model with everything written out: each posterior as a quotient of joint probabilities."""

import math

import numpy as np
from numpy.typing import NDArray

from relsent_ir.text.vocabulary import Vocabulary
from relsent_ir.themes.em import Mixture
from relsent_ir.themes.matrix import PresenceMatrix


def matrix_of(table: list[list[int]]) -> PresenceMatrix:
    """A matrix of a dense table; records r0, r1, … (at most ten), terms t0, t1, …."""
    dense = np.array(table)
    rows, columns = np.nonzero(dense)
    starts = np.concatenate([[0], np.cumsum(np.bincount(rows, minlength=len(dense)))])
    return PresenceMatrix(
        Vocabulary.of(f"r{i}" for i in range(dense.shape[0])),
        Vocabulary.of(f"t{i}" for i in range(dense.shape[1])),
        starts.astype(np.int32),
        columns.astype(np.int32),
    )


def bernoulli(probability: float, present: int) -> float:
    """The probability of presence or absence."""
    return probability if present else 1 - probability


def joint(table: list[list[int]], model: Mixture, d: int, z: int, forced: dict[int, int]) -> float:
    """Pr(Z_d = z, the record's terms, and Z_i as forced)."""
    theme = model.p if z else model.q
    value = model.prior if z else 1 - model.prior
    for i, present in enumerate(table[d]):
        from_db = model.lam[i] * bernoulli(model.db[i], present)
        specific = (1 - model.lam[i]) * bernoulli(theme[i], present)
        ways = {0: from_db, 1: specific}
        value *= ways[forced[i]] if i in forced else from_db + specific
    return value


def dense_step(
    table: list[list[int]], model: Mixture
) -> tuple[NDArray[np.float64], float, Mixture]:
    """One step: Pr(Z=1|d), ln likelihood, and the new model."""
    n, m = len(table), len(table[0])
    totals = [joint(table, model, d, 0, {}) + joint(table, model, d, 1, {}) for d in range(n)]
    on = np.array([joint(table, model, d, 1, {}) / totals[d] for d in range(n)])
    xi, psi, gamma = (np.zeros((n, m)) for _ in range(3))
    for d in range(n):
        for i in range(m):
            xi[d, i] = joint(table, model, d, 1, {i: 1}) / totals[d]
            psi[d, i] = joint(table, model, d, 0, {i: 1}) / totals[d]
            gamma[d, i] = sum(joint(table, model, d, z, {i: 0}) for z in (0, 1)) / totals[d]
    present = np.array(table)
    new = Mixture(
        (xi * present).sum(0) / xi.sum(0),
        (psi * present).sum(0) / psi.sum(0),
        gamma.mean(0),
        model.db,
        model.prior,
    )
    return on, sum(map(math.log, totals)), new
