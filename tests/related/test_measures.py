"""Dense features and soft alignment against loops."""

import math

import numpy as np
import pytest
from scipy.sparse import csr_array

from relsent_ir.related.associations import learn_associations
from relsent_ir.related.features import Sentences, compact
from relsent_ir.related.formulas import Statistics
from relsent_ir.related.measures import (
    ALIGNMENT,
    MEASURES,
    SHARED,
    WORD_MEASURES,
    Knowledge,
    Measures,
    alignment_features,
    word_measures,
)
from relsent_ir.related.model import method_scores
from relsent_ir.related.vectors import count_parts, word_vectors
from tests.related.conftest import STOPWORDS, invent

TEXTS = [section.text for record in invent(30, seed=8) for section in record.sections] + [""]
SENTENCES = Sentences.from_texts(TEXTS, STOPWORDS)
CHANCE = np.random.default_rng(1)
A, B = CHANCE.integers(0, len(TEXTS), (2, 40))


@pytest.fixture(scope="module")
def knowledge() -> Knowledge:
    """Of the sentences themselves, as if four made a record."""
    statistics = Statistics.collect(SENTENCES, np.arange(len(SENTENCES)))
    associations = learn_associations(SENTENCES.words, np.arange(len(SENTENCES)) // 4)
    vectors = word_vectors(associations)
    parts = CHANCE.normal(size=(count_parts(SENTENCES.lexicon), vectors.shape[1]))
    return Knowledge(statistics, associations, vectors, parts.astype(np.float16))


def _measured(knowledge: Knowledge, sentences: Sentences, a: np.ndarray, b: np.ndarray):
    measures = Measures(knowledge, sentences.lexicon)
    formulas = method_scores(measures.formulas, sentences, a, b)
    return measures.of_pairs(formulas, sentences, a, b)


def test_word_measures():
    """Sentence by sentence, as sets of words."""
    names = list(SENTENCES.lexicon.words)
    idf = CHANCE.random(len(names)) * 4 + 0.1
    found = word_measures(SENTENCES.words, A, B, idf)
    words = SENTENCES.words.toarray()
    for row, (i, j) in zip(found, zip(A, B, strict=True), strict=True):
        x, y = (set(np.flatnonzero(words[k])) for k in (i, j))
        both = x & y
        n, total = len(x) + len(y), sum(idf[w] for w in x) + sum(idf[w] for w in y)
        length = math.sqrt(sum(idf[w] ** 2 for w in x) * sum(idf[w] ** 2 for w in y))
        one, two = max(1, len(x)), max(1, len(y))
        named = {
            "shared words": len(both),
            "Dice, words": 2 * len(both) / max(1, n),
            "idf of shared": sum(idf[w] for w in both),
            "idf of shared, squared": sum(idf[w] ** 2 for w in both),
            "idf of shared, cubed": sum(idf[w] ** 3 for w in both),
            "cosine, words": sum(idf[w] ** 2 for w in both) / length if length else 0.0,
            "idf Dice, words": 2 * sum(idf[w] for w in both) / total if total else 0.0,
            "log product of lengths": math.log(one * two),
            "log sum of lengths": math.log(max(1, n)),
            "log ratio of lengths": abs(math.log(one / two)),
            "log product of idf": sum(math.log1p(sum(idf[w] for w in z)) for z in (x, y)),
            "mean idf": total / max(1, n),
        }
        np.testing.assert_allclose(row, [named[name] for name in WORD_MEASURES])


def test_of_query_and_symmetry(knowledge: Knowledge):
    """One sentence against many is measured as its pairs are; order does not matter."""
    query, rows = int(A[0]), B
    measures = Measures(knowledge, SENTENCES.lexicon)
    a = np.full(len(rows), query)
    formulas = method_scores(measures.formulas, SENTENCES, a, rows)
    found = measures.of_pairs(formulas, SENTENCES, query, rows)
    np.testing.assert_allclose(found, measures.of_pairs(formulas, SENTENCES, a, rows))
    np.testing.assert_allclose(
        _measured(knowledge, SENTENCES, A, B), _measured(knowledge, SENTENCES, B, A), atol=1e-9
    )


def test_covered(knowledge: Knowledge):
    """Word by word: the nearest of the other sentence, weighed by idf; nothing of an empty one."""
    measures = Measures(knowledge, SENTENCES.lexicon)
    rows = np.array([4, len(TEXTS) - 1, 9, 3, 4])  # one before the third has no words
    words, vectors = SENTENCES.words, measures.vectors.astype(np.float64)

    def cosine(w: int, v: int) -> float:
        if w == v:
            return 1.0
        lengths = np.linalg.norm(vectors[w]) * np.linalg.norm(vectors[v])
        return max(0.0, float(vectors[w] @ vectors[v] / lengths)) if lengths else 0.0

    for query in (3, len(TEXTS) - 1):
        own = words[[query]].indices
        expected = [
            sum(measures.idf[w] * max((cosine(w, v) for v in other), default=0.0) for w in own)
            / (sum(measures.idf[w] for w in own) or 1.0)
            for other in (words[[row]].indices for row in rows)
        ]
        np.testing.assert_allclose(measures.covered(words, query, rows), expected, atol=1e-6)
    assert measures.covered(words, 3, np.array([3]))[0] == pytest.approx(1.0)


def test_other_lexicon(knowledge: Knowledge):
    """Sentences on a lexicon of their own are measured alike; so are those with unknown words."""
    rows = np.unique(np.concatenate([A, B]))
    some = compact(SENTENCES, rows)
    found = _measured(knowledge, some, np.searchsorted(rows, A), np.searchsorted(rows, B))
    np.testing.assert_allclose(found, _measured(knowledge, SENTENCES, A, B), rtol=1e-6)
    strange = Sentences.from_texts(["zygote unheardof", "zygote insulin"], STOPWORDS)
    found = _measured(knowledge, strange, np.array([0]), np.array([1]))
    assert np.isfinite(found).all()
    assert found[0, MEASURES.index("shared words")] == 1
    assert found[0, MEASURES.index("strongest association")] == 0


def test_unknown_words(knowledge: Knowledge):
    """A word that the model does not know has the vector of its parts, by hand; short ones none."""
    own = list(SENTENCES.lexicon.words)
    known = next(word for word in own if len(word) > 5)
    unknown = known[:4] + "qqqq"
    assert unknown not in own
    lexicon = Sentences.from_texts([f"{known} {unknown} qq"], ()).lexicon
    vectors = dict(zip(lexicon.words, Measures(knowledge, lexicon).vectors, strict=True))
    np.testing.assert_array_equal(vectors[known], knowledge.vectors[own.index(known)])
    assert not vectors["qq"].any()
    first = SENTENCES.lexicon.substrings.starts[1]
    names = [SENTENCES.lexicon.substrings.name(first + i) for i in range(len(knowledge.parts))]
    parts = sorted({unknown[i : i + 3] for i in range(len(unknown) - 2)})
    there = [knowledge.parts[names.index(part)] for part in parts if part in names]
    assert there
    expected = np.sum(there, axis=0, dtype=float) / math.sqrt(len(parts))
    np.testing.assert_allclose(vectors[unknown], expected, rtol=1e-4)


DRAWS = np.random.default_rng(5)
WORDS = 15
ALIGNED = [sorted(set(DRAWS.integers(0, WORDS, n).tolist())) for n in (4, 0, 1, 7, 3, 9, 1, 12)]
TABLE = np.maximum(0.0, DRAWS.normal(0.5, 1.0, (WORDS, WORDS)))
TABLE = TABLE + TABLE.T
IDF = DRAWS.random(WORDS) * 5
MATRIX = csr_array(
    (
        np.full(sum(map(len, ALIGNED)), 3),
        np.concatenate(ALIGNED).astype(np.int32),
        np.cumsum([0, *map(len, ALIGNED)]),
    ),
    shape=(len(ALIGNED), WORDS),
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
    """All pairs, also equal and empty ones, in both orders; nothing in, nothing out."""
    a, b = (x.reshape(-1) for x in np.meshgrid(range(len(ALIGNED)), range(len(ALIGNED))))
    found = alignment_features(MATRIX, a, b, IDF, lambda w, v: TABLE[w, v])
    expected = [_slowly(ALIGNED[i], ALIGNED[j]) for i, j in zip(a, b, strict=True)]
    np.testing.assert_allclose(found, expected, atol=1e-12)
    none = np.empty(0, dtype=np.intp)
    found = alignment_features(MATRIX, none, none, IDF, lambda w, v: TABLE[w, v])
    assert found.shape == (0, len(ALIGNMENT))
