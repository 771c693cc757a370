"""Huber+ packed into 8 bits: what is kept, and that it is read as it was written."""

from pathlib import Path

import numpy as np
import pytest

from recipes import related as module
from recipes.related import pack
from relsent_ir import models
from relsent_ir.errors import InputError
from relsent_ir.models import save_folder
from relsent_ir.related.features import Sentences
from relsent_ir.related.huber_plus import HuberPlusModel
from relsent_ir.related.packed import from_bytes, to_bytes
from tests.related.conftest import STOPWORDS, invent

TEXTS = [section.text for record in invent(30, seed=8) for section in record.sections]


def test_bytes():
    """Whole 127ths of the largest number of each vector; nothing stays nothing."""
    vectors = np.array([[12.7, -6.34, 0.04], [0.0, 0.0, 0.0], [-2.54, 1.28, 2.54]])
    numbers, sizes = to_bytes(vectors)
    assert numbers.tolist() == [[127, -63, 0], [0, 0, 0], [-127, 64, 127]]
    np.testing.assert_allclose(sizes, [0.1, 0.0, 0.02], rtol=1e-6)
    np.testing.assert_allclose(from_bytes(numbers, sizes)[2], [-2.54, 1.28, 2.54], rtol=1e-6)


def test_saved_and_loaded(trained: HuberPlusModel, tmp_path: Path):
    """What is read is what was packed, to 8 bits, and saved again it is the same to the bit."""
    small = pack(trained)
    for name in ("a", "b"):
        models.save(tmp_path / name, small)
        small = models.load(tmp_path / name, "related")
    again = models.load(tmp_path / "b", "related")
    assert again.packed
    first, second = (models.load(tmp_path / name, "related").to_arrays() for name in "ab")
    for name, array in first.items():
        np.testing.assert_array_equal(array, second[name], name)
    vectors = trained.knowledge.vectors.astype(np.float32)
    kept = trained.sparse.lexicon.words.locate(again.sparse.lexicon.words)
    np.testing.assert_allclose(
        again.knowledge.vectors.astype(np.float32), vectors[kept], atol=np.abs(vectors).max() / 200
    )
    was = trained.knowledge.statistics.on(again.sparse.lexicon).frequency
    assert np.abs(again.knowledge.statistics.frequency - was).max() <= 0.03 * was.max()
    assert not len(again.knowledge.associations.values)


def test_scores_are_near(trained: HuberPlusModel, monkeypatch: pytest.MonkeyPatch):
    """With all weights kept, what is left out is the associations, and little else."""
    monkeypatch.setattr(module, "WEIGHTS", 1.0)
    monkeypatch.setattr(module, "LEAST", 0)
    small = pack(trained)
    sentences = Sentences.from_texts(TEXTS, STOPWORDS)
    a, b = np.random.default_rng(0).integers(0, len(TEXTS), (2, 200))
    correlation = np.corrcoef(small.scores(sentences, a, b), trained.scores(sentences, a, b))[0, 1]
    assert correlation > 0.9


def test_what_is_kept(trained: HuberPlusModel):
    """The words of most sentences; substrings of several, and what these begin with."""
    small = pack(trained, 7)
    statistics = trained.knowledge.statistics
    n = len(statistics.lexicon.words)
    least = np.sort(statistics.frequency[:n])[-7]
    assert len(small.sparse.lexicon.words) == 7
    counted = statistics.on(small.sparse.lexicon).frequency
    assert counted[:7].min() >= least
    names = {small.sparse.lexicon.name(i)[1] for i in range(7, len(small.sparse.lexicon))}
    every = {
        statistics.lexicon.name(i)[1]: statistics.frequency[i]
        for i in range(n, len(statistics.lexicon))
    }
    often = {name for name, count in every.items() if count >= module.LEAST}
    assert names == {name[:size] for name in often for size in range(2, len(name) + 1)}
    number = statistics.lexicon.locate(small.sparse.lexicon)
    weights = trained.sparse.both[number]
    large = np.abs(weights) >= np.quantile(np.abs(trained.sparse.both), 0.9)
    np.testing.assert_allclose(small.sparse.both, np.where(large, weights, 0.0))


def test_damaged(trained: HuberPlusModel, tmp_path: Path):
    """An array that is missing or too short is one line."""
    facts, arrays = pack(trained).to_stored()
    for damaged in (
        {name: array for name, array in arrays.items() if name != "frequency"},
        {**arrays, "vectors": arrays["vectors"][:-1]},
        {**arrays, "part_vectors_size": arrays["part_vectors_size"][1:]},
    ):
        save_folder(tmp_path / "m", trained.name, facts, damaged)
        with pytest.raises(InputError, match="do not fit together"):
            models.load(tmp_path / "m", "related")
