"""Weights of several corpora, averaged."""

import numpy as np
import pytest

from relsent_ir.relations.candidates import Candidate
from relsent_ir.relations.learning import Corpus, Graded, combine


def _corpus(weights: dict[str, float], seen: dict[str, int], pairs: int = 16) -> Corpus:
    candidate = Candidate("g", "1", "Abc1 binds.", (0, 4), (5, 10), 1)
    graded = Graded([candidate] * 2, [{"a": 1.0}, {"b": 1.0}], np.ones(2))
    return Corpus(graded, weights, pairs, seen)


def test_weights_by_what_a_corpus_has_seen() -> None:
    """Seen ten times counts half of a share, thirty times three quarters; never, nothing."""
    one = _corpus({"a": 1.0, "b": 2.0}, {"a": 10, "b": 10})
    other = _corpus({"a": -1.0, "c": 4.0}, {"a": 30, "c": 2, "b": 1})
    found = combine([one, other], [1.0, 0.5]).weights
    assert found["a"] == pytest.approx((0.5 * 1 - 0.375 * 1) / (0.5 + 0.375))
    assert found["b"] == pytest.approx(0.5 * 2 / (0.5 + 0.5 / 11))  # the other's is 0
    assert found["c"] == pytest.approx(4)


def test_shares_by_size() -> None:
    """By default a corpus with sixteen times the preferences has twice the say."""
    one, other = _corpus({"a": 1.0}, {"a": 5}), _corpus({"a": -1.0}, {"a": 5}, 256)
    assert combine([one, other]).weights["a"] == pytest.approx(-1 / 3)


def test_one_corpus_is_as_it_was() -> None:
    """The weights of a single corpus stay; one without preferences is passed over."""
    one = _corpus({"a": 1.5, "b": -2.0}, {"a": 3, "b": 100})
    empty = _corpus({}, {"a": 50}, 0)
    learned = combine([one, empty])
    assert learned.weights == pytest.approx({"a": 1.5, "b": -2.0})
    assert learned.spread == pytest.approx(np.std([1.5, -2, 1.5, -2]))
    with pytest.raises(ValueError, match="no group has two sentences"):
        combine([empty])
