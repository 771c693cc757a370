"""Word associations by hand, and those of a text."""

import math
from collections import Counter
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.sparse import csr_array

from relsent_ir.related import associations
from relsent_ir.related.associations import Associations, learn_associations

CHANCE = np.random.default_rng(3)
SENTENCES = [sorted(set(CHANCE.integers(0, 12, CHANCE.integers(0, 6)))) for _ in range(60)]
RECORD = np.sort(CHANCE.integers(0, 6, 60))


def _matrix(sentences: list[list[int]], words: int, value: int = 2) -> csr_array:
    starts = np.cumsum([0, *map(len, sentences)])
    numbers = np.array([w for sentence in sentences for w in sentence], dtype=np.int32)
    return csr_array(
        (np.full(len(numbers), value), numbers, starts), shape=(len(starts) - 1, words)
    )


def _slowly(sentences: list[list[int]], record: np.ndarray, words: int) -> np.ndarray:
    """The formula of the docstring, pair by pair."""
    pairs, n, both = 0, Counter(), Counter()
    for i, j in combinations(range(len(sentences)), 2):
        if record[i] != record[j] or j - i > 5:
            continue
        pairs += 1
        n.update(sentences[i])
        n.update(sentences[j])
        for w in sentences[i]:
            for v in sentences[j]:
                both[w, v] += 1
                both[v, w] += 1
    table = np.zeros((words, words))
    for (w, v), count in both.items():
        if count >= 3:
            information = math.log(count * 2 * pairs / (n[w] * n[v]))
            table[w, v] = max(0.0, information) * count / (count + 3)
    return table


@pytest.fixture
def learned(monkeypatch: pytest.MonkeyPatch) -> Associations:
    """Counted in blocks of five words."""
    monkeypatch.setattr(associations, "_BLOCK", 5)
    return learn_associations(_matrix(SENTENCES, 13), RECORD)


def test_counts(learned: Associations):
    """Every entry, and no other; repeated words of a sentence count once; read again."""
    expected = _slowly(SENTENCES, RECORD, 13)
    assert (expected > 0).any()
    np.testing.assert_allclose(learned.matrix.toarray(), expected, rtol=1e-3)
    assert len(learned.values) == (expected > 0).sum()
    again = Associations.from_arrays(learned.to_arrays())
    np.testing.assert_array_equal(again.matrix.toarray(), learned.matrix.toarray())


@given(
    st.lists(
        st.lists(st.integers(0, 4), max_size=4, unique=True).map(sorted), min_size=1, max_size=25
    ),
    st.lists(st.integers(0, 2), min_size=25, max_size=25).map(sorted),
)
@settings(derandomize=True, deadline=None, max_examples=50)
def test_counts_of_anything(sentences: list[list[int]], record: list[int]):
    """Empty sentences, one record, records of one sentence."""
    records = np.array(record[: len(sentences)])
    found = learn_associations(_matrix(sentences, 5), records).matrix.toarray()
    np.testing.assert_allclose(found, _slowly(sentences, records, 5), rtol=1e-3, atol=1e-6)
    assert (found == found.T).all()


def test_between_and_rows(learned: Associations):
    """All pairs of words, and all associations of some; an unknown word has none."""
    table = np.pad(learned.matrix.toarray(), (0, 1))
    w, v = (x.reshape(-1) for x in np.meshgrid(np.arange(-1, 13), np.arange(-1, 13)))
    np.testing.assert_array_equal(learned.between(w, v), table[w, v])
    table = np.pad(learned.matrix.toarray(), (0, 1))
    others = np.append(np.arange(13), -1)
    rows = learned.rows(np.array([4, -1, 0]), others)
    np.testing.assert_array_equal(rows, table[[4, 13, 0]])
    part = slice(*learned.starts[4:6])
    others, values = learned.others[part], learned.values[part]
    np.testing.assert_array_equal(table[4, others], values)
    assert (np.diff(others) > 0).all()


def test_nothing_close():
    """Records of one sentence teach nothing; progress counts words."""
    learned = learn_associations(_matrix([[0, 1], [0, 1]], 2), np.array([0, 1]))
    assert not len(learned.values)
    assert learned.between(np.array([0]), np.array([1])).tolist() == [0.0]
    told: list[tuple[int, int | None]] = []
    learn_associations(
        _matrix(SENTENCES, 13), RECORD, lambda done, total: told.append((done, total))
    )
    assert told == [(13, 13)]
