"""Word vectors: start, parts and tuning."""

import math
from typing import Any

import numpy as np
import pytest
from scipy.sparse import csr_array

from relsent_ir.related import vectors
from relsent_ir.related import vectors as contrast
from relsent_ir.related.associations import Associations
from relsent_ir.related.features import Lexicon, presence, without_empty
from relsent_ir.related.vectors import (
    count_parts,
    locate_parts,
    tuned_vectors,
    vector_cosines,
    word_parts,
    word_vectors,
)


def _associations(table: np.ndarray) -> Associations:
    matrix = csr_array(table)
    starts, others = matrix.indptr.astype(np.int64), matrix.indices.astype(np.int32)
    return Associations(starts, others, matrix.data.astype(np.float16))


def test_vectors(monkeypatch: pytest.MonkeyPatch):
    """U times the square roots of the singular values, up to the sign of each dimension."""
    monkeypatch.setattr(vectors, "DIMENSIONS", 4)
    chance = np.random.default_rng(0)
    turned = np.linalg.qr(chance.normal(size=(30, 30)))[0]
    table = (turned * np.append([90.0, 60.0, 40.0, 20.0], np.full(26, 0.1))) @ turned.T
    found = word_vectors(_associations(table)).astype(np.float64)
    u, s, _ = np.linalg.svd(table)
    expected = u[:, :4] * np.sqrt(s[:4])
    np.testing.assert_allclose(np.abs(found), np.abs(expected), atol=0.02)


def test_no_associations():
    """Vectors of 0, no more of them than words."""
    assert not word_vectors(_associations(np.zeros((3, 3)))).any()
    assert word_vectors(_associations(np.zeros((3, 3)))).shape == (3, 3)


def test_cosines():
    """Worked out sentence by sentence; 0 for an empty one."""
    chance = np.random.default_rng(1)
    vector = chance.normal(size=(9, 5))
    sentences = [[0, 3, 8], [], [1], [2, 3, 4, 5]]
    starts = np.cumsum([0, *map(len, sentences)])
    words = csr_array((np.full(8, 7), np.concatenate(sentences).astype(int), starts), shape=(4, 9))
    a, b = np.array([0, 0, 2, 3, 1]), np.array([3, 1, 0, 3, 1])

    def whole(i: int) -> np.ndarray:
        return sum((vector[w] for w in sentences[i]), np.zeros(5))

    expected = []
    for i, j in zip(a, b, strict=True):
        x, y = whole(i), whole(j)
        length = np.linalg.norm(x) * np.linalg.norm(y)
        expected.append(x @ y / length if length else 0.0)
    np.testing.assert_allclose(vector_cosines(words, a, b, vector), expected, atol=1e-6)


CHANCE = np.random.default_rng(3)


def _sentences(rows: list[list[int]], count: int) -> csr_array:
    starts = np.cumsum([0, *map(len, rows)])
    columns = np.concatenate(rows).astype(np.int32)
    return csr_array((np.full(len(columns), 2), columns, starts), shape=(len(rows), count))


def _without_parts(words: csr_array, *rest: Any, **options: Any) -> np.ndarray:
    """Tune the vectors of words that have no parts."""
    none = csr_array((words.shape[1], 0), dtype=np.float32)
    found = tuned_vectors(words, *rest, none, **options)
    assert not len(found.parts)
    return found.words


def _loss(rows: list[list[int]], records: list[int], table: np.ndarray) -> float:
    """Average, over pairs and both directions, minus the logarithm of the right one's share."""
    sums = np.array([table[row].sum(axis=0) for row in rows])
    unit = sums / np.linalg.norm(sums, axis=1, keepdims=True)
    n = len(rows) // 2
    total = 0.0
    for i in range(n):
        for own, other in ((i, n), (n + i, 0)):
            right = np.exp(unit[own] @ unit[other + i] / contrast.TEMPERATURE)
            wrong = sum(
                np.exp(unit[own] @ unit[other + j] / contrast.TEMPERATURE)
                for j in range(n)
                if records[j] != records[i]
            )
            total -= np.log(right / (right + wrong)) / 2
    return total / n


def test_slopes():
    """Those of the loss, by differences; a pair of the same record is no wrong choice."""
    rows = [[0, 1], [2, 3], [4, 1, 5], [1, 2], [3, 6], [0, 6]]
    records = [0, 0, 1]
    table = CHANCE.normal(size=(8, 3))
    held, used = without_empty(presence(_sentences(rows, 8)))
    assert used.tolist() == [0, 1, 2, 3, 4, 5, 6]
    given = table[used].astype(np.float32)
    slopes = contrast._slopes(held, np.array(records), np.array(records), given)
    step = 1e-6
    for word in used:
        for dimension in range(3):
            up, down = table.copy(), table.copy()
            up[word, dimension] += step
            down[word, dimension] -= step
            expected = (_loss(rows, records, up) - _loss(rows, records, down)) / (2 * step)
            assert slopes[word, dimension] == pytest.approx(expected, abs=2e-4)


def test_tuning(monkeypatch: pytest.MonkeyPatch):
    """Sentences of one record come near, also by words that are associated with nothing."""
    monkeypatch.setattr(contrast, "PASSES", 100)
    rows, record = [], []
    for number in range(60):
        group = 10 * (number % 4)
        rows += [CHANCE.choice(10, 4, replace=False) + group for _ in range(3)]
        record += [number] * 3
    words = _sentences([row.tolist() for row in rows], 41)
    start = CHANCE.normal(size=(41, 8))
    same = np.arange(0, 180, 3), np.arange(1, 180, 3)
    others = np.arange(0, 177, 3), np.arange(4, 180, 3)
    found = _without_parts(words, np.array(record), start, pairs=30_000)
    assert found.dtype == np.float16
    assert not found[40].any()  # in no sentence
    near, far = (vector_cosines(words, *pairs, found).mean() for pairs in (same, others))
    before = _without_parts(words, np.arange(180), start)  # no two sentences of one record
    assert near - far > 0.8
    near, far = (vector_cosines(words, *pairs, before).mean() for pairs in (same, others))
    assert near - far < 0.5


