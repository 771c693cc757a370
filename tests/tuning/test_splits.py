"""Splits of topics: nothing is in both parts, and the same seed gives the same splits."""

from itertools import chain

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from relsent_ir.errors import UsageError
from relsent_ir.tuning import folds, random_splits

TOPICS = [f"t{i}" for i in range(23)]


@given(st.integers(2, 23), st.integers(0, 5))
@settings(derandomize=True, deadline=None)
def test_folds(k: int, seed: int) -> None:
    """Each topic is tested once; parts differ by one at most; order is kept."""
    parts = folds(TOPICS, k, seed=seed)
    assert sorted(chain(*(part.test for part in parts))) == sorted(TOPICS)
    sizes = {len(part.test) for part in parts}
    assert max(sizes) - min(sizes) <= 1
    for part in parts:
        assert [t for t in TOPICS if t not in part.test] == list(part.train)
    assert parts == folds(TOPICS, k, seed=seed)


def test_random_splits() -> None:
    """So many topics to choose on, the others to measure on, several times over."""
    parts = random_splits(TOPICS, 17, repeats=10, seed=3)
    assert len(parts) == len(set(parts)) == 10
    for part in parts:
        assert len(part.train) == 17
        assert sorted((*part.train, *part.test)) == sorted(TOPICS)
    assert parts == random_splits(TOPICS, 17, repeats=10, seed=3)
    assert parts != random_splits(TOPICS, 17, repeats=10, seed=4)


@pytest.mark.parametrize("k", [0, 1, 24])
def test_bad_folds(k: int) -> None:
    """There are from two folds to as many as topics."""
    with pytest.raises(UsageError, match="from 2 to 23"):
        folds(TOPICS, k)


@pytest.mark.parametrize(("train", "repeats"), [(0, 1), (23, 1), (5, 0)])
def test_bad_splits(train: int, repeats: int) -> None:
    """Something is left on both sides."""
    with pytest.raises(UsageError, match="from 1 to 22"):
        random_splits(TOPICS, train, repeats=repeats)
