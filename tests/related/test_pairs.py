"""The pair corpus."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from relsent_ir.errors import MismatchError
from relsent_ir.related.features import Sentences
from relsent_ir.related.pairs import draw_pairs, neighbours, permuted, surviving
from relsent_ir.related.store.corpus import Corpus


def _corpus(*records: list[str]) -> Corpus:
    """A corpus of records given by their title and sentences."""
    texts = [text for record in records for text in record]
    return Corpus(
        Sentences.from_texts(texts, ()),
        [f"r{i}" for i in range(len(records))],
        np.repeat(np.arange(len(records)), [len(r) for r in records]).astype(np.int32),
        np.concatenate([np.arange(len(r)) for r in records]).astype(np.int32),
    )


CORPUS = _corpus(
    ["title aa bb", "aa bb cc", "too short", "dd ee ff", "gg hh ii"],
    ["title cc dd", "jj kk ll", "mm nn oo"],
    ["title ee ff", "pp qq rr"],
    ["title gg hh", "ss tt uu", "vv ww xx", "yy zz ab"],
)


def test_neighbours_among_survivors():
    """Titles and sentences of two words go; what is then adjacent in one record is a pair."""
    kept = surviving(CORPUS)
    a, b = neighbours(CORPUS, kept)
    pairs = [(CORPUS.ids[i], CORPUS.ids[j]) for i, j in zip(a, b, strict=True)]
    assert pairs == [
        ("r0.1", "r0.3"),
        ("r0.3", "r0.4"),
        ("r1.1", "r1.2"),
        ("r3.1", "r3.2"),
        ("r3.2", "r3.3"),
    ]


def test_draw():
    """Positives first, then as many negatives: the same sentences, no two of one record."""
    everywhere = np.ones(4, dtype=bool)
    for seed in range(20):
        pairs = draw_pairs(CORPUS, surviving(CORPUS), everywhere, seed=seed)
        assert pairs.related.tolist() == [True] * 5 + [False] * 5
        assert (CORPUS.record[pairs.a[:5]] == CORPUS.record[pairs.b[:5]]).all()
        assert (CORPUS.record[pairs.a[5:]] != CORPUS.record[pairs.b[5:]]).all()
        assert sorted(pairs.a[5:]) == sorted(pairs.a[:5])
        assert sorted(pairs.b[5:]) == sorted(pairs.b[:5])


def test_draw_some():
    """A number of pairs, from some records, the same for the same seed."""
    records = np.array([True, False, True, True])
    kept = surviving(CORPUS)
    drawn = [draw_pairs(CORPUS, kept, records, 4, seed=s) for s in (1, 1)]
    assert (drawn[0].a == drawn[1].a).all()
    assert (drawn[0].b == drawn[1].b).all()
    assert len(drawn[0]) == 8
    assert not (CORPUS.record[drawn[0].a] == 1).any()
    assert len({tuple(draw_pairs(CORPUS, kept, records, 4, seed=s).b) for s in range(9)}) > 1


def test_too_little():
    """No pairs at all, or all of one record, is said."""
    kept = surviving(CORPUS)
    with pytest.raises(MismatchError, match="no two neighbouring sentences"):
        draw_pairs(CORPUS, kept, np.array([False, False, True, False]))
    with pytest.raises(MismatchError, match="most pairs come from one record"):
        draw_pairs(CORPUS, kept, np.array([True, False, False, False]))


@given(st.lists(st.integers(0, 5), min_size=1, max_size=30), st.integers(0, 9))
@settings(derandomize=True, deadline=None)
def test_permuted(groups: list[int], seed: int):
    """Nothing comes to its own group, wherever that is possible at all."""
    array = np.array(groups)
    generator = np.random.default_rng(seed)
    if 2 * max(groups.count(g) for g in groups) > len(groups):
        with pytest.raises(MismatchError):
            permuted(array, generator)
        return
    order = permuted(array, generator)
    assert sorted(order) == list(range(len(groups)))
    assert (array[order] != array).all()
