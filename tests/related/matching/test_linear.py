"""Sums of weights over shared features, against sets of strings."""

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from relsent_ir.related.features import Sentences
from relsent_ir.related.matching import linear as sharing
from relsent_ir.related.matching.linear import Sharing, best_rows
from tests.related import brute

TEXTS = ["insulin lowers glucose", "", "glucose", "lower insulins insulin", "x 12", "low glucagon"]


@pytest.mark.parametrize("together", [48, 96, 3072])
def test_sums_are_those_of_a_loop(together: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """For a query of more features than are looked at at a time, too; any rows, in any order."""
    monkeypatch.setattr(sharing, "_TOGETHER", together)
    monkeypatch.setattr(sharing, "_SCORED", 2)
    sentences = Sentences.from_texts(TEXTS, ())
    features = np.unique(sentences.counts(slice(0, 1)).indices).astype(np.int32)
    weights = np.random.default_rng(0).integers(-8, 9, len(features)) / 8.0
    weight = dict(zip(map(sentences.lexicon.name, features.tolist()), weights, strict=True))
    rows = np.array([3, 0, 1, 5, 2, 4, 0])
    expected = [
        sum(weight.get(name, 0.0) for name in brute.features(TEXTS[row], ())) for row in rows
    ]
    summed = Sharing(sentences)
    assert summed.sums(features, weights, rows).tolist() == expected
    with ThreadPoolExecutor(4) as threads:
        found = threads.map(lambda _: summed.sums(features, weights, rows).tolist(), range(50))
        assert all(sums == expected for sums in found)


def test_nothing_asked_is_nothing() -> None:
    """A query without a known feature shares 0 with all."""
    summed = Sharing(Sentences.from_texts(TEXTS, ()))
    nothing = np.empty(0, np.int32)
    assert summed.sums(nothing, np.empty(0), np.arange(3)).tolist() == [0.0, 0.0, 0.0]


def test_best_rows() -> None:
    """The highest scores first; at the cut-off the smaller row of a tie stays."""
    rows, scores = np.array([9, 4, 7, 2, 5]), np.array([1.0, 3.0, 1.0, -np.inf, 2.0])
    for k, best in ((0, []), (2, [4, 5]), (3, [4, 5, 7]), (9, [4, 5, 7, 9, 2])):
        assert best_rows(rows, scores, k)[0].tolist() == best
