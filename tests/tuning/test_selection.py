"""Settings are chosen by training topics alone; expectations by hand."""

from itertools import chain

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from relsent_ir.errors import MismatchError, UsageError
from relsent_ir.tuning import ascend, folds, random_splits, select
from relsent_ir.tuning.selection import Split

SCORES = {
    "A": {"1": 0.9, "2": 0.1, "3": 0.1},
    "B": {"1": 0.2, "2": 0.6, "3": 0.5},
    "C": {"1": 0.2, "2": 0.6, "3": 0.9},
}
FOLDS = [Split(("2", "3"), ("1",)), Split(("1", "3"), ("2",)), Split(("1", "2"), ("3",))]


def test_select() -> None:
    """The first setting that is best on the training topics is measured on the others."""
    seen: list[tuple[int, int | None]] = []
    tuned = select(list(SCORES), SCORES.__getitem__, FOLDS, progress=lambda *s: seen.append(s))
    assert [fold.setting for fold in tuned.folds] == ["C", "C", "A"]
    assert [fold.train for fold in tuned.folds] == pytest.approx([0.75, 0.55, 0.5])
    assert [fold.test for fold in tuned.folds] == pytest.approx([0.2, 0.6, 0.1])
    assert tuned.mean == pytest.approx(0.3)
    assert tuned.spread == pytest.approx(0.26457513)  # of 0.2, 0.6, 0.1 with n - 1
    assert tuned.held_out() == pytest.approx({"1": 0.2, "2": 0.6, "3": 0.1})
    assert seen == [(1, 3), (2, 3), (3, 3)]


def test_test_topics_never_choose() -> None:
    """Whatever the held-out topic's scores are, the choice is the same."""
    changed = {name: of | {"1": 1 - of["1"]} for name, of in SCORES.items()}
    one = select(list(SCORES), SCORES.__getitem__, FOLDS[:1])
    other = select(list(SCORES), changed.__getitem__, FOLDS[:1])
    assert one.folds[0].setting == other.folds[0].setting == "C"
    assert one.spread == 0.0


def test_topics_that_are_tested_twice() -> None:
    """A topic in several test parts has the mean of its scores; one in none is left out."""
    splits = [Split(("3",), ("1",)), Split(("1",), ("2",)), Split(("1",), ("2",))]
    tuned = select(list(SCORES), SCORES.__getitem__, splits)
    assert tuned.held_out() == pytest.approx({"1": 0.2, "2": 0.1})


def test_nothing_to_tune() -> None:
    """No settings, no splits, or a topic without a score are refused."""
    with pytest.raises(UsageError, match="nothing to tune"):
        select([], SCORES.__getitem__, FOLDS)
    with pytest.raises(UsageError, match="nothing to tune"):
        select(["A"], SCORES.__getitem__, [])
    with pytest.raises(MismatchError, match="topic 9 was not scored"):
        select(["A"], SCORES.__getitem__, [Split(("9",), ("1",))])


def test_ascend() -> None:
    """Each split climbs by its own training topics, one flag at a time, from the first values."""
    asked = []

    def score(setting: dict[str, float | str]) -> dict[str, float]:
        a, b = float(setting["--a"]), float(setting["--b"])
        asked.append((a, b))
        return {"1": a + 2 * b - 3 * a * b, "2": b, "3": -a}

    values = {"--a": (0.0, 1.0), "--b": (0.0, 1.0)}
    seen: list[tuple[int, int | None]] = []
    splits = [Split(("1",), ("2",)), Split(("3",), ("1",))]
    tuned = ascend(values, score, splits, progress=lambda *s: seen.append(s))
    # By topic 1: from (0, 0) to (1, 0), where b = 1 gives 0 < 1; the better (0, 1) is not found.
    assert [fold.setting for fold in tuned.folds] == [
        {"--a": 1.0, "--b": 0.0},
        {"--a": 0, "--b": 0},
    ]
    assert [(fold.train, fold.test) for fold in tuned.folds] == [(1.0, 0.0), (0.0, 0.0)]
    assert len(asked) == len(set(asked)) == len(tuned.settings)
    assert tuned.held_out() == {"2": 0.0, "1": 0.0}
    assert seen == [(1, 2), (2, 2)]
    with pytest.raises(UsageError, match="nothing to tune"):
        ascend({}, score, splits)


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
