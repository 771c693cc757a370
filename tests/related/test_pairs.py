"""Pairs of sentences, content words, break-even and McNemar's test."""

import math
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.sparse import csr_array

from relsent_ir.errors import InputError, MismatchError
from relsent_ir.lucene.read.index import Index
from relsent_ir.records import Record, Section
from relsent_ir.related import pairs as content
from relsent_ir.related.features import Sentences
from relsent_ir.related.pairs import (
    Corpus,
    break_even,
    draw_pairs,
    held_out,
    permuted,
    read_corpus,
    strength_of_context,
    surviving,
    top_half,
)
from relsent_ir.related.tokens import words
from tests.related.conftest import STOPWORDS, TOPICS


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
    drawn = draw_pairs(CORPUS, kept, np.ones(4, dtype=bool))
    a, b = drawn.a[drawn.related], drawn.b[drawn.related]
    pairs = [(CORPUS.ids[i], CORPUS.ids[j]) for i, j in zip(a, b, strict=True)]
    assert pairs == [
        ("r0.1", "r0.3"),
        ("r0.3", "r0.4"),
        ("r1.1", "r1.2"),
        ("r3.1", "r3.2"),
        ("r3.2", "r3.3"),
    ]


def test_draw():
    """Positives first, then as many negatives; the same for a seed; too little is said."""
    everywhere = np.ones(4, dtype=bool)
    for seed in range(20):
        pairs = draw_pairs(CORPUS, surviving(CORPUS), everywhere, seed=seed)
        assert pairs.related.tolist() == [True] * 5 + [False] * 5
        assert (CORPUS.record[pairs.a[:5]] == CORPUS.record[pairs.b[:5]]).all()
        assert (CORPUS.record[pairs.a[5:]] != CORPUS.record[pairs.b[5:]]).all()
        assert sorted(pairs.a[5:]) == sorted(pairs.a[:5])
        assert sorted(pairs.b[5:]) == sorted(pairs.b[:5])
    records = np.array([True, False, True, True])
    kept = surviving(CORPUS)
    drawn = [draw_pairs(CORPUS, kept, records, 4, seed=s) for s in (1, 1)]
    assert (drawn[0].a == drawn[1].a).all()
    assert (drawn[0].b == drawn[1].b).all()
    assert len(drawn[0]) == 8
    assert not (CORPUS.record[drawn[0].a] == 1).any()
    assert len({tuple(draw_pairs(CORPUS, kept, records, 4, seed=s).b) for s in range(9)}) > 1
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


def test_strength_against_loops(monkeypatch: pytest.MonkeyPatch):
    """The sum of the docstring, word by word; counts within a record do not matter."""
    monkeypatch.setattr(content, "_BLOCK", 3)
    chance = np.random.default_rng(3)
    dense = (chance.random((30, 11)) < chance.random(11)) * chance.integers(1, 4, (30, 11))
    dense[:, 10] = 0
    dense[4, 10] = 2  # in one record only
    present = dense > 0
    n = present.sum(axis=0)
    expected = np.zeros(11)
    for w in range(11):
        for v in range(11):
            both = int((present[:, w] & present[:, v]).sum())
            if v != w and both and n[w] > 1 and n[v] > 1:
                pmi = math.log(both * 30 / (n[w] * n[v]))
                expected[w] += both / (both + 3) * both / n[w] * max(0.0, pmi)
    np.testing.assert_allclose(strength_of_context(csr_array(dense)), expected, atol=1e-12)
    assert expected[10] == 0


def test_topic_words_are_stronger(index: Index):
    """Words of one topic say more of their records than words of all."""
    corpus = read_corpus(index, STOPWORDS)
    words = corpus.sentences.words
    records = np.zeros((60, words.shape[1]))
    np.add.at(records, corpus.record, words.toarray())
    scores = dict(
        zip(corpus.sentences.lexicon.words, strength_of_context(csr_array(records)), strict=True)
    )
    general = [scores[word] for word in ("patients", "study", "results", "higher")]
    assert min(scores[word] for topic in TOPICS for word in topic) > max(general)


def test_share(index: Index):
    """The asked share survives, 1 keeps all; a third is held out, by seed."""
    corpus = read_corpus(index, STOPWORDS)
    every = surviving(corpus, 1.0)
    half = surviving(corpus, 0.5)
    assert (every | ~half).all()
    assert 0.5 <= half.sum() / every.sum() < 0.7  # ties at the threshold stay
    assert not surviving(corpus, 1e-9).any()
    names = [f"r{i}" for i in range(3000)]
    chosen = held_out(names, 1)
    assert 900 < chosen.sum() < 1100
    assert held_out(names[::-1], 1).tolist() == chosen[::-1].tolist()
    assert 200 < (held_out(names, 2) & chosen).sum() < 450


def test_break_even():
    """By hand: of the three highest, two are related; ties are broken at random."""
    assert break_even([5, 4, 3, 2, 1, 0], [1, 0, 1, 0, 1, 0]) == pytest.approx(200 / 3)
    assert break_even([1, 2, 3, 4], [1, 1, 0, 0]) == 0
    related = np.arange(10_000) < 5000
    scores = np.zeros(10_000)
    assert 48 < break_even(scores, related, seed=1) < 52
    assert break_even(scores, related, seed=1) == break_even(scores, related, seed=1)
    assert break_even(scores, related, seed=1) != break_even(scores, related, seed=2)
    scores[:100] = 1
    assert top_half(scores)[:100].all()
    assert top_half(scores).sum() == 5000


def test_read(index: Index, collection: Path):
    """Every sentence but titles, in the order of ids and numbers, with its words."""
    corpus = read_corpus(index, STOPWORDS)
    with Index(collection, "sentences") as by_sentence:
        bodies = [name for name in by_sentence.ids() if not name.endswith(".0")]
        assert sorted(corpus.ids) == sorted(bodies)
        import json

        for i, line in enumerate(by_sentence.raw(corpus.ids)):
            row = slice(*corpus.sentences.words.indptr[i : i + 2])
            found = {
                corpus.sentences.lexicon.words[w]: c
                for w, c in zip(
                    corpus.sentences.words.indices[row],
                    corpus.sentences.words.data[row],
                    strict=True,
                )
            }
            expected = words(json.loads(line)["contents"], STOPWORDS)
            assert found == {word: expected.count(word) for word in expected}
    assert corpus.records == sorted(corpus.records)
    assert len(corpus.records) == 60
    assert corpus.fingerprint["sources"] == [index.facts.sources[0].sha256]


def test_records_without_abstract(build: Callable[[Sequence[Record]], Path]):
    """They count as records and have no sentences; dots in ids are no matter."""
    folder = build([Record("a", "A title.")])
    with Index(folder) as opened, pytest.raises(InputError, match="the records have no sentences"):
        read_corpus(opened, ())
    folder = build([Record("a", "A title."), Record("a.b", "", sections=(Section("One two."),))])
    with Index(folder) as opened:
        corpus = read_corpus(opened, ())
    assert (corpus.records, corpus.ids) == (["a", "a.b"], ["a.b.1"])
