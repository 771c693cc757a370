"""Measures beside those of trec_eval, and its average precision, bit for bit."""

import random

import numpy as np
import pytest

from relsent_ir.errors import MismatchError
from relsent_ir.hits import Hits, Run
from relsent_ir.trec import evaluate
from relsent_ir.trec.measures import average_precision, err, judged, rbp, rbp_residual


def test_average_precision_by_hand() -> None:
    """Relevant at ranks 1 and 4, one of three not found: (1 + 2/4) / 3."""
    grades = {"a": 1, "b": 0, "d": 2, "x": 1, "c": -1}
    assert average_precision(["a", "b", "c", "d"], grades) == (1 + 2 / 4) / 3
    assert average_precision(["a", "b", "c", "d"], grades, level=2) == 1 / 4
    assert average_precision(["a"], grades, level=3) == 0.0
    assert average_precision([], grades) == 0.0


@pytest.mark.parametrize("level", [1, 2, 4])
def test_is_trec_evals(level: int) -> None:
    """Alone it is ours, beside another measure pytrec_eval's: the same numbers."""
    chance = np.random.default_rng(level)
    ids = [f"d{n}" for n in range(300)]
    run = Run()
    qrels = {}
    for topic in map(str, range(40)):
        found = chance.permutation(ids)[: chance.integers(0, 200)].tolist()
        run[topic] = Hits.ranked(found, chance.integers(0, 50, len(found)).tolist())
        judged = chance.permutation(ids)[: chance.integers(1, 80)].tolist()
        qrels[topic] = {name: int(chance.integers(-1, 4)) for name in judged}
    alone = evaluate(qrels, run, ["map"], relevance_level=level)
    beside = evaluate(qrels, run, ["map", "P.5"], relevance_level=level)
    assert {t: v["map"] for t, v in beside.topics.items()} == {
        t: v["map"] for t, v in alone.topics.items()
    }
    assert alone.summary["map"] == beside.summary["map"]
    assert (
        evaluate(qrels, run, ["AP(rel=2)"]).summary["AP(rel=2)"]
        == (evaluate(qrels, run, ["AP(rel=2)", "P(rel=2)@5"]).summary["AP(rel=2)"])
    )


FOUR = {"a": 1, "b": 3, "c": 0, "d": -2}


def test_err_by_hand():
    """Grades 3 and 1 of 4 at ranks 1 and 3: stops with 7/16, then with 1/16."""
    assert err(list("bca"), FOUR) == pytest.approx(7 / 16 + 9 / 16 * 1 / 16 / 3)
    assert err(list("xdc"), FOUR) == 0
    assert err([], FOUR) == 0


def test_the_highest_grade_counts():
    """The same hits have a higher value where no grade above 3 is thought of."""
    assert err(list("b"), FOUR, max_rel=3) == pytest.approx(7 / 8)
    assert err(list("b"), {"b": 1}, max_rel=10**9) == 0


def test_grades_above_the_highest():
    """Such as the cystic fibrosis collection's sums of four scores; the line says what to write."""
    with pytest.raises(MismatchError, match=r"up to 4, and the qrels have 8 \(as ERR\(max_rel=8\)"):
        err(list("a"), {"a": 8})


def test_judged_by_hand():
    """A grade of 0 or less is a judgement too; without hits there is no share."""
    assert judged(list("axby"), {"a": 1, "b": -1, "c": 2}) == 1 / 2
    assert judged([], {"a": 1}) == 0


def test_cut_off():
    """Fewer hits than the cut-off are all hits."""
    run = {"1": Hits.ranked("axb", [3, 2, 1])}
    found = evaluate({"1": {"a": 0, "b": 1}}, run, ["Judged@2", "Judged@10", "Judged"])
    assert list(found.summary.values()) == [1 / 2, 2 / 3, 2 / 3]


GRADES = {"a": 1, "b": 0, "c": 2}


def test_rbp_by_hand():
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
