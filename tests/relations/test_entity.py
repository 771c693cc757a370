"""The terms that go with an entity: their groups and weights."""

from math import log

import pytest

from relsent_ir.relations.entity import group_of, log_likelihood_ratio


def test_groups() -> None:
    """Terms are grouped by their form."""
    groups = [group_of(term) for term in ("chronic zorbitis", "zorbamycin", "IL-99", "rats")]
    assert groups == ["diseases", "drugs", "genes and proteins", "other"]


def test_log_likelihood_ratio() -> None:
    """Worked out by hand: positive above chance, 0 at it and with a term of all, negative below."""
    ratio = 2 * (2 * log(20 / 8) + 2 * log(20 / 32) + 6 * log(60 / 48))
    assert log_likelihood_ratio(2, 4, 2, 10) == pytest.approx(ratio)
    assert log_likelihood_ratio(2, 4, 4, 4) == log_likelihood_ratio(3, 10, 3, 10) == 0.0
    assert log_likelihood_ratio(2, 4, 5, 10) == pytest.approx(0.0)
    apart = 2 * (2 * log(20 / 16) + 2 * log(20 / 16) + 6 * log(60 / 64))
    assert log_likelihood_ratio(0, 2, 2, 10) == pytest.approx(-apart)
    never = 2 * (5 * log(50 / 25) + 5 * log(50 / 25))
    assert log_likelihood_ratio(0, 5, 5, 10) == pytest.approx(-never)
