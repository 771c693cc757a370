"""Rank-biased precision, by hand and by a plain loop."""

import random

import pytest

from relsent_ir.hits import Hits
from relsent_ir.trec import evaluate
from relsent_ir.trec.own_measures import rbp, rbp_residual

GRADES = {"a": 1, "b": 0, "c": 2}


def test_by_hand():
    """Relevant at ranks 1 and 4; x has no judgement, and nor has what comes after rank 4."""
    assert rbp(list("axbc"), GRADES, p=0.5) == pytest.approx(0.5 * (1 + 1 / 8))
    assert rbp_residual(list("axbc"), GRADES, p=0.5) == pytest.approx(0.5 * (1 / 2) + 1 / 16)
    assert rbp(list("axbc"), GRADES, 2) == pytest.approx(0.2 * 0.8**3)


def test_the_ends():
    """Nothing found is 0 with all unknown; p = 0 looks at the first hit alone."""
    assert (rbp([], GRADES), rbp_residual([], GRADES)) == (0, 1)
    assert (rbp(list("ax"), GRADES, p=0.0), rbp_residual(list("ax"), GRADES, p=0.0)) == (1, 0)


def test_residual_is_what_judgements_could_add():
    """With all that is unknown relevant, RBP is the sum of both."""
    chance = random.Random(3)
    for p in (0.3, 0.8, 0.95):
        ids = [f"d{i}" for i in range(40)]
        grades = {id_: chance.choice([0, 1]) for id_ in ids if chance.random() < 0.5}
        far = ids + [f"e{i}" for i in range(1000)]
        best = {id_: grades.get(id_, 1) for id_ in far}
        highest = sum((1 - p) * p**i * best[id_] for i, id_ in enumerate(far))
        assert rbp(ids, grades, p=p) + rbp_residual(ids, grades, p=p) == pytest.approx(highest)


def test_as_a_measure():
    """Under its names, with the evaluation's level or its own, a cut-off, a missing topic."""
    names = ["rbp", "RBP(p=.5)", "RBP(rel=2, p=0.5)@3", "rbp_residual"]
    run = {"1": Hits.ranked("axbc", [4, 3, 2, 1])}
    found = evaluate({"1": GRADES, "2": {"a": 1}}, run, names)
    assert list(found.summary) == names
    values = [0.2 * (1 + 0.8**3), 0.5 * (1 + 1 / 8), 0.0, 0.2 * 0.8 + 0.8**4]
    assert list(found.topics["1"].values()) == pytest.approx(values)
    assert list(found.topics["2"].values()) == [0, 0, 0, 1]
    assert found.summary["rbp"] == pytest.approx(values[0] / 2)
    level = evaluate({"1": GRADES}, run, ["rbp", "RBP(rel=1)"], relevance_level=2).summary
    assert list(level.values()) == pytest.approx([0.2 * 0.8**3, values[0]])