def test_seed(monkeypatch: pytest.MonkeyPatch):
    """The same seed gives the same vectors, another one others."""
    monkeypatch.setattr(contrast, "BATCH", 8)
    words = _sentences([[0, 1], [1, 2], [3, 4], [4, 5]] * 10, 6)
    record = np.repeat(np.arange(20), 2)
    start = CHANCE.normal(size=(6, 4))
    first, again, other = (
        _without_parts(words, record, start, pairs=2000, seed=seed) for seed in (0, 0, 1)
    )
    np.testing.assert_array_equal(first, again)
    assert (first != other).any()


def test_weights_and_steps():
    """Idf to the power 3/2 with mean square 1; each row has its own rate, by hand."""
    words = _sentences([[0, 1], [1], [1, 2], [2]], 4)
    found = _without_parts(words, np.arange(4), np.ones((4, 2))).astype(float)
    weights = np.log(np.array([4, 4 / 3, 2])) ** 1.5
    expected = np.append(weights / np.sqrt((weights**2).mean()), 0.0)
    np.testing.assert_allclose(found, np.repeat(expected[:, None], 2, axis=1), rtol=1e-3)
    table, squares = np.zeros((3, 2), dtype=np.float32), np.zeros(3, dtype=np.float32)
    slopes = np.array([[3.0, -4.0]], dtype=np.float32)
    contrast.adagrad_step(table, squares, np.array([1]), slopes, 0.5)
    mean = (9 + 16) / 2
    once = -0.5 * slopes[0] / np.sqrt(mean)
    np.testing.assert_allclose(table[1], once, rtol=1e-6)
    contrast.adagrad_step(table, squares, np.array([1]), slopes, 0.25)
    twice = once - 0.25 * slopes[0] / np.sqrt(2 * mean)
    np.testing.assert_allclose(table[1], twice, rtol=1e-6)
    contrast.adagrad_step(table, squares, np.array([2]), slopes, 0.5)
    np.testing.assert_allclose(table, [[0, 0], twice, once], rtol=1e-6)


def test_parts(monkeypatch: pytest.MonkeyPatch):
    """Words of one part come near, even where they were never seen; a word has its parts' sum."""
    monkeypatch.setattr(contrast, "PASSES", 100)
    part_of = np.arange(44) % 4
    seen = np.arange(40)
    rows, record = [], []
    for number in range(60):
        rows += [CHANCE.choice(seen[part_of[seen] == number % 4], 4, replace=False).tolist()
                 for _ in range(3)]  # fmt: skip
        record += [number] * 3
    words = _sentences(rows, 44)
    ones = np.ones(44, dtype=np.float32)
    parts = csr_array((ones, part_of.astype(np.int32), np.arange(45)), shape=(44, 4))
    start = CHANCE.normal(size=(44, 8))
    start[40:] = 0.0
    found = tuned_vectors(words, np.array(record), start, parts, pairs=30_000)
    assert found.parts.shape == (4, 8)
    np.testing.assert_array_equal(found.words[40:], found.parts)
    unit = found.words / np.linalg.norm(found.words.astype(float), axis=1, keepdims=True)
    near = unit[40:] @ unit[:40].T
    own = part_of[40:, None] == part_of[:40]
    assert near[own].mean() - near[~own].mean() > 0.8
    alone = tuned_vectors(words, np.arange(180), start, parts)  # no two sentences of one record
    assert not alone.parts.any()


LEXICON = Lexicon.of(["insulin", "sulin", "p53", "aaaa", "ab", "1234", "éèê"])


def _name(lexicon: Lexicon, part: int) -> str:
    return lexicon.substrings.name(lexicon.substrings.starts[1] + part)


def test_word_parts():
    """Each once, 1 / √n; none without a letter; they are found by their letters elsewhere."""
    found = word_parts(LEXICON, slice(None))
    assert found.shape == (7, count_parts(LEXICON))
    assert found.dtype == np.float32
    spelt = {}
    for word, start, end in zip(LEXICON.words, found.indptr[:-1], found.indptr[1:], strict=True):
        spelt[word] = sorted(_name(LEXICON, part) for part in found.indices[start:end])
        np.testing.assert_allclose(found.data[start:end], 1 / math.sqrt(max(1, end - start)))
    assert spelt == {
        "insulin": ["ins", "lin", "nsu", "sul", "uli"],
        "sulin": ["lin", "sul", "uli"],
        "p53": ["p53"],
        "aaaa": ["aaa"],
        "ab": [],
        "1234": [],
        "éèê": ["éèê"],
    }
    some = word_parts(LEXICON, np.array([5, 0]))
    np.testing.assert_array_equal(some.toarray(), found.toarray()[[5, 0]])
    other = Lexicon.of(["sulina", "xyz", "ins"])
    found = locate_parts(LEXICON, other)
    assert len(found) == count_parts(other)
    told = {_name(other, i): _name(LEXICON, p) if p >= 0 else None for i, p in enumerate(found)}
    assert told == {
        "sul": "sul",
        "uli": "uli",
        "lin": "lin",
        "ins": "ins",
        "ina": None,
        "xyz": None,
    }
    assert not len(locate_parts(LEXICON, Lexicon.of([])))
    assert (locate_parts(Lexicon.of([]), LEXICON) == -1).all()
