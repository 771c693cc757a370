"""Measures by hand and by brute force; the baselines."""

from itertools import combinations, permutations
from math import isnan, log2

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from relsent_ir.relations.candidates import Candidate
from relsent_ir.text.parsing import default_parser
from reproduce.tudor_2012.measures import evaluate, foremost, ndcg, shortest


def test_baselines() -> None:
    """B1 by tokens, B2 by words on the left and half of those between."""
    text = "Here Abc1 binds to Xyz9."
    known = [Candidate("g", "1", text, (5, 9), (19, 23)), Candidate("g", "2", "", (0, 0), (0, 0))]
    assert shortest(known).tolist() == [-6, 0]
    found = foremost(known, default_parser())
    assert found[0] == -2
    assert found[1] <= -1000


def _candidates(*rows: tuple[str, str, float]) -> list[Candidate]:
    return [
        Candidate(g, str(n), text, (0, 1), (2, 3), grade) for n, (g, text, grade) in enumerate(rows)
    ]


def test_pairs() -> None:
    """Pairs of different sentences of a group; a tie is one half; inside a sentence apart."""
    known = _candidates(
        ("g", "a", 2), ("g", "b", 0), ("g", "c", 1), ("g", "c", 0), ("h", "a", 1), ("h", "b", 1)
    )
    found = evaluate(known, [3, 1, 1, 2, 0, 9])
    # a over b: right; a over c: right, twice; c (1) and b (0): a tie; inside c: wrong.
    assert found.to_dict() == {
        "pair_accuracy": 3.5 / 4,
        "document_accuracy": 3.5 / 4,
        "top_grade": 2.0,
        "ndcg": pytest.approx((2 + 0 / log2(2) + 0.5 / log2(3) + 0.5 / log2(4)) / (2 + 1)),
        "groups": 1,
        "pairs": 4,
        "inside_sentences": {"pair_accuracy": 0.0, "pairs": 1},
    }
    assert found.groups["g"].accuracy == 3.5 / 4


def test_odd_rankings() -> None:
    """Nothing to measure is nothing; of those tied first each counts."""
    found = evaluate(_candidates(("g", "a", 1), ("g", "b", 1)), [1, 2])
    assert isnan(found.pair_accuracy)
    assert found.to_dict()["pair_accuracy"] is None
    assert found.to_dict()["groups"] == 0
    found = evaluate(_candidates(("g", "a", 2), ("g", "b", 1), ("g", "c", 0)), [1, 1, 0])
    assert found.mean("top_grade") == 1.5


def test_ndcg_discount() -> None:
    """Ranks 1 and 2 count in full, rank 3 by log2(3)."""
    assert ndcg([0, 2, 1], [3, 2, 1]) == pytest.approx((2 + 1 / log2(3)) / (2 + 1))
    assert ndcg([2, 1, 0], [3, 2, 1]) == 1
    assert ndcg([0, 0], [1, 2]) == 0


GRADES = st.lists(st.integers(0, 2), min_size=1, max_size=5)


@given(GRADES, st.data())
@settings(derandomize=True, deadline=None, max_examples=60)
def test_ties_are_means(grades: list[int], data: st.DataObject) -> None:
    """With ties every figure is its mean over all orders of the tied."""
    scores = data.draw(st.lists(st.integers(0, 1), min_size=len(grades), max_size=len(grades)))
    known = _candidates(*(("g", str(n), grade) for n, grade in enumerate(grades)))
    orders = [
        order
        for order in permutations(range(len(grades)))
        if all(scores[a] >= scores[b] for a, b in combinations(order, 2))
    ]
    values = []
    for order in orders:
        ranks = np.empty(len(grades))
        ranks[list(order)] = -np.arange(len(grades))
        values.append((ndcg(grades, ranks), evaluate(known, ranks).pair_accuracy))
    means = np.mean(values, axis=0)
    assert ndcg(grades, scores) == pytest.approx(means[0])
    assert evaluate(known, scores).pair_accuracy == pytest.approx(means[1], nan_ok=True)
