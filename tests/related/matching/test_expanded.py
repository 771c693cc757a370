"""Expanded topics."""

from pathlib import Path

import numpy as np
import pytest

from relsent_ir.lucene.read.index import Index
from relsent_ir.lucene.read.search import Searcher
from relsent_ir.related.features import Lexicon
from relsent_ir.related.matching import expanded
from relsent_ir.related.matching.expanded import SIMILARITY, Expander
from relsent_ir.related.matching.linear import open_scorer
from relsent_ir.related.store.sentences import open_store
from relsent_ir.related.weights import WeightModel
from tests.related.conftest import STOPWORDS


@pytest.fixture
def expander(collection: Path) -> Expander:
    """With a model that likes every feature of `glucose` and of `fracture`, and nothing else."""
    index = Index(collection, "sentences")
    store = open_store(index, STOPWORDS)
    lexicon = Lexicon.of(["glucose", "fracture"])
    n = len(lexicon)
    model = WeightModel("huber", lexicon, np.ones(n), np.zeros(n), 0.0, STOPWORDS, {})
    scorer = open_scorer(store, model)
    assert scorer
    return Expander(scorer, index.facts.analysis)


def test_weighs_what_words_can_add(expander: Expander):
    """Words that share weighted features are in, in the index's terms, by weight over idf."""
    scorer = expander.scorer
    (query,) = scorer.queries(["glucose"], [-1])
    terms = expander.terms(query)
    store = scorer.store
    # "glaucoma" shares "gl" and "co" is none of glucose's; "orthopaedic" shares nothing
    assert {"glucos", "glaucoma"} <= terms.keys()
    assert "orthopaed" not in terms
    word = store.lexicon.words.find("glucose")
    n = int((store.sentences.words.indices == word).sum())
    features = 1 + 6 + 5 + 4 + 3 + 2  # the word itself, and its substrings of 2 to 6 characters
    assert terms["glucos"] == pytest.approx(features / np.log1p(len(store) / n))
    assert list(terms.values()) == sorted(terms.values(), reverse=True)


def test_takes_the_first_words_only(expander: Expander, monkeypatch: pytest.MonkeyPatch):
    """No more than WORDS of them."""
    monkeypatch.setattr(expanded, "WORDS", 1)
    (query,) = expander.scorer.queries(["glucose"], [-1])
    assert list(expander.terms(query)) == ["glucos"]


def test_lucene_multiplies_by_the_weight(collection: Path):
    """A weighted term scores its weight times its own score."""
    with Index(collection, "sentences") as index:
        searcher = Searcher(index, SIMILARITY)
        run = searcher.search({"1": {"glucos": 1.0}, "3": {"glucos": 3.0}, "text": "glucose"})
    assert len(run["1"]) > 0
    assert run["1"].ids.tolist() == run["3"].ids.tolist() == run["text"].ids.tolist()
    np.testing.assert_allclose(run["3"].scores, 3.0 * run["1"].scores, rtol=1e-6)
