"""How much of a question's words sentences have."""

from math import log, sqrt

import numpy as np
import pytest

from relsent_ir.answers.features import Body, grams
from relsent_ir.answers.words import WordVectors

SENTENCES = [["pain", "fell"], ["weight", "fell", "weight"], []]
VECTORS = WordVectors(
    ("fell", "pain", "relief", "weight"),
    np.array([[0, 0, 1], [1, 0, 0], [0.6, 0, 0.8], [0, 1, 0]], dtype=np.float32),
    np.array([9, 4, 1, 4]),
    99,
)


@pytest.fixture
def body() -> Body:
    """Three sentences, the last one empty."""
    return Body(SENTENCES, VECTORS)


def _weight(frequency: int, holding: int) -> float:
    return log(100 / (frequency + 1)) * log(1 + 3 / (holding + 0.5))


def test_words(body: Body) -> None:
    """The share of the words, each weighed; a word counts once."""
    pain, fell = _weight(4, 1), _weight(9, 2)
    share = pain / (pain + fell)
    found = body.words(["pain", "fell", "pain"])
    assert found == pytest.approx([1, 1 - share, 0], abs=1e-5)


def test_meaning(body: Body) -> None:
    """A word that is not there counts by the square of the best cosine."""
    assert body.meaning(["relief"]) == pytest.approx([0.64, 0.64, 0], abs=1e-5)
    assert body.meaning(["pain"]) == pytest.approx([1, 0, 0], abs=1e-5)


def test_grams(body: Body) -> None:
    """A word counts by the share of its 4-grams; its borders are characters."""
    assert grams("pain") == {"_pai", "pain", "ain_"}
    assert body.grams(["pains"]) == pytest.approx([2 / 4, 0, 0], abs=1e-5)
    assert grams("p") == {"_p_"}


def test_cosine(body: Body) -> None:
    """Of sets weighted by idf; the word that is there twice counts once."""
    weight, fell = log(100 / 5), log(100 / 10)
    expected = weight**2 / (weight * sqrt(weight**2 + fell**2))
    assert body.cosine(["weight"]) == pytest.approx([0, expected, 0])


@pytest.mark.parametrize("way", ["words", "grams", "meaning", "cosine"])
def test_nothing_asked(body: Body, way: str) -> None:
    """Without words nothing matches, and an abstract without sentences has no values."""
    assert getattr(body, way)([]).tolist() == [0, 0, 0]
    assert getattr(Body([], VECTORS), way)(["pain"]).shape == (0,)
