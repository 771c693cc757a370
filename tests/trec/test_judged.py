"""The share of judged hits."""

from relsent_ir.hits import Hits
from relsent_ir.trec import evaluate
from relsent_ir.trec.own_measures import judged


def test_by_hand():
    """A grade of 0 or less is a judgement too; without hits there is no share."""
    assert judged(list("axby"), {"a": 1, "b": -1, "c": 2}) == 1 / 2
    assert judged([], {"a": 1}) == 0


def test_cut_off():
    """Fewer hits than the cut-off are all hits."""
    run = {"1": Hits.ranked("axb", [3, 2, 1])}
    found = evaluate({"1": {"a": 0, "b": 1}}, run, ["Judged@2", "Judged@10", "Judged"])
    assert list(found.summary.values()) == [1 / 2, 2 / 3, 2 / 3]
