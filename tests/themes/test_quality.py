"""Coherence, diversity and held-out likelihood, by hand."""

from math import log

import numpy as np
import pytest

from relsent_ir.text.vocabulary import Vocabulary
from relsent_ir.themes import quality as module
from relsent_ir.themes.em import ThemeSettings, find_theme
from relsent_ir.themes.matrix import PresenceMatrix
from relsent_ir.themes.quality import coherence, held_out_gains
from tests.themes.dense import bernoulli, matrix_of

MATRIX = matrix_of([[1, 1, 0, 1, 1], [1, 1, 0, 0, 1], [0, 0, 1, 1, 1], [0, 0, 0, 0, 1]])


def test_npmi_of_pairs() -> None:
    """Always together 1, never -1, as by chance 0; without pairs there is none."""
    assert coherence(MATRIX, ["t0", "t1"]) == pytest.approx(1)
    assert coherence(MATRIX, ["t0", "t2"]) == -1
    # t0 and t3: a fourth of the records has both, half has each
    assert coherence(MATRIX, ["t0", "t3"]) == pytest.approx(0)
    # t2 and t3: a fourth has both, ln(1/4 / (1/4 · 1/2)) = ln 2, by ln 4
    assert coherence(MATRIX, ["t2", "t3"]) == pytest.approx(log(2) / log(4))
    assert coherence(MATRIX, ["t0", "t1", "t2"]) == pytest.approx((1 - 1 - 1) / 3)
    assert coherence(MATRIX, ["t0"]) is None
    assert coherence(matrix_of([[1, 1], [1, 1]]), ["t0", "t1"]) == 1


# Records 0 to 4 are about t0 … t2, the others about t3 … t5; t6 is in record 1 alone.
TABLE = [
    [1, 1, 0, 0, 0, 0, 0],
    [1, 1, 1, 0, 0, 0, 1],
    [1, 0, 1, 0, 0, 0, 0],
    [0, 1, 1, 0, 0, 0, 0],
    [1, 1, 1, 0, 0, 1, 0],
    [0, 0, 0, 1, 1, 0, 0],
    [0, 0, 0, 1, 0, 1, 0],
    [0, 0, 0, 0, 1, 1, 0],
    [0, 0, 1, 1, 1, 1, 0],
    [0, 0, 0, 1, 1, 1, 0],
]
KERNEL = np.array([0])


def _matrix(table: np.ndarray) -> PresenceMatrix:
    """A matrix of more than ten records."""
    from relsent_ir.themes.matrix import PresenceMatrix

    rows, columns = np.nonzero(table)
    starts = np.concatenate([[0], np.cumsum(np.bincount(rows, minlength=len(table)))])
    ids = Vocabulary.of(f"r{i:02}" for i in range(table.shape[0]))
    terms = Vocabulary.of(f"t{i}" for i in range(table.shape[1]))
    return PresenceMatrix(ids, terms, starts.astype(np.int32), columns.astype(np.int32))


def test_gain_is_that_of_a_loop(monkeypatch: pytest.MonkeyPatch) -> None:
    """The mixture's probability of each record, term by term, against that of chance."""
    monkeypatch.setattr(module, "PART", 3)
    drawn = np.random.default_rng(2).choice(np.arange(1, 10), 3, replace=False)
    tested = sorted(drawn.tolist())
    kept = [row for row in range(10) if row not in tested]
    settings = ThemeSettings(prior=0.3, max_iterations=5)
    similarity = np.linspace(1, 0, 10)
    train = [TABLE[row] for row in kept]
    theme = find_theme(matrix_of(train), np.array([0]), settings, similarity[kept])
    model, share_on = theme.model, float(theme.on.mean())
    gains = []
    for row in tested:
        on, off, chance = share_on, 1 - share_on, 1.0
        for i, present in enumerate(TABLE[row]):
            n = sum(record[i] for record in train)
            if n:
                alone = (n + 0.5) / (len(train) + 1)
                chance *= bernoulli(alone, present)
                for name, theirs in (("on", model.p[i]), ("off", model.q[i])):
                    share = model.lam[i] * model.db[i] + (1 - model.lam[i]) * theirs
                    factor = bernoulli(0.5 * share + 0.5 * alone, present)
                    on, off = (on * factor, off) if name == "on" else (on, off * factor)
        gains.append(np.log((on + off) / chance))
    (found,) = held_out_gains(matrix_of(TABLE), [KERNEL], settings, [similarity], seed=2)
    assert found == pytest.approx(np.mean(gains), rel=1e-9)


def test_a_theme_foretells_its_subject() -> None:
    """One of two subjects says more of unseen records than one of chance; kernels are none."""
    chance = np.random.default_rng(0)
    about = np.repeat([[0.6] * 5 + [0.05] * 5, [0.05] * 5 + [0.6] * 5], 40, axis=0)
    table = (chance.random((80, 10)) < about).astype(int)
    mixed = np.array([chance.permutation(column) for column in table.T]).T
    settings = ThemeSettings(size=40, kernel_weight=2, max_iterations=15)
    (real,), (random,) = (
        held_out_gains(_matrix(of), [KERNEL], settings, [None]) for of in (table, mixed)
    )
    assert real > 0.4
    assert random < 0.1
    settings = ThemeSettings(max_iterations=2)
    assert held_out_gains(matrix_of(TABLE), [np.arange(10)], settings, [None]) == [0]
