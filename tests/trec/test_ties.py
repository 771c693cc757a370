"""Scores as text that every trec_eval ranks as we ranked."""

import itertools

import numpy as np
import pytest
import pytrec_eval
from hypothesis import given, settings
from hypothesis import strategies as st

from relsent_ir.trec.ties import ranked_scores

_EXTREMES = [0.0, -0.0, 1e-300, 5e-324, 1e-45, -1e-45, 1.2e-38, 3.4028235e38, -3.4028235e38]
_EXTREMES += [1e39, 1e300, 1.7e308, -1e39, -1e300, 1.0, 1 + 1e-9, 1 - 1e-9, 16777216.0, 16777217.0]
_SCORES = st.lists(
    st.one_of(
        st.sampled_from(_EXTREMES),
        st.floats(allow_nan=False, allow_infinity=False),
        st.floats(-30, 30),
        st.integers(-3, 3).map(float),
    ),
    min_size=1,
    max_size=60,
).map(lambda scores: sorted(scores, reverse=True))


@given(scores=_SCORES)
@settings(derandomize=True, deadline=None, max_examples=300)
def test_strictly_falling_in_both_precisions(scores: list[float]):
    """Read in double precision, and rounded to single, no score reaches the one before."""
    values = [float(text) for text in ranked_scores(np.array(scores))]
    assert all(a > b for a, b in itertools.pairwise(values))
    with np.errstate(over="ignore"):
        single = np.array(values).astype(np.float32)
    assert all(a > b for a, b in itertools.pairwise(single))


@given(scores=_SCORES)
@settings(derandomize=True, deadline=None, max_examples=100)
def test_pytrec_eval_sees_the_order(scores: list[float]):
    """Whatever the ids, the one relevant document is found at its rank."""
    texts = ranked_scores(np.array(scores))
    ids = [f"d{i:03}" for i in range(len(texts))]  # A to Z, where trec_eval breaks ties Z to A
    run = {"1": {id_: float(text) for id_, text in zip(ids, texts, strict=False)}}
    for rank in {1, 2, len(ids) // 2 + 1, len(ids) - 1, len(ids)} & set(range(1, len(ids) + 1)):
        evaluator = pytrec_eval.RelevanceEvaluator({"1": {ids[rank - 1]: 1}}, {"recip_rank"})
        assert evaluator.evaluate(run)["1"]["recip_rank"] == 1 / rank


@given(scores=_SCORES)
@settings(derandomize=True, deadline=None, max_examples=100)
def test_what_does_not_tie_is_exact(scores: list[float]):
    """A score that is clear of its predecessor in single precision keeps all its digits."""
    with np.errstate(over="ignore"):
        single = np.array(scores).astype(np.float32)
    apart = all(a > b for a, b in itertools.pairwise(single))
    if apart and np.isfinite(single).all():
        assert [float(text) for text in ranked_scores(np.array(scores))] == scores


@pytest.mark.parametrize(
    ("scores", "texts"),
    [
        ([2.5, 1.5], ["2.5", "1.5"]),
        # Under 1 the numbers of single precision lie 2**-24 apart: 0.9999999404, 0.9999998808.
        ([1.0, 1.0, 1.0, 0.5], ["1.0", "0.99999994", "0.999999881", "0.5"]),
        # Under 0 comes the smallest number there is, about 1.4e-45.
        ([0.0, 0.0], ["0.0", "-1.40129846e-45"]),
        # The lowered second meets the third, which moves too; the fourth is clear of it.
        ([1.0, 1.0, 0.99999994, 0.9], ["1.0", "0.99999994", "0.999999881", "0.9"]),
        ([-1.0, -1.0], ["-1.0", "-1.00000012"]),
        ([], []),
    ],
)
def test_least_step(scores: list[float], texts: list[str]):
    """Worked out by hand from the spacing of single precision."""
    assert ranked_scores(np.array(scores, dtype=np.float64)) == texts


def test_bottom_of_the_range():
    """Where nothing is lower, those before are raised."""
    lowest = -float(np.finfo(np.float32).max)
    values = [float(text) for text in ranked_scores(np.array([lowest] * 3))]
    assert np.float32(values[2]) == np.float32(lowest)
    assert values[0] > values[1] > values[2]
