"""Records and terms of a theme."""

import numpy as np
import pytest

from relsent_ir.themes.em import Model, Posterior, Theme
from relsent_ir.themes.reading import Term, records_on_theme, terms_of_theme
from tests.themes.dense import matrix_of

MATRIX = matrix_of([[1, 1, 0, 0], [1, 0, 1, 0], [0, 1, 1, 1], [0, 0, 0, 1]])


def _theme(log_odds: list[float], model: Model, kernels: list[int]) -> Theme:
    odds = np.array(log_odds)
    on = 1 / (1 + np.exp(-odds))
    posterior = Posterior.of(model)
    return Theme(np.array(kernels), odds, on, model, posterior, [1.0], [0.0], True)


def _model(p: list[float], q: list[float], lam: list[float]) -> Model:
    return Model(np.array(p), np.array(q), np.array(lam), np.array([0.5, 0.5, 0.5, 0.02]), 0.1)


FLAT = _model([0.5] * 4, [0.5] * 4, [0.5] * 4)


def test_records_by_log_odds() -> None:
    """Descending, ties by id, the kernel left out unless kept; more than there are is all."""
    theme = _theme([9.0, 2.0, 2.0, -40.0], FLAT, [0])
    assert records_on_theme(MATRIX, theme, 2).ids.tolist() == ["r1", "r2"]
    assert records_on_theme(MATRIX, theme, 1).ids.tolist() == ["r1"]
    kept = records_on_theme(MATRIX, theme, 99, keep_kernel=True)
    assert kept.ids.tolist() == ["r0", "r1", "r2", "r3"]
    assert kept.scores.tolist() == [9.0, 2.0, 2.0, -40.0]
    assert not len(records_on_theme(MATRIX, _theme([1.0] * 4, FLAT, [0, 1, 2, 3])))


def test_terms_by_the_papers_rule() -> None:
    """Likely made by p in a record on theme, or p much above DB; ordered by p / q."""
    # t0: 0.9·0.9 of 0.1·0.5 + 0.9·0.9 is 0.94, with a record at 0.73 on theme: 0.69.
    # t1 comes from DB: 0.1·0.9 of 0.9·0.5 + 0.1·0.9 is 0.17.
    # t2 is in no record that is 0.6 on theme. t3 is ten times as likely as in the collection.
    model = _model([0.9, 0.9, 0.9, 0.2], [0.3, 0.1, 0.1, 0.01], [0.1, 0.9, 0.1, 0.9])
    theme = _theme([1.0, -1.0, -1.0, -1.0], model, [0])
    found = terms_of_theme(MATRIX, theme)
    assert [term.term for term in found] == ["t3", "t0"]
    # t3 is in the two last records, each 0.27 on theme, of 1.54 in all; 0.02 of all have it
    off = 1 / (1 + np.exp(1))
    lift = 2 * off / (1 + 2 * off) / 0.02
    assert found[0] == Term("t3", 0.2, 0.01, 0.9, 0.02, pytest.approx(2 * off), pytest.approx(lift))
    assert [term.term for term in terms_of_theme(MATRIX, theme, 1)] == ["t0"]
    assert terms_of_theme(MATRIX, theme, 0) == []


def test_ratio_of_a_term_that_is_never_off_theme() -> None:
    """Infinite, and first in the list."""
    assert Term("x", 0.5, 0.0, 0.5, 0.1).ratio == float("inf")
    model = _model([0.9, 0.9, 0.9, 0.9], [0.3, 0.0, 1e-320, 0.1], [0.1] * 4)
    theme = _theme([5.0] * 4, model, [0])
    assert terms_of_theme(MATRIX, theme)[0].term == "t1"
