"""Fusion, worked out by hand and by a loop."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from relsent_ir.errors import UsageError
from relsent_ir.hits import Hits, Run
from relsent_ir.trec import average, combine, interpolate, normalize, reciprocal_rank

A: Run = {"1": Hits.ranked("xyz", [9, 5, 1]), "2": Hits.ranked("x", [4])}
B: Run = {"1": Hits.ranked("yw", [0.5, 0.25]), "3": Hits.ranked("v", [7])}


def _scores(run: Run, topic: str = "1") -> dict[str, float]:
    return dict(zip(run[topic].ids.tolist(), run[topic].scores.tolist(), strict=True))


def test_by_hand():
    """The order follows the sums, topics are the union; depth cuts what comes in."""
    fused = reciprocal_rank([A, B])
    assert list(fused) == ["1", "2", "3"]
    expected = {"y": 1 / 62 + 1 / 61, "x": 1 / 61, "w": 1 / 62, "z": 1 / 63}
    assert _scores(fused) == pytest.approx(expected)
    assert fused["1"].ids.tolist() == list(expected)
    assert _scores(reciprocal_rank([A, B], rrf_k=1), "2") == {"x": 1 / 2}
    fused = reciprocal_rank([A, B], depth=1, k=2)
    assert _scores(fused) == {"x": 1 / 61, "y": 1 / 61}
    assert _scores(reciprocal_rank([A, B], k=1)) == {"y": pytest.approx(1 / 62 + 1 / 61)}
    assert _scores(average([A, B, B])) == pytest.approx({"x": 3, "y": 2, "z": 1 / 3, "w": 0.5 / 3})
    fused = normalize([A, B])
    assert _scores(fused) == {"y": 1.5, "x": 1.0, "w": 0.0, "z": 0.0}
    assert fused["1"].ids.tolist() == ["y", "x", "w", "z"]
    assert _scores(fused, "2") == {"x": 1.0}
    assert _scores(normalize([A, B], weights=[3, 1])) == {"x": 3.0, "y": 2.5, "w": 0.0, "z": 0.0}
    assert _scores(normalize([A, B], depth=2)) == {"y": 1.5, "x": 1.0, "w": 0.0}


def test_ties_and_interpolation():
    """0.75 of the first and 0.25 of the second; ranks in any order add up to the last bit."""
    fused = interpolate([A, B], alpha=0.75)
    assert _scores(fused) == pytest.approx({"x": 6.75, "y": 3.875, "z": 0.75, "w": 0.0625})
    runs: list[Run] = [{"1": Hits.ranked(order, [3, 2, 1])} for order in ("cba", "bac", "acb")]
    fused = reciprocal_rank(runs, rrf_k=2)["1"]
    assert fused.ids.tolist() == ["a", "b", "c"]
    assert len(set(fused.scores)) == 1
    # Added up one by one, the last bits differ.
    assert len({1 / 5 + 1 / 4 + 1 / 3, 1 / 4 + 1 / 3 + 1 / 5, 1 / 3 + 1 / 5 + 1 / 4}) > 1


_RUNS = st.lists(
    st.dictionaries(
        st.sampled_from(["1", "2"]),
        st.dictionaries(st.sampled_from("abcdefgh"), st.integers(-9, 9).map(float), min_size=1),
    ),
    min_size=2,
    max_size=4,
)


@given(found=_RUNS, depth=st.integers(1, 5))
@settings(derandomize=True, deadline=None, max_examples=80)
def test_against_a_loop(found: list[dict[str, dict[str, float]]], depth: int):
    """Every method equals the sum of what a plain loop adds up for each document."""
    runs = [{t: Hits.ranked(s, s.values()) for t, s in run.items()} for run in found]
    for method in (reciprocal_rank, average, normalize):
        fused = method(runs, depth=depth)
        for topic in {topic for run in found for topic in run}:
            sums: dict[str, float] = {}
            for scores in (run[topic] for run in found if topic in run):
                low, high = min(scores.values()), max(scores.values())
                ranked = sorted(scores, key=lambda id_: (-scores[id_], id_))
                for rank, id_ in enumerate(ranked[:depth], 1):
                    part = {
                        reciprocal_rank: 1 / (60 + rank),
                        average: scores[id_] / len(runs),
                        normalize: 1.0 if low == high else (scores[id_] - low) / (high - low),
                    }[method]
                    sums[id_] = sums.get(id_, 0.0) + part
            assert _scores(fused, topic) == pytest.approx(sums)


def test_what_is_refused():
    """Too few runs, weights that do not fit, numbers out of range."""
    for call, problem in (
        (lambda: reciprocal_rank([A]), "fusion of 1 run"),
        (lambda: interpolate([A, B, A]), "interpolation of 3 runs"),
        (lambda: interpolate([A, B], alpha=1.5), "alpha 1.5"),
        (lambda: normalize([A, B], weights=[1]), "1 weights for 2 runs"),
        (lambda: reciprocal_rank([A, B], rrf_k=-1), "rrf.k -1"),
        (lambda: reciprocal_rank([A, B], rrf_k=10**400), "rrf.k 1000"),
        (lambda: normalize([A, B], weights=[1e308, 1e308]), "a weight is out of range"),
        (lambda: average([A, B], depth=0), "depth 0"),
        (lambda: average([A, B], k=0), "k 0"),
    ):
        with pytest.raises(UsageError, match=problem):
            call()


def test_combinations_by_hand():
    """A's scores become 1, 1/2, 0 for x, y, z; B's 1, 0 for y, w: only y is in both."""
    expected = {
        "combsum": (1.5, 1), "combmnz": (3, 1), "combanz": (0.75, 1), "combmax": (1, 1),
        "combmin": (0.5, 1), "combmed": (0.75, 1),
    }  # fmt: skip
    for how, (y, x) in expected.items():
        assert _scores(combine([A, B], how=how)) == {"y": y, "x": x, "w": 0, "z": 0}
    assert _scores(combine([A, B], how="combsum")) == _scores(normalize([A, B]))
    with pytest.raises(UsageError, match="no combination sum"):
        combine([A, B], how="sum")
