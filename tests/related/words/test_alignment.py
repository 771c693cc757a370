"""Soft alignment, against a slow loop."""

import math

import numpy as np
from scipy.sparse import csr_array

from relsent_ir.related.words.measures import ALIGNMENT, SHARED, alignment_features

CHANCE = np.random.default_rng(5)
WORDS = 15
SENTENCES = [sorted(set(CHANCE.integers(0, WORDS, n).tolist())) for n in (4, 0, 1, 7, 3, 9, 1, 12)]
TABLE = np.maximum(0.0, CHANCE.normal(0.5, 1.0, (WORDS, WORDS)))
TABLE = TABLE + TABLE.T
IDF = CHANCE.random(WORDS) * 5
MATRIX = csr_array(
    (
        np.full(sum(map(len, SENTENCES)), 3),
        np.concatenate(SENTENCES).astype(np.int32),
        np.cumsum([0, *map(len, SENTENCES)]),
    ),
    shape=(len(SENTENCES), WORDS),
)


def _slowly(a: list[int], b: list[int]) -> list[float]:
    if not a or not b:
        return [0.0] * len(ALIGNMENT)

    def side(x: list[int], y: list[int]) -> tuple[float, float, float]:
        best = {w: SHARED if w in y else max(TABLE[w, v] for v in y) for w in x}
        alone = [w for w in x if w not in y]
        weight = sum(IDF[w] for w in alone)
        return (
            sum(IDF[w] * best[w] for w in x) / sum(IDF[w] for w in x),
            sum(best[w] for w in alone) / max(1, len(alone)),
            sum(IDF[w] * best[w] for w in alone) / weight if weight else 0.0,
        )

    one, other = side(a, b), side(b, a)
    across = [(w, v) for w in a if w not in b for v in b if v not in a]
    found = [TABLE[w, v] for w, v in across]
    weights = [IDF[w] * IDF[v] for w, v in across]
    n = max(1, len(across))
    named = {
        "alignment": one[0] + other[0],
        "alignment difference": abs(one[0] - other[0]),
        "best of unshared": one[1] + other[1],
        "best of unshared, idf": one[2] + other[2],
        "mean association": sum(found) / n,
        "mean association, idf": sum(w * x for w, x in zip(weights, found, strict=True))
        / (sum(weights) or 1.0),
        "root mean square association": math.sqrt(sum(x * x for x in found) / n),
        "strongest association": max(found, default=0.0),
        "associated share": sum(x > 0 for x in found) / n,
    }
    return [named[name] for name in ALIGNMENT]


def test_every_pair():
    """All pairs of sentences, also equal and empty ones, in both orders."""
    a, b = (x.reshape(-1) for x in np.meshgrid(range(len(SENTENCES)), range(len(SENTENCES))))
    found = alignment_features(MATRIX, a, b, IDF, lambda w, v: TABLE[w, v])
    expected = [_slowly(SENTENCES[i], SENTENCES[j]) for i, j in zip(a, b, strict=True)]
    np.testing.assert_allclose(found, expected, atol=1e-12)


def test_no_pairs():
    """Nothing in, nothing out."""
    none = np.empty(0, dtype=np.intp)
    found = alignment_features(MATRIX, none, none, IDF, lambda w, v: TABLE[w, v])
    assert found.shape == (0, len(ALIGNMENT))
