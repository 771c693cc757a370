"""Features of sentences and of pairs, and of a few sentences on a lexicon of their own."""

from collections import Counter

import numpy as np
import pytest

from relsent_ir.related import features as module
from relsent_ir.related.features import (
    Lexicon,
    Sentences,
    carried,
    compact,
    with_text,
    without_empty,
)
from relsent_ir.sparse import csr
from tests.related.brute import features

TEXTS = [
    "Banana peel, banana split; p53 and 12345a!",
    "",
    "The ban on bananas",
    "Peeled p53-null cells",
    "Δ-cells were not cells",
    "zzz",
]
STOPS = ("and", "on", "the")


@pytest.fixture
def sentences() -> Sentences:
    """The sentences above."""
    return Sentences.from_texts(TEXTS, STOPS)


def _named(sentences: Sentences, columns: np.ndarray, values: np.ndarray) -> dict:
    pairs = zip(columns, values, strict=True)
    return {sentences.lexicon.name(int(c)): int(v) for c, v in pairs}


def test_counts(sentences: Sentences):
    """A sentence has the features of its words, counted; a word and a substring are apart."""
    counts = sentences.counts(slice(None))
    for i, text in enumerate(TEXTS):
        row = slice(counts.indptr[i], counts.indptr[i + 1])
        found = _named(sentences, counts.indices[row], counts.data[row])
        assert found == features(text, STOPS), text
        assert len(found) == row.stop - row.start
    assert sentences.lengths.tolist() == [6, 0, 2, 4, 5, 1]
    counts = sentences.counts(np.array([5]))
    found = _named(sentences, counts.indices, counts.data)
    assert found == {("W", "zzz"): 1, ("S", "zz"): 2, ("S", "zzz"): 1}
    lexicon = Lexicon.from_arrays(sentences.lexicon.to_arrays())
    assert list(lexicon.words) == list(sentences.lexicon.words)
    assert (lexicon.table != sentences.lexicon.table).nnz == 0


def test_shared(sentences: Sentences):
    """Shared features with both counts, for all pairs and for one sentence against all."""
    n = len(TEXTS)
    a, b = (grid.ravel() for grid in np.meshgrid(range(n), range(n), indexing="ij"))
    shared = sentences.shared(a, b)
    against = [sentences.shared_with(i, np.arange(n)) for i in range(n)]
    for k, (i, j) in enumerate(zip(a, b, strict=True)):
        x, y = features(TEXTS[i], STOPS), features(TEXTS[j], STOPS)
        for result, place in ((shared, k), (against[i], j)):
            row = slice(result.starts[place], result.starts[place + 1])
            columns = result.features[row]
            assert _named(sentences, columns, result.counts_a[row]) == {
                t: x[t] for t in x.keys() & y.keys()
            }
            assert _named(sentences, columns, result.counts_b[row]) == {
                t: y[t] for t in x.keys() & y.keys()
            }
    totals = [sum((features(TEXTS[i], STOPS) & features(TEXTS[i], STOPS)).values()) for i in (0,)]
    assert shared.sum(shared.counts_a)[0] == totals[0]
    assert shared.sum(shared.counts_a)[1] == 0


def test_locate(sentences: Sentences):
    """Another lexicon's features are found by type and string."""
    other = Lexicon.of(["cells", "zz", "p53", "unknown"])
    here = {sentences.lexicon.name(i): i for i in range(len(sentences.lexicon))}
    expected = [here.get(other.name(i), -1) for i in range(len(other))]
    assert sentences.lexicon.locate(other).tolist() == expected
    same = sentences.lexicon.locate(sentences.lexicon)
    assert same.tolist() == list(range(len(sentences.lexicon)))


def test_repeated_word():
    """Counts of one word stop at 65,535; a sentence's features do not overflow."""
    sentences = Sentences.from_texts(["aaa " * 70_000, "aaa"], ())
    counts = sentences.counts(slice(0, 1))
    assert _named(sentences, counts.indices, counts.data) == {
        ("W", "aaa"): 65_535,
        ("S", "aa"): 2 * 65_535,
        ("S", "aaa"): 65_535,
    }
    assert Counter(sentences.shared(np.array([1]), np.array([0])).counts_b.tolist()) == Counter(
        [65_535, 65_535, 131_070]
    )


def test_few_of_many(monkeypatch: pytest.MonkeyPatch):
    """Values of places, 0 for -1; no empty columns; rows are cut into pieces without loss."""
    assert carried(np.array([2.5, 4.0]), np.array([1, -1, 0])).tolist() == [4.0, 0.0, 2.5]
    assert carried(np.empty(0), np.array([-1])).tolist() == [0.0]
    narrow, used = without_empty(csr(([7, 8, 9], [5, 2, 5], [0, 2, 3]), (2, 9)))
    assert used.tolist() == [2, 5]
    assert narrow.toarray().tolist() == [[8, 7], [0, 9]]
    monkeypatch.setattr(module, "CHUNK", 4)
    assert [(s.start, s.stop) for s in module.chunks(9)] == [(0, 4), (4, 8), (8, 9)]
    assert list(module.chunks(0)) == []


LONGER_TEXTS = ["insulin lowers glucose", "", "glucose and glucose", "malaria nets"]


def test_compact():
    """As if only these sentences had been read, in the order asked for, or a text before them."""
    some = compact(Sentences.from_texts(LONGER_TEXTS, ("and",)), np.array([2, 1, 0]))
    alone = Sentences.from_texts([LONGER_TEXTS[2], LONGER_TEXTS[1], LONGER_TEXTS[0]], ("and",))
    assert list(some.lexicon.words) == list(alone.lexicon.words)
    np.testing.assert_array_equal(some.words.toarray(), alone.words.toarray())
    np.testing.assert_array_equal(
        some.counts(slice(None)).toarray(), alone.counts(slice(None)).toarray()
    )
    whole = Sentences.from_texts(LONGER_TEXTS, ("and",))
    for text in ("insulin and Zinc", "and"):
        some = with_text(text, whole, np.array([3, 0]), ("and",))
        alone = Sentences.from_texts([text, LONGER_TEXTS[3], LONGER_TEXTS[0]], ("and",))
        assert list(some.lexicon.words) == list(alone.lexicon.words)
        np.testing.assert_array_equal(some.words.toarray(), alone.words.toarray())
        assert some.words.has_sorted_indices
