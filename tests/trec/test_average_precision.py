"""Average precision is trec_eval's, bit for bit."""

import numpy as np
import pytest

from relsent_ir.hits import Hits, Run
from relsent_ir.trec import evaluate
from relsent_ir.trec.own_measures import average_precision


def test_by_hand() -> None:
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
