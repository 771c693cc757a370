"""The design matrix, against writing it out."""

import numpy as np
import pytest

from relsent_ir.related import features as chunking
from relsent_ir.related.features import Lexicon, Sentences
from relsent_ir.related.training.design import PairDesign
from tests.related.brute import features
from tests.related.conftest import STOPWORDS, invent

TEXTS = [section.text for record in invent(10, seed=4) for section in record.sections] + [""]
SENTENCES = Sentences.from_texts(TEXTS, STOPWORDS)
CHANCE = np.random.default_rng(1)
A, B = CHANCE.integers(0, len(TEXTS), (2, 25))


@pytest.fixture(autouse=True)
def _small_chunks(monkeypatch: pytest.MonkeyPatch):
    """Several chunks."""
    monkeypatch.setattr(chunking, "CHUNK", 10)


def _plain(lexicon: Lexicon) -> np.ndarray:
    """One column per (feature, I) and per (feature, D), one row per pair."""
    column = {lexicon.name(i): i for i in range(len(lexicon))}
    plain = np.zeros((len(A), 2 * len(lexicon)))
    for row, (i, j) in enumerate(zip(A, B, strict=True)):
        x, y = (set(features(TEXTS[k], STOPWORDS)) for k in (i, j))
        plain[row, [column[t] for t in x & y]] = 1
        plain[row, [len(lexicon) + column[t] for t in x ^ y]] = 1
    plain[:, plain.sum(axis=0) < 2] = 0
    return plain


def test_products():
    """X w, Xᵀ v, sizes and kept features are those of the plain matrix."""
    design = PairDesign(SENTENCES, A, B)
    plain = _plain(design.lexicon)
    assert design.shape == plain.shape
    np.testing.assert_array_equal(design.used, plain.any(axis=0))
    np.testing.assert_array_equal(design.sizes(), plain.sum(axis=1))
    weights, values = CHANCE.normal(size=plain.shape[1]), CHANCE.normal(size=len(A))
    np.testing.assert_allclose(design.dot(weights), plain @ weights, atol=1e-10)
    np.testing.assert_allclose(design.transposed_dot(values), plain.T @ values, atol=1e-10)
    np.testing.assert_allclose(
        design.squared_transposed_dot(values), (plain**2).T @ values, atol=1e-10
    )
