"""Runs against a baseline."""

import pytest

from relsent_ir.errors import MismatchError, UsageError
from relsent_ir.hits import Hits
from relsent_ir.trec import TESTS, compare, evaluate

QRELS = {str(topic): {"a": 1} for topic in range(6)}
# The rank of the one relevant document by topic: reciprocal ranks 1 and 1/2.
FIRST = Hits.ranked("ab", [2, 1])
SECOND = Hits.ranked("ba", [2, 1])
BASELINE = evaluate(QRELS, dict.fromkeys(QRELS, SECOND), ["recip_rank", "P.1"])
BETTER = evaluate(QRELS, {**dict.fromkeys(QRELS, FIRST), "0": SECOND}, ["recip_rank", "P.1"])
MISSING = evaluate(QRELS, {"0": SECOND, "1": FIRST}, ["recip_rank", "P.1"])


def test_by_hand():
    """By sign two tails of 1/32, Holm doubles the smaller; t of five degrees is 2.570582."""
    first, second = compare(BASELINE, [BETTER, MISSING], ["recip_rank"], ["sign"])
    assert (first.run, first.measure, second.run) == (0, "recip_rank", 1)
    assert (first.wins, first.losses, first.ties) == (5, 0, 1)
    assert (first.baseline, first.mean) == pytest.approx((1 / 2, 5.5 / 6))
    assert first.difference == pytest.approx(5.5 / 6 - 1 / 2)
    assert (second.wins, second.losses, second.ties) == (1, 4, 1)
    assert first.p == {"sign": pytest.approx(2 / 32)}
    assert second.p == {"sign": pytest.approx(2 * 6 / 32)}
    assert first.holm == {"sign": pytest.approx(4 / 32)}
    assert second.holm == {"sign": pytest.approx(12 / 32)}
    (one,) = compare(BASELINE, [BETTER], ["recip_rank"])
    assert one.low == pytest.approx(5 / 12 - 2.570582 / 12, abs=1e-6)
    assert one.high == pytest.approx(5 / 12 + 2.570582 / 12, abs=1e-6)
    single = evaluate({"0": {"a": 1}}, {"0": FIRST}, ["recip_rank"])
    (one,) = compare(single, [single], ["recip_rank"])
    assert (one.low, one.high) == (None, None)


def test_holm_counts_all_runs_and_measures_of_one_test():
    """Two runs by two measures are a family of four, for each test on its own."""
    found = compare(BASELINE, [BETTER, BETTER], ["P.1", "recip_rank"], TESTS)
    assert [(one.run, one.measure) for one in found] == [
        (0, "recip_rank"), (0, "P_1"), (1, "recip_rank"), (1, "P_1"),
    ]  # fmt: skip
    for test in TESTS:
        assert found[0].holm[test] == pytest.approx(min(1, 4 * found[0].p[test]))


def test_topics_and_tests():
    """Those topics that all runs have are compared; a test that is none is told."""
    left = evaluate(QRELS, {"1": FIRST}, ["P.1"], complete=False)
    (one,) = compare(BASELINE, [left], ["P.1"], ["randomisation"])
    assert (one.baseline, one.mean, one.wins, one.ties) == (0.0, 1.0, 1, 0)
    other = evaluate(QRELS, {"2": FIRST}, ["P.1"], complete=False)
    with pytest.raises(MismatchError, match="no judged topic in common"):
        compare(BASELINE, [left, other], ["P.1"])
    with pytest.raises(UsageError, match=r"no test anova \(one of t, sign"):
        compare(BASELINE, [BETTER], ["P.1"], ["anova"])


@pytest.mark.parametrize("measure", ["num_q", "gm_map"])
def test_measures_without_values_by_topic(measure: str):
    """A geometric mean and the number of topics cannot be compared topic by topic."""
    with pytest.raises(UsageError, match=f"{measure} has no value for a single topic"):
        compare(BASELINE, [BETTER], [measure])
