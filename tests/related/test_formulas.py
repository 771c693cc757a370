"""The fixed formulas, against the same sums over dictionaries."""

import itertools

import numpy as np
import pytest

from relsent_ir.related.features import Sentences
from relsent_ir.related.formulas import FORMULAS, FormulaModel, Statistics
from relsent_ir.related.model import method_scores, score_pairs
from tests.related.brute import Collection, features
from tests.related.conftest import STOPWORDS, invent

TEXTS = [section.text for record in invent(12) for section in record.sections] + ["", "x-ray"]
NEW = ["Unheard-of quetzals were in the net", "quetzal nets", "sugar, sugar, sugar", "?"]


@pytest.fixture(scope="module")
def brute() -> Collection:
    """What the formulas need, from dictionaries."""
    return Collection([features(text, STOPWORDS) for text in TEXTS])


@pytest.fixture(scope="module")
def statistics() -> Statistics:
    """The same, from matrices."""
    sentences = Sentences.from_texts(TEXTS, STOPWORDS)
    return Statistics.collect(sentences, np.arange(len(TEXTS)))


@pytest.mark.parametrize("name", FORMULAS)
def test_score_pairs(name: str, statistics: Statistics, brute: Collection):
    """Texts with known and new features; a feature that the collection lacks counts as one."""
    texts = TEXTS[:6] + TEXTS[-2:] + NEW
    pairs = list(itertools.product(texts, texts))
    found = score_pairs(FormulaModel(name, statistics, STOPWORDS), pairs)
    expected = [brute.score(name, features(a, STOPWORDS), features(b, STOPWORDS)) for a, b in pairs]
    np.testing.assert_allclose(found, expected, rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize("name", FORMULAS)
def test_query_scores(name: str, statistics: Statistics):
    """One sentence against many gives what its pairs give."""
    sentences = Sentences.from_texts(TEXTS + NEW, STOPWORDS)
    model = FormulaModel(name, statistics, STOPWORDS)
    rows = np.arange(len(sentences))[::-1].copy()
    for query in (0, 3, len(TEXTS) - 2, len(TEXTS)):
        expected = model.scores(sentences, np.full(len(rows), query), rows)
        np.testing.assert_allclose(model.query_scores(sentences, query, rows), expected)


def test_all_at_once(statistics: Statistics):
    """Several methods over the same pairs give each one's scores; no pairs, no scores."""
    sentences = Sentences.from_texts(TEXTS, STOPWORDS)
    a, b = np.arange(10), np.arange(10)[::-1].copy()
    methods = [formula(statistics.on(sentences.lexicon)) for formula in FORMULAS.values()]
    together = method_scores(methods, sentences, a, b)
    assert together.shape == (len(FORMULAS), 10)
    for name, row in zip(FORMULAS, together, strict=True):
        model = FormulaModel(name, statistics, STOPWORDS)
        np.testing.assert_allclose(row, model.scores(sentences, a, b))
    assert score_pairs(FormulaModel("T1", statistics, STOPWORDS), []).shape == (0,)


def test_statistics_of_some_rows():
    """Only the rows that are named count."""
    sentences = Sentences.from_texts(["zzz zzz", "zzz", "aa"], ())
    found = Statistics.collect(sentences, np.array([0]))
    by_name = {
        found.lexicon.name(i): (int(found.frequency[i]), int(found.total[i]))
        for i in range(len(found.lexicon))
    }
    assert by_name[("S", "zz")] == (1, 4)
    assert by_name[("S", "aa")] == (0, 0)
    assert (found.sentences, found.mean_length) == (1, 8.0)
    again = Statistics.from_arrays(found.lexicon, found.to_arrays())
    assert (again.sentences, again.mean_length) == (1, 8.0)
    np.testing.assert_array_equal(again.frequency, found.frequency)
