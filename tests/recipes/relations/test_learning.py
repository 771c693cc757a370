"""Preferences, and weights learned from several corpora."""

import numpy as np
import pytest
from scipy.sparse import csr_array

from recipes.relations.learning import GradedCorpus, combine, preference_pairs, train_svm
from relsent_ir.relations.candidates import Candidate
from relsent_ir.relations.ranker import GradedCandidates


def _candidates(*rows: tuple[str, str, float]) -> list[Candidate]:
    return [
        Candidate(g, str(n), text, (0, 1), (2, 3), grade) for n, (g, text, grade) in enumerate(rows)
    ]


def test_preference_pairs() -> None:
    """The better first, inside a group alone unless asked; so many of each, the same by seed."""
    known = _candidates(("g", "a", 0), ("g", "b", 2), ("g", "b", 1), ("h", "c", 1))
    assert preference_pairs(known, 10).tolist() == [[1, 0], [2, 0]]
    assert preference_pairs(known, 10, inside=True).tolist() == [[1, 0], [1, 2], [2, 0]]
    assert preference_pairs(known[3:], 10).shape == (0, 2)
    known = _candidates(*(("g", str(n), n % 2) for n in range(40)), ("h", "x", 0), ("h", "y", 1))
    found = preference_pairs(known, 7)
    assert len(found) == 8
    assert found.tolist() == preference_pairs(known, 7).tolist()
    assert found.tolist() != preference_pairs(known, 7, seed=1).tolist()


def test_svm() -> None:
    """The preferred and the others part; a useless feature gets none; pairs turned round agree."""
    features = csr_array(np.array([[2.0, 1, 0], [1, 1, 0], [0, 1, 3], [0, 1, 5]]))
    weights = train_svm(features, np.array([[0, 1], [1, 2], [0, 3]]), cost=10)
    scores = features @ weights
    assert scores[0] > scores[1] > scores[2]
    assert weights[1] == pytest.approx(0, abs=1e-6)
    draw = np.random.default_rng(0)
    features = csr_array(draw.normal(size=(12, 4)))
    pairs = np.array([(i, j) for i in range(6) for j in range(6, 12)])
    weights = train_svm(features, pairs, 0.1)
    assert np.allclose(weights, -train_svm(features, pairs[:, ::-1], 0.1), atol=1e-3)


def _corpus(weights: dict[str, float], seen: dict[str, int], pairs: int = 16) -> GradedCorpus:
    candidate = Candidate("g", "1", "Abc1 binds.", (0, 4), (5, 10), 1)
    graded = GradedCandidates([candidate] * 2, [{"a": 1.0}, {"b": 1.0}], np.ones(2))
    return GradedCorpus(graded, weights, pairs, seen)


def test_weights_of_corpora() -> None:
    """By what a corpus has seen, and its size; one alone is as it was."""
    one = _corpus({"a": 1.0, "b": 2.0}, {"a": 10, "b": 10})
    other = _corpus({"a": -1.0, "c": 4.0}, {"a": 30, "c": 2, "b": 1})
    found = combine([one, other], [1.0, 0.5]).weights
    assert found["a"] == pytest.approx((0.5 * 1 - 0.375 * 1) / (0.5 + 0.375))
    assert found["b"] == pytest.approx(0.5 * 2 / (0.5 + 0.5 / 11))  # the other's is 0
    assert found["c"] == pytest.approx(4)
    one, other = _corpus({"a": 1.0}, {"a": 5}), _corpus({"a": -1.0}, {"a": 5}, 256)
    assert combine([one, other]).weights["a"] == pytest.approx(-1 / 3)
    one = _corpus({"a": 1.5, "b": -2.0}, {"a": 3, "b": 100})
    empty = _corpus({}, {"a": 50}, 0)
    learned = combine([one, empty])
    assert learned.weights == pytest.approx({"a": 1.5, "b": -2.0})
    assert learned.spread == pytest.approx(np.std([1.5, -2, 1.5, -2]))
    with pytest.raises(ValueError, match="no group has two sentences"):
        combine([empty])
