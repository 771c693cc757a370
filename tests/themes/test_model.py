"""One step of the EM against the same with everything written out."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from relsent_ir.themes.em import Model, Posterior, Sample, maximise
from tests.themes.dense import dense_step, matrix_of

NONE = np.empty(0, dtype=np.intp)


@st.composite
def collections(draw: st.DrawFn) -> tuple[list[list[int]], Model]:
    """A small table of presence, and any parameters."""
    terms = draw(st.integers(1, 6))
    row = st.lists(st.integers(0, 1), min_size=terms, max_size=terms)
    table = draw(st.lists(row, min_size=2, max_size=7))
    share = st.lists(st.floats(0.001, 0.999), min_size=terms, max_size=terms).map(np.array)
    prior = draw(st.floats(0.001, 0.9))
    return table, Model(draw(share), draw(share), draw(share), draw(share), prior)


def _step(table: list[list[int]], model: Model, literal: bool) -> tuple[np.ndarray, float, Model]:
    matrix = matrix_of(table)
    posterior = Posterior.of(model)
    evidence = posterior.evidence(matrix)
    on = 1 / (1 + np.exp(-(np.log(model.prior / (1 - model.prior)) + evidence)))
    likelihood = posterior.log_likelihood(matrix, model.prior, evidence)
    new = maximise(Sample.of(matrix, NONE, 1), model, posterior, on, literal=literal)
    return on, likelihood, new


@pytest.mark.parametrize("literal", [False, True])
@settings(derandomize=True, deadline=None)
@given(collection=collections())
def test_step_is_the_dense_one(collection: tuple[list[list[int]], Model], literal: bool) -> None:
    """Posterior, likelihood and new parameters equal those of the joint probabilities."""
    table, model = collection
    on, likelihood, new = _step(table, model, literal)
    expected_on, expected_likelihood, expected = dense_step(table, model, literal)
    np.testing.assert_allclose(on, expected_on, rtol=1e-9)
    assert likelihood == pytest.approx(expected_likelihood, rel=1e-9)
    for name in ("p", "q", "lam"):
        np.testing.assert_allclose(
            getattr(new, name), getattr(expected, name), rtol=1e-7, atol=1e-12
        )


@settings(derandomize=True, deadline=None)
@given(collection=collections())
def test_likelihood_never_falls(collection: tuple[list[list[int]], Model]) -> None:
    """Twenty exact steps from any start, each at least as likely as the one before."""
    table, model = collection
    before = -np.inf
    for _ in range(20):
        _, likelihood, model = _step(table, model, literal=False)
        assert likelihood >= before - 1e-9 * abs(likelihood) - 1e-12  # a likelihood of 1 is rounded
        before = likelihood


def test_weights_are_copies() -> None:
    """A record that counts three times is the same as three records."""
    table = [[1, 0, 1], [1, 1, 0], [0, 1, 1], [0, 0, 1]]
    share = np.array([0.3, 0.5, 0.6])
    model = Model(share, share[::-1].copy(), np.full(3, 0.4), np.full(3, 0.5), 0.2)
    on = np.array([0.9, 0.2, 0.3, 0.1])
    posterior = Posterior.of(model)
    once = maximise(Sample.of(matrix_of(table), np.array([0]), 3), model, posterior, on)
    copied = Sample.of(matrix_of([table[0], table[0], *table]), NONE, 1)
    thrice = maximise(copied, model, posterior, np.array([0.9, 0.9, *on]))
    for name in ("p", "q", "lam"):
        np.testing.assert_allclose(getattr(once, name), getattr(thrice, name))


def test_tiny_probabilities_stay_finite() -> None:
    """Starts of 1e-100, with a λ of 0 too, give finite evidence, and λ stays a probability."""
    table = [[1, 0], [0, 1], [1, 1]]
    matrix = matrix_of(table)
    half = np.full(2, 0.5)
    for lam in (0.0, 0.8):
        model = Model(np.full(2, 1e-100), np.full(2, 1.0), np.full(2, lam), half, 0.001)
        posterior = Posterior.of(model)
        evidence = posterior.evidence(matrix)
        assert np.isfinite(evidence).all()
        assert np.isfinite(posterior.log_likelihood(matrix, 0.001, evidence))
        new = maximise(Sample.of(matrix, NONE, 1), model, posterior, np.array([1.0, 1e-200, 0]))
        for values in (new.p, new.q, new.lam):
            assert ((values >= 0) & (values <= 1)).all()


def test_a_term_that_nothing_expects_keeps_its_p() -> None:
    """With nobody on theme, p has nothing to be estimated from and stays."""
    model = Model(np.full(2, 0.7), np.full(2, 0.4), np.full(2, 0.5), np.full(2, 0.5), 0.1)
    sample = Sample.of(matrix_of([[1, 0], [0, 1]]), NONE, 1)
    new = maximise(sample, model, Posterior.of(model), np.zeros(2))
    assert new.p.tolist() == [0.7, 0.7]
