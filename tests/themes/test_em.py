"""The EM of themes: its start, one step against everything written out, and whole runs."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from relsent_ir.errors import UsageError
from relsent_ir.themes.em import (
    IMPROVED,
    Mixture,
    Posterior,
    ThemeSettings,
    Weighted,
    find_theme,
    maximise,
    start,
)
from tests.themes.dense import dense_step, matrix_of

# Records 0 to 3 are about t0 … t2, the others about t3 … t5; t6 is everywhere.
TABLE = [
    [1, 1, 0, 0, 0, 0, 1],
    [1, 1, 1, 0, 0, 0, 0],
    [1, 0, 1, 0, 0, 0, 1],
    [0, 1, 1, 0, 0, 0, 0],
    [0, 0, 0, 1, 1, 0, 1],
    [0, 0, 0, 1, 0, 1, 1],
    [0, 0, 0, 0, 1, 1, 0],
    [0, 0, 0, 1, 1, 1, 1],
]
MATRIX = matrix_of(TABLE)
KERNEL = np.array([0])


def test_start() -> None:
    """Rare and frequent terms differ; of two records none is rare, yet starts so; half of 0.9."""
    table = [[1, 1, 0, 0], [0, 1, 1, 0], [0, 1, 1, 1], [0, 0, 0, 0]]
    model = start(matrix_of(table), KERNEL, ThemeSettings(rare=0.3, few=0))
    assert model.db.tolist() == [0.25, 0.75, 0.5, 0.25]
    assert model.p.tolist() == [0.9, 0.9, 1e-100, 0.25]
    assert model.lam.tolist() == [0.002, 0.8, 0.8, 0.8]
    assert model.q.tolist() == model.db.tolist()
    assert model.prior == 0.001
    table = [[1, 1, 0]] * 2 + [[0, 1, 1]] + [[0, 0, 1]] * 97
    model = start(matrix_of(table), KERNEL, ThemeSettings())
    assert model.lam.tolist() == [0.002, 0.8, 0.8]
    assert start(matrix_of(table), KERNEL, ThemeSettings(few=0)).lam.tolist() == [0.8, 0.8, 0.8]
    model = start(MATRIX, np.array([0, 3]), ThemeSettings())
    assert model.p.tolist() == [0.45, 0.9, 0.45, 1e-100, 1e-100, 1e-100, 0.45]


def test_equals_the_dense_em(monkeypatch: pytest.MonkeyPatch) -> None:
    """Five iterations from the published start give the posterior of the dense EM."""
    monkeypatch.setattr("relsent_ir.themes.em._TOLERANCE", 0)
    settings = ThemeSettings(max_iterations=6, prior=0.1)
    theme = find_theme(MATRIX, KERNEL, settings)
    model = start(MATRIX, KERNEL, settings)
    likelihoods = []
    for _ in range(6):
        expected, likelihood, model = dense_step(TABLE, model)
        likelihoods.append(likelihood)
    np.testing.assert_allclose(theme.on, expected, rtol=1e-6)
    np.testing.assert_allclose(theme.log_likelihoods, likelihoods, rtol=1e-9)
    assert not theme.converged


def test_converges_on_the_subject() -> None:
    """Records of the kernel's subject come first, the likelihood never falls on the way."""
    theme = find_theme(MATRIX, KERNEL, ThemeSettings(prior=0.3))
    assert theme.converged
    assert theme.log_odds[:4].min() > theme.log_odds[4:].max()
    assert (np.diff(theme.log_likelihoods) >= -1e-9).all()
    assert theme.size == pytest.approx(theme.on.sum())


def test_settings() -> None:
    """The kernel stays on theme; P gives the size; sharpness scales, similarity is added."""
    lone = find_theme(MATRIX, KERNEL, ThemeSettings(prior=1e-60))
    kept = find_theme(MATRIX, KERNEL, ThemeSettings(prior=1e-60, kernel_weight=2))
    assert lone.on[0] < 1e-3
    assert kept.on[0] == 1
    assert kept.log_odds[0] > lone.log_odds[0]
    assert find_theme(MATRIX, KERNEL, ThemeSettings(size=2.5)).size == pytest.approx(2.5)
    assert find_theme(MATRIX, KERNEL, ThemeSettings(size=1000)).size == pytest.approx(4)
    same = matrix_of([[1, 0]] * 4)
    assert find_theme(same, KERNEL, ThemeSettings(size=1)).size == pytest.approx(1)
    once = {"max_iterations": 1, "prior": 0.5}
    plain = find_theme(MATRIX, KERNEL, ThemeSettings(**once)).log_odds
    blunt = find_theme(MATRIX, KERNEL, ThemeSettings(sharpness=0.25, **once)).log_odds
    np.testing.assert_allclose(blunt, plain / 4)
    similarity = np.linspace(1, 0, 8)
    settings = {"max_iterations": 1}
    plain = find_theme(MATRIX, KERNEL, ThemeSettings(**settings)).log_odds
    biased = find_theme(
        MATRIX, KERNEL, ThemeSettings(similarity=7, **settings), similarity
    ).log_odds
    np.testing.assert_allclose(biased - plain, 7 * similarity)


