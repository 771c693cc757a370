"""The best match of a sentence, against scoring all pairs."""

from pathlib import Path

import numpy as np
import pytest

from relsent_ir.lucene.read.index import Index
from relsent_ir.related.pairs import surviving
from relsent_ir.related.store.corpus import read_corpus
from relsent_ir.related.training import train as best_match
from relsent_ir.related.training.train import first_hits, train
from tests.related.conftest import STOPWORDS


@pytest.mark.parametrize("kind", ["huber", "huber-plus"])
def test_best_match(kind: str, collection: Path, monkeypatch: pytest.MonkeyPatch):
    """The best of all sentences of other records, though only five are scored at first."""
    monkeypatch.setattr(best_match, "_FIRST", 5)
    with Index(collection) as index:
        model = train(index, kind, content_share=1.0, stopwords=STOPWORDS, lambda0=1e-4)
        corpus = read_corpus(index, STOPWORDS)
    kept = surviving(corpus)
    sample = np.flatnonzero(kept)[:25]
    expected = []
    for query in sample:
        others = np.flatnonzero(kept & (corpus.record != corpus.record[query]))
        queries = np.full(len(others), query)
        expected.append(model.scores(corpus.sentences, queries, others).max())
    told: list[int] = []
    found = first_hits(model, corpus, kept, sample, lambda done, _: told.append(done))
    np.testing.assert_allclose(found.best, expected)
    scores, own = [], []
    for query in sample:
        others = np.flatnonzero(kept & (np.arange(len(kept)) != query))
        values = model.scores(corpus.sentences, np.full(len(others), query), others)
        same = corpus.record[others] == corpus.record[query]
        first = np.lexsort((same, -np.round(values, 9)))[:10]
        scores.append(values[first])
        own.append(same[first])
    np.testing.assert_allclose(found.scores, np.concatenate(scores))
    assert found.own.sum() == np.concatenate(own).sum()
    assert told == list(range(1, 26))


def test_no_other_record(collection: Path):
    """Where there is no other record there is no match."""
    with Index(collection) as index:
        model = train(index, "bayes", content_share=1.0, stopwords=STOPWORDS)
        corpus = read_corpus(index, STOPWORDS)
    found = first_hits(model, corpus, corpus.record == 0, np.array([0]))
    assert found.best.tolist() == [-np.inf]
    assert found.own.all()
