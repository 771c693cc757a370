"""Selective feedback: orders worked out by hand."""

import pytest

from relsent_ir.feedback.search import selected
from relsent_ir.hits import Hits, Run


def test_hit_that_stood_out_stays_first() -> None:
    """At twice the next score the share is nearly 1, which no order after feedback outweighs."""
    before = Run({"1": Hits.ranked(["a", "b"], [8.0, 4.0])})
    after = Run({"1": Hits.ranked(["b", "c", "a"], [10.0, 9.0, 2.0])})
    found = selected(before, after)["1"]
    share = 1 / (1 + 0.5**20)
    assert found.ids.tolist() == ["a", "b", "c"]
    assert found.scores.tolist() == pytest.approx([0.2 + share, 1.0 + 1 - share, 0.9])


def test_hits_alike_leave_the_order_to_feedback() -> None:
    """Equal scores before feedback have equal shares, and the order after it stays."""
    before = Run({"1": Hits.ranked(["a", "b", "c"], [3.0, 3.0, 3.0])})
    after = Run({"1": Hits.ranked(["c", "b", "a"], [4.0, 3.0, 2.0])})
    found = selected(before, after)["1"]
    assert found.ids.tolist() == ["c", "b", "a"]
    assert found.scores.tolist() == pytest.approx([1 + 1 / 3, 0.75 + 1 / 3, 0.5 + 1 / 3])


def test_hit_that_is_not_found_any_more() -> None:
    """It has its share alone; topics without first hits, or without any, are as they were."""
    none = Hits.ranked([], [])
    before = Run({"1": Hits.ranked(["a"], [5.0]), "3": Hits.ranked(["a"], [1.0])})
    after = Run(
        {"1": Hits.ranked(["b", "c"], [2.0, 1.0]), "2": Hits.ranked(["b"], [2.0]), "3": none}
    )
    found = selected(before, after)
    assert found["1"].ids.tolist() == ["a", "b", "c"]
    assert found["1"].scores.tolist() == pytest.approx([1.0, 1.0, 0.5])
    assert found["2"].scores.tolist() == [2.0]
    assert not len(found["3"])