def test_improved_converges_and_holds() -> None:
    """All of ours together: the theme has its size and its subject."""
    theme = find_theme(MATRIX, KERNEL, IMPROVED, np.array([1, 0.5, 0.4, 0.2, 0.1, 0.1, 0, 0.1]))
    assert theme.converged
    assert theme.moving <= 1e-3
    assert theme.sizes[-1] == pytest.approx(4, abs=0.1)
    assert theme.size == theme.sizes[-1]
    assert set(np.argsort(-theme.log_odds)[:4]) == {0, 1, 2, 3}


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("prior", 0), ("prior", 1), ("size", -1), ("rare", float("nan")),
        ("similarity", float("inf")), ("max_iterations", 0),
        ("sharpness", 1e308),
    ],
)  # fmt: skip
def test_values_out_of_range(name: str, value: float) -> None:
    """Each is named."""
    with pytest.raises(UsageError, match=name):
        ThemeSettings(**{name: value})


NONE = np.empty(0, dtype=np.intp)


@st.composite
def collections(draw: st.DrawFn) -> tuple[list[list[int]], Mixture]:
    """A small table of presence, and any parameters."""
    terms = draw(st.integers(1, 6))
    row = st.lists(st.integers(0, 1), min_size=terms, max_size=terms)
    table = draw(st.lists(row, min_size=2, max_size=7))
    share = st.lists(st.floats(0.001, 0.999), min_size=terms, max_size=terms).map(np.array)
    prior = draw(st.floats(0.001, 0.9))
    return table, Mixture(draw(share), draw(share), draw(share), draw(share), prior)


def _step(table: list[list[int]], model: Mixture) -> tuple[np.ndarray, float, Mixture]:
    matrix = matrix_of(table)
    posterior = Posterior.of(model)
    evidence = posterior.evidence(matrix)
    on = 1 / (1 + np.exp(-(np.log(model.prior / (1 - model.prior)) + evidence)))
    likelihood = posterior.log_likelihood(matrix, model.prior, evidence)
    new = maximise(Weighted.of(matrix, NONE, 1), model, posterior, on)
    return on, likelihood, new


@settings(derandomize=True, deadline=None)
@given(collection=collections())
def test_step_is_the_dense_one(collection: tuple[list[list[int]], Mixture]) -> None:
    """Posterior, likelihood and new parameters equal those of the joint probabilities."""
    table, model = collection
    on, likelihood, new = _step(table, model)
    expected_on, expected_likelihood, expected = dense_step(table, model)
    np.testing.assert_allclose(on, expected_on, rtol=1e-9)
    assert likelihood == pytest.approx(expected_likelihood, rel=1e-9)
    for name in ("p", "q", "lam"):
        np.testing.assert_allclose(
            getattr(new, name), getattr(expected, name), rtol=1e-7, atol=1e-12
        )


@settings(derandomize=True, deadline=None)
@given(collection=collections())
def test_likelihood_never_falls(collection: tuple[list[list[int]], Mixture]) -> None:
    """Twenty exact steps from any start, each at least as likely as the one before."""
    table, model = collection
    before = -np.inf
    for _ in range(20):
        _, likelihood, model = _step(table, model)
        assert likelihood >= before - 1e-9 * abs(likelihood) - 1e-12  # a likelihood of 1 is rounded
        before = likelihood


def test_maximise() -> None:
    """A record that counts three times is three records; what nothing expects keeps its p."""
    table = [[1, 0, 1], [1, 1, 0], [0, 1, 1], [0, 0, 1]]
    share = np.array([0.3, 0.5, 0.6])
    model = Mixture(share, share[::-1].copy(), np.full(3, 0.4), np.full(3, 0.5), 0.2)
    on = np.array([0.9, 0.2, 0.3, 0.1])
    posterior = Posterior.of(model)
    once = maximise(Weighted.of(matrix_of(table), np.array([0]), 3), model, posterior, on)
    copied = Weighted.of(matrix_of([table[0], table[0], *table]), NONE, 1)
    thrice = maximise(copied, model, posterior, np.array([0.9, 0.9, *on]))
    for name in ("p", "q", "lam"):
        np.testing.assert_allclose(getattr(once, name), getattr(thrice, name))
    model = Mixture(np.full(2, 0.7), np.full(2, 0.4), np.full(2, 0.5), np.full(2, 0.5), 0.1)
    sample = Weighted.of(matrix_of([[1, 0], [0, 1]]), NONE, 1)
    new = maximise(sample, model, Posterior.of(model), np.zeros(2))
    assert new.p.tolist() == [0.7, 0.7]


def test_tiny_probabilities_stay_finite() -> None:
    """Starts of 1e-100, with a λ of 0 too, give finite evidence, and λ stays a probability."""
    table = [[1, 0], [0, 1], [1, 1]]
    matrix = matrix_of(table)
    half = np.full(2, 0.5)
    for lam in (0.0, 0.8):
        model = Mixture(np.full(2, 1e-100), np.full(2, 1.0), np.full(2, lam), half, 0.001)
        posterior = Posterior.of(model)
        evidence = posterior.evidence(matrix)
        assert np.isfinite(evidence).all()
        assert np.isfinite(posterior.log_likelihood(matrix, 0.001, evidence))
        new = maximise(Weighted.of(matrix, NONE, 1), model, posterior, np.array([1.0, 1e-200, 0]))
        for values in (new.p, new.q, new.lam):
            assert ((values >= 0) & (values <= 1)).all()
