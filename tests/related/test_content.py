"""Strength of context."""

import math

import numpy as np
import pytest
from scipy.sparse import csr_array

from relsent_ir.lucene.read.index import Index
from relsent_ir.related import pairs as content
from relsent_ir.related.pairs import strength_of_context, surviving
from relsent_ir.related.store.corpus import read_corpus
from tests.related.conftest import STOPWORDS, TOPICS


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
    """The asked share of the sentences survives; 1 keeps all, and next to nothing keeps the top."""
    corpus = read_corpus(index, STOPWORDS)
    every = surviving(corpus, 1.0)
    half = surviving(corpus, 0.5)
    assert (every | ~half).all()
    assert 0.5 <= half.sum() / every.sum() < 0.7  # ties at the threshold stay
    assert not surviving(corpus, 1e-9).any()
